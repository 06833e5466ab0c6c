/* SPDX-License-Identifier: MIT
 *
 * Threads from OpenMP, or one thread without it. */
#include "region.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif

void region_run(int threads, RegionBody *body, void *context)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    body(context, omp_get_thread_num(), omp_get_num_threads());
#else
    (void)threads;
    body(context, 0, 1);
#endif
}

void region_wait(atomic_int *word, int value)
{
    (void)word;
    (void)value;
#if defined(__unix__) || defined(__APPLE__)
    sched_yield();
#endif
}

void region_wake(atomic_int *word)
{
    (void)word; /* waiting threads look at it whenever they run */
}

int region_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

#define TEXT_OF(value) #value
#define TEXT(value)    TEXT_OF(value)

const char *region_name(void)
{
#ifdef _OPENMP
    return "OpenMP " TEXT(_OPENMP);
#else
    return "off";
#endif
}
