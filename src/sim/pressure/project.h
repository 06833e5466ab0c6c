/* SPDX-License-Identifier: MIT
 *
 * Stages 5 and 6: boundary conditions and the projection of the velocity. */
#ifndef SIM_PROJECT_H
#define SIM_PROJECT_H

#include "sim/sim.h"

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
