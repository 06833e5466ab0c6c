/* SPDX-License-Identifier: MIT
 * How far samplers may ask a field: its elements, and what is known beyond them. */
#ifndef SIM_REACH_H
#define SIM_REACH_H

#include "sim.h"

/* All cells, and all faces across an axis; around periodic axes. */
Reach reach_of_cells(const BillowSim *sim);
Reach reach_of_faces(const BillowSim *sim, int axis);

/* Where a position has elements on all sides, so that limits come from those alone. */
Reach reach_well_inside(Reach reach);

/* Where MacCormack's correction of a velocity component holds: among its elements, and up to a cell
 * beyond them where a wall that the fluid slides along goes on as it is inside. Ambient air has no
 * way back; nor has what would come through a wall. */
Reach reach_into_mirrors(const BillowSim *sim, Reach reach, int axis);

/* As far as a field has given values: to the centres of an inflow's ghosts, or up to a wall. */
Reach reach_into_given(const BillowSim *sim, Reach reach, int field);

/* Beyond an open face lies one layer of ghosts, all 0: still, ambient air. */
Reach reach_into_open(const BillowSim *sim, Reach reach);

/* The layer beyond a component's last face is the next row's or field's ghosts. What comes after
 * those must not be asked for, not even for a share of 0: it may be anything (NaN), and another
 * worker may be writing it. */
Reach reach_short_of_next(Reach reach, int axis);

#endif
