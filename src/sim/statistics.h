/* SPDX-License-Identifier: MIT
 *
 * Statistics of the state, and the mass budget. */
#ifndef SIM_STATISTICS_H
#define SIM_STATISTICS_H

#include "sim/sim.h"

/* Fills BillowStats after a step. Each of the step's substeps took dt. */
void statistics_update(BillowSim *sim, double dt);
/* Share of the box's cells that are active. */
double statistics_active_share(const BillowSim *sim);

/* Whether the pass that advects the last scalar can compute the statistics of each plane while
 * it is in the cache: in the last substep of a step, for density and temperature alone, without
 * solids and expansion sources. It calls statistics_plane for every plane and then sets
 * planes_summed. */
bool statistics_ride(BillowSim *sim);
/* `density` and `temperature` are the new fields. */
void statistics_plane(BillowSim *sim, int k, const float *density, const float *temperature);

/* Updates the statistics after fields were written through billow_fields. Mass that was added
 * counts as a source. Sets *speed to the largest speed, m/s. If a value is not finite, returns
 * false and leaves the mass budget unchanged. */
bool statistics_recount(BillowSim *sim, double *speed);

#endif
