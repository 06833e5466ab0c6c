/* SPDX-License-Identifier: MIT
 *
 * The one threading construct of the solver.
 *
 * A task runs once per worker of a team. Worker t of T owns the z-planes [t*n/T, (t+1)*n/T), its
 * slab, and nothing else. One rule holds for every kernel:
 *
 *     A worker writes only its own slab. It may read any plane that no worker writes between the
 *     last barrier and the next, or of the slabs beside its own between the last team_wait_beside
 *     and the next.
 *
 * Example, blurring a into b and back on T workers:
 *
 *     blur b <- a on my slab      reads planes of a next to the slab: no worker writes a
 *     team_barrier(team)          every plane of b is complete
 *     blur a <- b on my slab      reads planes of b next to the slab: no worker writes b
 *
 * OpenMP never sums over threads. Sums are computed per plane, in double, and added in the order of
 * the planes (sum_planes). Results therefore do not depend on the number of workers. */
#ifndef SIM_PARALLEL_H
#define SIM_PARALLEL_H

#include <stdbool.h>

typedef struct Meeting Meeting; /* the barrier at which a team's workers wait for each other */

typedef struct Ranks Ranks; /* exchange.h */

typedef struct Team {
    int index, count;
    Meeting *meeting;   /* NULL for a team of one */
    const Ranks *ranks; /* the processes that divide the planes; NULL for one alone */
} Team;

typedef struct Slab {
    int begin, end; /* planes begin <= k < end */
} Slab;

typedef void TeamTask(void *context, Team team);

/* Runs the task on `threads` workers and waits for all of them. There may be fewer workers, where
 * no more threads are free (region.h). */
void team_run(int threads, TeamTask *task, void *context);
/* The same on each of several ranks, whose teams divide the planes among them. */
void team_run_on(const Ranks *ranks, int threads, TeamTask *task, void *context);

/* Runs body on the calling thread while threads - 1 workers wait for tasks. team_run inside body
 * gives its tasks to these workers. The OpenMP region therefore starts and ends once, not once for
 * each task: at the end of a region OpenMP spins for milliseconds, during which a busy machine
 * could run the worker that is waited for. Between tasks the workers wait as in team_barrier.
 * Returns the number of workers, the calling thread included. */
typedef void CrewBody(void *context);
int crew_run(int threads, CrewBody *body, void *context);

/* Waits until every worker of the team has called it. All workers call it, inside a task. A waiting
 * worker spins for some microseconds, then yields its core to other programs repeatedly. OpenMP's
 * own barrier either keeps spinning, which wastes whole time slices when other programs wait for
 * the cores, or sleeps, which takes longer than many of the passes between two barriers. */
void team_barrier(Team team);

/* A cheaper barrier, for passes that read no further than the slabs beside the worker's own: worker
 * t waits only for workers t - 1 and t + 1, until they have called it as often in this task. Only
 * the first `count` workers have slabs; the others call it too, but do not wait. around: workers 0
 * and count - 1 are neighbours. All workers pass the same arguments. */
void team_wait_beside(Team team, int count, bool around);

/* How long steps take by a team and by one worker. Where other programs hold the cores, a team
 * waits for its slowest worker at every barrier, and one worker alone can be much faster. The
 * result is the same either way. */
typedef struct Pace {
    double together, alone; /* least time of recent steps, s; 0 = none yet */
    int steps;              /* taken so far, up to PACE_FIRST_TRY */
    int alone_left;         /* steps for one worker until the team is tried again */
    int span;               /* steps for one worker after the last try; 0 = the team is faster */
    bool was_team;          /* whether a team took the last step */
} Pace;

/* Workers of the next step: `threads` or 1. */
int pace_threads(Pace *pace, int threads);
/* Notes the time of a step by so many workers. */
void pace_note(Pace *pace, int threads, double seconds);

/* 1 if the slab has the last of so many planes, which has faces on its far side too; else 0. */
static inline int slab_ends(Slab slab, int planes)
{
    return slab.end == planes && slab.begin < slab.end;
}

/* The planes that two slabs have in common. */
static inline Slab slab_meet(Slab a, Slab b)
{
    return (Slab){a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
}

/* The slab of this worker if `planes` planes are divided among the team, and before that among the
 * ranks. It may be empty. */
Slab team_slab(Team team, int planes);
/* The same where only the planes of `busy` are much work: these are divided, and the first and the
 * last worker have the planes below and above them, too. */
Slab team_slab_around(Team team, int planes, Slab busy);
/* The part of this worker if `count` things, which every rank has, are divided among the team. */
Slab team_part(Team team, int count);

/* Adds up the planes' values in order. */
double sum_planes(const double *planes, int count);

#endif
