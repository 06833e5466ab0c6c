/* SPDX-License-Identifier: MIT
 *
 * A simulation that hands share: all that decides its states.
 *
 * Commands (sim_command.h) act between two steps. The same commands before the same steps give the
 * same bits, on any number of threads and with any instruction set: in the window's simulation, in
 * a replay that is rendered, and in another program that joins (sim_join.h). */
#ifndef PLAY_SHARED_H
#define PLAY_SHARED_H

#include "play/sim_hands.h"

/* A play that was made from settings that were read. */
typedef struct SharedPlay {
    ScenePlay *play;
    uint64_t replaced; /* number of the change that replaced it; 0: it is in use, or never was */
} SharedPlay;

typedef struct Shared {
    SceneDriver driver; /* its play belongs to others */
    BillowDef def;      /* with the present settings; its parameters are those of the timeline */
    Scene *scene;       /* with the present settings; NULL: it is not known, and nobody can join */
    bool dropped;       /* the timeline set an invalid value, and is no longer followed */
    SharedPlay *own_plays;
    int own_play_count;
    uint64_t changes; /* number of changes of the settings so far */
    uint64_t seen;    /* nobody reads shapes of plays that this change, or one before, replaced */
    double step;      /* length of a step, s */
    Hands hands;
    int cycles; /* largest number of pressure cycles of a step; 0: the scene's */
} Shared;

/* Starts with a scene's values and without a simulation, which the caller creates or adds. scene:
 * may be NULL. Returns false if memory is short. */
bool shared_open(Shared *shared, const BillowDef *def, ScenePlay *play, const Scene *scene,
                 double step);
/* Destroys the simulation and its own plays. */
void shared_close(Shared *shared);

/* Applies a command that decides the state. Returns false if the simulation refuses it: settings,
 * and the message says why. */
bool shared_apply(Shared *shared, const SimCommand *command, BillowError *error);
/* Takes a step: the timeline's values, what the hands do, and the simulation's step. */
void shared_step(Shared *shared);

/* Makes settings from recorded ones, with a new play made from their scene. `shared` owns the play
 * and destroys it once it has been replaced and `seen` says so. Shapes that stay are taken from the
 * present play. Returns NULL with a message if a shape cannot be made, for example because its file
 * is missing. The caller frees the settings. */
SimSettings *shared_settings(Shared *shared, const SimSettings *recorded, BillowError *error);

/* -- replays ----------------------------------------------------------------------------------- */

typedef struct Replay {
    const SimRecording *recording; /* NULL: nothing is replayed */
    int next;                      /* index of the next command */
    int hash;                      /* index of the next hash */
    int same;                      /* number of hashes that the states had so far */
    uint64_t differs;              /* first step whose hash the state did not have; 0: none */
} Replay;

/* Returns the next command due after so many steps of the recording; NULL: there is none. */
const SimCommand *replay_next(Replay *replay, uint64_t steps);
/* Compares the state after so many steps with the hash that the recording has of it. */
void replay_check(Replay *replay, uint64_t steps, const BillowSim *sim);
/* Simulated time of a recording in a scene, s. */
double replay_seconds(const SimRecording *recording, const Scene *scene);

#endif
