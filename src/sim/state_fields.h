/* SPDX-License-Identifier: MIT
 *
 * The tracers and fields of a state: u v w | scalars | flame | pressure, without padding, x
 * innermost: velocities with one more than there are cells along every axis, the pressure of cell
 * after cell. Where velocities' ghosts lie, and the displacement, are found anew. */
#ifndef SIM_STATE_FIELDS_H
#define SIM_STATE_FIELDS_H

#include "archive.h"
#include "sim.h"

/* Measures, writes or reads them, rows by all threads; only an archive that is read changes sim. */
void state_fields_visit(Archive *archive, BillowSim *sim);

/* Whether all numbers of the fields are finite in a state that this simulation could load. */
bool state_fields_finite(const BillowSim *sim, const void *memory);

#endif
