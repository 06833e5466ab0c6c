/* SPDX-License-Identifier: MIT
 *
 * Stages 2 and 8: advection of velocity and scalars. */
#ifndef SIM_ADVECT_H
#define SIM_ADVECT_H

#include "sim/fields/boundary.h"
#include "sim/sim.h"

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

#endif
