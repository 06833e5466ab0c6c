/* SPDX-License-Identifier: MIT
 *
 * How finely the picture in the window is drawn while something moves, so that a frame's work fits
 * its budget. First fewer rays are marched, which soft smoke hardly shows, then the whole picture
 * shrinks. Sinks soon when frames are late, rises only after a while of clear headroom, and waits
 * longer each time a rise proved too bold: it settles instead of flickering. */
#ifndef APP_RESOLUTION_H
#define APP_RESOLUTION_H

#include <stdbool.h>

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

#endif
