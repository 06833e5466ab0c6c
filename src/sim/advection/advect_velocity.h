/* SPDX-License-Identifier: MIT
 *
 * Stage 2: advection of the velocity. */
#ifndef SIM_ADVECT_VELOCITY_H
#define SIM_ADVECT_VELOCITY_H

#include <billow/billow.h>

/* Advects the velocity over dt with the displacement that advect_displace has filled, and restores
 * the momentum that only forces can change. */
void advect_velocity(BillowSim *sim, double dt);

#endif
