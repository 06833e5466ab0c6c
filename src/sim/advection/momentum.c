/* SPDX-License-Identifier: MIT
 * Conserves the momentum along periodic axes while the velocity is advected. */
#include "sim/advection/advect.h"
#include "sim/fields/boundary.h"
#include "sim/fields/constants.h"

#include <math.h>
#include <stdint.h>

typedef struct MomentumTask {
    const BillowSim *sim;
    float *component; /* of the velocity */
    float change;     /* added to every face by change_task */
    int axis;
} MomentumTask;

/* Whether only forces can change the momentum along an axis: if the axis is periodic, and neither
 * solids nor sides of the box hold back the air. */
static bool keeps_momentum(const BillowSim *sim, int axis)
{
    bool keeps = boundary_wraps(&sim->def, axis) && sim->solids == NULL;
    for (int side = 0; side < BILLOW_SIDES; side++)
        keeps = keeps &&
                (sim->def.faces[side] == BILLOW_PERIODIC || sim->def.faces[side] == BILLOW_CLOSED);
    return keeps;
}

/* Sums whole numbers of velocity units, so that the sum does not depend on the order: a shifted
 * flow must give the shifted result, to the bit. The sums may wrap around, but not their
 * differences. */
#define UNITS 0x1p24f /* per m/s */

static void sum_task(void *context, Team team)
{
    const MomentumTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    const float most = 1e6f; /* m/s */
    for (int k = slab.begin; k < slab.end; k++) {
        uint64_t sum = 0;
        for (int j = 0; j < grid->ny; j++) {
            const float *row = task->component + grid_row(grid, j, k);
            for (int i = 0; i < grid->nx; i++)
                sum += (uint64_t)(fabsf(row[i]) < most ? (int64_t)rintf(row[i] * UNITS) : 0);
        }
        task->sim->plane_budgets[k].velocity = sum;
    }
}

static void change_task(void *context, Team team)
{
    const MomentumTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    int last[3] = {grid->nx, grid->ny, slab.end};
    if (task->axis < 2)
        last[task->axis]++;
    else
        last[2] += slab_ends(slab, grid->nz);
    for (int k = slab.begin; k < last[2]; k++)
        for (int j = 0; j < last[1]; j++) {
            float *row = task->component + grid_row(grid, j, k);
            for (int i = 0; i < last[0]; i++)
                row[i] += task->change;
        }
}

void momentum_sums(BillowSim *sim, uint64_t sums[3])
{
    for (int axis = 0; axis < 3; axis++) {
        MomentumTask task = {sim, sim->velocity[axis], 0, axis};
        sums[axis] = 0;
        if (!keeps_momentum(sim, axis))
            continue;
        sim_run(sim, sum_task, &task);
        sim_exchange_budgets(sim);
        for (int k = 0; k < sim->grid.nz; k++)
            sums[axis] += sim->plane_budgets[k].velocity;
    }
}

void momentum_restore(BillowSim *sim, const uint64_t before[3])
{
    const Grid *grid = &sim->grid;
    double cells = (double)grid->nx * grid->ny * grid->nz, h = (double)sim->def.cell_size;
    uint64_t after[3];
    momentum_sums(sim, after);
    for (int axis = 0; axis < 3; axis++) {
        double lost = (double)(int64_t)(before[axis] - after[axis]) / (double)UNITS;
        MomentumTask task = {sim, sim->velocity[axis], (float)(lost / cells), axis};
        if (!keeps_momentum(sim, axis))
            continue;
        sim_run(sim, change_task, &task);
        sim->stats.momentum_restored[axis] += (double)AIR_DENSITY * lost * h * h * h;
    }
}
