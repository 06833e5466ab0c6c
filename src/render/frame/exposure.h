/* SPDX-License-Identifier: MIT
 *
 * Automatic exposure: measures how bright a linear picture is and adapts to it over time. */
#ifndef RENDER_EXPOSURE_H
#define RENDER_EXPOSURE_H

#include <stdbool.h>

/* Cells in which a picture is metered. Each has 8 x 8 samples. */
enum { EXPOSURE_COLUMNS = 32, EXPOSURE_ROWS = 18, EXPOSURE_CELLS = 32 * 18 };

/* Means over a metered cell, computed by shaders/meter.frag. */
typedef struct ExposureCell {
    float stops;     /* log2 of the luminance, weighted by opacity */
    float luminance; /* luminance times opacity */
    float opacity;
    float none;
} ExposureCell;

typedef struct Exposure {
    bool known;    /* whether a picture was metered yet */
    float metered; /* target: stops by which metering says the picture should be brightened */
    float stops;   /* stops by which pictures are brightened now */
} Exposure;

/* Computes by how many stops a picture should be brightened to look like a daylight scene. The
 * result is based on the mean logarithm of the luminance, with more weight in the middle of the
 * picture. Luminance more than 9 stops below the highlights counts as 9 stops below. The result is
 * limited so that highlights are not overexposed. Returns 0 for a picture without light. */
float exposure_measure(const ExposureCell cells[EXPOSURE_CELLS]);

/* exposure_learn sets the target. exposure_follow moves `stops` towards the target and returns the
 * factor by which to multiply the picture. The difference falls to a tenth in one second. `stops`
 * takes the target's value at once if seconds is 0, or if no target was set before. */
void exposure_learn(Exposure *exposure, float stops);
float exposure_follow(Exposure *exposure, float seconds);
/* Whether the exposure differs visibly from its target. */
bool exposure_follows(const Exposure *exposure);

#endif
