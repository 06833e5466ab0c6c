/* SPDX-License-Identifier: MIT */
#include "pipeline.h"

#include <stdbool.h>

/* Slabs start at even planes, so that pairs stay together. */
static Slab even_slab(Team team, int planes)
{
    Slab slab = team_slab(team, (planes + 1) / 2);
    int end = 2 * slab.end;
    return (Slab){2 * slab.begin, end < planes ? end : planes};
}

static void run_planes(const Stage *stage, int begin, int end)
{
    for (int plane = begin; plane < end; plane++)
        stage->run(stage->context, stage->detail, plane);
}

/* The stages' shares of the slab that depend on no other slab, in one go. */
static void run_train(const Stage *stages, int count, Slab slab, int planes)
{
    int last = stages[count - 1].lag;
    for (int front = slab.begin; front < slab.end + last; front++)
        for (int s = 0; s < count; s++) {
            int lag = stages[s].lag, plane = front - lag;
            int begin = slab.begin > 0 ? slab.begin + lag : 0;
            int end = slab.end < planes ? slab.end - lag : planes;
            if (plane >= begin && plane < end)
                stages[s].run(stages[s].context, stages[s].detail, plane);
        }
}

static void run_wedge(const Stage *stages, int count, int boundary)
{
    for (int s = 1; s < count; s++)
        run_planes(&stages[s], boundary - stages[s].lag, boundary + stages[s].lag);
}

/* For slabs too thin for a train: one stage after the other. */
static void run_apart(const Stage *stages, int count, Slab slab)
{
    for (int s = 0; s < count; s++) {
        run_planes(&stages[s], slab.begin, slab.end);
        team_barrier();
    }
}

void pipeline_run(const Stage *stages, int count, int planes, Team team)
{
    Slab slab = even_slab(team, planes);
    if (team.count == 1) {
        run_train(stages, count, slab, planes);
        return;
    }
    int thinnest = (planes + 1) / 2 / team.count * 2 - 1;
    if (thinnest < 2 * stages[count - 1].lag) {
        run_apart(stages, count, slab);
        return;
    }
    run_train(stages, count, slab, planes);
    team_barrier();
    if (team.index > 0)
        run_wedge(stages, count, slab.begin);
    team_barrier();
}
