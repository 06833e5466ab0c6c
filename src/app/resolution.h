/* SPDX-License-Identifier: MIT
 *
 * How finely the picture in the window is drawn.
 *
 * While something moves, the resolution is chosen so that a frame's work fits its budget. First
 * fewer rays are marched, which soft smoke hardly shows, then the whole picture shrinks. The
 * resolution sinks soon when frames are late, rises only after a while of clear headroom, and waits
 * longer each time a rise proved too bold: it settles instead of flickering.
 *
 * Once all stands still, the picture is drawn as finely as a still image, a few rows a frame. */
#ifndef APP_RESOLUTION_H
#define APP_RESOLUTION_H

#include "render_settings.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct ResolutionScale {
    float picture; /* width and height of the picture, as a share of the window's */
    float march; /* RenderFrame.scale: width and height of the march, as a share of the picture's */
    float step;  /* length of the march's steps, cells */
} ResolutionScale;

/* Time of a frame's work, ms. On a GPU, whose parts are not timed, all of it counts as march. */
typedef struct ResolutionTimes {
    double march, backdrop, composite; /* as in RenderTimes */
    double rest;                       /* work that does not depend on the resolution */
} ResolutionTimes;

typedef struct Resolution {
    double budget_ms;
    int level, most; /* index in the list of scales, and the largest allowed */
    int turning;     /* level while the camera turns; negative: it does not turn */
    /* Running averages, for a picture as large as the window where the time goes with the pixels;
     * negative: not known yet. */
    ResolutionTimes cost;
    double early_ms;     /* time with headroom, less the time without it since */
    double patience;     /* headroom that is wanted before the next rise, ms */
    double since_change; /* ms */
    double age_ms;       /* time since the start */
    bool rose;           /* the last change was a rise */
} Resolution;

Resolution resolution_start(bool software);
ResolutionScale resolution_scale(const Resolution *resolution);

/* Says whether the camera turns: then sky and ground are redrawn in each frame. True: the scale
 * changed. */
bool resolution_turn(Resolution *resolution, bool turning);

/* Learns from a frame that drew the picture: the time of its work, and the time since the frame
 * before. True: the scale changed. */
bool resolution_observe(Resolution *resolution, const ResolutionTimes *took, double interval_ms);

/* What the picture depends on. */
typedef struct StillnessScene {
    RenderCamera camera;
    uint64_t steps, resets;
    int width, height; /* of the window, pixels */
} StillnessScene;

typedef struct Stillness {
    StillnessScene scene;
    double moved;     /* when anything of that last changed, s */
    double turned;    /* when the camera last moved, s */
    int rows;         /* rows of the fine picture that are marched */
    int rows_a_frame; /* rows to march in a frame; 0: not known yet */
    bool fine;        /* all rows are marched: the fine picture is shown */
} Stillness;

/* Notes what is to be drawn. True: the camera turns, or did so a moment ago. */
bool stillness_turning(Stillness *stillness, const StillnessScene *scene, double now);

/* Something else that the picture depends on has changed. */
void stillness_break(Stillness *stillness, double now);

/* Whether to march more rows of the fine picture now. paused: no new step will come. */
bool stillness_refines(const Stillness *stillness, bool paused, double now);

/* Rows to march next. */
int stillness_part(const Stillness *stillness);

/* Notes that `rows` of `height` rows are marched now, the last of them in so many ms. */
void stillness_marched(Stillness *stillness, int rows, int height, double ms);

#endif
