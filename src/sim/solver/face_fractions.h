/* SPDX-License-Identifier: MIT
 *
 * Face fractions: what part of each face between cells solids leave open (level.h), on every level
 * of a multigrid.
 *
 * A coarse face stands for the chains of fine faces that lead across it, each from the middle of
 * one coarse cell to the middle of the other. Resistances add up along a chain, fractions of
 * parallel chains add up too (Moulton, Dendy, Hyman 1998, "The black box multigrid numerical
 * homogenization algorithm").
 *
 *     coarse      |         .         |         .         |
 *     fine        |    .    |    .    |    .    |    .    |      2 / (1/2L + 1/M + 1/2R), which is
 * 1 L         M         R                where all are open
 *
 * A face inside a coarse cell, L or R, counts as at least a quarter open. */
#ifndef SIM_FACE_FRACTIONS_H
#define SIM_FACE_FRACTIONS_H

#include "multigrid.h"

/* Cells low <= i < high along each axis. */
typedef struct Region {
    int low[3], high[3];
} Region;

/* Floats that the fractions of all levels need. */
size_t face_fractions_floats(const Grid *finest);

/* Cuts that memory, which starts on a cache line, and opens every face. */
void face_fractions_prepare(Multigrid *multigrid, float *memory);

/* Call after the finest level's fractions in the region have been set, each to 0 or to at least
 * 1e-3, below which a fraction is only rounding. Marks the rows that are cut, and computes the
 * fractions of the coarser levels. Inside a team's task, by all workers, after a barrier; ends
 * with one. */
void face_fractions_coarsen(const Multigrid *multigrid, Region region, Team team);

/* Fraction of a cell's low face along the axis. */
static inline float *face_fraction(const Level *level, int axis, int i, int j, int k)
{
    return level->fractions.low[axis].color[(i + j + k) & 1] + packed_row(&level->grid, j, k) +
           (i >> 1);
}

#endif
