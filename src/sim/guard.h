/* SPDX-License-Identifier: MIT
 *
 * Steps that go wrong: finding the non-finite values, naming them, and going back to the state
 * before the step. */
#ifndef SIM_GUARD_H
#define SIM_GUARD_H

#include "sim.h"

/* Saves the state before a step if the simulation is guarded. False, with sim->error, where it
 * holds values that are not finite. */
bool guard_begin(BillowSim *sim);
/* Each of these writes sim->error. */
void guard_refuse(BillowSim *sim);                   /* the step is not taken */
void guard_report(BillowSim *sim);                   /* the step left non-finite values */
void guard_watch(BillowSim *sim, BillowStage stage); /* if this stage made the first ones */
void guard_blame_sums(BillowSim *sim);               /* no single value is to blame */
/* Goes back to the saved state. */
void guard_restore(BillowSim *sim);

#endif
