/* SPDX-License-Identifier: MIT
 *
 * A scene while it is played: its volumes and its timeline, which the simulation needs beside the
 * definition. */
#ifndef SCENE_SCENE_PLAY_H
#define SCENE_SCENE_PLAY_H

#include "scene.h"

typedef struct ScenePlay ScenePlay;

/* Makes volumes of the scene's meshes and texts, fine enough for the definition's cells, and points
 * the definition's emitters and solids to them. The timeline's values at time 0 go into the
 * definition. Destroy the play after the simulation. NULL, with a message that names file and
 * entry, where a shape cannot be made, solids overlap or an emitter is buried. */
ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error);
/* scene_play_create for a scene that replaces another: volumes that stay the same are copied from
 * before, which may be NULL. Of before only members are read that never change. */
ScenePlay *scene_play_renew(const ScenePlay *before, const Scene *scene, BillowDef *def,
                            BillowError *error);
/* The volumes of a scene: emitter e has index e, solid s has index BILLOW_EMITTERS_MAX + s. */
enum { SCENE_SHAPES = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };
typedef struct SceneShape {
    float size;          /* size[0] of the entry it was made for, m */
    float cell;          /* cell size of the definition it was made for, m */
    BillowVolume volume; /* distance NULL: the entry has none */
} SceneShape;
/* Lists all volumes; their samples still belong to the play. */
void scene_play_shapes(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES]);
/* scene_play_create from volumes made earlier, which are copied; no file is read. Refuses an entry
 * whose volume is missing or was made for another size. */
ScenePlay *scene_play_create_of(const SceneShape shapes[SCENE_SHAPES], const Scene *scene,
                                BillowDef *def, BillowError *error);
/* Sets parameters, emitters, forces and solids to the timeline's values at the simulation's time.
 * Call it before each step, with the step's length, s. Solids whose position is on the timeline get
 * the velocity that brings them there at the step's end. False and a message where a value is
 * refused. */
bool scene_play_prepare(ScenePlay *play, BillowSim *sim, double step, BillowError *error);
/* The present parameters, timeline included. */
BillowParams scene_play_params(const ScenePlay *play);
/* The render settings at a time, s, timeline included. On failure *render is left as it was. */
bool scene_play_look(const Scene *scene, double time, RenderSettings *render, BillowError *error);
/* Reports what is likely not meant, one line each with file and entry: values without use
 * (scene_useless) and billow_notices. */
void scene_play_notice(const Scene *scene, const BillowDef *def,
                       void (*say)(const BillowError *notice));
void scene_play_destroy(ScenePlay *play); /* NULL is fine */

#endif
