/* SPDX-License-Identifier: MIT
 *
 * What a command plays: a scene from its beginning, or one that --resume goes on with. */
#ifndef CLI_START_H
#define CLI_START_H

#include "command.h"
#include "scene_checkpoint.h"

typedef struct Start {
    const char *name;  /* of the scene or the checkpoint, as it was asked for */
    Scene scene;       /* with what the command line changes */
    BillowDef def;     /* of it */
    bool resumed;      /* what follows is of the checkpoint: */
    Scene kept;        /* its scene, */
    CheckpointRun run; /* what it is of, or zeros; */
    CheckpointReader reader;
} Start;

/* As command_open_scene, or from --resume: then no scene, no other grid and no --set of what asks
 * for a new simulation is taken. start_close it, also where it failed. */
Status start_open(const CommandScene *settings, const char *command, double picture_bytes,
                  Start *start, BillowError *error);

/* The simulation and its play, at rest or where the checkpoint left them; the caller's. Once. */
bool start_play(Start *start, ScenePlay **play, BillowSim **sim, BillowError *error);

void start_close(Start *start);

/* Frames per second: as asked for, 0 where nothing was; else as the checkpoint has its frames, else
 * 30. False where the two disagree. */
bool start_fps(const Start *start, double asked, double *fps, BillowError *error);

#endif
