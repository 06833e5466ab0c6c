/* SPDX-License-Identifier: MIT
 *
 * Stored states of the last seconds of a simulation, to go back to. Whole states
 * (billow_save_state) are stored at intervals. A thread of its own compresses them, so that a step
 * waits only for a copy.
 *
 * Memory is limited. Where it is short, the interval grows until the states cover REWIND_SECONDS.
 * Where it is ample, the interval is REWIND_SPACING, and the states cover more. A state of the
 * scene plume takes 3.5 MB at 64 x 64 x 64 cells and 22 MB at 128 x 128 x 128.
 *
 * After going back, the next step drops the states that are newer than the loaded one.
 *
 * Call these functions from the thread that steps the simulation. All accept NULL and then do
 * nothing. */
#ifndef APP_REWIND_H
#define APP_REWIND_H

#include <billow/billow.h>

#define REWIND_BYTES   512e6 /* default memory, bytes */
#define REWIND_SECONDS 10.0  /* simulated time to cover, s */
#define REWIND_SPACING 0.05  /* shortest interval of simulated time, s */

typedef struct Rewind Rewind;

/* Stores states of this simulation in at most most_bytes. Each state comes with `beside` bytes of
 * the caller. Returns NULL where two states do not fit, or where memory or threads are short. */
Rewind *rewind_create(const BillowSim *sim, double most_bytes, size_t beside);
void rewind_destroy(Rewind *rewind);

/* Call this after every step. Stores the state where one is due and the last one is compressed.
 * Drops the states that are newer than the loaded one. */
void rewind_follow(Rewind *rewind, const BillowSim *sim, const void *beside);
/* Stores the present state, unless it is stored already. Waits for the compression. */
void rewind_stand(Rewind *rewind, const BillowSim *sim, const void *beside);
/* Waits for the compression. */
void rewind_settle(Rewind *rewind);
/* Drops all states, after a reset. */
void rewind_forget(Rewind *rewind);

int rewind_count(const Rewind *rewind);
/* Simulated time of a state, s; index 0 is the oldest. */
double rewind_time(const Rewind *rewind, int index);
/* Index of the present state after rewind_stand or rewind_to; otherwise of the newest state. */
int rewind_at(const Rewind *rewind);
/* Index of the newest state at or before a time, s; 0 where all are later. */
int rewind_before(const Rewind *rewind, double time);

/* Loads a state, and its `beside` bytes, after rewind_stand. Returns false, and changes nothing,
 * where that fails. */
bool rewind_to(Rewind *rewind, int index, BillowSim *sim, void *beside);

size_t rewind_bytes(const Rewind *rewind); /* memory of all stored states, bytes */

#endif
