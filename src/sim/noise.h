/* SPDX-License-Identifier: MIT
 * Smooth noise over space and time, the same everywhere. */
#ifndef SIM_NOISE_H
#define SIM_NOISE_H

#include <stdint.h>

#define NOISE_MAX 2.1f

/* Lattice noise of two octaves, mostly within -1..1, never beyond NOISE_MAX, with mean 0, changing
 * over unit distances in each of the four coordinates. */
float noise4(float x, float y, float z, float t, uint32_t seed);

#endif
