/* SPDX-License-Identifier: MIT
 * Smooth noise over space and time, the same everywhere. */
#ifndef SIM_NOISE_H
#define SIM_NOISE_H

#include <stdint.h>

/* Gradient-free lattice noise of two octaves, about -1..1 with mean 0, changing over unit distances
 * in each of the four coordinates. */
float noise4(float x, float y, float z, float t, uint32_t seed);

#endif
