/* SPDX-License-Identifier: MIT
 *
 * Noise that displaces smoke: a vector field without divergence that tiles space. */
#ifndef SIM_UPRES_NOISE_H
#define SIM_UPRES_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TILE = 64,      /* texels along the edge of the tile */
    TILE_CELLS = 16 /* cells that the tile covers */
};

#define TILE_FLOATS (3 * (size_t)TILE * TILE * TILE)

/* Random value at a lattice point, -1..1, by the finaliser of MurmurHash3. */
float upres_random(uint32_t x, uint32_t y, uint32_t z, uint32_t seed);

/* Fills TILE_FLOATS floats: vectors with mean square 1 on each axis. Returns false if memory is
 * short. */
bool upres_make_tile(float *tile);

/* Adds weight times the displacement at a place, in cells. */
void upres_add_noise(const float *tile, const float place[3], float weight, float out[3]);

#endif
