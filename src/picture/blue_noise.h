/* SPDX-License-Identifier: MIT
 *
 * A square of blue noise that tiles the picture: where on its first step each ray is sampled.
 * Neighbours differ as much as they can, so that what noise is left has no blotches and the eye
 * takes the mean. Made by void and cluster (Ulichney, The void-and-cluster method for dither array
 * generation, 1993), in whole numbers, so that it is the same everywhere. */
#ifndef PICTURE_BLUE_NOISE_H
#define PICTURE_BLUE_NOISE_H

#include <billow/error.h>
#include <stdbool.h>

#define BLUE_NOISE_EDGE 64

/* BLUE_NOISE_EDGE squared values, x fastest: each of (i + 1/2) / BLUE_NOISE_EDGE^2 once. Takes some
 * 10 ms; fails where there is no memory. */
bool blue_noise_fill(float *values, BillowError *error);

/* Share of a step for a frame: the golden ratio's multiples, which go on filling the largest gap
 * (frame 0: 0). */
float blue_noise_shift(unsigned frame);

/* Of the pixel in column x and row y from below, 0 <= jitter < 1. */
float blue_noise_at(const float *values, int x, int y, float shift);

#endif
