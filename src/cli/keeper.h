/* SPDX-License-Identifier: MIT
 *
 * The checkpoints that a command writes while it plays a scene: --checkpoint and --every. */
#ifndef CLI_KEEPER_H
#define CLI_KEEPER_H

#include "start.h"

typedef struct Keeper {
    const char *path; /* NULL: none are written */
    const char *command;
    int every, done; /* steps or frames: between two of them, and since the last */
    bool quiet;
    const BillowSim *sim;
    SceneShape shapes[SCENE_SHAPES];
    char *text;  /* of the scene */
    void *state; /* memory for it, */
    size_t bytes;
    CheckpointRun run; /* frames and exposure are the command's to keep up to date */
} Keeper;

/* Whether what the options ask for can be: wrong usage where not. */
bool keeper_check(const CommandScene *settings, BillowError *error);

/* Asks for all that a checkpoint will need, before the first step; the simulation is there.
 * keeper_close it, also where it failed. */
bool keeper_open(Keeper *keeper, const CommandScene *settings, const char *command,
                 const Start *start, const ScenePlay *play, const BillowSim *sim,
                 BillowError *error);

/* One more step, or frame, is done: a checkpoint of it where it is time for one. Where that cannot
 * be written a notice says so; the one before stays, and the next is tried again. */
void keeper_note(Keeper *keeper);

/* The same of a frame that was played by command_play_frame and written. */
void keeper_note_frame(Keeper *keeper);

/* The last, at the end or where a command was broken off: of a status that is then to be reported,
 * with error where it failed. Nothing is kept of numbers that are not finite: the one before stays.
 * Says where an interrupted one goes on, instead of report_interrupted. */
Status keeper_finish(Keeper *keeper, Status status, BillowError *error);

void keeper_close(Keeper *keeper);

#endif
