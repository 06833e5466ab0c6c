/* SPDX-License-Identifier: MIT
 *
 * Supersampling: a picture drawn some times as fine along each edge, reduced to the size that was
 * asked for by the mean light of the pixels that become one, weighted by their alpha. */
#ifndef CLI_REDUCE_H
#define CLI_REDUCE_H

#include "band.h"
#include "image.h"

typedef struct Reduce {
    int factor;        /* pixels of the fine picture along each edge of one; 1: as it is */
    float *sums;       /* red, green, blue, alpha of each pixel of a row; heap */
    float linear[256]; /* light of a byte of an sRGB picture */
} Reduce;

bool reduce_open(Reduce *reduce, int factor, int width, BillowError *error);
void reduce_close(Reduce *reduce); /* {0} is fine */

/* The rows of a band of the fine picture, in order from the top, into the small one. */
void reduce_take(Reduce *reduce, const Band *band, Image *image);

#endif
