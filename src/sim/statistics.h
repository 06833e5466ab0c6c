/* SPDX-License-Identifier: MIT
 *
 * Stage 9: statistics and the mass budget. */
#ifndef SIM_STATISTICS_H
#define SIM_STATISTICS_H

#include "sim.h"

/* Fills BillowStats after a step whose substeps took dt each. */
void statistics_update(BillowSim *sim, double dt);

/* Takes note of fields that were changed by hand: mass that was added counts as a source, and
 * *speed becomes that of the fastest fluid, m/s. False where values are not finite; then the mass
 * budget stays as it was. */
bool statistics_recount(BillowSim *sim, double *speed);

#endif
