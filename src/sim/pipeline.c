/* SPDX-License-Identifier: MIT */
#include "pipeline.h"

#include <stddef.h>

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

/* A worker's planes, and whether others are beside them that take part. */
typedef struct Share {
    Slab slab;
    bool below, above;
} Share;

/* Whether plane k's turn at a stage depends on the train's own slab alone. */
static bool is_due(const Stage *stage, int plane, Share share)
{
    int begin = share.slab.begin + (share.below ? stage->lag : 0);
    int end = share.slab.end - (share.above ? stage->lag : 0);
    return plane >= begin && plane < end;
}

/* The stages' shares of the slab that depend on no other slab, in one go. */
static void run_train(const Stage *stages, int count, Share share)
{
    Slab slab = share.slab;
    int last = stages[count - 1].lag;
    for (int front = slab.begin; front < slab.end + last; front++)
        for (int s = 0; s < count; s++) {
            const Stage *stage = &stages[s];
            int plane = front - stage->lag;
            if (!is_due(stage, plane, share))
                continue;
            if (stage->run_woven != NULL && is_due(stage + 1, plane - 1, share)) {
                stage->run_woven(stage->context, stage->detail, plane);
                s++;
            } else
                stage->run(stage->context, stage->detail, plane);
        }
}

/* What the train left at the slab's ends, stage by stage. */
static void run_wedges(const Stage *stages, int count, Share share, Team team)
{
    Slab slab = share.slab;
    for (int s = 1; s < count; s++) {
        if (share.below)
            run_planes(&stages[s], slab.begin, slab.begin + stages[s].lag);
        if (share.above)
            run_planes(&stages[s], slab.end - stages[s].lag, slab.end);
        team_barrier(team);
    }
}

/* For slabs too thin for a train: one stage after the other. */
static void run_apart(const Stage *stages, int count, Slab slab, Team team)
{
    for (int s = 0; s < count; s++) {
        run_planes(&stages[s], slab.begin, slab.end);
        team_barrier(team);
    }
}

void pipeline_run(const Stage *stages, int count, int planes, bool wraps, Team team)
{
    Slab slab = even_slab(team, planes);
    Share share = {slab, wraps || slab.begin > 0, wraps || slab.end < planes};
    if (team.count == 1 && !wraps) {
        run_train(stages, count, share);
        return;
    }
    int thinnest = (planes + 1) / 2 / team.count * 2 - 1;
    if (thinnest < 2 * stages[count - 1].lag) {
        run_apart(stages, count, slab, team);
        return;
    }
    run_train(stages, count, share);
    team_barrier(team);
    run_wedges(stages, count, share, team);
}
