/* SPDX-License-Identifier: MIT
 *
 * The threads under a team (parallel.h). region.c takes them from OpenMP; a program for a system
 * without OpenMP has a file of its own in its place. */
#ifndef SIM_REGION_H
#define SIM_REGION_H

#include <stdatomic.h>

/* Most threads that a definition may ask for. */
enum { REGION_THREADS_MAX = 1024 };

/* Runs body on several threads at once, for index 0 (the calling thread) to count - 1, and waits
 * for all. count is `threads`, or less where no more threads are free. */
typedef void RegionBody(void *context, int index, int count);
void region_run(int threads, RegionBody *body, void *context);

/* Gives the core to other threads, for as long as the word has the value or for a shorter time. */
void region_wait(atomic_int *word, int value);
/* Ends the waits for this word, whose value has changed. */
void region_wake(atomic_int *word);

/* Number of threads to use where the user asks for none: 1 without threads, at most
 * REGION_THREADS_MAX. */
int region_threads(void);
/* What billow_openmp returns. */
const char *region_name(void);

#endif
