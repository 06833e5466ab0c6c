/* SPDX-License-Identifier: MIT
 *
 * Face fractions (level.h) on all levels of a multigrid. */
#ifndef SIM_FACE_FRACTIONS_H
#define SIM_FACE_FRACTIONS_H

#include "sim/solver/multigrid.h"

/* Floats that the face fractions of all levels need. */
size_t face_fractions_floats(const Grid *finest);

/* Slices `memory`, which must start on a cache line, into the face fractions of all levels, and
 * sets them to 1. */
void face_fractions_prepare(Multigrid *multigrid, float *memory);

/* Marks the cut rows and computes the face fractions of the coarser levels. Call it after the
 * finest level's fractions have changed in the region. They must be 0 or at least 1e-3, because
 * smaller ones are only rounding. All workers of a team call this after a barrier; it ends with a
 * barrier. */
void face_fractions_coarsen(const Multigrid *multigrid, Region region, Team team);

#endif
