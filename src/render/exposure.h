/* SPDX-License-Identifier: MIT
 *
 * Automatic exposure: how bright a linear picture is, and an eye that gets used to that. */
#ifndef RENDER_EXPOSURE_H
#define RENDER_EXPOSURE_H

#include <stdbool.h>

/* The cells in which a picture is metered, in rows; each of them by 8 x 8 samples. */
enum { EXPOSURE_COLUMNS = 32, EXPOSURE_ROWS = 18, EXPOSURE_CELLS = 32 * 18 };

/* Means over a cell, as shaders/meter.frag gives them. */
typedef struct ExposureCell {
    float stops;     /* log2 of what is there's luminance, times its opacity */
    float luminance; /* times opacity */
    float opacity;
    float none;
} ExposureCell;

typedef struct Exposure {
    bool known;    /* whether anything was metered yet */
    float metered; /* stops by which the picture is to be brightened, */
    float stops;   /* and by which it is */
} Exposure;

/* Stops by which a picture is to be brightened to be as bright as daylight scenes are by
 * themselves: the mean of the logarithm of its luminance counts, the middle more than the rim, and
 * what is very dark no more than 9 stops below the highlights, which are not to burn out. A picture
 * without light is left as it is. */
float exposure_measure(const ExposureCell cells[EXPOSURE_CELLS]);

/* Takes what was measured; exposure_follow goes there: at once where nothing was known, or the
 * seconds are 0, else by all but a tenth within a second. The factor on the picture. */
void exposure_learn(Exposure *exposure, float stops);
float exposure_follow(Exposure *exposure, float seconds);
/* Whether it is still on its way, visibly. */
bool exposure_follows(const Exposure *exposure);

#endif
