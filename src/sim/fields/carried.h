/* SPDX-License-Identifier: MIT
 *
 * What becomes of scalars beside advection: age and texture coordinates. */
#ifndef SIM_CARRIED_H
#define SIM_CARRIED_H

#include "sim/sim.h"

/* Lets the smoke that is there grow older by dt, if the simulation keeps its age. */
void age_advance(BillowSim *sim, double dt);

/* Adds the flow's displacement to texture coordinates that advection has moved. Resets a set if its
 * period ends within dt. */
void texture_advance(BillowSim *sim, double dt);
/* Weights of the two sets at the present time. */
void texture_weigh(const BillowSim *sim, float weight[2]);

#endif
