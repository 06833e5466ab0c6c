/* SPDX-License-Identifier: MIT
 *
 * The age of the smoke, and texture coordinates (Neyret 2003, "Advected textures").
 *
 * Texture coordinates X are the position at which the fluid at x was when they were last reset. The
 * flow advects them, so that a texture looked up at X moves with the fluid. The flow also distorts
 * them; therefore they are reset to X = x every period. There are two sets, half a period apart;
 * the weight of each is 0 around its own reset. The fields store the displacement M = x - X, which
 * is small and continuous across periodic faces:
 *
 *     M'(x) = M(x - d) + d
 *
 * Fluid that enters the box takes the M of the nearest cell inside.
 */
#include "sim/fields/carried.h"
#include "sim/sim.h"

#include "sim/fields/boundary.h"
#include "sim/fields/parallel.h"
#include "sim/follow/follow.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* -- age
 *
 * The field is density times age, an amount that mixes and moves as smoke does: its quotient by
 * the density is the mean age of the smoke in a cell. Both decay alike.
 */

typedef struct AgeTask {
    BillowSim *sim;
    float seconds;
} AgeTask;

static void age_task(void *context, Team team)
{
    const AgeTask *task = context;
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = active_rows(sim, ACTIVE_CELLS, k).begin;
             j < active_rows(sim, ACTIVE_CELLS, k).end; j++) {
            ptrdiff_t at = grid_row(grid, j, k);
            Span span = active_span(sim, ACTIVE_CELLS, j, k);
            for (int i = span.begin; i < span.end; i++)
                sim->age[at + i] += task->seconds * sim->density[at + i];
        }
}

void age_advance(BillowSim *sim, double dt)
{
    if (!sim->def.age)
        return;
    sim_run(sim, age_task, &(AgeTask){sim, (float)dt});
    profile_traffic(sim, 3);
}

/* -- texture coordinates */

typedef struct TextureTask {
    BillowSim *sim;
    bool reset[2];
} TextureTask;

static void texture_row(const TextureTask *task, ptrdiff_t at, int n)
{
    BillowSim *sim = task->sim;
    float h = sim->def.cell_size;
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    for (int set = 0; set < 2; set++)
        for (int axis = 0; axis < 3; axis++) {
            float *moved = sim->texture[set][axis] + at;
            const float *displacement = d[axis] + at;
            if (task->reset[set])
                memset(moved, 0, (size_t)n * sizeof *moved);
            else
                for (int i = 0; i < n; i++)
                    moved[i] += h * displacement[i];
        }
}

static void texture_task(void *context, Team team)
{
    const TextureTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = active_rows(task->sim, ACTIVE_CELLS, k).begin;
             j < active_rows(task->sim, ACTIVE_CELLS, k).end; j++) {
            Span span = active_span(task->sim, ACTIVE_CELLS, j, k);
            texture_row(task, grid_row(grid, j, k) + span.begin, span.end - span.begin);
        }
}

/* Number of periods since the first reset of a set. The first reset of set 1 counts as half a
 * period before time 0. */
static double phase(const BillowSim *sim, int set, double time)
{
    return time / (double)sim->def.texture_period + 0.5 * set;
}

void texture_advance(BillowSim *sim, double dt)
{
    TextureTask task = {.sim = sim};
    if (!(sim->def.texture_period > 0.0f))
        return;
    for (int set = 0; set < 2; set++) {
        double turns = floor(phase(sim, set, sim->time + dt));
        task.reset[set] = turns != sim->texture_turns[set];
        sim->texture_turns[set] = turns;
    }
    sim_run(sim, texture_task, &task);
    profile_traffic(sim, 6 * 2 + 3);
}

/* The weight of set 0 rises smoothly from 0 at a reset to 1 half way to the next. Within a
 * sixteenth of a period of a reset it is 0, so that a reset anywhere in a substep does not show.
 * The two weights add up to 1. */
void texture_weigh(const BillowSim *sim, float weight[2])
{
    const double margin = 1.0 / 16;
    weight[0] = weight[1] = 0;
    if (!(sim->def.texture_period > 0.0f))
        return;
    double turn = phase(sim, 0, sim->time), off = 0.5 - fabs(turn - floor(turn) - 0.5);
    double share = fmin(fmax((off - margin) / (0.5 - 2 * margin), 0), 1);
    weight[0] = (float)(share * share * (3 - 2 * share));
    weight[1] = 1 - weight[0];
}
