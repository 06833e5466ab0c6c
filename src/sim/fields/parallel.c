/* SPDX-License-Identifier: MIT
 *
 * Teams of workers, on top of the threads of region.h, and the version of the library. */
#include "sim/fields/parallel.h"

#include "sim/fields/constants.h"
#include "sim/fields/exchange.h"
#include "sim/fields/meter.h"
#include "sim/fields/region.h"

#include <billow/billow.h>

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Teams of at most so many workers know how far each of them is. */
enum { BESIDE_WORKERS = 64 };

/* What one worker writes, in a cache line of its own. */
typedef struct Reached {
    atomic_int count; /* calls of team_wait_beside */
    char apart[60];
} Reached;

struct Meeting {
    atomic_int here;  /* workers waiting */
    atomic_int round; /* barriers passed */
    Meter *meter;     /* NULL: the work is not metered */
    _Alignas(64) Reached steps[BESIDE_WORKERS];
};

/* Waits until the word has reached a value, or has changed from it. */
static void wait_while(atomic_int *word, int value, bool below)
{
    int seen, spins = 0;
    while ((seen = atomic_load_explicit(word, memory_order_acquire)),
           below ? seen < value : seen == value)
        if (spins++ >= BARRIER_SPINS)
            region_wait(word, seen);
#if defined(__x86_64__) && defined(__GNUC__)
        else
            __builtin_ia32_pause();
#endif
}

static void wait_for_all(Team team)
{
    Meeting *m = team.meeting;
    int round = atomic_load_explicit(&m->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&m->here, 1, memory_order_acq_rel) + 1 == team.count) {
        meter_barrier(m->meter);
        atomic_store_explicit(&m->here, 0, memory_order_relaxed);
        atomic_store_explicit(&m->round, round + 1, memory_order_release);
        region_wake(&m->round);
        return;
    }
    wait_while(&m->round, round, false);
}

void team_barrier(Team team)
{
    if (team.count == 1)
        return;
    Meter *meter = team.meeting->meter;
    meter_end(meter, team.index);
    wait_for_all(team);
    meter_begin(meter, team.index);
}

void team_wait_beside(Team team, int count, bool around)
{
    if (team.count == 1)
        return;
    if (team.count > BESIDE_WORKERS) {
        team_barrier(team);
        return;
    }
    Meeting *m = team.meeting;
    atomic_int *own = &m->steps[team.index].count;
    const int step = atomic_load_explicit(own, memory_order_relaxed) + 1;
    const bool waits = team.index < count;
    if (team.index == 0 && count > 1)
        meter_count_wait(m->meter);
    if (waits)
        meter_pause(m->meter, team.index);
    atomic_store_explicit(own, step, memory_order_release);
    region_wake(own);
    if (!waits)
        return;
    for (int side = -1; side <= 1; side += 2) {
        int beside = team.index + side;
        if (around)
            beside = (beside + count) % count;
        if (beside >= 0 && beside < count)
            wait_while(&m->steps[beside].count, step, true);
    }
    meter_begin(m->meter, team.index);
}

/* -- teams ------------------------------------------------------------------------------------- */

/* The workers of a crew_run. Worker 0 calls team_run; the others take the tasks. */
typedef struct Crew {
    CrewBody *body; /* what worker 0 runs */
    void *body_context;
    int count;       /* workers */
    Meeting between; /* of all workers, before and after each task */
    Meeting inside;  /* of the task's workers */
    TeamTask *task;  /* NULL: the crew ends */
    int threads;     /* workers of the task, at most `count` */
    const Ranks *ranks;
    void *context;
} Crew;

static _Thread_local Crew *present; /* the crew whose worker 0 this thread is */

static void meeting_start(Meeting *meeting, Meter *meter)
{
    meeting->meter = meter;
    atomic_init(&meeting->here, 0);
    atomic_init(&meeting->round, 0);
    for (int worker = 0; worker < BESIDE_WORKERS; worker++)
        atomic_init(&meeting->steps[worker].count, 0);
}

/* The next task counts from 0 again, for it may have other workers. Between two tasks nobody waits
 * for the count. */
static void steps_forget(Meeting *meeting, int worker)
{
    if (worker < BESIDE_WORKERS)
        atomic_store_explicit(&meeting->steps[worker].count, 0, memory_order_relaxed);
}

/* Worker `index` takes tasks until there are none. */
static void crew_help(Crew *crew, int index, int count)
{
    const Team all = {index, count, &crew->between, NULL};
    for (;;) {
        team_barrier(all);
        if (crew->task == NULL)
            return;
        if (index < crew->threads) {
            crew->task(crew->context, (Team){index, crew->threads, &crew->inside, crew->ranks});
            team_barrier(all);
        } else { /* without a piece, while the task's workers end theirs */
            wait_for_all(all);
            meter_begin(crew->between.meter, index);
        }
        steps_forget(&crew->inside, index);
    }
}

