/* SPDX-License-Identifier: MIT
 *
 * A simulation on a thread of its own, kept in step with the clock.
 *
 * Orders go through a mailbox and are obeyed between steps; no call but sim_thread_wait and
 * sim_thread_destroy waits for a step. Real time is accumulated and cut into steps with the
 * remainder carried. Where steps take longer than what they simulate, the pressure gets fewer
 * cycles (budget.h); what the machine still cannot catch up with is dropped, so that it slows down.
 * The thread sleeps until the next step is due, and while paused.
 *
 * All calls are for the one thread that started it. */
#ifndef APP_SIM_THREAD_H
#define APP_SIM_THREAD_H

#include "scene_checkpoint.h"
#include "sim_settings.h"
#include "snapshots.h"
#include <billow/billow.h>

typedef struct SimThread SimThread;

typedef enum SimThreadState {
    SIM_THREAD_STARTING, /* the simulation is being created */
    SIM_THREAD_RUNNING,  /* paused or not */
    SIM_THREAD_FAILED,   /* it could not be created */
    SIM_THREAD_ENDED     /* it was asked to quit and has */
} SimThreadState;

/* Starts creating the simulation and, once that succeeded, running it by steps of `step` seconds.
 * NULL and a message when there is no thread to be had; what creation has to say comes through
 * sim_thread_state. def is copied; play, NULL where no timeline is followed, is the thread's until
 * it is destroyed. */
SimThread *sim_thread_start(const BillowDef *def, ScenePlay *play, double step, BillowError *error);

/* The same from a state that billow_save_state gave, of bytes; the memory is the thread's to free,
 * once it has started. */
SimThread *sim_thread_start_from(const BillowDef *def, ScenePlay *play, double step, void *state,
                                 size_t bytes, BillowError *error);

/* The state now, with the reason in error where it is SIM_THREAD_FAILED. */
SimThreadState sim_thread_state(SimThread *thread, BillowError *error);
/* The same, once it is no longer starting. */
SimThreadState sim_thread_wait(SimThread *thread, BillowError *error);

void sim_thread_pause(SimThread *thread, bool paused);
bool sim_thread_paused(SimThread *thread);
/* Pauses, and takes exactly one step for each call. */
void sim_thread_step(SimThread *thread);
/* Simulated seconds per second of the clock, at most: 1 as it starts, 1/64 to 64. */
void sim_thread_speed(SimThread *thread, double speed);

/* Keeps states to go back to in so many bytes, from now on; 0, as it starts: none. */
void sim_thread_remember(SimThread *thread, double bytes);
/* True: from state to state back in time, as fast as it goes forth at its speed, and 1 at least,
 * until false: then it goes on from there, or stays where it is paused. What lay ahead is dropped
 * with the next step. */
void sim_thread_rewind(SimThread *thread, bool rewinding);
/* Pauses, and goes forth, or back, by so many of the states that are kept. */
void sim_thread_seek(SimThread *thread, int states);

/* True: all the pressure cycles of the scene, in every step, however slow; false, as it starts:
 * single steps alone have them for sure. */
void sim_thread_exact(SimThread *thread, bool exact);
/* Back to rest and time 0; brush, detonations and single steps not yet taken are forgotten. */
void sim_thread_reset(SimThread *thread);

/* The brush is here now, and goes on releasing in every step until sim_thread_brush_end. Places
 * reported between two steps share the next step's release, so that a fast stroke leaves a line and
 * amounts stay rate x time: the hand's time, where the simulation is slower than that. A stroke
 * that begins and ends between two steps is still seen once. So is a force, the last of which acts
 * in every step. */
void sim_thread_brush(SimThread *thread, const BillowEmitter *emitter);
void sim_thread_push(SimThread *thread, const BillowForce *force);
void sim_thread_brush_end(SimThread *thread);

/* Releases for emitter->end - emitter->start simulated seconds from the next step on. In a box
 * closed all round neither it nor the brush expands. */
void sim_thread_detonate(SimThread *thread, const BillowEmitter *emitter);

/* A solid follows the hand that wants its centre there, by up to 20 cells a step, until it is let
 * go: then it falls, stands or moves as it did before. */
void sim_thread_grab(SimThread *thread, int solid, const float center[3]);
void sim_thread_let_go(SimThread *thread);

/* What the simulation is to take over, also while paused, and keep its smoke. The newest counts:
 * what is returned is the play of settings that it has not seen and will not any more, the caller's
 * again; NULL where there are none. Other plays are the thread's until others are taken. */
ScenePlay *sim_thread_settings(SimThread *thread, const SimSettings *settings);
/* What became of settings: the serial of those that the simulation was last through with, of those
 * that it took over last, 0 before any, and, where they are not the same, why it refused the
 * others; which has changed nothing. */
typedef struct SimSettled {
    uint64_t serial, taken;
    BillowError refusal;
} SimSettled;
SimSettled sim_thread_settled(SimThread *thread);

/* From now on snapshots hold a slice of such a kind, axis and position; NULL: none. Also while
 * paused, at once. */
void sim_thread_slice(SimThread *thread, const FieldSlice *slice);

/* From now on it comes to stand every so many simulated seconds, at once for the first time, and
 * waits there until that frame is taken: by steps that fit, none longer than the scene's. Snapshots
 * say the number of the frame that it stood at last, the first has the one given here. 0: no more
 * of that. */
void sim_thread_film(SimThread *thread, double interval, uint64_t number);
void sim_thread_filmed(SimThread *thread, uint64_t number);

/* What was kept of a simulation, at what time, with what settings (their serial). */
typedef struct SimKept {
    void *state; /* as billow_save_state has it, to be freed; NULL: memory was short */
    size_t bytes;
    CheckpointRun run;
    uint64_t settings;
    bool finite;
} SimKept;
/* Asks for a copy of the state, between two steps, also while paused; and fetches it: false as long
 * as there is none. */
void sim_thread_keep(SimThread *thread);
bool sim_thread_kept(SimThread *thread, SimKept *kept);

/* Asks the thread to end after the step that runs; SIM_THREAD_ENDED says that it has. */
void sim_thread_quit(SimThread *thread);
/* Quits, waits for the end and frees everything, snapshots included. NULL is fine. */
void sim_thread_destroy(SimThread *thread);

/* The newest state, valid until the next call; NULL before the first. */
const SimSnapshot *sim_thread_snapshot(SimThread *thread);
int sim_thread_threads(SimThread *thread); /* OpenMP threads of a step; 0 while starting */

#endif
