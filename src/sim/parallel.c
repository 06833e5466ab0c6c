/* SPDX-License-Identifier: MIT */
#include "parallel.h"

#include <billow/billow.h>

#ifdef _OPENMP
#include <omp.h>
#endif

void team_run(int threads, TeamTask *task, void *context)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    task(context, (Team){omp_get_thread_num(), omp_get_num_threads()});
#else
    (void)threads;
    task(context, (Team){0, 1});
#endif
}

void team_barrier(void){
#ifdef _OPENMP
#pragma omp barrier
#endif
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

const char *billow_openmp(void)
{
#ifdef _OPENMP
    return "OpenMP " TEXT(_OPENMP);
#else
    return "off";
#endif
}
