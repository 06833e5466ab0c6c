/* SPDX-License-Identifier: MIT
 *
 * Chooses the resolution of the picture in the window.
 *
 * While something moves, a frame's work has to fit a budget. At first fewer rays are marched, which
 * soft smoke hardly shows; then the whole picture shrinks. The resolution sinks soon when frames
 * are late. It rises after a while of clear headroom. After each rise that made frames late, it
 * waits longer before the next rise, so that it settles instead of flickering.
 *
 * When nothing moves, the picture is drawn in the quality of a still image, some rows a frame. */
#ifndef PLAY_RESOLUTION_H
#define PLAY_RESOLUTION_H

#include "base/render_settings.h"
#include "render/frame/frame.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct ResolutionScale {
    float picture; /* width and height of the picture, relative to the window */
    float march;   /* RenderFrame.scale: rays on each axis, relative to the picture's pixels */
    float step;    /* length of a step of the march, cells */
} ResolutionScale;

/* Times of a frame's work, ms. On a GPU the parts are not timed, and `march` is the whole time. */
typedef struct ResolutionTimes {
    double march, backdrop, composite; /* members of RenderTimes, ms */
    double rest;                       /* time of work that does not depend on the resolution, ms */
} ResolutionTimes;

typedef struct Resolution {
    double budget_ms; /* longest time of a frame's work, ms */
    int level, most;  /* index in the list of levels, and its largest allowed value */
    int turning;      /* level while the camera turns; negative: the camera does not turn */
    /* Running averages of the times, converted to full resolution; negative: not known yet. */
    ResolutionTimes cost;
    double early_ms;     /* time with headroom minus time without it, at least 0, ms */
    double patience;     /* value of early_ms at which the level rises, ms */
    double since_change; /* time since the level last changed, ms */
    double age_ms;       /* time since the start, ms */
    bool rose;           /* the last change was a rise */
} Resolution;

Resolution resolution_start(bool software);
/* Sets the budget for a number of pictures a second. */
void resolution_aim(Resolution *resolution, bool software, double fps);
ResolutionScale resolution_scale(const Resolution *resolution);
/* Returns the frame of a picture in motion for a window of width x height pixels. */
RenderFrame resolution_frame(const Resolution *resolution, int width, int height, bool software);

/* Records whether the camera turns. While it turns, each frame also redraws sky and ground. Returns
 * true if the scale changed. */
bool resolution_turn(Resolution *resolution, bool turning);

/* Updates the resolution after a frame in which the picture was drawn. interval_ms: time since the
 * previous frame. Returns true if the scale changed. */
bool resolution_observe(Resolution *resolution, const ResolutionTimes *took, double interval_ms);

/* The state that a still picture depends on. */
typedef struct StillnessScene {
    RenderCamera camera;
    uint64_t steps, resets;
    int width, height; /* size of the window, pixels */
} StillnessScene;

typedef struct Stillness {
    StillnessScene scene;
    double moved;     /* time of the last change of `scene`, s */
    double turned;    /* time of the camera's last movement, s */
    int rows;         /* number of rows of the full-quality picture that are marched */
    int rows_a_frame; /* number of rows to march per frame; 0: not known yet */
    bool fine;        /* the full-quality picture is complete */
} Stillness;

/* Compares the scene with that of the last call. Returns true if the camera turns or has turned
 * less than REST_SECONDS ago. */
bool stillness_turning(Stillness *stillness, const StillnessScene *scene, double now);

/* Discards the full-quality picture after a change that StillnessScene does not contain. */
void stillness_break(Stillness *stillness, double now);

/* Whether to march more rows of the full-quality picture now. paused: the simulation is paused. */
bool stillness_refines(const Stillness *stillness, bool paused, double now);

/* Returns the number of rows to march next. */
int stillness_part(const Stillness *stillness);

/* Records that `rows` of `height` rows are marched. ms: time of those since the last call. */
void stillness_marched(Stillness *stillness, int rows, int height, double ms);

#endif
