/* SPDX-License-Identifier: MIT
 *
 * A simulation on a thread of its own, which follows the clock.
 *
 * The window sends commands (sim_command.h) and reads snapshots. The thread applies commands
 * between two steps. Only sim_thread_wait and sim_thread_destroy wait for the end of a step.
 *
 * The thread takes a step whenever a step's length of real time has passed, and sleeps until then.
 * Where a step takes longer than the time it simulates, the pressure solve gets fewer cycles
 * (budget.h). Time that the machine still cannot simulate is dropped: the simulation slows down.
 *
 * Call these functions from one thread only, except those at the end. */
#ifndef PLAY_SIM_THREAD_H
#define PLAY_SIM_THREAD_H

#include "play/sim_join.h"
#include "play/sim_share.h"
#include "play/snapshots.h"
#include "scene/scene_checkpoint.h"

typedef enum SimThreadState {
    SIM_THREAD_STARTING, /* the simulation is being created */
    SIM_THREAD_RUNNING,  /* the simulation runs or is paused */
    SIM_THREAD_FAILED, /* the simulation could not be created, or copied after its box had grown */
    SIM_THREAD_ENDED   /* the thread has applied SIM_QUIT */
} SimThreadState;

/* Starts a thread that creates a simulation and runs it with steps of `step` seconds. Returns NULL
 * and a message where no thread can be started. sim_thread_state says whether the creation failed.
 *
 * def is copied. The caller destroys play after the thread; NULL: there is no timeline. scene:
 * the scene of the definition, which is copied; NULL: nobody can join. state: start from this state
 * of billow_save_state, whose memory the thread frees; NULL: start from rest. */
SimThread *sim_thread_start(const BillowDef *def, ScenePlay *play, const Scene *scene, double step,
                            void *state, size_t bytes, BillowError *error);

/* Starts a thread that continues a simulation that was read, on so many threads; 0: one per core.
 * It starts paused, unless it watches. share: the session to follow, which must exist until the thread ends; NULL:
 * none. The caller frees `join` after the thread, which uses its play. */
SimThread *sim_thread_join(SimJoin *join, int threads, const SimShare *share, BillowError *error);

/* Wakes the thread because its session has something new. */
void sim_thread_nudge(SimThread *thread);

/* Returns the state of the thread, and for SIM_THREAD_FAILED the reason in error. */
SimThreadState sim_thread_state(SimThread *thread, BillowError *error);
/* Waits until the simulation has been created, then returns the same as sim_thread_state. */
SimThreadState sim_thread_wait(SimThread *thread, BillowError *error);

/* Sends a command. */
SimSent sim_thread_send(SimThread *thread, const SimCommand *command);
/* Whether a command has not been sent since the last call, because memory was short. */
bool sim_thread_lost(SimThread *thread);
/* Whether the simulation will be paused after all commands sent so far. */
bool sim_thread_paused(SimThread *thread);

/* Returns the newest snapshot, valid until the next call; NULL: there is none yet. */
const SimSnapshot *sim_thread_snapshot(SimThread *thread);
/* Whether the following snapshots have the velocity. */
void sim_thread_want_velocity(SimThread *thread, bool wanted);
/* Lets the following steps be heard. feed: must outlive the thread; NULL: they are not. */
struct SoundFeed;
void sim_thread_sound(SimThread *thread, struct SoundFeed *feed);
int sim_thread_threads(SimThread *thread); /* number of OpenMP threads of a step; 0 while the
                                              simulation is being created */

/* The copy of the state that SIM_SAVE requested. */
typedef struct SimSaved {
    void *state; /* from billow_save_state; the caller frees it; NULL: memory was short */
    size_t bytes;
    CheckpointRun run;
    int first[3];      /* cells of the wind in the box before it grew */
    int refine;        /* cells of the smoke along an edge of each */
    uint64_t settings; /* serial of the settings that were in use when the copy was made */
    bool finite;       /* false: at least one value is infinite or not a number */
} SimSaved;
/* Fetches the copy. Returns false if there is no new one. */
bool sim_thread_saved(SimThread *thread, SimSaved *saved);

/* Sends SIM_QUIT, waits for the thread to end, and frees everything including the snapshots. NULL
 * is fine. */
void sim_thread_destroy(SimThread *thread);

/* -- on the thread itself ---------------------------------------------------------------------- */

/* Creates the simulation. Returns false if that failed, which sim_thread_state then says. */
bool sim_begin(SimThread *thread);
/* Applies the waiting commands, then takes a step or goes back in time, if either is due. Returns
 * the time for which there is nothing to do unless a command comes, s; 0: go on. */
double sim_turn(SimThread *thread);

/* Returns the hash of the state after the step that has just been taken. Computes it at most once
 * for each step. */
uint64_t sim_step_hash(SimThread *thread);

/* Starts to create the simulation on another grid. */
void sim_grid_ask(SimThread *thread, const struct SimGrid *grid);
/* Gives up a grid that is being created, because something that it needs is about to change. Waits
 * for its creation. */
void sim_grid_drop(SimThread *thread);

#endif
