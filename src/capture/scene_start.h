/* SPDX-License-Identifier: MIT
 *
 * A scene that is simulated without a window: opened from its file or a checkpoint, started,
 * advanced frame by frame, and saved in checkpoints. */
#ifndef CAPTURE_SCENE_START_H
#define CAPTURE_SCENE_START_H

#include "report.h"
#include "scene_checkpoint.h"
#include "scene_play.h"

/* What the command line asks for. */
typedef struct SceneAsk {
    const char *command;    /* name of the subcommand, for messages */
    SceneRequest request;   /* name_or_path NULL: no scene was named */
    int threads;            /* 0: one per core */
    bool quiet;             /* no progress, no notices */
    const char *resume;     /* checkpoint to go on from; NULL: none */
    const char *checkpoint; /* file to write; NULL: none */
    int every;              /* steps or frames between two checkpoints; 0: at the end alone */
} SceneAsk;

typedef struct SceneStart {
    const char *name;  /* of the scene or the checkpoint, as it was asked for */
    Scene scene;       /* with the changes of the command line */
    BillowDef def;     /* of that scene */
    bool resumed;      /* from a checkpoint; the members below describe it */
    Scene kept;        /* scene in the checkpoint */
    CheckpointRun run; /* progress of the checkpoint; zeros without one */
    CheckpointReader reader;
} SceneStart;

#define SCENE_START_FPS 30.0 /* frames per second where neither a person nor a checkpoint says */

/* -- scenes ------------------------------------------------------------------------------------ */

/* Loads the scene that was asked for, and checks that it fits into memory with picture_bytes more
 * for each cell. STATUS_FAILED: the scene is wrong or too large; STATUS_USAGE: --set or --grid does
 * not fit the scene. */
Status scene_start_load(const SceneRequest *request, Scene *scene, BillowDef *def,
                        double picture_bytes, BillowError *error);

/* Whether a simulation fits into memory, with picture_bytes more for each cell. */
bool scene_start_check_memory(const char *name_or_path, const BillowDef *def, double picture_bytes,
                              BillowError *error);

/* Prints notices: the box differs from domain.size, or a value of the scene has no effect. */
void scene_start_note(const char *name_or_path, const Scene *scene);

/* -- starting ---------------------------------------------------------------------------------- */

/* Opens what was asked for: a scene or a checkpoint. A checkpoint brings its own scene and grid,
 * and takes no --set that needs a new simulation. Call scene_start_close also after a failure. */
Status scene_start_open(const SceneAsk *ask, double picture_bytes, SceneStart *start,
                        BillowError *error);

/* Creates the simulation, at rest or as the checkpoint left it. The caller owns both. Once. */
bool scene_start_play(SceneStart *start, ScenePlay **play, BillowSim **sim, BillowError *error);

void scene_start_close(SceneStart *start);

/* Frames per second: asked, or that of the checkpoint where asked is 0, or SCENE_START_FPS. False
 * where asked differs from that of the checkpoint. */
bool scene_start_fps(const SceneStart *start, double asked, double *fps, BillowError *error);

/* -- advancing --------------------------------------------------------------------------------- */

/* Advances to the end of a frame of so many seconds, in equal steps no longer than step, s. Stops
 * after the step in which it is interrupted. run->part counts the steps of the frame up to
 * run->parts, so that an interrupted frame goes on where it stopped; the caller sets both to 0 once
 * the frame is written. */
Status scene_start_frame(ScenePlay *play, BillowSim *sim, double seconds, double step,
                         CheckpointRun *run, BillowError *error);

/* False, with a message, when the state holds infinities or NaN. */
bool scene_start_check_finite(const BillowSim *sim, BillowError *error);

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
