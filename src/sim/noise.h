/* SPDX-License-Identifier: MIT
 * Smooth noise over space and time, the same everywhere. */
#ifndef SIM_NOISE_H
#define SIM_NOISE_H

#include <stdbool.h>
#include <stdint.h>

#define NOISE_MAX 2.1f

/* The lattice cells that the last noise came from, since the next place is mostly in the same ones.
 * Starts as {0}; affects nothing but time. */
typedef struct NoiseMemory {
    struct LatticeCell {
        bool known;
        uint32_t seed;
        int32_t at[4];
        float corner[16]; /* bit b of the index: the far corner along axis b */
    } octave[2];
} NoiseMemory;

/* Lattice noise of two octaves, mostly within -1..1, never beyond NOISE_MAX, with mean 0, changing
 * over unit distances in each of the four coordinates. */
float noise4(float x, float y, float z, float t, uint32_t seed, NoiseMemory *memory);

#endif
