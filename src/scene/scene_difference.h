/* SPDX-License-Identifier: MIT
 *
 * What differs between two scenes, and what a simulation of the first needs to become one of the
 * second. */
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

#endif
