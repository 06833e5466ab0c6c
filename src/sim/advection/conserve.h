/* SPDX-License-Identifier: MIT
 *
 * Stage 8 with conservation. */
#ifndef SIM_CONSERVE_H
#define SIM_CONSERVE_H

#include "sim/fields/field_table.h"
#include "sim/sim.h"

/* Advects scalars by fluxes through the cells' faces. The first scalar is density. */
void conserve_scalars(BillowSim *sim, const Scalar *list, int count, double dt);

#endif
