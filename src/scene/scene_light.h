/* SPDX-License-Identifier: MIT
 *
 * Light rigs: sun, surroundings and lamps for a whole scene, by one word: `--set light=dusk`. */
#ifndef SCENE_SCENE_LIGHT_H
#define SCENE_SCENE_LIGHT_H

#include "scene/scene.h"

enum { SCENE_LIGHT_VALUES = 12, SCENE_LIGHT_LAMPS = 3 };

/* A lamp of a rig. Places are in longest edges of the box from the middle of its floor. */
typedef struct SceneLightLamp {
    const char *name; /* NULL: no more lamps */
    RenderLampKind kind;
    float place[3], aim[3]; /* aim: place that it points to */
    float irradiance;       /* at that place */
    float color[3], angle, radius;
} SceneLightLamp;

typedef struct SceneLight {
    const char *name, *does;
    const char *values[SCENE_LIGHT_VALUES];  /* assignments for scene_set; ended by NULL */
    SceneLightLamp lamps[SCENE_LIGHT_LAMPS]; /* in place of the scene's; none: they stay */
} SceneLight;

/* Returns a rig; NULL after the last. */
const SceneLight *scene_light_at(int index);

/* Applies the rig of that name. On failure *scene is unchanged, and the message is what the name
 * must be. */
bool scene_light_set(Scene *scene, const char *name, BillowError *error);

#endif
