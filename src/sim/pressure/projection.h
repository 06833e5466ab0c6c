/* SPDX-License-Identifier: MIT
 *
 * Stages 4, 5 and 6: implicit diffusion, the velocity that walls and inflows impose, and the
 * projection. */
#ifndef SIM_PROJECTION_H
#define SIM_PROJECTION_H

#include "sim.h"

void diffuse_velocity(BillowSim *sim, double dt);
void diffuse_scalars(BillowSim *sim, double dt);

void boundaries_apply(BillowSim *sim);
void project(BillowSim *sim, double dt);

/* Accelerates the fluid by `share` of what the last pressure does in dt. Does nothing where there
 * is no last pressure, or where the velocity is no longer the one that it belongs to. */
void project_push(BillowSim *sim, double dt, double share);

/* Writes the slab's right-hand sides, the negative divergence, and their sums into plane_squares
 * and plane_sums. Needs SCRATCH_RIGHT_HAND_SIDE and SCRATCH_EXPANSION. */
void project_load(BillowSim *sim, Slab slab);

#endif
