/* SPDX-License-Identifier: MIT
 *
 * Stage 3: forces. */
#ifndef SIM_FORCES_H
#define SIM_FORCES_H

#include <billow/billow.h>

/* Applies `share` of a substep's buoyancy, confinement, disturbance, shredding and body forces. */
void forces_apply(BillowSim *sim, double dt, double share);
/* Disturbance and shredding, which break up smooth shapes: a part of forces_apply. */
void breakup_apply(BillowSim *sim, double dt, double share);

#endif
