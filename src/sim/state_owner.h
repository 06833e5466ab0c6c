/* SPDX-License-Identifier: MIT
 *
 * What must agree between the simulation that a state was saved from and the one that loads it. */
#ifndef SIM_STATE_OWNER_H
#define SIM_STATE_OWNER_H

#include "archive.h"

#include <billow/billow.h>

typedef struct StateOwner {
    uint32_t n[3], has_fire, has_color, tracers, solids;
    float cell_size, origin[3], texture_period;
    uint64_t sides; /* over faces and boundaries */
} StateOwner;

StateOwner state_owner_of(const BillowDef *def);
void state_owner_visit(Archive *archive, StateOwner *owner);
/* theirs: of a state, ours: of the simulation that is to load it. */
bool state_owner_check(const StateOwner *theirs, const StateOwner *ours, BillowError *error);

#endif
