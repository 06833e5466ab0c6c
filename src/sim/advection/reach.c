/* SPDX-License-Identifier: MIT
 * How many planes of other ranks a rank must have to interpolate samples. */
#include "stages.h"

#include <math.h>

typedef struct MostTask {
    const BillowSim *sim;
    const float *field;
    bool faces; /* whether the field has faces beyond the last cells */
} MostTask;

static void most_task(void *context, Team team)
{
    const MostTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end + (task->faces && slab.end == grid->nz); k++) {
        float most = 0;
        for (int j = 0; j < grid->ny; j++)
            for (int i = 0; i < grid->nx; i++)
                most = fmaxf(most, fabsf(task->field[grid_row(grid, j, k) + i]));
        task->sim->plane_sums[k] = (double)most;
    }
}

int sample_reach(const BillowSim *sim, const float *field, double scale)
{
    MostTask task = {sim, field, field == sim->velocity[2]};
    double most = 0;
    if (sim->ranks == NULL)
        return 0;
    sim_run(sim, most_task, &task);
    Slab own = ranks_own(sim->ranks, sim->grid.nz + task.faces);
    for (int k = own.begin; k < own.end; k++)
        most = fmax(most, sim->plane_sums[k]);
    most = ceil(exchange_max(sim_alone(sim), most) * scale);
    return 2 + (int)fmin(most, sim->grid.nz);
}
