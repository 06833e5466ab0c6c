/* SPDX-License-Identifier: MIT
 *
 * Forces of the scene. */
#ifndef SIM_BODY_FORCES_H
#define SIM_BODY_FORCES_H

#include <billow/billow.h>

/* Wind, vortices, attractors and turbulence: the last part of forces_apply. */
void body_forces_apply(BillowSim *sim, double dt, double share);

#endif
