/* SPDX-License-Identifier: MIT
 *
 * A scene while it is played: the volumes and the timeline, which the simulation needs in addition
 * to its definition. */
#ifndef SCENE_SCENE_PLAY_H
#define SCENE_SCENE_PLAY_H

#include "scene/scene.h"

typedef struct ScenePlay ScenePlay;

/* Makes volumes from the scene's meshes and texts, with samples fine enough for the definition's
 * cells. Sets pointers to the volumes in the definition's emitters and solids, and sets the
 * timeline's values at time 0 in the definition. Destroy the play after the simulation. Returns
 * NULL if a shape cannot be made, solids overlap or an emitter is inside a solid; the message names
 * the file and the entry. */
ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error);
/* Like `scene_play_create`, for a scene that replaces another one. before: play of the replaced
 * scene, or NULL. Unchanged volumes are copied from it. Only members of `before` that never change
 * are read, so that another thread may use it meanwhile. */
ScenePlay *scene_play_renew(const ScenePlay *before, const Scene *scene, BillowDef *def,
                            BillowError *error);
/* Number of volumes of a scene. Emitter e has index e, solid s has index BILLOW_EMITTERS_MAX + s.
 */
enum { SCENE_SHAPES = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };
typedef struct SceneShape {
    float size;          /* size[0] of the entry for which the volume was made, m */
    float cell;          /* cell size of the definition for which the volume was made, m */
    BillowVolume volume; /* distance NULL: the entry has no volume */
} SceneShape;
/* Lists all volumes. Their samples remain owned by the play. */
void scene_play_shapes(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES]);
/* Like `scene_play_create`, from existing volumes, which are copied; no file is read. Fails if the
 * volume of an entry is missing or was made for another size. */
ScenePlay *scene_play_create_of(const SceneShape shapes[SCENE_SHAPES], const Scene *scene,
                                BillowDef *def, BillowError *error);
/* Sets parameters, emitters, forces and solids to the timeline's values at the simulation's time.
 * Call it before each step. step: length of the step, s. If a solid's position is on the timeline,
 * the solid gets the velocity that brings it to that position at the end of the step. Returns false
 * and a message if the simulation refuses a value. */
bool scene_play_prepare(ScenePlay *play, BillowSim *sim, double step, BillowError *error);
/* The parameters at the current time, with the timeline's values. */
BillowParams scene_play_params(const ScenePlay *play);
/* The render settings at a time, s, with the timeline's values. On failure *render is unchanged. */
bool scene_play_render(const Scene *scene, double time, RenderSettings *render, BillowError *error);
/* Reads every frame of the numbered files of a scene. */
bool scene_play_check(ScenePlay *play, BillowError *error);
/* Reports what the user probably did not intend: values without effect (`scene_useless`) and the
 * notices of `billow_notices`. Each message is one line that names the file and, if there is one,
 * the entry. */
void scene_play_notice(const Scene *scene, const BillowDef *def,
                       void (*say)(const BillowError *notice));
/* Whether reading a .vdb file took so much memory that the user should know; says which and how
 * much. play: NULL is fine. */
#define SCENE_PLAY_MEMORY ((uint64_t)256 << 20) /* bytes */
bool scene_play_memory(const ScenePlay *play, BillowError *notice);
void scene_play_destroy(ScenePlay *play); /* NULL is fine */
/* Writes the scene's smoke at the start (scene.initial) into a simulation at rest, after
 * billow_create and after billow_reset. play: NULL is fine. */
void scene_play_begin(const ScenePlay *play, BillowSim *sim);
/* The volume integral of the initial density, m3: of the whole file, and in the box. Both 0 without
 * such a file. */
void scene_play_initial_mass(const ScenePlay *play, double *file, double *box);

/* -- smoke at the start (scene_initial.c) ------------------------------------------------------ */

/* Fields on the grid of a definition, without padding; NULL: the file has none. */
typedef struct SceneFields {
    float *density, *temperature, *fuel;
    float *color[3];        /* density times colour */
    float *velocity[3];     /* at faces */
    double file_mass, mass; /* integral of the density, in the file and in the box, m3 */
    uint64_t file_memory;   /* that reading the file took, bytes */
} SceneFields;

/* How the coordinates of a file lie in the scene. */
typedef struct SceneFrame {
    double scale;
    float rotation[4];
    SceneUp up;
} SceneFrame;
/* Turn and scale vectors between the scene's and the file's coordinates. */
void scene_frame_to_file(const SceneFrame *frame, const double vector[3], double turned[3]);
void scene_frame_from_file(const SceneFrame *frame, const double vector[3], double turned[3]);

/* Samples the fields of scene.initial. The message names the file. */
bool scene_initial_load(const Scene *scene, const BillowDef *def, SceneFields *fields,
                        BillowError *error);
void scene_initial_free(SceneFields *fields); /* zeros are fine */
void scene_initial_apply(const SceneFields *from, BillowSim *sim);

/* -- distance volumes of meshes and texts (scene_form.c) --------------------------------------- */

/* An emitter or a solid with a form. */
typedef struct SceneBody {
    const char *label; /* for messages: "emitters[0]" */
    const SceneForm *form;
    float size; /* half the length of its longest edge, m */
    const float *rotation, *center;
} SceneBody;

/* Makes the volume of a form. Its longest edge spans -1 to 1, and its samples are fine enough for
 * the definition's cells. Fails if the volume cannot be made or would be larger than the
 * definition's box. */
bool scene_form_make(const SceneBody *body, const BillowDef *def, BillowVolume *volume,
                     BillowError *error);
/* Makes the volume of a form by copying `before`, a volume of the same form for a box of the same
 * size and cells of the same size. */
bool scene_form_copy(const SceneBody *body, const BillowDef *def, const BillowVolume *before,
                     BillowVolume *volume, BillowError *error);
void scene_form_free(BillowVolume *volume); /* {0} is fine */

#endif
