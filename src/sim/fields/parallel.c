/* SPDX-License-Identifier: MIT
 *
 * Teams of workers on top of OpenMP, and the version of the library. */
#include "parallel.h"

#include "constants.h"

#include <billow/billow.h>

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef _OPENMP
#include <omp.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif

struct Meeting {
    atomic_int here;  /* workers waiting */
    atomic_int round; /* barriers passed */
};

static void wait_a_little(int tries)
{
    if (tries < BARRIER_SPINS) {
#if defined(__x86_64__) && defined(__GNUC__)
        __builtin_ia32_pause();
#endif
    } else {
#if defined(__unix__) || defined(__APPLE__)
        sched_yield();
#endif
    }
}

void team_barrier(Team team)
{
    if (team.count == 1)
        return;
    Meeting *m = team.meeting;
    int round = atomic_load_explicit(&m->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&m->here, 1, memory_order_acq_rel) + 1 == team.count) {
        atomic_store_explicit(&m->here, 0, memory_order_relaxed);
        atomic_store_explicit(&m->round, round + 1, memory_order_release);
        return;
    }
    int tries = 0;
    while (atomic_load_explicit(&m->round, memory_order_acquire) == round)
        wait_a_little(tries < BARRIER_SPINS ? tries++ : tries);
}

/* The workers of a crew_run. Worker 0 calls team_run; the others take the tasks. */
typedef struct Crew {
    int count;       /* workers, at least 2 */
    Meeting between; /* of all workers, before and after each task */
    Meeting inside;  /* of the task's workers */
    TeamTask *task;  /* NULL: the crew ends */
    int threads;     /* workers of the task, at most `count` */
    void *context;
} Crew;

static _Thread_local Crew *present; /* the crew whose worker 0 this thread is */

#ifdef _OPENMP
static void meeting_start(Meeting *meeting)
{
    atomic_init(&meeting->here, 0);
    atomic_init(&meeting->round, 0);
}

/* Worker `index` takes tasks until there are none. */
static void crew_help(Crew *crew, int index, int count)
{
    const Team all = {index, count, &crew->between};
    for (;;) {
        team_barrier(all);
        if (crew->task == NULL)
            return;
        if (index < crew->threads)
            crew->task(crew->context, (Team){index, crew->threads, &crew->inside});
        team_barrier(all);
    }
}
#endif

void crew_run(int threads, CrewBody *body, void *context)
{
#ifdef _OPENMP
    if (threads > 1 && present == NULL) {
        Crew crew = {.task = NULL};
        meeting_start(&crew.between);
        meeting_start(&crew.inside);
#pragma omp parallel num_threads(threads)
        {
            int count = omp_get_num_threads();
            if (omp_get_thread_num() > 0)
                crew_help(&crew, omp_get_thread_num(), count);
            else {
                crew.count = count;
                present = &crew;
                body(context);
                present = NULL;
                crew.task = NULL;
                team_barrier((Team){0, count, &crew.between});
            }
        }
        return;
    }
#else
    (void)threads;
#endif
    body(context);
}

static void crew_task(Crew *crew, int threads, TeamTask *task, void *context)
{
    const Team all = {0, crew->count, &crew->between};
    crew->task = task;
    crew->threads = threads < crew->count ? threads : crew->count;
    crew->context = context;
    team_barrier(all);
    task(context, (Team){0, crew->threads, &crew->inside});
    team_barrier(all);
}

void team_run(int threads, TeamTask *task, void *context)
{
    if (threads == 1)
        task(context, (Team){0, 1, NULL});
    else if (present != NULL)
        crew_task(present, threads, task, context);
    else {
#ifdef _OPENMP
        Meeting meeting;
        meeting_start(&meeting);
#pragma omp parallel num_threads(threads)
        {
            Team team = {omp_get_thread_num(), omp_get_num_threads(), &meeting};
            task(context, team);
            team_barrier(team); /* OpenMP's own then has nothing to wait for */
        }
#else
        task(context, (Team){0, 1, NULL});
#endif
    }
}

Slab team_slab(Team team, int planes)
{
    long long n = planes;
    return (Slab){(int)(n * team.index / team.count), (int)(n * (team.index + 1) / team.count)};
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
    bool suspect = pace->together > 0 && seconds > PACE_SUSPECT * pace->together;
    pace->alone *= PACE_MEMORY;
    pace->together *= PACE_MEMORY;
    *least = *least > 0 ? fmin(*least, seconds) : seconds;
    if (threads == 1)
        return;
    if (pace->alone > 0 && seconds > pace->alone) {
        pace->span = 4 * pace->span + 3;
        if (pace->span > PACE_SPAN_MOST)
            pace->span = PACE_SPAN_MOST;
        pace->alone_left = pace->span;
    } else {
        pace->span = 0;
        pace->alone_left = suspect;
    }
}

int team_default_size(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

double sum_planes(const double *planes, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += planes[k];
    return sum;
}

#define TEXT_OF(value) #value
#define TEXT(value)    TEXT_OF(value)

const char *billow_version(void)
{
    return BILLOW_VERSION;
}

const char *billow_openmp(void)
{
#ifdef _OPENMP
    return "OpenMP " TEXT(_OPENMP);
#else
    return "off";
#endif
}
