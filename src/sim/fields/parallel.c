/* SPDX-License-Identifier: MIT
 *
 * Teams of workers on top of OpenMP, and the version of the library. */
#include "parallel.h"

#include "constants.h"

#include <billow/billow.h>

#include <stdatomic.h>
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

void team_run(int threads, TeamTask *task, void *context)
{
#ifdef _OPENMP
    Meeting meeting;
    atomic_init(&meeting.here, 0);
    atomic_init(&meeting.round, 0);
#pragma omp parallel num_threads(threads)
    task(context, (Team){omp_get_thread_num(), omp_get_num_threads(), &meeting});
#else
    (void)threads;
    task(context, (Team){0, 1, NULL});
#endif
}

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

Slab team_slab(Team team, int planes)
{
    long long n = planes;
    return (Slab){(int)(n * team.index / team.count), (int)(n * (team.index + 1) / team.count)};
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
