/* SPDX-License-Identifier: MIT
 *
 * Keeps small pictures of the last seconds of the window, and saves them as an animated picture. */
#ifndef APP_CLIP_H
#define APP_CLIP_H

#include "io/video.h"

typedef struct Session Session;

#define CLIP_SECONDS 5.0
#define CLIP_FPS     (50.0 / 3) /* 6/100 s a picture, which .gif files can tell */
enum { CLIP_EDGE = 480, CLIP_FRAMES = 84 /* pictures in CLIP_SECONDS, and one */ };

typedef struct ClipJob ClipJob;

typedef struct Clip {
    int width, height;         /* of the pictures; 0: there are none */
    uint8_t *pixels;           /* CLIP_FRAMES pictures of 3 bytes a pixel, used as a ring */
    double times[CLIP_FRAMES]; /* when each was shown, s */
    int first, count;          /* index of the oldest picture, and their number */
    bool reading;              /* a picture is being read */
    double read_at;            /* when that one was shown, s */
    double due;                /* time of the next picture, s */
    double spent;              /* time spent for the last picture, s */
    ClipJob *job;              /* what is being saved; NULL: nothing */
} Clip;

/* Adds a picture, rows of 4 bytes a pixel from the bottom. Pictures of another size replace all
 * earlier ones. Without memory it is left out. */
void clip_add(Clip *clip, int width, int height, const uint8_t *pixels, double time);
/* Returns the picture that was shown at a time: the newest one up to it; NULL: there is none. */
const uint8_t *clip_at(const Clip *clip, double time);

/* Keeps the picture that the window shows, if one is due. Call it after renderer_present. */
void clip_see(Session *session);
/* Saves the last seconds in FOLDER/SCENE-1.gif, or in the first number that has no file. */
void clip_save(Session *session);
/* Says when the file is whole or has failed. Call it every frame. */
void clip_poll(Session *session);
/* Waits for the file and frees the pictures. */
void clip_close(Session *session);

#endif
