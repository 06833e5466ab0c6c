/* SPDX-License-Identifier: MIT
 *
 * A scene that is being played, to a file and back: it goes on from there bit for bit, at any
 * number of threads, and the file alone is enough for that.
 *
 * In it are, as sections of checkpoint.h: what it is of; the scene as text, as it is now, with what
 * --set and --grid made of it; the distance volumes that were made of its meshes and texts, so that
 * neither their files nor the fonts are needed again; the state as billow_save_state has it. */
#ifndef SCENE_SCENE_CHECKPOINT_H
#define SCENE_SCENE_CHECKPOINT_H

#include "checkpoint.h"
#include "scene_play.h"

/* -- to a file --------------------------------------------------------------------------------- */

/* The text that a checkpoint keeps of a scene, to be freed. NULL and a message where it would not
 * load back. */
char *scene_checkpoint_text(const Scene *scene, BillowError *error);

/* What goes into one. run's grid, time and steps are found out by whoever makes it: see
 * scene_checkpoint_describe. */
typedef struct SceneCheckpoint {
    CheckpointRun run;
    const char *text;         /* of scene_checkpoint_text */
    const SceneShape *shapes; /* of its play, SCENE_SHAPES of them */
    const void *state;        /* of billow_save_state */
    size_t bytes;
} SceneCheckpoint;

/* Grid, time, steps and the program of a run. */
void scene_checkpoint_describe(const BillowSim *sim, CheckpointRun *run);

/* Whole or not at all. */
bool scene_checkpoint_write(const SceneCheckpoint *checkpoint, const char *path,
                            BillowError *error);

/* -- and back ---------------------------------------------------------------------------------- */

/* Opens one and reads its scene, whose messages are about the path. The reader stays open for the
 * rest; checkpoint_close it. */
bool scene_checkpoint_open(CheckpointReader *reader, const char *path, Scene *scene,
                           BillowError *error);
/* Reads the rest: creates the play and the simulation as the scene has them, and brings that to the
 * state of the file. def: scene_def of it, its threads as they are to be. Only what the definition
 * asks for is allocated. The caller's: sim and play. */
bool scene_checkpoint_start(CheckpointReader *reader, const Scene *scene, BillowDef *def,
                            ScenePlay **play, BillowSim **sim, BillowError *error);

/* The same for who creates the simulation on another thread: the play, and what billow_load_state
 * takes; def is what the simulation is to be created by. The caller's: play, and state to free. */
bool scene_checkpoint_take(CheckpointReader *reader, const Scene *scene, BillowDef *def,
                           ScenePlay **play, void **state, size_t *bytes, BillowError *error);

#endif
