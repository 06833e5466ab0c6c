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
 * Call these functions from one thread only. */
#ifndef APP_SIM_THREAD_H
#define APP_SIM_THREAD_H

#include "scene_checkpoint.h"
#include "sim_command.h"
#include "snapshots.h"

typedef struct SimThread SimThread;

typedef enum SimThreadState {
    SIM_THREAD_STARTING, /* the simulation is being created */
    SIM_THREAD_RUNNING,  /* the simulation runs, or is paused */
    SIM_THREAD_FAILED,   /* the simulation could not be created */
    SIM_THREAD_ENDED     /* the thread has applied SIM_QUIT */
} SimThreadState;

/* Starts a thread that creates a simulation and runs it with steps of `step` seconds. Returns NULL
 * and a message where no thread can be started. sim_thread_state says whether the creation failed.
 *
 * def is copied. The caller destroys play after the thread; NULL: there is no timeline. state:
 * start from this state of billow_save_state, whose memory the thread frees; NULL: start from rest.
 */
SimThread *sim_thread_start(const BillowDef *def, ScenePlay *play, double step, void *state,
                            size_t bytes, BillowError *error);

/* Returns the present state, and for SIM_THREAD_FAILED the reason in error. */
SimThreadState sim_thread_state(SimThread *thread, BillowError *error);
/* Waits while the simulation is being created, then does the same. */
SimThreadState sim_thread_wait(SimThread *thread, BillowError *error);

/* Sends a command. Returns true where settings replaced waiting settings, which the thread then
 * never sees. */
bool sim_thread_send(SimThread *thread, const SimCommand *command);
/* Whether the simulation is paused after all commands that were sent. */
bool sim_thread_paused(SimThread *thread);

/* The newest snapshot, valid until the next call; NULL: there is none yet. */
const SimSnapshot *sim_thread_snapshot(SimThread *thread);
int sim_thread_threads(SimThread *thread); /* OpenMP threads of a step; 0 while starting */

/* The copy of the state that SIM_SAVE made. */
typedef struct SimSaved {
    void *state; /* from billow_save_state; the caller frees it; NULL: memory was short */
    size_t bytes;
    CheckpointRun run;
    uint64_t settings; /* serial of the settings in use at the time of the copy */
    bool finite;       /* false: some value is infinite or not a number */
} SimSaved;
/* Fetches the copy; returns false while there is none. */
bool sim_thread_saved(SimThread *thread, SimSaved *saved);

/* Sends SIM_QUIT, waits for the end, and frees everything including snapshots. NULL is fine. */
void sim_thread_destroy(SimThread *thread);

#endif
