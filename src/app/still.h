/* SPDX-License-Identifier: MIT
 *
 * Draws the window's picture in the quality of `billow render`, on a thread with a GL context of
 * its own: up-resolution, light volumes of the grid's resolution, rays through all pixels, and the
 * exposures of lens and shutter. The window meanwhile handles input and shows the live picture. */
#ifndef APP_STILL_H
#define APP_STILL_H

#include "play/resolution.h"
#include "play/snapshots.h"
#include "render/pass/develop.h"
#include "scene/scene.h"

typedef struct Session Session;
typedef struct Still Still;

typedef struct StillJob {
    const SimSnapshot *snapshot;
    const RenderSettings *render;
    const Scene *scene; /* the values of its poster refine the smoke */
    int width, height;  /* pixels */
    Exposure exposure;  /* automatic exposure of the live picture, which the still takes over */
} StillJob;

typedef enum StillState {
    STILL_IDLE,    /* there is no picture, and none is being drawn */
    STILL_DRAWING, /* also while a picture that was given up ends */
    STILL_DONE,
    STILL_FAILED
} StillState;

/* shader_folder: as for renderer_create. Returns NULL, with a message, if memory is short. */
Still *still_create(const char *shader_folder, BillowError *error);
/* Gives the picture up, waits for the thread and frees everything. NULL is fine. */
void still_destroy(Still *still);
/* Copies the job and starts to draw it. Not while a picture is being drawn. Returns false with a
 * message if memory or threads are short. */
bool still_start(Still *still, const StillJob *job, BillowError *error);
/* Gives the picture up, drawn or not. Returns at once. */
void still_give_up(Still *still);
/* NULL: STILL_IDLE. */
StillState still_state(const Still *still);
/* Why the state is STILL_FAILED. */
const char *still_why(const Still *still);
/* The picture, while the state is STILL_DONE: 4 bytes a pixel, rows from the top. */
const uint8_t *still_pixels(const Still *still);

/* -- stills in a session ----------------------------------------------------------------------- */

/* The still of a session. */
typedef struct Refining {
    Still *still;          /* NULL before the first one */
    bool asked;            /* a still with the values below was begun */
    bool shown;            /* the window shows it */
    StillnessScene scene;  /* camera, step and size that it shows */
    RenderSettings render; /* render settings that it is drawn with */
    char words[32];        /* "refining 40 %"; empty text: nothing is being refined */
} Refining;

/* Begins, follows and shows the still. Call it in each frame after the live picture, which never
 * waits for it. wanted: whether there should be one. drawn: the live picture was drawn in this
 * frame, over the still. Returns false with a message if the GL fails. */
bool still_follow(Session *session, bool wanted, bool drawn, BillowError *error);
/* Gives the still up, drawn or not. */
void still_stop(Refining *refining);

#endif
