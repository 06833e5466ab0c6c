/* SPDX-License-Identifier: MIT
 *
 * Stages 4 and 8: diffusion of velocity and scalars. */
#ifndef SIM_DIFFUSE_H
#define SIM_DIFFUSE_H

#include "sim/sim.h"

/* Implicit diffusion of the velocity in two stages of second order. Before stage 0 the
 * caller adds DIFFUSION_SHARE of the substep's forces to the velocity, before stage 1 the rest. */
enum { DIFFUSION_STAGES = 2 };
#define DIFFUSION_SHARE 0.29289321881345254 /* 1 - 1 / sqrt(2) */
void diffuse_velocity(BillowSim *sim, double dt, int stage);
/* Implicit diffusion of the scalars, of first order. */
void diffuse_scalars(BillowSim *sim, double dt);

#endif
