/* SPDX-License-Identifier: MIT
 *
 * Stages 2 and 8: what moves along the flow. */
#ifndef SIM_ADVECTION_H
#define SIM_ADVECTION_H

#include "scalars.h"
#include "sim.h"

/* Claims SCRATCH_DISPLACEMENT and fills it for dt in the present velocity, unless it holds that
 * already. Runs before the sources, so that the flow that advects the velocity is the one that the
 * last projection left. */
void advect_displace(BillowSim *sim, double dt);
void advect_velocity(BillowSim *sim, double dt);
void advect_scalars(BillowSim *sim, double dt);

/* Advects by fluxes through the cells' faces (conserve.c). The list begins with the density. */
void conserve_scalars(BillowSim *sim, const Scalar *list, int count, double dt);

/* Fills the box with tracers, or removes all where emitters release them. */
void tracers_reset(BillowSim *sim);
/* Moves tracers along the present velocity for dt, and releases new ones. */
void tracers_advect(BillowSim *sim, double dt);

#endif
