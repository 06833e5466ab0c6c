/* SPDX-License-Identifier: MIT
 *
 * Automatic exposure: measures how bright a linear picture is and adapts to it over time. */
#ifndef RENDER_EXPOSURE_H
#define RENDER_EXPOSURE_H

#include <stdbool.h>

/* The cells in which a picture is metered, in rows; each of them by 8 x 8 samples. */
enum { EXPOSURE_COLUMNS = 32, EXPOSURE_ROWS = 18, EXPOSURE_CELLS = 32 * 18 };

/* Means over a cell, as shaders/meter.frag gives them. */
typedef struct ExposureCell {
    float stops;     /* log2 of the luminance of what is visible, times its opacity */
    float luminance; /* times opacity */
    float opacity;
    float none;
} ExposureCell;

typedef struct Exposure {
    bool known;    /* whether anything was metered yet */
    float metered; /* stops by which the picture should be brightened */
    float stops;   /* stops by which it is brightened now */
} Exposure;

/* Stops by which a picture should be brightened to be as bright as a daylight scene. Measured by
 * the mean of the logarithm of the luminance, weighted towards the middle. Values more than 9 stops
 * below the highlights are raised to that; the highlights must not burn out. 0 for a picture
 * without light. */
float exposure_measure(const ExposureCell cells[EXPOSURE_CELLS]);

/* exposure_learn sets the target. exposure_follow adapts to it and returns the factor on the
 * picture: at once where nothing was metered before or seconds is 0, else by nine tenths within a
 * second. */
void exposure_learn(Exposure *exposure, float stops);
float exposure_follow(Exposure *exposure, float seconds);
/* Whether it is still on its way, visibly. */
bool exposure_follows(const Exposure *exposure);

#endif
