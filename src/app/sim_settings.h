/* SPDX-License-Identifier: MIT
 *
 * What changes on a simulation while it runs: its smoke stays. */
#ifndef APP_SIM_SETTINGS_H
#define APP_SIM_SETTINGS_H

#include "scene_play.h"
#include <billow/billow.h>

typedef struct SimSettings {
    BillowDef def;   /* params, emitters, forces and solids count; the rest stays as it was */
    ScenePlay *play; /* what def's volumes belong to, and its timeline; may be NULL */
    double step;     /* s */
    uint64_t serial; /* rising from 1 on */
} SimSettings;

/* Brings a running simulation from one definition to another of as many solids. Of each solid it
 * sets what differs between the two: the rest is as the run has made it. False, with a message and
 * nothing changed, where the simulation as it is now refuses. */
bool sim_settings_take(BillowSim *sim, const BillowDef *before, const BillowDef *after,
                       BillowError *error);

/* Sets on a solid of a running simulation what differs between two definitions of it. */
void sim_settings_merge(const BillowSolid *before, const BillowSolid *after, BillowSolid *solid);

#endif
