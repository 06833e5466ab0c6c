/* SPDX-License-Identifier: MIT
 *
 * What the flow radiates as sound: sums per plane, taken with the statistics. */
#ifndef SIM_SOUND_SOURCE_H
#define SIM_SOUND_SOURCE_H

#include "sim/sim.h"

/* Sums over plane k. expansion: its expansion source, with rows `stride` floats apart. The
 * velocities of the planes k and k - 1 must be those of their ranks. */
PlaneSound sound_source_plane(const BillowSim *sim, int k, const float *expansion,
                              ptrdiff_t stride);

/* Fills BillowSound from the sums of all planes, if the simulation listens. */
void sound_source_update(BillowSim *sim);

#endif
