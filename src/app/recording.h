/* SPDX-License-Identifier: MIT
 *
 * The window's video: a frame whenever 1 / fps of simulated time has passed, however long that
 * took, of the picture without the words over it. It ends by its key, and where the window's size
 * or the scene changes. */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "recorder.h"

#define RECORDING_FPS 30.0 /* where nobody asked for another rate */

typedef struct Session Session;

typedef struct Recording {
    Recorder *recorder; /* NULL: none */
    bool ending;        /* no more frames: its file is being finished */
    char name[128];     /* of the file, without its folder */
    int width, height;  /* of the window when it began */
    double shown;       /* s; the time of the picture that the window shows, */
    double before;      /* and of the one when this was last asked */
    double seconds;     /* simulated since it began */
    long frames;
    char words[32]; /* for the overlay */
} Recording;

/* Begins FOLDER/billow-SCENE-1.mp4, or the first number that is free, or ends what was begun. */
void recording_toggle(Session *session, int argument);
/* Ends it, if there is one; why is said with its name. */
void recording_end(Session *session, const char *why);
/* After renderer_present and before anything is drawn over that. */
void recording_see(Session *session);
/* Every frame: says how a file that was being finished came out. */
void recording_poll(Session *session);
/* Waits until the file is whole. */
void recording_close(Session *session);

/* "0:03" of simulated time; NULL where nothing is recorded. */
const char *recording_words(Session *session);

#endif
