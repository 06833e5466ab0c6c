/* SPDX-License-Identifier: MIT
 *
 * The one list of what the flow carries, and texture coordinates (Neyret 2003, "Advected
 * textures").
 *
 * Texture coordinates X are where what is at x was when they were begun, carried with the flow, so
 * that a texture hung on them drifts along; as it is torn they are begun anew, X = x, every period.
 * Of two sets, half a period apart, each is shown by a weight that is 0 around its own beginning.
 * Kept is the way M = x - X, which is small, and as it should be through periodic faces:
 *
 *     M'(x) = M(x - d) + d
 *
 * and at open faces and inflows what enters has come as far as its neighbour: the texture goes on
 * outside. */
#include "sim.h"

#include "boundary.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

int scalars_list(BillowSim *sim, Scalar list[SCALARS_MAX])
{
    const BillowParams *params = &sim->def.params;
    BillowStats *stats = &sim->stats;
    const float smoke_diffusion = params->smoke_diffusion;
    int count = 0;
    list[count++] =
        (Scalar){&sim->density, FIELD_DENSITY, params->dissipation, smoke_diffusion, &stats->mass};
    list[count++] = (Scalar){&sim->temperature, FIELD_TEMPERATURE, params->cooling,
                             params->heat_diffusion, &stats->heat};
    if (sim->def.fire)
        list[count++] = (Scalar){&sim->fuel, FIELD_FUEL, 0, smoke_diffusion, &stats->fuel};
    for (int c = 0; c < 3 && sim->def.color; c++)
        list[count++] = (Scalar){&sim->color[c], FIELD_RED + c, params->dissipation,
                                 smoke_diffusion, &stats->color[c]};
    for (int part = 0; part < 6 && sim->def.texture_period > 0.0f; part++)
        list[count++] = (Scalar){&sim->texture[part / 3][part % 3], FIELD_TEXTURE, 0, 0, NULL};
    return count;
}

typedef struct TextureTask {
    BillowSim *sim;
    bool anew[2];
} TextureTask;

static void texture_row(const TextureTask *task, ptrdiff_t at)
{
    BillowSim *sim = task->sim;
    float h = sim->def.cell_size;
    for (int set = 0; set < 2; set++)
        for (int axis = 0; axis < 3; axis++) {
            float *moved = sim->texture[set][axis] + at;
            const float *displacement = sim->work[axis] + at;
            if (task->anew[set])
                memset(moved, 0, (size_t)sim->grid.nx * sizeof *moved);
            else
                for (int i = 0; i < sim->grid.nx; i++)
                    moved[i] += h * displacement[i];
        }
}

static void texture_task(void *context, Team team)
{
    const TextureTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++)
            texture_row(task, grid_row(grid, j, k));
}

/* Periods since a set's first beginning. */
static double phase(const BillowSim *sim, int set, double time)
{
    return time / (double)sim->def.texture_period + 0.5 * set;
}

void texture_follow(BillowSim *sim, double dt)
{
    TextureTask task = {.sim = sim};
    if (!(sim->def.texture_period > 0.0f))
        return;
    for (int set = 0; set < 2; set++) {
        double turns = floor(phase(sim, set, sim->time + dt));
        task.anew[set] = turns != sim->texture_turns[set];
        sim->texture_turns[set] = turns;
    }
    team_run(sim->threads, texture_task, &task);
    profile_traffic(sim, 6 * 2 + 3);
}

/* Smoothly from 0 to 1 half way between two beginnings, and 0 within a sixteenth of the period from
 * either: a set may begin anew anywhere in a sub-step unseen. The two add up to 1. */
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
