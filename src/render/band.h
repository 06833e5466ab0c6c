/* SPDX-License-Identifier: MIT
 *
 * Rows of a picture on their way from what draws it to who wants them, so that large pictures need
 * not be in memory as a whole. */
#ifndef RENDER_BAND_H
#define RENDER_BAND_H

#include "frame.h"
#include <billow/error.h>
#include <stdint.h>

enum { BAND_ROWS = 16 }; /* all bands but a picture's last have a multiple of so many rows */

/* Whole rows, from the top, as renderer_read, _linear and _depth give them; NULL where they were
 * not asked for. */
typedef struct Band {
    int first, rows;
    uint8_t *pixels;
    float *linear, *through, *surface;
} Band;

/* Takes a band, which is gone afterwards; false and a message end the picture. */
typedef bool BandTake(void *context, const Band *band, BillowError *error);

#endif
