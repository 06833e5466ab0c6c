/* SPDX-License-Identifier: MIT
 *
 * The window's video: a frame for every 1 / fps of simulated time, of the picture without the words
 * over it. Every frame is drawn anew: the simulation waits for it, so that a slow machine takes
 * longer and the video shows nothing of that. Nothing is recorded while it is paused or goes back
 * in time. It ends by its key, and where the window's size or the scene changes. */
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
    uint64_t drawn;     /* number of the frame that the picture shows, 0: none; */
    uint64_t taken;     /* of the last one that was recorded, in any video */
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
/* Waits until the file is whole; false, with a message, where it could not be. */
bool recording_close(Session *session, BillowError *error);

/* "0:03" of the video; NULL where nothing is recorded. */
const char *recording_words(Session *session);

#endif
