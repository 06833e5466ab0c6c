/* SPDX-License-Identifier: MIT
 *
 * Stage 2: advection of the velocity. */
#ifndef SIM_ADVECT_VELOCITY_H
#define SIM_ADVECT_VELOCITY_H

#include <billow/billow.h>

/* Extrapolates the velocity from before its last advection to as long after the present time, and
 * keeps it. advect_displace_led then fills the displacement by that velocity, in the manner of
 * advect_displace. For the second half of a substep: at a fixed point the velocity changes as the
 * flow carries eddies past it. The first half is displaced by the velocity at its start, the second
 * by that at its end, and both errors cancel. With one velocity for both, an eddy in a stream is
 * advected at first order in time (billow verify taylor-green-periodic). */
void advect_lead(BillowSim *sim);
void advect_displace_led(BillowSim *sim, double dt);

/* Advects the velocity over dt with the displacement that advect_displace has filled, and restores
 * the momentum that only forces can change. */
void advect_velocity(BillowSim *sim, double dt);

#endif
