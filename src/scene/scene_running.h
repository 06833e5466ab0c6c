/* SPDX-License-Identifier: MIT
 *
 * Changes of a simulation while it runs. Its smoke stays. */
#ifndef SCENE_SCENE_RUNNING_H
#define SCENE_SCENE_RUNNING_H

#include <billow/billow.h>

/* Brings a running simulation from one definition to another with as many solids: parameters,
 * emitters, forces and solids change, the rest of `after` is ignored. Of a solid, only the values
 * that differ between the two definitions are set; the others stay as the run has made them.
 * Returns false with a message, and changes nothing, where the simulation refuses. */
bool scene_running_change(BillowSim *sim, const BillowDef *before, const BillowDef *after,
                          BillowError *error);

/* Sets the values of a running solid that differ between two definitions of it. */
void scene_running_merge(const BillowSolid *before, const BillowSolid *after, BillowSolid *solid);

#endif
