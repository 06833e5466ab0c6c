/* SPDX-License-Identifier: MIT
 *
 * Bands: rows of a picture that are handed over one by one, so that a large picture need not be in
 * memory as a whole. */
#ifndef RENDER_BAND_H
#define RENDER_BAND_H

#include "frame.h"
#include <billow/error.h>
#include <stdint.h>

enum { BAND_ROWS = 16 }; /* rows of a band are a multiple of this, but for the last band */

/* Whole rows, from the top, as renderer_read, _linear and _depth give them; NULL where they were
 * not asked for. */
typedef struct Band {
    int first, rows;
    uint8_t *pixels;
    float *linear, *through, *surface;
} Band;

/* Receives a band, whose memory is freed afterwards. False and a message end the picture. */
typedef bool BandTake(void *context, const Band *band, BillowError *error);

#endif
