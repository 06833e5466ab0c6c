/* SPDX-License-Identifier: MIT
 *
 * A scene while it is being played: what a simulation of it needs beside its definition. */
#ifndef SCENE_SCENE_PLAY_H
#define SCENE_SCENE_PLAY_H

#include "scene.h"

typedef struct ScenePlay ScenePlay;

/* Reads the meshes and draws the texts of a scene, finely enough for the definition's cells, and
 * points the definition's emitters to them; what the timeline says at the beginning becomes the
 * definition's. To be destroyed after the simulation. NULL and a message that names the file and
 * the entry where a shape cannot be made, solids overlap or an emitter is buried in one. */
ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error);
/* The same for a scene that takes the place of another while it is played: shapes that stay are
 * not made again. before is only read, and of that only what never changes. NULL is fine. */
ScenePlay *scene_play_renew(const ScenePlay *before, const Scene *scene, BillowDef *def,
                            BillowError *error);
/* What was made of the mesh or the text of a scene's emitter, by its number, or of its solid, by
 * BILLOW_EMITTERS_MAX and its number; size and cell say for what. */
enum { SCENE_SHAPES = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };
typedef struct SceneShape {
    float size, cell;    /* m */
    BillowVolume volume; /* distance NULL: there is none */
} SceneShape;
/* All of them; their samples stay the play's. */
void scene_play_shapes(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES]);
/* scene_play_create of shapes that were made before, which are copied; no file is looked at.
 * Refuses what has none, or one of another size. */
ScenePlay *scene_play_create_of(const SceneShape shapes[SCENE_SHAPES], const Scene *scene,
                                BillowDef *def, BillowError *error);
/* Brings what the simulation may change while it runs to what the timeline says at its time: to be
 * called before each step, with the step's length. Solids whose places are on the timeline get the
 * velocity that takes them over the step to where they are to be at its end. False and a message
 * where the timeline asks for what cannot be. */
bool scene_play_prepare(ScenePlay *play, BillowSim *sim, double step, BillowError *error);
/* The parameters as the scene and its timeline have them now. */
BillowParams scene_play_params(const ScenePlay *play);
/* The look at a time, by the timeline. False and a message, with look untouched, where that cannot
 * be told. */
bool scene_play_look(const Scene *scene, double time, RenderSettings *render, BillowError *error);
/* Says what of the scene is likely not what was meant, values that nothing takes up (scene_useless)
 * and what billow_notices has: a line each, with the file and the entry. */
void scene_play_notice(const Scene *scene, const BillowDef *def,
                       void (*say)(const BillowError *notice));
void scene_play_destroy(ScenePlay *play); /* NULL is fine */

#endif
