/* SPDX-License-Identifier: MIT
 *
 * What differs between two scenes, and what a simulation that plays the first needs to play the
 * second: most values are taken up while it runs, some ask for a new one. */
#ifndef SCENE_SCENE_DIFFERENCE_H
#define SCENE_SCENE_DIFFERENCE_H

#include "scene_keys.h"

/* What a changed value has an effect on. All but the last are changed on the running simulation,
 * and its smoke stays. */
typedef enum SceneEffect {
    SCENE_EFFECT_NAME = 1, /* what the scene is called */
    SCENE_EFFECT_CAMERA = 2,
    SCENE_EFFECT_PICTURE = 4, /* what else only the picture knows */
    SCENE_EFFECT_HAND = 8,    /* brush and detonation */
    SCENE_EFFECT_PARAMS = 16,
    SCENE_EFFECT_EMITTERS = 32,
    SCENE_EFFECT_FORCES = 64,
    SCENE_EFFECT_SOLIDS = 128,
    SCENE_EFFECT_STEP = 256,
    SCENE_EFFECT_TIMELINE = 512,
    SCENE_EFFECT_ANEW = 1024 /* memory or faces: the simulation is created anew, at rest */
} SceneEffect;

/* Those that the simulation itself takes up while it runs. */
#define SCENE_EFFECTS_LIVE                                                                         \
    (SCENE_EFFECT_PARAMS | SCENE_EFFECT_EMITTERS | SCENE_EFFECT_FORCES | SCENE_EFFECT_SOLIDS |     \
     SCENE_EFFECT_STEP | SCENE_EFFECT_TIMELINE)

/* Of a key of one of the tables; of brush and detonation the scene's own row says it. */
SceneEffect scene_effect_of(const SceneKeyTable *table, const SceneKey *key);

/* Whether two scenes, entries or forms have the same value there. Not for lists. */
bool scene_keys_equal(const SceneKey *key, const void *one, const void *other);
/* The value from one to the other, likewise. */
void scene_keys_copy(const SceneKey *key, const void *from, void *to);

#define SCENE_DIFFERENCE_PATH 128

typedef struct SceneDifference {
    unsigned effects; /* SceneEffect, together; 0: the scenes are the same */
    int count;        /* keys; a list that is longer or shorter counts as one more */
    char first[SCENE_DIFFERENCE_PATH]; /* "emitters[0].smoke"; empty where there is none */
    char anew[SCENE_DIFFERENCE_PATH];  /* the first that asks for a new simulation, likewise */
} SceneDifference;

SceneDifference scene_difference(const Scene *before, const Scene *after);

#endif
