/* SPDX-License-Identifier: MIT
 *
 * Smooth noise over space and time, the same on every machine. */
#ifndef SIM_NOISE_H
#define SIM_NOISE_H

#include "sim/kernels/kernels.h"

#include <stdbool.h>
#include <stdint.h>

#define NOISE_MAX 2.1f

/* The lattice cells of the last value, one per octave. The next value is mostly in the same cells.
 * Their corners are then not computed again. Initialise with {0}. The values of the noise do not
 * depend on this memory. */
typedef struct NoiseMemory {
    struct LatticeCell {
        bool known;
        uint32_t seed;
        int32_t at[4];
        float corner[16]; /* bit b of the index is set for the far corner along axis b */
    } octave[2];
} NoiseMemory;

/* Lattice noise of two octaves with mean 0. Values lie mostly within -1..1, and always within
 * -NOISE_MAX..NOISE_MAX. The coarse octave has a lattice spacing of 1 along each of the four
 * coordinates. */
float noise4(float x, float y, float z, float t, uint32_t seed, NoiseMemory *memory);

/* -- one octave over the rows of a plane. It is fast if coordinates along x are the same in all
 * rows and y mostly changes by less than 1 from row to row. */

#define NOISE_ROW_MAX    2050 /* places in a row */
#define NOISE_POINTS_MAX 1032 /* lattice points around these places */

typedef struct NoiseColumns {
    const ForceKernels *kernels;
    int count;
    int32_t first; /* index of the first lattice point */
    int points;    /* number of points */
    /* lattice point before each place, counted from `first`, and smoothed fraction of the way to
     * the next point */
    int at[NOISE_ROW_MAX + INTERPOLATE_BEYOND];
    float share[NOISE_ROW_MAX + INTERPOLATE_BEYOND];
} NoiseColumns;

/* Prepares the places start + i * step for 0 <= i < count. Requires count <= NOISE_ROW_MAX and 0 <
 * step <= 0.5. */
void noise_columns_start(NoiseColumns *columns, const ForceKernels *kernels, double start,
                         double step, int count);

typedef struct NoisePlane {
    const NoiseColumns *columns;
    uint32_t seed;
    int32_t z, t;
    float share_z, share_t;
    bool known;
    int32_t y; /* index of the lattice row in row[0]; row[1] holds the row y + 1 */
    float row[2][NOISE_POINTS_MAX];
} NoisePlane;

void noise_plane_start(NoisePlane *plane, const NoiseColumns *columns, double z, double t,
                       uint32_t seed);
/* Writes factor * noise at the places of the columns and at coordinate y. */
void noise_plane_row(NoisePlane *plane, double y, float factor, float *out);

#endif
