/* SPDX-License-Identifier: MIT
 *
 * Statistics of the state, and the mass budget. */
#ifndef SIM_STATISTICS_H
#define SIM_STATISTICS_H

#include "sim/sim.h"

/* Fills BillowStats after a step. Each of the step's substeps took dt. */
void statistics_update(BillowSim *sim, double dt);
/* Factor that gives the smoke the mass that the budget explains, after the last step. Changes it by
 * at most 5 %. */
float statistics_make_good(const BillowSim *sim);

/* Updates the statistics after fields were written through billow_fields. Mass that was added
 * counts as a source. Sets *speed to the largest speed, m/s. If a value is not finite, returns
 * false and leaves the mass budget unchanged. */
bool statistics_recount(BillowSim *sim, double *speed);

#endif
