/* SPDX-License-Identifier: MIT
 *
 * A simulation on a thread of its own, kept in step with the clock.
 *
 * The window sends commands (sim_command.h) and reads snapshots. Commands are applied between two
 * steps; only sim_thread_wait and sim_thread_destroy wait for a step to end.
 *
 * Real time is accumulated and cut into steps; the remainder is carried over. Where a step takes
 * longer than the time it simulates, the pressure solve gets fewer cycles (budget.h). What the
 * machine still cannot catch up with is dropped, so that the simulation slows down. The thread
 * sleeps until the next step is due.
 *
 * All calls belong to the one thread that started it. */
#ifndef APP_SIM_THREAD_H
#define APP_SIM_THREAD_H

#include "scene_checkpoint.h"
#include "sim_command.h"
#include "snapshots.h"

typedef struct SimThread SimThread;

typedef enum SimThreadState {
    SIM_THREAD_STARTING, /* the simulation is being created */
    SIM_THREAD_RUNNING,  /* it runs, or is paused */
    SIM_THREAD_FAILED,   /* it could not be created */
    SIM_THREAD_ENDED     /* it has obeyed SIM_QUIT */
} SimThreadState;

/* Starts to create the simulation and then to run it by steps of `step` seconds. Returns NULL and a
 * message when no thread can be had; sim_thread_state tells how creation went. def is copied. play
 * stays the caller's, who destroys it after the thread; NULL: there is no timeline. */
SimThread *sim_thread_start(const BillowDef *def, ScenePlay *play, double step, BillowError *error);

/* Starts from a state of billow_save_state instead of from rest. Once it has started, the thread
 * frees the state's memory. */
SimThread *sim_thread_start_from(const BillowDef *def, ScenePlay *play, double step, void *state,
                                 size_t bytes, BillowError *error);

/* The state now; in SIM_THREAD_FAILED the reason is in error. */
SimThreadState sim_thread_state(SimThread *thread, BillowError *error);
/* Waits while the thread is starting, then returns its state. */
SimThreadState sim_thread_wait(SimThread *thread, BillowError *error);

/* Sends a command. Returns true where settings took the place of settings that still waited: the
 * thread will never see those. */
bool sim_thread_send(SimThread *thread, const SimCommand *command);
/* Whether it is paused once it has applied all that was sent. */
bool sim_thread_paused(SimThread *thread);

/* The newest state, valid until the next call; NULL before the first one. */
const SimSnapshot *sim_thread_snapshot(SimThread *thread);
int sim_thread_threads(SimThread *thread); /* OpenMP threads of a step; 0 while starting */

/* A copy of the state, as SIM_SAVE asked for it. */
typedef struct SimSaved {
    void *state; /* of billow_save_state; the caller frees it; NULL: memory was short */
    size_t bytes;
    CheckpointRun run;
    uint64_t settings; /* serial of the settings that it had */
    bool finite;       /* false: some value is infinite or not a number */
} SimSaved;
/* Fetches the copy; returns false while there is none. */
bool sim_thread_saved(SimThread *thread, SimSaved *saved);

/* Sends SIM_QUIT, waits for the end and frees everything, snapshots included. NULL is fine. */
void sim_thread_destroy(SimThread *thread);

#endif
