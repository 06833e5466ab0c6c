/* SPDX-License-Identifier: MIT
 *
 * Differences between two scenes, what they need of a simulation, and making them while it runs. */
#ifndef SCENE_SCENE_DIFFERENCE_H
#define SCENE_SCENE_DIFFERENCE_H

#include "scene_keys.h"

#define SCENE_DIFFERENCE_PATH 128

typedef struct SceneDifference {
    unsigned effects; /* SceneEffect bits; 0: the scenes are the same */
    int count;        /* keys that differ; a list of another length counts as one more */
    char first[SCENE_DIFFERENCE_PATH];   /* first key that differs, "emitters[0].smoke", or "" */
    char rebuild[SCENE_DIFFERENCE_PATH]; /* first key that asks for a new simulation, or "" */
} SceneDifference;

SceneDifference scene_difference(const Scene *before, const Scene *after);

/* Brings a running simulation from one definition to another with as many solids: parameters,
 * emitters, forces and solids change, the rest of `after` is ignored. Of a solid, only the values
 * that differ between the two definitions are set; the others stay as the run has made them.
 * Returns false with a message, and changes nothing, where the simulation refuses. */
bool scene_running_change(BillowSim *sim, const BillowDef *before, const BillowDef *after,
                          BillowError *error);

/* Sets the values of a running solid that differ between two definitions of it. */
void scene_running_merge(const BillowSolid *before, const BillowSolid *after, BillowSolid *solid);

#endif
