/* SPDX-License-Identifier: MIT
 *
 * Stages 1, 3 and 6: emitters, forces, combustion, and the expansion that emitters and combustion
 * cause. */
#ifndef SIM_SOURCES_H
#define SIM_SOURCES_H

#include "sim/fields/field_table.h"
#include "sim/sim.h"

void sources_apply(BillowSim *sim, double dt);
/* Largest speed to which emitters alone may accelerate fluid in the next dt, m/s. */
double sources_speed(const BillowSim *sim, double dt);
/* Adds to the mass budget `share` times the sum of PlaneBudget.released. */
void budget_released(BillowSim *sim, double share);

/* Adds to the mass budget what dissipation removed in a substep. `mass`: mass that remains, m3. */
void budget_dissipated(BillowSim *sim, double mass);

/* Returns h times the expansion source in the cells of plane k, m/s. The result is plane k of the
 * field `scratch`, in rows `*stride` floats apart. If nothing expands, the result is one row of
 * zeros, and `*stride` is 0. */
const float *expansion_plane(const BillowSim *sim, int k, float *scratch, ptrdiff_t *stride);
/* Whether plane k expands or shrinks anywhere. */
bool expansion_in_plane(const BillowSim *sim, int k);
bool expansion_anywhere(const BillowSim *sim);
/* Upper bound on the rate at which emitters shrink any cell, 1/s. */
double expansion_shrinking(const BillowSim *sim);
/* Adds to the mass budget `share` times the density that the emitters' expansion creates.
 * SCRATCH_EXPANSION must be free. */
void budget_expanded(BillowSim *sim, double share);
/* Fills the third field of SCRATCH_VOLUMES with the volumes of the cells' fluid after expansion,
 * for conservative advection in steps of length `scale` * h, and thins the scalars of cells that
 * burnt. Needs SCRATCH_EXPANSION. */
void expansion_make_volumes(BillowSim *sim, const Scalar *list, int count, float scale, Slab slab);

void combustion_apply(BillowSim *sim, double dt);

/* Applies `share` of a substep's buoyancy, confinement, disturbance, shredding and body forces. */
void forces_apply(BillowSim *sim, double dt, double share);
/* Adds to each low face of the active cells of row (j, k), and of the cells beside them, the mean
 * of the impulses of its two cells. here: impulse of the row, m/s. south and below: y- and
 * z-components of the impulses in rows (j-1, k) and (j, k-1); NULL = the faces on that side do not
 * change. */
void impulse_push_row(BillowSim *sim, int j, int k, RowsOut here, const float *south,
                      const float *below);
/* Disturbance and shredding, which break up smooth shapes: a part of forces_apply. */
void breakup_apply(BillowSim *sim, double dt, double share);
/* Wind, vortices, attractors and turbulence: the last part of forces_apply. */
void body_forces_apply(BillowSim *sim, double dt, double share);

#endif
