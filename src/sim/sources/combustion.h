/* SPDX-License-Identifier: MIT
 *
 * Stage 6: combustion, and the expansion that emitters and combustion cause. */
#ifndef SIM_COMBUSTION_H
#define SIM_COMBUSTION_H

#include "sim/fields/field_table.h"
#include "sim/sim.h"

void combustion_apply(BillowSim *sim, double dt);

/* Returns h times the expansion source in the cells of plane k, m/s. The result is plane k of the
 * field `scratch`, in rows `*stride` floats apart. If nothing expands, the result is one row of
 * zeros, and `*stride` is 0. */
const float *expansion_plane(const BillowSim *sim, int k, float *scratch, ptrdiff_t *stride);
/* Whether any plane expands or shrinks. */
bool expansion_anywhere(const BillowSim *sim);
/* Upper bound on the rate at which emitters shrink any cell, 1/s. */
double expansion_shrinking(const BillowSim *sim);
/* Adds to the mass budget `share` times the density that the emitters' expansion creates.
 * SCRATCH_EXPANSION must be free. */
void budget_expanded(BillowSim *sim, double share);
/* Fills Smoke.volumes after expansion, for conservative advection in steps of dt, and thins the
 * scalars of cells that burnt. slab: planes of the wind. Needs SCRATCH_EXPANSION. */
void expansion_make_volumes(BillowSim *sim, const Scalar *list, int count, double dt, Slab slab);

#endif
