/* SPDX-License-Identifier: MIT
 * How many planes of other ranks a rank must have to interpolate samples. */
#include "sim/advection/advect.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct MostTask {
    const BillowSim *sim;
    const float *field;
    bool faces; /* whether the field has faces beyond the last cells */
} MostTask;

/* Largest absolute value of a row, by its bits, which sort as the values do and which compilers
 * compare many at a time. NaN: infinite. */
static double most_of_row(const float *row, int n)
{
    int32_t most = 0;
    for (int i = 0; i < n; i++) {
        int32_t bits;
        memcpy(&bits, &row[i], sizeof bits);
        bits &= INT32_MAX;
        most = bits > most ? bits : most;
    }
    float value;
    memcpy(&value, &most, sizeof value);
    return isfinite(value) ? (double)value : (double)INFINITY;
}

static void most_task(void *context, Team team)
{
    const MostTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end + (task->faces && slab.end == grid->nz); k++) {
        double most = 0;
        for (int j = 0; j < grid->ny; j++)
            most = fmax(most, most_of_row(task->field + grid_row(grid, j, k), grid->nx));
        task->sim->plane_sums[k] = most;
    }
}

double sample_most(const BillowSim *sim, const float *field)
{
    MostTask task = {sim, field, field == sim->velocity[2]};
    double most = 0;
    if (sim->ranks == NULL)
        return 0;
    sim_run(sim, most_task, &task);
    Slab own = ranks_own(sim->ranks, sim->grid.nz + task.faces);
    for (int k = own.begin; k < own.end; k++)
        most = fmax(most, sim->plane_sums[k]);
    return exchange_max(sim_alone(sim), most);
}

int sample_reach(const BillowSim *sim, double most)
{
    return sim->ranks != NULL ? 2 + (int)fmin(ceil(most), sim->grid.nz) : 0;
}
