/* SPDX-License-Identifier: MIT
 *
 * Kept states of the last seconds of a simulation, to go back to. Whole states (billow_save_state)
 * are kept at intervals and compressed on a thread of their own, so that a step waits only for a
 * copy.
 *
 * Memory is bounded. Where it is short, states are kept farther apart, so that they reach back
 * REWIND_REACH seconds. Where it is ample they lie REWIND_SPACING apart and reach back as far as
 * they fit. A state of the scene plume takes 3.5 MB at 64 x 64 x 64 and 22 MB at 128 x 128 x 128.
 *
 * A simulation that went back stands at one of the states. The next step drops the states ahead of
 * it.
 *
 * All calls belong to the thread that steps the simulation. All take NULL and then do nothing. */
#ifndef APP_REWIND_H
#define APP_REWIND_H

#include <billow/billow.h>

#define REWIND_BYTES   512e6 /* memory by default */
#define REWIND_REACH   10.0  /* s of simulated time */
#define REWIND_SPACING 0.05  /* s of simulated time */

typedef struct Rewind Rewind;

/* Keeps states of this simulation in at most so many bytes. Each comes with `beside` bytes of the
 * caller's own. NULL where two states do not fit, or memory or threads are short. */
Rewind *rewind_create(const BillowSim *sim, double most_bytes, size_t beside);
void rewind_destroy(Rewind *rewind);

/* After every step: keeps the state where one is due and the last one is compressed. Drops the
 * states ahead of one that was gone back to. */
void rewind_follow(Rewind *rewind, const BillowSim *sim, const void *beside);
/* Keeps the present state, unless it is kept already, so that one can come back to it. Waits for
 * the compression. */
void rewind_stand(Rewind *rewind, const BillowSim *sim, const void *beside);
/* Waits for the compression. */
void rewind_settle(Rewind *rewind);
/* Forgets all states, after a reset. */
void rewind_forget(Rewind *rewind);

int rewind_count(const Rewind *rewind);
/* Simulated time of a state, s; index 0 is the oldest. */
double rewind_time(const Rewind *rewind, int index);
/* Index of the state that the simulation stands at, after rewind_stand or going back; else -1. */
int rewind_at(const Rewind *rewind);
/* Index of the newest state that is no newer than a time; 0 where none is as old. */
int rewind_before(const Rewind *rewind, double time);

/* Loads a state into a simulation that stands at one, and its `beside` bytes. Returns false, and
 * changes nothing, where that fails. */
bool rewind_to(Rewind *rewind, int index, BillowSim *sim, void *beside);

size_t rewind_bytes(const Rewind *rewind);

#endif
