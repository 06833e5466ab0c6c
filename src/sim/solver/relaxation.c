/* SPDX-License-Identifier: MIT
 *
 * Relaxation sweeps, and the pipeline that runs several passes over the planes together. */
#include "sim/solver/relaxation.h"
#include "sim/fields/constants.h"

#include <math.h>
#include <stddef.h>

double relaxation_residual(const Relaxation *r, Team team)
{
    Slab slab = team_slab(team, r->level->cells[2]);
    for (int k = slab.begin; k < slab.end; k++)
        r->plane_squares[k] = level_residual(r->level, k);
    return sqrt(level_sum(r->level, r->plane_squares, team));
}

/* Largest factor on the starting x. A starting x that needs a larger one is unrelated to the
 * problem, and the product may overflow a float. */
#define SCALE_MAX 1e6

/* Returns the factor s = x.b / x.Ax, for which s x has the least energy x.Ax/2 - x.b of all
 * multiples of x. For the pressure this is the kinetic energy after projection, apart from a
 * constant. s = 0 is allowed, and relaxation never increases the energy for 0 < omega < 2. An old x
 * can therefore never add energy to the flow. */
static double best_multiple(const Relaxation *r, Slab slab, Team team)
{
    const Level *level = r->level;
    for (int k = slab.begin; k < slab.end; k++) {
        r->plane_squares[k] = level_dot(level, level->x, level->rhs, k);
        r->plane_sums[k] = level_product(level, level->x, k);
    }
    double along = level_sum(level, r->plane_squares, team);
    double curvature = level_sum(level, r->plane_sums, team);
    double multiple = along > 0 && curvature > 0 ? along / curvature : 0;
    return multiple < SCALE_MAX ? multiple : 0;
}

void relaxation_start(const Relaxation *r, float start, Team team)
{
    Slab slab = team_slab(team, r->level->cells[2]);
    float multiple = start != 0.0f ? (float)best_multiple(r, slab, team) : 0;
    for (int k = slab.begin; k < slab.end; k++)
        level_scale(r->level, multiple, k);
    team_barrier(team);
    level_exchange(r->level, team);
}

/* Number of sweeps that one pipeline runs at once. Each sweep is two passes, one per colour. */
enum { PIPELINE_SWEEPS = 2 };

typedef struct Colors {
    const Level *level;
    const Relaxation *relaxation;
    float omega[PIPELINE_SWEEPS];
} Colors;

static void relax_plane(const void *context, int step, int k)
{
    const Colors *colors = context;
    const Relaxation *r = colors->relaxation;
    level_relax(colors->level, step % 2, k, colors->omega[step / 2]);
    if (r->amend != NULL)
        r->amend(r->context, step % 2, k);
}

static void relax_fused(const void *context, int step, int k)
{
    level_relax_fused(((const Colors *)context)->level, step % 2, k);
}

static void sweep_together(const Relaxation *r, int done, int count, Team team)
{
    Colors colors = {.level = r->level, .relaxation = r};
    Stage stages[2 * PIPELINE_SWEEPS];
    bool fuses = level_fuses(r->level) && r->omega == 1.0f && r->amend == NULL;
    for (int sweep = 0; sweep < count; sweep++)
        colors.omega[sweep] = done + sweep + 1 == r->sweeps ? 1.0f : r->omega;
    for (int step = 0; step < 2 * count; step++)
        stages[step] = (Stage){.run = relax_plane,
                               .run_fused = step % 2 == 0 && fuses ? relax_fused : NULL,
                               .context = &colors,
                               .detail = step,
                               .writes = 1 << step % 2,
                               .lag = step};
    pipeline_run(stages, 2 * count, r->level, team);
}

int relaxation_solve(const Relaxation *r, Team team)
{
    int done = 0;
    while (done < r->sweeps) {
        int count = r->sweeps - done < PIPELINE_SWEEPS ? r->sweeps - done : PIPELINE_SWEEPS;
        sweep_together(r, done, count, team);
        done += count;
        if (r->goal > 0 && done % SWEEPS_PER_CHECK == 0 && relaxation_residual(r, team) <= r->goal)
            break;
    }
    return done;
}

/* -- the pipeline ------------------------------------------------------------------------------ */

static Slab lower_half(Slab slab)
{
    return (Slab){slab.begin, (slab.begin + slab.end) / 2};
}

/* A worker's planes, and whether its first and last plane depend on another worker's slab. */
typedef struct Share {
    Slab slab;
    bool below, above;
    bool sent; /* whether the first stage has already processed the first and the last plane */
} Share;

/* Whether a stage can process a plane without waiting for another slab. */
static bool is_due(const Stage *stage, int plane, Share share)
{
    int away = stage->lag == 0 && share.sent ? 1 : 0;
    int begin = share.slab.begin + (share.below ? stage->lag : 0) + away;
    int end = share.slab.end - (share.above ? stage->lag : 0) - away;
    return plane >= begin && plane < end;
}

/* Whether the ranks exchange what a stage writes. */
static bool sends(const Stage *stage, Team team)
{
    return team.ranks != NULL && stage->writes != 0;
}

