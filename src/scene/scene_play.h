/* SPDX-License-Identifier: MIT
 *
 * A scene while it is played: the volumes and the timeline, which the simulation needs in addition
 * to its definition. */
#ifndef SCENE_SCENE_PLAY_H
#define SCENE_SCENE_PLAY_H

#include "scene/scene_form.h"

#include <billow/exchange.h>

typedef struct ScenePlay ScenePlay;

/* Makes volumes from the scene's meshes and texts, with samples fine enough for the definition's
 * cells. Sets pointers to the volumes in the definition's emitters and solids, and sets the
 * timeline's values at time 0 in the definition. Destroy the play after the simulation. Returns
 * NULL if a shape cannot be made or an emitter is inside a solid; the message names
 * the file and the entry. */
ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error);
/* Like `scene_play_create`, for a scene that replaces another one. before: play of the replaced
 * scene, or NULL. Unchanged volumes are copied from it. Only members of `before` that never change
 * are read, so that another thread may use it meanwhile. */
ScenePlay *scene_play_renew(const ScenePlay *before, const Scene *scene, BillowDef *def,
                            BillowError *error);
/* Lists all volumes. Their samples remain owned by the play. */
void scene_play_shapes(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES]);
/* Copies all volumes of a play, which may be NULL. Returns false if memory is short. */
bool scene_shapes_copy(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES]);
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
/* Whether something about the file of the initial smoke is unusual; says what. */
bool scene_play_unusual(const ScenePlay *play, BillowError *notice);
void scene_play_destroy(ScenePlay *play); /* NULL is fine */
/* Writes the scene's smoke at the start (scene.initial) into a simulation at rest, after
 * billow_create and after billow_reset. play: NULL is fine. */
void scene_play_begin(const ScenePlay *play, BillowSim *sim);
/* The volume integral of the initial density, m3: of the whole file, and in the box. Both 0 without
 * such a file. */
void scene_play_initial_mass(const ScenePlay *play, double *file, double *box);

/* -- a simulation of a scene, with what plays it -----------------------------------------------
 *
 * Everything that simulates a scene does so by these functions. */

typedef struct SceneDriver {
    ScenePlay *play; /* NULL: no volumes and no timeline */
    BillowSim *sim;
    const BillowExchange *exchange; /* between the ranks that divide the simulation; NULL: none */
} SceneDriver;

/* With an exchange all its ranks call these functions together, and all fail if one fails. */

/* Creates the simulation of a scene at time 0, with the initial smoke. def: from scene_def, with
 * any changes of the caller's; receives the volumes and the timeline's values as in
 * scene_play_create. Returns false and a message on failure. Call scene_driver_destroy in any case.
 */
bool scene_driver_create(SceneDriver *driver, const Scene *scene, BillowDef *def,
                         const BillowExchange *exchange, BillowError *error);
/* The same for a play that exists, which the driver takes over, also on failure. def: the
 * definition that the play was made with. A stored state may then replace the state
 * (billow_load_state). */
bool scene_driver_start(SceneDriver *driver, ScenePlay *play, const BillowDef *def,
                        const BillowExchange *exchange, BillowError *error);

/* Sets the timeline's values for the next step, of so many seconds, as scene_play_prepare. */
bool scene_driver_prepare(const SceneDriver *driver, double seconds, BillowError *error);
/* Does this and takes the step. Returns false and a message if a value is refused, or if the
 * simulation fails (billow_step). */
bool scene_driver_step(const SceneDriver *driver, double seconds, BillowError *error);
/* Returns to time 0 and the initial smoke. */
void scene_driver_reset(const SceneDriver *driver);

/* Destroys the simulation and the play; zeros are fine. */
void scene_driver_destroy(SceneDriver *driver);

#endif
