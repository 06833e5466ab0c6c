/* SPDX-License-Identifier: MIT
 *
 * Boxes that grow with their smoke. */
#ifndef SIM_GROWTH_H
#define SIM_GROWTH_H

#include "sim/sim.h"

/* Whether any side is unbounded. */
bool growth_on(const BillowDef *def);

/* Largest number of cells to which the box grows. */
double growth_limit(const BillowSim *sim);

/* Moves unbounded sides that smoke could reach in a step as long as the last, dt. The result
 * depends on the state and dt alone. */
void growth_update(BillowSim *sim, double dt);

/* The definition, with sides that have moved by so many cells from its own box. */
BillowDef growth_def(const BillowSim *sim, const int moved[BILLOW_SIDES]);

/* Creates an empty simulation of the same definition whose sides have moved by so many cells from
 * the definition's box. Returns NULL and a message if memory is short. */
BillowSim *growth_create(const BillowSim *sim, const int moved[BILLOW_SIDES], BillowError *error);

/* Cells by which the sides have moved from the definition's box. */
void growth_moved(const BillowSim *sim, int moved[BILLOW_SIDES]);

/* Whether the unbounded sides can move from the definition's box to this one, and by how many
 * cells. cells_max does not matter. */
bool growth_reaches(const BillowSim *sim, const Box *box, int moved[BILLOW_SIDES]);

#endif