static void crew_work(void *context, int index, int count)
{
    Crew *crew = context;
    meter_begin(crew->between.meter, index);
    if (index > 0) {
        crew_help(crew, index, count);
        return;
    }
    crew->count = count;
    present = crew;
    crew->body(crew->body_context);
    present = NULL;
    crew->task = NULL;
    team_barrier((Team){0, count, &crew->between, NULL});
}

int crew_run(int threads, CrewBody *body, void *context)
{
    if (threads == 1 || present != NULL) {
        if (present == NULL)
            meter_begin(meter_used(), 0);
        body(context);
        return 1;
    }
    Crew crew = {.body = body, .body_context = context};
    meeting_start(&crew.between, meter_used());
    meeting_start(&crew.inside, meter_used());
    region_run(threads, crew_work, &crew);
    return crew.count;
}

static void crew_task(Crew *crew, const Ranks *ranks, int threads, TeamTask *task, void *context)
{
    const Team all = {0, crew->count, &crew->between, NULL};
    crew->task = task;
    crew->threads = threads < crew->count ? threads : crew->count;
    crew->ranks = ranks;
    crew->context = context;
    team_barrier(all);
    task(context, (Team){0, crew->threads, &crew->inside, ranks});
    team_barrier(all);
    steps_forget(&crew->inside, 0);
}

/* A team_run outside of a crew. */
typedef struct Lone {
    TeamTask *task;
    const Ranks *ranks;
    void *context;
    Meeting meeting;
} Lone;

static void lone_work(void *context, int index, int count)
{
    Lone *lone = context;
    Team team = {index, count, &lone->meeting, lone->ranks};
    lone->task(lone->context, team);
    team_barrier(team); /* OpenMP's own then has nothing to wait for */
}

void team_run_on(const Ranks *ranks, int threads, TeamTask *task, void *context)
{
    if (threads == 1)
        task(context, (Team){0, 1, NULL, ranks});
    else if (present != NULL)
        crew_task(present, ranks, threads, task, context);
    else {
        Lone lone = {.task = task, .ranks = ranks, .context = context};
        meeting_start(&lone.meeting, NULL);
        region_run(threads, lone_work, &lone);
    }
}

void team_run(int threads, TeamTask *task, void *context)
{
    team_run_on(NULL, threads, task, context);
}

Slab team_part(Team team, int count)
{
    long long n = count;
    return (Slab){(int)(n * team.index / team.count), (int)(n * (team.index + 1) / team.count)};
}

Slab team_slab(Team team, int planes)
{
    return team_slab_around(team, planes, (Slab){0, planes});
}

Slab team_slab_around(Team team, int planes, Slab busy)
{
    const Slab own = ranks_own(team.ranks, planes);
    busy = slab_meet(busy, own);
    if (busy.begin >= busy.end)
        busy = own;
    const Slab part = team_part(team, busy.end - busy.begin);
    return (Slab){team.index == 0 ? own.begin : busy.begin + part.begin,
                  team.index == team.count - 1 ? own.end : busy.begin + part.end};
}

/* Factor on the least times, a step. It makes old ones count less, because scenes change. */
#define PACE_MEMORY 1.02
/* A team that takes so much longer than its best step calls for a try by one worker. */
#define PACE_SUSPECT 3
/* The first try by one worker: a team on a busy machine has no better step to compare with. */
enum { PACE_FIRST_TRY = 4 };
/* Most steps by one worker between two tries of the team. */
enum { PACE_SPAN_MOST = 255 };

int pace_threads(Pace *pace, int threads)
{
    if (threads == 1)
        return 1;
    if (pace->steps < PACE_FIRST_TRY && ++pace->steps == PACE_FIRST_TRY)
        pace->alone_left = 1;
    if (pace->alone_left == 0)
        return threads;
    pace->alone_left--;
    return 1;
}

void pace_note(Pace *pace, int threads, double seconds)
{
    double *least = threads == 1 ? &pace->alone : &pace->together;
    const bool suspect = pace->together > 0 && seconds > PACE_SUSPECT * pace->together;
    const bool changed = pace->was_team != (threads > 1);
    pace->was_team = threads > 1;
    pace->alone *= PACE_MEMORY;
    pace->together *= PACE_MEMORY;
    /* The first step after one of the other kind counts as it is: steps may have grown since. */
    *least = *least > 0 && !changed ? fmin(*least, seconds) : seconds;
    if (threads == 1)
        return;
    const bool slower = pace->alone > 0 && seconds > pace->alone;
    if (slower && changed) { /* than a step alone right before it */
        pace->span = 4 * pace->span + 3;
        if (pace->span > PACE_SPAN_MOST)
            pace->span = PACE_SPAN_MOST;
        pace->alone_left = pace->span;
    } else {
        pace->span = 0;
        pace->alone_left = slower || suspect;
    }
}

double sum_planes(const double *planes, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += planes[k];
    return sum;
}

const char *billow_version(void)
{
    return BILLOW_VERSION;
}

const char *billow_openmp(void)
{
    return region_name();
}
