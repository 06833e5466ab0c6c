/* SPDX-License-Identifier: MIT
 *
 * Tracers and sparks: particles that the flow advects. */
#ifndef SIM_TRACERS_H
#define SIM_TRACERS_H

#include <billow/billow.h>

/* Fills the box with tracers. If emitters release tracers, removes all tracers instead. */
void tracers_reset(BillowSim *sim);
/* Moves the tracers with the present velocity over dt, and releases new ones. */
void tracers_advect(BillowSim *sim, double dt);

#endif
