/* SPDX-License-Identifier: MIT
 *
 * Stored states of the last seconds of a simulation, to go back to. Whole states
 * (billow_save_state) are stored at intervals. A thread of its own compresses them, so that a step
 * waits only for a copy.
 *
 * Memory is limited. Where it is short, the interval grows until the states cover REWIND_SECONDS.
 * Where it is ample, the interval is REWIND_SPACING, or up to REWIND_SPACING_MOST where states take
 * long to compress, and the states cover more. A state of the scene plume takes 3.5 MB at 64 x 64 x
 * 64 cells and 22 MB at 128 x 128 x 128.
 *
 * After going back, the next step drops the states that are newer than the loaded one.
 *
 * Call these functions from the thread that steps the simulation. All accept NULL and then do
 * nothing. */
#ifndef PLAY_REWIND_H
#define PLAY_REWIND_H

#include <billow/billow.h>

#define REWIND_BYTES        512e6 /* default memory, bytes */
#define REWIND_SECONDS      10.0  /* simulated time to cover, s */
#define REWIND_SPACING      0.05  /* shortest interval of simulated time, s */
#define REWIND_SPACING_MOST 0.2   /* longest interval where memory is ample, s */

typedef struct Rewind Rewind;

/* Creates a list for states of this simulation, with at most `most_bytes` of memory. Each state is
 * stored with `beside` bytes of the caller. Returns NULL if `most_bytes` is less than three
 * uncompressed states, or if memory or threads are short. */
Rewind *rewind_create(const BillowSim *sim, double most_bytes, size_t beside);
void rewind_destroy(Rewind *rewind);

/* Stores the state if the interval has passed and no other state is being compressed. After
 * rewind_to, first drops the states newer than the loaded one. Call it after every step. */
void rewind_follow(Rewind *rewind, const BillowSim *sim, const void *beside);
/* Stores the present state if it is not stored yet, and waits until it is compressed. */
void rewind_stand(Rewind *rewind, const BillowSim *sim, const void *beside);
/* Waits until the last state is compressed. */
void rewind_settle(Rewind *rewind);
/* Drops all states. Call it after a reset. */
void rewind_forget(Rewind *rewind);

int rewind_count(const Rewind *rewind);
/* Returns the simulated time of a state, s. Index 0 is the oldest state. */
double rewind_time(const Rewind *rewind, int index);
/* Returns the index of the present state after rewind_stand or rewind_to, otherwise that of the
 * newest state. */
int rewind_at(const Rewind *rewind);
/* Returns the index of the newest state at or before a time in s; 0 if all states are later. */
int rewind_before(const Rewind *rewind, double time);

/* Loads a state and its `beside` bytes. Requires rewind_stand first. Returns false, and changes
 * nothing, if loading fails. */
bool rewind_to(Rewind *rewind, int index, BillowSim *sim, void *beside);

size_t rewind_bytes(const Rewind *rewind); /* total size of all stored states, bytes */

#endif
