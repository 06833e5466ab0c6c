/* SPDX-License-Identifier: MIT
 *
 * A scene while it is being played: what a simulation of it needs beside its definition. */
#ifndef SCENE_SCENE_PLAY_H
#define SCENE_SCENE_PLAY_H

#include "scene.h"

typedef struct ScenePlay ScenePlay;

/* Reads the meshes and draws the texts of a scene, finely enough for the definition's cells, and
 * points the definition's emitters to them. To be destroyed after the simulation. NULL and a
 * message that names the emitter where one of them cannot be made. */
ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error);
void scene_play_destroy(ScenePlay *play); /* NULL is fine */

#endif
