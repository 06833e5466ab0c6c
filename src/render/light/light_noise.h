/* SPDX-License-Identifier: MIT
 *
 * Tables of noise, computed once: for the rays and for the ground. */
#ifndef RENDER_NOISE_H
#define RENDER_NOISE_H

#include <billow/error.h>
#include <stdbool.h>

/* Blue noise that tiles the picture: the share of its first step at which each ray is sampled.
 * Neighbours differ as much as possible, so that the noise of the picture has no blotches. Made by
 * void and cluster (Ulichney, The void-and-cluster method for dither array generation, 1993), in
 * whole numbers, so that it is the same on every machine. */
#define BLUE_NOISE_EDGE 64

/* Writes BLUE_NOISE_EDGE squared values, x fastest: each of (i + 1/2) / BLUE_NOISE_EDGE^2 once.
 * Takes about 10 ms. Fails where memory is short. */
bool blue_noise_fill(float *values, BillowError *error);

/* Share of a step that is added in a frame: the golden ratio's multiples, which go on filling the
 * largest gap; 0 for frame 0. */
float blue_noise_shift(unsigned frame);

#define GROUND_NOISE_EDGE 512

/* Writes a square that tiles the ground, like weathered concrete: GROUND_NOISE_EDGE squared values
 * of mean 0, between about -1 and 1. */
void ground_noise_fill(float *values);

#endif
