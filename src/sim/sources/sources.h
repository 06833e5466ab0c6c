/* SPDX-License-Identifier: MIT
 *
 * Stages 1, 3 and 6: emitters, forces, combustion, and the expansion that emitters and combustion
 * cause. */
#ifndef SIM_SOURCES_H
#define SIM_SOURCES_H

#include "scalars.h"
#include "sim.h"

void sources_apply(BillowSim *sim, double dt);
/* Fastest fluid that emitters alone may drive in the next dt, m/s. */
double sources_speed(const BillowSim *sim, double dt);
/* Adds `share` of the sum of PlaneBudget.released to the mass budget. */
void budget_released(BillowSim *sim, double share);

/* Adds the mass that dissipation removed in a substep to the mass budget. `mass` is the mass that
 * remains, m3. */
void budget_dissipated(BillowSim *sim, double mass);

/* h times the expansion source in the cells of plane k, m/s. The result is plane k of the field
 * `scratch`, in rows `stride` floats apart; or one row of zeros, with stride 0, if nothing expands.
 */
const float *expansion_plane(const BillowSim *sim, int k, float *scratch, ptrdiff_t *stride);
/* Whether plane k expands or shrinks anywhere. */
bool expansion_in_plane(const BillowSim *sim, int k);
bool expansion_anywhere(const BillowSim *sim);
/* An upper bound for the rate at which emitters shrink any cell, 1/s. */
double expansion_shrinking(const BillowSim *sim);
/* Adds `share` of the density that the emitters' expansion makes to the mass budget. Needs
 * SCRATCH_EXPANSION free. */
void budget_expanded(BillowSim *sim, double share);
/* Fills the third of SCRATCH_VOLUMES with the cells' expanded volumes, for conservative advection
 * in steps of `scale` (dt/h), and thins the scalars in them. Needs SCRATCH_EXPANSION. */
void expansion_make_volumes(BillowSim *sim, const Scalar *list, int count, float scale, Slab slab);

void combustion_apply(BillowSim *sim, double dt);

void forces_apply(BillowSim *sim, double dt);
/* Wind, vortices, attractors and turbulence: the last part of forces_apply. */
void body_forces_apply(BillowSim *sim, double dt);

#endif
