/* SPDX-License-Identifier: MIT
 *
 * The stages of a step in advection/ and pressure/. step.c calls them in order. */
#ifndef SIM_STAGES_H
#define SIM_STAGES_H

#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/sim.h"

/* -- advection, stages 2 and 8 ----------------------------------------------------------------- */

/* Whether the velocity is advected with the velocity of parcels of air (step.c). Not around solids:
 * in slits beside a surface the pressure of the last substep drives the flow ever faster. */
static inline bool sim_follows_parcels(const BillowSim *sim)
{
    return params_second_order(&sim->def.params) && boundary_streams(&sim->def) &&
           sim->solids == NULL;
}

/* Claims SCRATCH_DISPLACEMENT and fills it with the displacements of the present velocity over dt:
 * by the midpoint rule where the velocity is that of parcels (sim_follows_parcels). Does nothing if
 * it already holds them. Runs before the sources, so that the last projection's divergence-free
 * flow advects the velocity. */
void advect_displace(BillowSim *sim, double dt);
void advect_displace_more(BillowSim *sim);
void advect_velocity(BillowSim *sim, double dt);
/* Sums of the velocity components whose momentum only forces can change, in steps of 2^-24 m/s; 0
 * for the others. */
void momentum_sums(BillowSim *sim, uint64_t sums[3]);
/* Interpolation at the departure points loses or makes momentum. Adds the same velocity to all
 * faces of a component so that its sum is again that before advection. */
void momentum_restore(BillowSim *sim, const uint64_t before[3]);

/* Largest absolute value of a field on all ranks. 0 without ranks. */
double sample_most(const BillowSim *sim, const float *field);
/* Planes beyond a rank's own from which samples are interpolated that are at most so many cells
 * away. 0 without ranks. */
int sample_reach(const BillowSim *sim, double most);
/* The same for the displacement over dt that advect_scalars has left. */
int displacement_reach(const BillowSim *sim, double dt);

void advect_scalars(BillowSim *sim, double dt);

/* Advects scalars by fluxes through the cells' faces (conserve.c). The first scalar is density. */
void conserve_scalars(BillowSim *sim, const Scalar *list, int count, double dt);

/* Fills the box with tracers. If emitters release tracers, removes all tracers instead. */
void tracers_reset(BillowSim *sim);
/* Moves the tracers with the present velocity over dt, and releases new ones. */
void tracers_advect(BillowSim *sim, double dt);

/* -- diffusion, stages 4 and 8, and pressure, stages 5 and 6 ------------------------------------
 */

/* Implicit diffusion of the velocity in two stages of second order (diffuse.c). Before stage 0 the
 * caller adds DIFFUSION_SHARE of the substep's forces to the velocity, before stage 1 the rest. */
enum { DIFFUSION_STAGES = 2 };
#define DIFFUSION_SHARE 0.29289321881345254 /* 1 - 1 / sqrt(2) */
void diffuse_velocity(BillowSim *sim, double dt, int stage);
/* Implicit diffusion of the scalars, of first order. */
void diffuse_scalars(BillowSim *sim, double dt);

/* Sets the velocity on the faces of the box and of solids. */
void boundaries_apply(BillowSim *sim);
/* Removes the divergence of the velocity, except that of the expansion source. */
void project(BillowSim *sim, double dt);

/* Adds to the velocity `share` times the acceleration of the last pressure, times dt. Does nothing
 * if there is no last pressure, or if the velocity has been replaced since that pressure was
 * computed. */
void project_push(BillowSim *sim, double dt, double share);

/* Writes the right-hand sides of the slab, which are the negative divergence. Writes the sum of
 * their squares per plane to plane_squares, and their sum per plane to plane_sums. Needs
 * SCRATCH_RIGHT_HAND_SIDE and SCRATCH_EXPANSION. */
void project_load(BillowSim *sim, Slab slab);

#endif
