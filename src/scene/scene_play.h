/* SPDX-License-Identifier: MIT
 *
 * A scene while it is played: its volumes and its timeline, which the simulation needs besides the
 * definition. */
#ifndef SCENE_SCENE_PLAY_H
#define SCENE_SCENE_PLAY_H

#include "scene.h"

typedef struct ScenePlay ScenePlay;

/* Makes volumes from the scene's meshes and texts, with samples fine enough for the definition's
 * cells, and sets the pointers to them in the definition's emitters and solids. Sets the timeline's
 * values at time 0 in the definition. Destroy the play after the simulation. Returns NULL, with a
 * message that names file and entry, if a shape cannot be made, solids overlap or an emitter is
 * inside a solid. */
ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error);
/* scene_play_create for a scene that replaces another one. Volumes that have not changed are copied
 * from `before`, which may be NULL; only members of it that never change are read. */
ScenePlay *scene_play_renew(const ScenePlay *before, const Scene *scene, BillowDef *def,
                            BillowError *error);
/* The volumes of a scene: emitter e has index e, solid s has index BILLOW_EMITTERS_MAX + s. */
enum { SCENE_SHAPES = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };
typedef struct SceneShape {
    float size;          /* size[0] of the entry that it was made for, m */
    float cell;          /* cell size of the definition that it was made for, m */
    BillowVolume volume; /* distance NULL: the entry has no volume */
} SceneShape;
/* Lists all volumes. Their samples remain owned by the play. */
void scene_play_shapes(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES]);
/* scene_play_create from existing volumes, which are copied; no file is read. Fails if an entry's
 * volume is missing or was made for another size. */
ScenePlay *scene_play_create_of(const SceneShape shapes[SCENE_SHAPES], const Scene *scene,
                                BillowDef *def, BillowError *error);
/* Sets parameters, emitters, forces and solids to the timeline's values at the simulation's time.
 * Call it before each step. step: its length, s. A solid whose position is on the timeline gets the
 * velocity that brings it there at the step's end. Returns false and a message if a value is
 * refused. */
bool scene_play_prepare(ScenePlay *play, BillowSim *sim, double step, BillowError *error);
/* The current parameters, with the timeline's values. */
BillowParams scene_play_params(const ScenePlay *play);
/* The render settings at a time, s, with the timeline's values. On failure *render is unchanged. */
bool scene_play_render(const Scene *scene, double time, RenderSettings *render, BillowError *error);
/* Reports what the user probably did not intend, one line each with file and entry: values without
 * effect (scene_useless) and billow_notices. */
void scene_play_notice(const Scene *scene, const BillowDef *def,
                       void (*say)(const BillowError *notice));
void scene_play_destroy(ScenePlay *play); /* NULL is fine */

/* -- distance volumes of meshes and texts (scene_form.c) --------------------------------------- */

/* An emitter or a solid with a form. */
typedef struct SceneBody {
    const char *label; /* for messages: "emitters[0]" */
    const SceneForm *form;
    float size; /* half of its longest edge, m */
    const float *rotation;
} SceneBody;

/* Makes the volume of a form. Its longest edge spans -1 to 1, and its samples suffice for the
 * definition's cells. Fails if it cannot be made or would be larger than the definition's box. */
bool scene_form_make(const SceneBody *body, const BillowDef *def, BillowVolume *volume,
                     BillowError *error);
/* Makes the volume of a form by copying `before`, which was made from the same form, for a box of
 * the same size and cells. */
bool scene_form_copy(const SceneBody *body, const BillowDef *def, const BillowVolume *before,
                     BillowVolume *volume, BillowError *error);
void scene_form_free(BillowVolume *volume); /* {0} is fine */

#endif
