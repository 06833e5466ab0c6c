/* SPDX-License-Identifier: MIT
 *
 * Screenshots, and recordings of what one does, of which videos are drawn. */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "app/video_maker.h"
#include "render/renderer.h"
#include "scene/scene.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Parts of a file's path, which is FOLDER "/" PREFIX SCENE "-" NUMBER ENDING without the spaces. */
typedef struct CaptureName {
    const char *folder, *prefix;
    const char *scene;  /* characters other than letters, digits and dashes become underscores */
    int digits;         /* smallest number of digits of NUMBER; 0: the first file is without "-1" */
    const char *ending; /* ".png" */
    const char *plural; /* "screenshots of", for the message */
    const char *const *others; /* further endings that no file may have, until NULL; NULL: none */
    VideoMaker *maker;         /* its recordings count as files; NULL: none */
} CaptureName;

/* Finds the first NUMBER whose file does not exist. name: receives the file's name without the
 * folder. */
bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error);

/* Writes the picture that the window shows, without texts, to `folder`/SCENE-0001.png, or to the
 * first number that has no file. A slice gets its legend. name: receives the file's name without
 * the folder. */
bool screenshot_take(Renderer *renderer, const Scene *scene, const RenderSlice *slice, int width,
                     int height, const char *folder, char name[96], BillowError *error);

/* -- recordings in a session ------------------------------------------------------------------- */

typedef struct Session Session;

typedef struct Recording {
    bool on;              /* what one does is recorded */
    bool ending;          /* the simulation has been told to end the recording */
    bool stale;           /* the snapshot still has the reason why the last one ended */
    char name[128];       /* name of the file without its folder */
    uint64_t from;        /* number of steps at the start */
    VideoForm form;       /* of the video, by the window at the start */
    VideoMaker *maker;    /* NULL: nothing was recorded yet */
    VideoStatus video;    /* of this frame */
    char words[32];       /* text of recording_words */
    char video_words[64]; /* text of recording_video */
} Recording;

/* Records what one does from now on, with the camera, in FOLDER/billow-SCENE-1.bwr, or in the first
 * number that has no file. If something is recorded, ends that instead; then a video is drawn of it
 * in the background. */
void recording_toggle(Session *session);
/* Ends the present recording, if there is one. why: reason for the message; NULL: no message. */
void recording_end(Session *session, const char *why);
bool recording_runs(const Session *session);
/* Follows the recording, and the videos of those before. Call it every frame. */
void recording_poll(Session *session);
/* Writes what is recorded, and gives up videos. Call it after the world has been closed. Returns
 * false with a message if a recording is lost. */
bool recording_close(Session *session, BillowError *error);

/* Returns the length of the present recording, such as "0:03"; NULL: there is none. */
const char *recording_words(Session *session);
/* Returns how far the present video is, such as "video 40 %, 1:20 left"; NULL: there is none. */
const char *recording_video(Session *session, float *share);

/* The functions of two keys. */
void recording_pause_video(Session *session);
void recording_give_up_video(Session *session);

#endif
