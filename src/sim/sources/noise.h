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

/* -- one octave, quickly, over the rows of a plane: coordinates along x are the same in all rows,
 * and from one row to the next y changes by less than 1 mostly. */

#define NOISE_ROW_MAX    2050 /* places in a row, */
#define NOISE_POINTS_MAX 1032 /* and lattice points that they may lie between */

typedef struct NoiseColumns {
    int count;
    int32_t first;              /* lattice point */
    int points;                 /* from there on */
    int at[NOISE_ROW_MAX];      /* point left of each place, counted from first */
    float share[NOISE_ROW_MAX]; /* of the way to the next, smoothed */
} NoiseColumns;

/* Places start + i * step, 0 <= i < count <= NOISE_ROW_MAX, 0 < step <= 0.5. */
void noise_columns_start(NoiseColumns *columns, double start, double step, int count);

typedef struct NoisePlane {
    const NoiseColumns *columns;
    uint32_t seed;
    int32_t z, t;
    float share_z, share_t;
    bool known;
    int32_t y; /* of row[0]; the next has row[1] */
    float row[2][NOISE_POINTS_MAX];
} NoisePlane;

void noise_plane_start(NoisePlane *plane, const NoiseColumns *columns, double z, double t,
                       uint32_t seed);
/* factor * noise at the columns' places in the row y. */
void noise_plane_row(NoisePlane *plane, double y, float factor, float *out);

#endif
