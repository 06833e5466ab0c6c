/* SPDX-License-Identifier: MIT
 *
 * When to draw how finely: while anything moves, as well as the frame's time allows; once all
 * stands still, the whole picture as a still has it, a few rows a frame; then nothing more. */
#ifndef APP_STILLNESS_H
#define APP_STILLNESS_H

#include "render_settings.h"
#include <stdbool.h>
#include <stdint.h>

/* All that smoke, sky and ground are drawn by. */
typedef struct StillnessScene {
    RenderCamera camera;
    uint64_t steps, resets;
    int width, height; /* of the window, pixels */
} StillnessScene;

typedef struct Stillness {
    StillnessScene scene;
    double moved;     /* s; when that last changed, */
    double turned;    /* and when the camera did */
    int rows;         /* of the fine picture, marched so far */
    int rows_a_frame; /* to march at a time; 0: not known yet */
    bool fine;        /* all of them: the smoke is that of a still */
} Stillness;

/* Takes note of what is to be drawn; true: the camera turns, or did just before. */
bool stillness_turning(Stillness *stillness, const StillnessScene *scene, double now);

/* Something else changed of what the smoke is drawn by. */
void stillness_break(Stillness *stillness, double now);

/* Whether to go on with the fine picture now. paused: no step comes by itself. */
bool stillness_refines(const Stillness *stillness, bool paused, double now);

/* Rows to march next. */
int stillness_part(const Stillness *stillness);

/* Of `height` rows so many are there now, the last of which took so many ms. */
void stillness_marched(Stillness *stillness, int rows, int height, double ms);

#endif
