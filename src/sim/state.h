/* SPDX-License-Identifier: MIT
 *
 * Saved states, and what two simulations must have in common to exchange theirs. */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "sim/sim.h"

/* Whether all numbers of the fields in a saved state, each rank's own, are finite. The state must
 * be one that this simulation can load. */
bool state_fields_finite(const BillowSim *sim, const void *memory, size_t bytes);

/* Whether two definitions have the same fields, tracers, number of solids and faces. The grids may
 * differ. */
bool state_kinds_check(const BillowDef *theirs, const BillowDef *ours, BillowError *error);

/* Copies everything but fields: what callers may have set since the creation, the tracers, and all
 * other values of a saved state. The two definitions must be of the same kinds. */
void state_copy_values(BillowSim *sim, const BillowSim *from);

/* Upper bound of the bytes that a saved state of this definition takes. */
size_t state_bytes_most(const BillowDef *def);

#endif
