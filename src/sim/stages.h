/* SPDX-License-Identifier: MIT
 *
 * The stages of a step in advection/ and pressure/. step.c calls them in order. */
#ifndef SIM_STAGES_H
#define SIM_STAGES_H

#include "scalars.h"
#include "sim.h"

/* -- advection, stages 2 and 8 ----------------------------------------------------------------- */

/* Claims SCRATCH_DISPLACEMENT and fills it for dt in the present velocity, unless it already holds
 * that. Runs before the sources, so that the velocity is advected by the divergence-free flow of
 * the last projection. */
void advect_displace(BillowSim *sim, double dt);
void advect_velocity(BillowSim *sim, double dt);
void advect_scalars(BillowSim *sim, double dt);

/* Advects scalars by fluxes through the cells' faces (conserve.c). The first scalar is density. */
void conserve_scalars(BillowSim *sim, const Scalar *list, int count, double dt);

/* Fills the box with tracers, or removes all if emitters release them. */
void tracers_reset(BillowSim *sim);
/* Moves tracers with the present velocity for dt, and releases new ones. */
void tracers_advect(BillowSim *sim, double dt);

/* -- pressure, stages 4, 5 and 6 --------------------------------------------------------------- */

/* Implicit diffusion. */
void diffuse_velocity(BillowSim *sim, double dt);
void diffuse_scalars(BillowSim *sim, double dt);

/* Sets the velocity on the faces of the box and of solids. */
void boundaries_apply(BillowSim *sim);
/* Makes the velocity free of divergence, apart from the expansion source. */
void project(BillowSim *sim, double dt);

/* Accelerates the fluid by `share` of the last pressure's acceleration over dt. Does nothing if
 * there is no last pressure, or if the velocity has been replaced since. */
void project_push(BillowSim *sim, double dt, double share);

/* Writes the slab's right-hand sides, the negative divergence, and their sums into plane_squares
 * and plane_sums. Needs SCRATCH_RIGHT_HAND_SIDE and SCRATCH_EXPANSION. */
void project_load(BillowSim *sim, Slab slab);

#endif
