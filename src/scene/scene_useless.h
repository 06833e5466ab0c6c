/* SPDX-License-Identifier: MIT
 *
 * Values that a scene was given and that nothing in it takes up: no fault, but likely not what was
 * meant. */
#ifndef SCENE_SCENE_USELESS_H
#define SCENE_SCENE_USELESS_H

#include "scene.h"

/* Takes what to say of one: "smoke.glow_range has no use without smoke.glow"; place is where the
 * file speaks of its entry, NULL where it is in none. */
typedef void SceneUselessTake(void *context, const ScenePlace *place, const char *text);

/* Those that differ from their defaults, in the order of the keys. What the timeline may give a use
 * is left out. */
void scene_useless(const Scene *scene, SceneUselessTake *take, void *context);

#endif
