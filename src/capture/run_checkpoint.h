/* SPDX-License-Identifier: MIT
 *
 * Writes the checkpoints of a run: --checkpoint and --every. */
#ifndef CAPTURE_RUN_CHECKPOINT_H
#define CAPTURE_RUN_CHECKPOINT_H

#include "scene_start.h"

typedef struct RunCheckpoint {
    const char *path; /* NULL: no checkpoints are written */
    const char *command;
    int every; /* steps or frames between two checkpoints; 0: at the end alone */
    int done;  /* steps or frames since the last checkpoint */
    const BillowSim *sim;
    SceneShape shapes[SCENE_SHAPES];
    char *text;        /* of the scene */
    void *state;       /* buffer for the state */
    size_t bytes;      /* of the buffer */
    CheckpointRun run; /* the command keeps frames and exposure up to date */
} RunCheckpoint;

/* False where --every is given without --checkpoint. */
bool run_checkpoint_check(const SceneAsk *ask, BillowError *error);

/* Allocates what a checkpoint needs, before the first step. Call run_checkpoint_close also after
 * a failure. */
bool run_checkpoint_open(RunCheckpoint *writer, const SceneAsk *ask, const SceneStart *start,
                         const ScenePlay *play, const BillowSim *sim, BillowError *error);

/* Call after each step, or each written frame: writes a checkpoint when one is due. A failure gives
 * a notice; the previous checkpoint stays, and the next is attempted. */
void run_checkpoint_note(RunCheckpoint *writer);

/* The same after a frame of scene_start_frame. */
void run_checkpoint_note_frame(RunCheckpoint *writer);

/* Writes the last checkpoint of a run that ended with status, unless the state is not finite.
 * Returns the status to report: STATUS_FAILED where a checkpoint that is needed failed. error then
 * holds the reason, or where an interrupted run can be resumed. */
Status run_checkpoint_finish(RunCheckpoint *writer, Status status, BillowError *error);

void run_checkpoint_close(RunCheckpoint *writer);

#endif
