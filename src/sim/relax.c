/* SPDX-License-Identifier: MIT */
#include "relax.h"

#include "constants.h"
#include "pipeline.h"

#include <math.h>

double relaxation_residual(const Relaxation *r, Team team)
{
    int planes = r->level->cells[2];
    Slab slab = team_slab(team, planes);
    for (int k = slab.begin; k < slab.end; k++)
        r->plane_squares[k] = level_residual(r->level, k);
    team_barrier(team);
    double squares = sum_planes(r->plane_squares, planes);
    team_barrier(team); /* nobody overwrites the planes before all have summed */
    return sqrt(squares);
}

/* A start this far too small knows nothing of the problem, and its multiple may not fit a float. */
#define SCALE_MAX 1e6

/* Of all multiples of x, s*x with s = x.b / x.Ax has the least energy x.Ax/2 - x.b; for the
 * pressure that is the kinetic energy left after projection. Since 0 is one of the multiples and
 * relaxation never raises this energy for 0 < omega < 2, no start, however stale, can feed the
 * flow. */
static double best_multiple(const Relaxation *r, Slab slab, Team team)
{
    const Level *level = r->level;
    for (int k = slab.begin; k < slab.end; k++) {
        r->plane_squares[k] = level_dot(level, level->x, level->rhs, k);
        r->plane_sums[k] = level_product(level, level->x, k);
    }
    team_barrier(team);
    double along = sum_planes(r->plane_squares, level->cells[2]);
    double curvature = sum_planes(r->plane_sums, level->cells[2]);
    double multiple = along > 0 && curvature > 0 ? along / curvature : 0;
    team_barrier(team); /* nobody changes x, or the planes, before all are here */
    return multiple < SCALE_MAX ? multiple : 0;
}

void relaxation_start(const Relaxation *r, float start, Team team)
{
    Slab slab = team_slab(team, r->level->cells[2]);
    float multiple = start != 0.0f ? (float)best_multiple(r, slab, team) : 0;
    for (int k = slab.begin; k < slab.end; k++)
        level_scale(r->level, multiple, k);
    team_barrier(team);
}

/* Sweeps that go through the planes together; a cache has room for twice as many colours. */
enum { TRAIN_SWEEPS = 2 };

typedef struct Colors {
    const Level *level;
    const Relaxation *relaxation;
    float omega[TRAIN_SWEEPS];
} Colors;

static void relax_plane(const void *context, int step, int k)
{
    const Colors *colors = context;
    const Relaxation *r = colors->relaxation;
    level_relax(colors->level, step % 2, k, colors->omega[step / 2]);
    if (r->amend != NULL)
        r->amend(r->context, step % 2, k);
}

static void relax_woven(const void *context, int step, int k)
{
    level_relax_woven(((const Colors *)context)->level, step % 2, k);
}

static void sweep_together(const Relaxation *r, int done, int count, Team team)
{
    Colors colors = {.level = r->level, .relaxation = r};
    Stage stages[2 * TRAIN_SWEEPS];
    bool weaves = level_weaves(r->level) && r->omega == 1.0f && r->amend == NULL;
    for (int sweep = 0; sweep < count; sweep++)
        colors.omega[sweep] = done + sweep + 1 == r->sweeps ? 1.0f : r->omega;
    for (int step = 0; step < 2 * count; step++)
        stages[step] = (Stage){.run = relax_plane,
                               .run_woven = step % 2 == 0 && weaves ? relax_woven : NULL,
                               .context = &colors,
                               .detail = step,
                               .lag = step};
    pipeline_run(stages, 2 * count, r->level->cells[2], r->level->wraps[2], team);
}

int relaxation_solve(const Relaxation *r, Team team)
{
    int done = 0;
    while (done < r->sweeps) {
        int count = r->sweeps - done < TRAIN_SWEEPS ? r->sweeps - done : TRAIN_SWEEPS;
        sweep_together(r, done, count, team);
        done += count;
        if (r->goal > 0 && done % SWEEPS_PER_CHECK == 0 && relaxation_residual(r, team) <= r->goal)
            break;
    }
    return done;
}
