/* SPDX-License-Identifier: MIT
 *
 * Meters the work of crews (parallel.h). A worker's piece is its work between two barriers; the
 * longest piece decides when the workers go on. The meter reads the processor time of each thread.
 * A worker that shares a core with others therefore has the same times as with a core of its own,
 * as far as the others do not empty its caches. */
#ifndef SIM_METER_H
#define SIM_METER_H

typedef struct Meter Meter;

enum { METER_MARKS = 16 };

typedef struct MeteredWork {
    int barriers;
    int waits;      /* calls of team_wait_beside by worker 0 */
    double all;     /* pieces of all workers, s */
    double longest; /* sum of the longest pieces: the time with a core for each worker, memory that
                       is fast enough for all, and barriers that take none, s */
    double alone;   /* part of `longest` in which one worker has almost all of the work, s */
    double shared;  /* pieces of all workers in the rest, s */
} MeteredWork;

/* For crews of so many workers. Returns NULL if memory is short. */
Meter *meter_create(int workers);
int meter_workers(const Meter *meter);
void meter_destroy(Meter *meter); /* NULL is fine */
/* Crews that this thread runs are metered from now on; NULL: are not. Steps then have the meter's
 * number of workers, which must not exceed that of the simulation. If the meter has seen the
 * same work before, the least time of each piece counts. */
void meter_use(Meter *meter);
/* Files the work since the last mark under this one, from 0 to METER_MARKS - 1, if it is metered.
 * To be called between tasks. */
void meter_mark(int mark);
/* The work under a mark, once meter_use has ended. */
MeteredWork meter_work(const Meter *meter, int mark);

/* -- for parallel.c ---------------------------------------------------------------------------- */

/* The meter of this thread's crews; NULL: none. It is that of the following calls, too. */
Meter *meter_used(void);
/* Begins a worker's piece, or goes on with it after a pause. */
void meter_begin(Meter *meter, int worker);
void meter_pause(Meter *meter, int worker);
/* Counts a wait of worker 0 for its neighbours. */
void meter_count_wait(Meter *meter);
/* Ends a worker's piece. To be called when the worker arrives at a barrier. */
void meter_end(Meter *meter, int worker);
/* Called by the last worker that comes to a barrier, before the others go on. */
void meter_barrier(Meter *meter);

#endif
