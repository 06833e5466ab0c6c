/* SPDX-License-Identifier: MIT
 *
 * The resolution of the picture within the window, chosen so that a frame's work fits its budget.
 * It scales the whole picture, since sky and ground cost a software renderer as much as smoke.
 * Sinks soon when frames are late, rises only after a while of clear headroom, and waits longer
 * each time a rise proved too bold: it settles instead of flickering. */
#ifndef APP_RESOLUTION_H
#define APP_RESOLUTION_H

#include <stdbool.h>

typedef struct Resolution {
    double budget_ms;
    float march; /* RenderFrame.scale: a software renderer marches fewer rays than pixels */
    int level;   /* into the fixed list of scales */
    double draw_ms, rest_ms; /* averages of late; negative before the first frame */
    double early_ms;         /* time spent with headroom, less the time without since */
    double patience;         /* ms of headroom asked for before the next rise */
    double since_change;     /* ms */
    double age_ms;           /* since the start */
    bool rose;               /* the last change was a rise */
} Resolution;

Resolution resolution_start(bool software);
/* Share of the window's width and height that the picture has. */
float resolution_scale(const Resolution *resolution);
/* Learns of a frame that drew the picture: how long that took, how long the rest of its work did,
 * and how long it was since the frame before. True: the scale changed. */
bool resolution_observe(Resolution *resolution, double draw_ms, double rest_ms, double interval_ms);

#endif
