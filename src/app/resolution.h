/* SPDX-License-Identifier: MIT
 *
 * Chooses the resolution of the picture in the window.
 *
 * While something moves, a frame's work has to fit a budget. At first fewer rays are marched, which
 * soft smoke hardly shows; then the whole picture shrinks. The resolution sinks soon when frames
 * are late. It rises after a while of clear headroom. After each rise that made frames late, it
 * waits longer before the next rise, so that it settles instead of flickering.
 *
 * When nothing moves, the picture is drawn in the quality of a still image, some rows in each
 * frame.
 */
#ifndef APP_RESOLUTION_H
#define APP_RESOLUTION_H

#include "render_settings.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct ResolutionScale {
    float picture; /* size of the picture in each direction, as a share of the window's */
    float march;   /* RenderFrame.scale: size of the march, as a share of the picture's */
    float step;    /* length of a step of the march, cells */
} ResolutionScale;

/* Time of a frame's work, ms. On a GPU the parts are not timed, and all of it counts as march. */
typedef struct ResolutionTimes {
    double march, backdrop, composite; /* times of RenderTimes, ms */
    double rest;                       /* time that does not depend on the resolution, ms */
} ResolutionTimes;

typedef struct Resolution {
    double budget_ms; /* longest time of a frame's work, ms */
    int level, most;  /* index in the list of scales, and its largest allowed value */
    int turning;      /* level while the camera turns; negative: the camera rests */
    /* Running averages of the times for a picture of the window's size; negative: not known yet. */
    ResolutionTimes cost;
    double early_ms;     /* time with headroom minus later time without it, ms */
    double patience;     /* value of early_ms at which the level rises, ms */
    double since_change; /* time since the last change, ms */
    double age_ms;       /* time since the start, ms */
    bool rose;           /* the last change was a rise */
} Resolution;

Resolution resolution_start(bool software);
ResolutionScale resolution_scale(const Resolution *resolution);

/* Notes whether the camera turns: then each frame redraws sky and ground. Returns true where the
 * scale changed. */
bool resolution_turn(Resolution *resolution, bool turning);

/* Updates the resolution after a frame that drew the picture. interval_ms: time since the previous
 * frame, ms. Returns true where the scale changed. */
bool resolution_observe(Resolution *resolution, const ResolutionTimes *took, double interval_ms);

/* Properties of the scene that change the picture. */
typedef struct StillnessScene {
    RenderCamera camera;
    uint64_t steps, resets;
    int width, height; /* size of the window, pixels */
} StillnessScene;

typedef struct Stillness {
    StillnessScene scene;
    double moved;     /* time of the last change of `scene`, s */
    double turned;    /* time of the camera's last movement, s */
    int rows;         /* number of rows of the fine picture that are marched */
    int rows_a_frame; /* number of rows to march in a frame; 0: not known yet */
    bool fine;        /* the fine picture is complete */
} Stillness;

/* Notes the present scene. Returns true where the camera turns or turned a moment ago. */
bool stillness_turning(Stillness *stillness, const StillnessScene *scene, double now);

/* Notes a change of something else in the picture. */
void stillness_break(Stillness *stillness, double now);

/* Whether to march more rows of the fine picture now. paused: the simulation is paused. */
bool stillness_refines(const Stillness *stillness, bool paused, double now);

/* Number of rows to march next. */
int stillness_part(const Stillness *stillness);

/* Notes that `rows` of `height` rows are marched, and the time of the newest ones, ms. */
void stillness_marched(Stillness *stillness, int rows, int height, double ms);

#endif
