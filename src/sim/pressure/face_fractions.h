/* SPDX-License-Identifier: MIT
 *
 * What solids leave open of the faces between cells (level.h), on every level of a multigrid.
 *
 * A coarse face stands for the chains of fine faces that lead across it, each from the middle of
 * one coarse cell to the middle of the other: resistances add up along a chain, fractions side by
 * side (Moulton, Dendy, Hyman 1998, "The black box multigrid numerical homogenization algorithm").
 *
 *     coarse      |         .         |         .         |
 *     fine        |    .    |    .    |    .    |    .    |      2 / (1/2L + 1/M + 1/2R), where all
 *                           L         M         R                are open: 1
 *
 * A wall inside a coarse cell, L or R, counts as a quarter open at least.
 */
#ifndef SIM_OPENINGS_H
#define SIM_OPENINGS_H

#include "multigrid.h"

/* Cells low <= i < high along each axis. */
typedef struct Region {
    int low[3], high[3];
} Region;

/* Floats that the fractions of all levels need. */
size_t face_fractions_floats(const Grid *finest);

/* Cuts them and opens every face. `memory` starts on a cache line. */
void face_fractions_prepare(Multigrid *multigrid, float *memory);

/* Once the finest level's fractions are set in the region, each 0 or at least 1e-3 (less is only
 * rounding): tells which rows there have any that are not all open, and finds those of the coarser
 * levels. Inside a team's task, by all workers, after a barrier; ends with one. */
void face_fractions_coarsen(const Multigrid *multigrid, Region region, Team team);

/* A face's opening: the low one of the cell along the axis. */
static inline float *face_fraction(const Level *level, int axis, int i, int j, int k)
{
    return level->fractions.low[axis].color[(i + j + k) & 1] + packed_row(&level->grid, j, k) +
           (i >> 1);
}

#endif