/* Runs a stage on the first of the lower planes and on the last of the upper ones, of which the
 * slab's ends consist, and begins to send these two. */
static void send_ends(const Stage *stage, const Level *level, Slab lower, Slab upper, Team team)
{
    if (lower.begin < lower.end)
        stage->run(stage->context, stage->detail, lower.begin);
    if (upper.begin < upper.end)
        stage->run(stage->context, stage->detail, upper.end - 1);
    team_barrier(team);
    level_exchange_begin(level, stage->writes, team);
}

/* The workers that share a level, and how they wait for each other. */
typedef struct Sharers {
    const Level *level;
    Team team;
    int workers; /* the first of the team, which have planes */
} Sharers;

/* Waits until the workers beside this one have ended the stage, or after the last stage until all
 * have. If the stage has sent planes to other ranks, waits for theirs. */
static void end_stage(const Stage *stage, bool last, const Sharers *sharers)
{
    if (sends(stage, sharers->team))
        exchange_finish(sharers->team);
    else if (last || sharers->team.ranks != NULL)
        team_barrier(sharers->team);
    else
        team_wait_beside(sharers->team, sharers->workers, sharers->level->wraps[2]);
}

/* Runs a stage on planes at the lower and at the upper end of the slab. */
static void run_stage(const Stage *stage, bool last, Slab lower, Slab upper, const Sharers *sharers)
{
    if (sends(stage, sharers->team)) {
        send_ends(stage, sharers->level, lower, upper, sharers->team);
        lower.begin++;
        upper.end--;
    }
    const Slab ends[2] = {lower, upper};
    for (int end = 0; end < 2; end++)
        for (int plane = ends[end].begin; plane < ends[end].end; plane++)
            stage->run(stage->context, stage->detail, plane);
    end_stage(stage, last, sharers);
}

/* Runs all stages, one behind the other, on the planes that depend on no other slab. */
static void run_ahead(const Stage *stages, int count, Share share)
{
    Slab slab = share.slab;
    int last = stages[count - 1].lag;
    for (int front = slab.begin; front < slab.end + last; front++)
        for (int s = 0; s < count; s++) {
            const Stage *stage = &stages[s];
            int plane = front - stage->lag;
            if (!is_due(stage, plane, share))
                continue;
            if (stage->run_fused != NULL && is_due(stage + 1, plane - 1, share)) {
                stage->run_fused(stage->context, stage->detail, plane);
                s++;
            } else
                stage->run(stage->context, stage->detail, plane);
        }
}

/* Workers that have enough cells each; with ranks all, for they have planes of their own. */
static int workers_for(const Level *level, Team team)
{
    const int pairs = (level->cells[2] + 1) / 2;
    const double cells = (double)level->cells[0] * level->cells[1] * level->cells[2];
    if (team.ranks != NULL)
        return team.count;
    int workers = (int)fmin(cells / WORKER_CELLS, pairs);
    workers = workers < 1 ? 1 : workers;
    return workers < team.count ? workers : team.count;
}

void pipeline_run(const Stage *stages, int count, const Level *level, Team team)
{
    if (count == 0)
        return;
    const int planes = level->cells[2];
    const bool wraps = level->wraps[2];
    const Sharers sharers = {level, team, workers_for(level, team)};
    Slab slab = {0}; /* of pairs of planes, which stay together */
    if (team.index < sharers.workers)
        slab = team_slab((Team){team.index, sharers.workers, NULL, team.ranks}, (planes + 1) / 2);
    slab = (Slab){2 * slab.begin, 2 * slab.end < planes ? 2 * slab.end : planes};
    const bool shares = slab.begin < slab.end;
    Share share = {slab, shares && (wraps || slab.begin > 0),
                   shares && (wraps || slab.end < planes), false};
    if (team.count == 1 && team.ranks == NULL && !wraps) {
        run_ahead(stages, count, share);
        return;
    }
    Slab halves = ranks_own(team.ranks, (planes + 1) / 2);
    int thinnest = (halves.end - halves.begin) / sharers.workers * 2 - 1;
    if (thinnest < 2 * stages[count - 1].lag) {
        const Slab lower = lower_half(slab), upper = {lower.end, slab.end};
        for (int s = 0; s < count; s++)
            run_stage(&stages[s], s + 1 == count, lower, upper, &sharers);
        return;
    }
    share.sent = sends(&stages[0], team);
    if (share.sent)
        send_ends(&stages[0], level, lower_half(slab), (Slab){lower_half(slab).end, slab.end},
                  team);
    run_ahead(stages, count, share);
    end_stage(&stages[0], count == 1, &sharers);
    for (int s = 1; s < count; s++) { /* on the remaining planes at the ends of the slab */
        Slab lower = {slab.begin, slab.begin + (share.below ? stages[s].lag : 0)};
        Slab upper = {slab.end - (share.above ? stages[s].lag : 0), slab.end};
        run_stage(&stages[s], s + 1 == count, lower, upper, &sharers);
    }
}
