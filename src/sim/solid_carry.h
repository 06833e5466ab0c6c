/* SPDX-License-Identifier: MIT
 *
 * Carrying past solids: nothing comes through a surface.
 *
 * A displacement ends where, on the way back along it, a surface is met. From there values are
 * interpolated between those of the eight cells around that are fluid and can be reached from the
 * cell where it ends through open faces, among the eight. So what a wall separates stays apart,
 * however far a sub-step carries, while the wall is at least one cell thick.
 */
#ifndef SIM_SOLID_CARRY_H
#define SIM_SOLID_CARRY_H

#include "sim.h"

/* Cuts the displacements of row (j, k) short. */
void solids_stop_row(const BillowSim *sim, int j, int k, RowsOut displacement);

/* Row (j, k) of the fields once more where solids are near: from their corners, out pointing to the
 * row's first cell. */
void solids_carry_row(const BillowSim *sim, int j, int k, const Carried *fields, int count);

#endif
