/* SPDX-License-Identifier: MIT
 *
 * The last seconds of a simulation, to go back to: whole states (billow_save_state) kept every so
 * often, packed by a thread of its own, so that a step waits for no more than a copy of the state.
 *
 * Memory is bounded. Where it is short, states are kept farther apart, so that they reach back
 * REWIND_REACH seconds; where it is ample they lie REWIND_SPACING apart and reach back as far as
 * they fit. A plume's take 3.5 MB each at 64 x 64 x 64 and 22 MB at 128 x 128 x 128.
 *
 * A simulation that went back stands at one of the states. The next step drops what lay ahead of
 * it: from there on it is another past.
 *
 * All calls are for the thread that steps the simulation. Every one takes NULL, and then does
 * nothing: there is no way back. */
#ifndef APP_REWIND_H
#define APP_REWIND_H

#include <billow/billow.h>

#define REWIND_BYTES   512e6 /* by default */
#define REWIND_REACH   10.0  /* s of simulated time */
#define REWIND_SPACING 0.05  /* likewise */

typedef struct Rewind Rewind;

/* For this simulation, in no more than so many bytes; `beside` bytes more belong to every state:
 * what its user needs to go on from there. NULL where no two states fit, or there is no memory or
 * thread to be had. */
Rewind *rewind_create(const BillowSim *sim, double most_bytes, size_t beside);
void rewind_destroy(Rewind *rewind);

/* After every step: keeps the state where one is due and the last one has been packed. Drops what
 * lies ahead of a state that was gone back to. */
void rewind_follow(Rewind *rewind, const BillowSim *sim, const void *beside);
/* Keeps the state as it is now, unless it is one of those kept: from here one can go forth again.
 * Waits for the packing. */
void rewind_stand(Rewind *rewind, const BillowSim *sim, const void *beside);
/* Waits until what is to be kept is packed. */
void rewind_settle(Rewind *rewind);
/* Forgets all: the simulation has begun anew. */
void rewind_forget(Rewind *rewind);

int rewind_count(const Rewind *rewind);
/* Of those kept, from the oldest on: the simulated time. */
double rewind_time(const Rewind *rewind, int index);
/* Where the simulation stands, once it stood still by rewind_stand or went back: an index. */
int rewind_at(const Rewind *rewind);
/* The newest that is no newer than a time; 0 where none is as old. */
int rewind_before(const Rewind *rewind, double time);

/* Takes a simulation that stands to a state, and what belongs to it. False where it cannot be had:
 * then everything is as it was. */
bool rewind_to(Rewind *rewind, int index, BillowSim *sim, void *beside);

size_t rewind_bytes(const Rewind *rewind);

#endif
