/* SPDX-License-Identifier: MIT
 *
 * Checkpoints of a running scene. A run that continues from a checkpoint gives the same bits as a
 * run without interruption, with any number of threads, and needs no other file. A checkpoint file
 * (checkpoint.h) has these sections: a description of the run; the scene as text, including the
 * changes by `--set` and `--grid`; the distance volumes of its meshes and texts, so that mesh files
 * and fonts are not needed; the state from `billow_save_state`. */
#ifndef SCENE_SCENE_CHECKPOINT_H
#define SCENE_SCENE_CHECKPOINT_H

#include "io/checkpoint.h"
#include "scene/scene_play.h"

/* -- writing ----------------------------------------------------------------------------------- */

/* Writes the scene's text for a checkpoint; the caller frees it. Returns NULL and a message if the
 * text could not be loaded again. */
char *scene_checkpoint_text(const Scene *scene, BillowError *error);

/* The contents of a checkpoint. scene_checkpoint_describe fills run's grid, time and steps. */
typedef struct SceneCheckpoint {
    CheckpointRun run;
    const char *text;         /* from scene_checkpoint_text */
    const SceneShape *shapes; /* from scene_play_shapes, SCENE_SHAPES of them */
    void *state;              /* from billow_save_state; ranks overwrite it */
    size_t bytes;
    const BillowSim *sim; /* whose state it is; used where ranks divide it */
    bool replaces;        /* whether it may replace the file at its path, as an earlier one */
} SceneCheckpoint;

/* Sets grid, time, steps and program of a run. */
void scene_checkpoint_describe(const BillowSim *sim, CheckpointRun *run);

/* Writes a complete checkpoint file or none. */
bool scene_checkpoint_write(const SceneCheckpoint *checkpoint, const char *path,
                            BillowError *error);

/* -- reading ----------------------------------------------------------------------------------- */

/* Opens a checkpoint and reads its scene. Messages name the path. The reader stays open for the
 * remaining sections; close it with checkpoint_close. */
bool scene_checkpoint_open(CheckpointReader *reader, const char *path, Scene *scene,
                           BillowError *error);
/* Reads the remaining sections, creates the scene's play and its simulation, and loads the state.
 * def: the result of `scene_def` for the scene, with the number of threads set. The ranks of the
 * program divide the simulation. Call scene_driver_destroy also after a failure. */
bool scene_checkpoint_start(CheckpointReader *reader, const Scene *scene, BillowDef *def,
                            SceneDriver *driver, BillowError *error);

/* Reads the remaining sections for a caller that creates the simulation on another thread. Gives
 * the play, the definition for `billow_create`, and the state for `billow_load_state`. The caller
 * owns play and frees state. */
bool scene_checkpoint_take(CheckpointReader *reader, const Scene *scene, BillowDef *def,
                           ScenePlay **play, void **state, size_t *bytes, BillowError *error);

#endif
