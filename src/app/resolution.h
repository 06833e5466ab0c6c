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

/* Shares of width and height: of the window, that the picture has; of the picture, that are marched
 * (RenderFrame.scale); and the length of the march's steps, in cells. */
typedef struct ResolutionScale {
    float picture, march, step;
} ResolutionScale;

/* What a frame's work took, ms. On a GPU, whose parts nobody waits for, all of it is the march's.
 */
typedef struct ResolutionTimes {
    double march, backdrop, composite; /* as in RenderTimes */
    double rest;                       /* all that no resolution shortens */
} ResolutionTimes;

typedef struct Resolution {
    double budget_ms;
    int level, most; /* into the fixed list of scales, and up to where */
    int turning;     /* the level while the camera turns: negative, it does not */
    /* Averages of late, per picture as large as the window where it goes with the pixels; negative
     * before the first. */
    ResolutionTimes cost;
    double early_ms;     /* time spent with headroom, less the time without since */
    double patience;     /* ms of headroom asked for before the next rise */
    double since_change; /* ms */
    double age_ms;       /* since the start */
    bool rose;           /* the last change was a rise */
} Resolution;

Resolution resolution_start(bool software);
ResolutionScale resolution_scale(const Resolution *resolution);

/* Says whether the camera turns, for which sky and ground are drawn anew each time; true: so the
 * scale changed. */
bool resolution_turn(Resolution *resolution, bool turning);

/* Learns of a frame that drew the picture: what its work took, and how long it was since the frame
 * before. True: the scale changed. */
bool resolution_observe(Resolution *resolution, const ResolutionTimes *took, double interval_ms);

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
