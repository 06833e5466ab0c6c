/* SPDX-License-Identifier: MIT
 *
 * Automatic exposure: measures how bright a linear picture is and adapts to it over time. */
#ifndef RENDER_EXPOSURE_H
#define RENDER_EXPOSURE_H

#include <stdbool.h>

/* Cells in which a picture is metered; each has 8 x 8 samples. */
enum { EXPOSURE_COLUMNS = 32, EXPOSURE_ROWS = 18, EXPOSURE_CELLS = 32 * 18 };

/* Means over a metered cell, computed by shaders/meter.frag. */
typedef struct ExposureCell {
    float stops;     /* log2 of the luminance of what is visible, times its opacity */
    float luminance; /* times opacity */
    float opacity;
    float none;
} ExposureCell;

typedef struct Exposure {
    bool known;    /* whether a picture has been metered yet */
    float metered; /* stops by which the picture should be brightened */
    float stops;   /* stops by which it is brightened now */
} Exposure;

/* Computes the stops by which a picture should be brightened to look like a daylight scene. It uses
 * the mean logarithm of the luminance, weighted towards the middle of the picture. Values more than
 * 9 stops below the highlights count as 9 stops below. Highlights are kept from burning out.
 * Returns 0 for a picture without light. */
float exposure_measure(const ExposureCell cells[EXPOSURE_CELLS]);

/* exposure_learn sets the target. exposure_follow moves towards it and returns the factor on the
 * picture. It covers nine tenths of the difference within a second, and all of it at once if
 * nothing was metered before or seconds is 0. */
void exposure_learn(Exposure *exposure, float stops);
float exposure_follow(Exposure *exposure, float seconds);
/* Whether the exposure still differs visibly from its target. */
bool exposure_follows(const Exposure *exposure);

#endif
