/* SPDX-License-Identifier: MIT
 *
 * Stages 2 and 8: semi-Lagrangian advection (Stam 1999). What arrives at a point x after dt left
 *
 *     x - d,  d = dt * u(x - dt/2 * u(x))          (midpoint rule)
 *
 * One displacement field d at the cell centres serves everything; faces take the average of their
 * two cells'. The field that carries the scalars at the end of a step is the one that carries the
 * velocity at the beginning of the next, so d is computed once a step while dt stays the same.
 *
 * What comes in through an open face is still, ambient air: everything is 0 there, the velocity
 * too, or a draught once begun would carry itself through two open faces for ever. At a wall, and
 * for the flow that carries, the nearest value inside holds. */
#include "sim.h"

#include "constants.h"
#include "parallel.h"

#include <float.h>
#include <math.h>

typedef struct AdvectTask {
    BillowSim *sim;
    Sampler velocity[3]; /* that carries */
    Sampler carried[3];  /* and is carried */
    float step;          /* dt over cell size */
    float limit;         /* m/s */
} AdvectTask;

static Sampler sampler(const Grid *grid, const float *field)
{
    return (Sampler){
        .corner = field - grid->stride_z - grid->stride_y - 1,
        .stride_y = (int)grid->stride_y,
        .stride_z = (int)grid->stride_z,
        .low = {1, 1, 1},
        .high = {(float)grid->nx, (float)grid->ny, (float)grid->nz},
    };
}

/* Beyond an open face lies one layer of ghosts, all 0: still, ambient air. */
static void open_sampler(const BillowSim *sim, Sampler *s)
{
    for (int axis = 0; axis < 3; axis++) {
        s->low[axis] -= sim->def.faces[2 * axis] == BILLOW_OPEN ? 1 : 0;
        s->high[axis] += sim->def.faces[2 * axis + 1] == BILLOW_OPEN ? 1 : 0;
    }
}

static Sampler velocity_sampler(const BillowSim *sim, int axis)
{
    Sampler s = sampler(&sim->grid, sim->velocity[axis]);
    s.high[axis] += 1; /* its last face */
    return s;
}

static Sampler scalar_sampler(const BillowSim *sim, const float *field)
{
    Sampler s = sampler(&sim->grid, field);
    open_sampler(sim, &s);
    return s;
}

static AdvectTask advect_task(BillowSim *sim, double dt)
{
    double step = dt / (double)sim->def.cell_size;
    AdvectTask task = {.sim = sim, .step = (float)step, .limit = (float)(SPEED_LIMIT_CELLS / step)};
    for (int axis = 0; axis < 3; axis++) {
        task.velocity[axis] = task.carried[axis] = velocity_sampler(sim, axis);
        open_sampler(sim, &task.carried[axis]);
    }
    return task;
}

static void displace_task(void *context, Team team)
{
    const AdvectTask *task = context;
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++) {
            ptrdiff_t row = grid_row(grid, j, k);
            RowsOut out = {sim->work[0] + row, sim->work[1] + row, sim->work[2] + row};
            sim->kernels->advect->displace(task->velocity, j, k, task->step, grid->nx, out);
        }
}

void advect_displace(BillowSim *sim, double dt)
{
    if (sim->displaced_dt == dt)
        return;
    AdvectTask task = advect_task(sim, dt);
    team_run(sim->threads, displace_task, &task);
    sim->displaced_dt = dt;
    profile_traffic(sim, 6);
}

static Rows displacement_row(const BillowSim *sim, int i, int j, int k)
{
    const Grid *grid = &sim->grid;
    j = j < 0 ? 0 : j >= grid->ny ? grid->ny - 1 : j;
    k = k < 0 ? 0 : k >= grid->nz ? grid->nz - 1 : k;
    ptrdiff_t at = grid_row(grid, j, k) + i;
    return (Rows){sim->work[0] + at, sim->work[1] + at, sim->work[2] + at};
}

static void advect_u_row(const AdvectTask *task, int j, int k)
{
    BillowSim *sim = task->sim;
    const Sampler *u = &task->carried[0];
    int nx = sim->grid.nx;
    float y = (float)(j + 1), z = (float)(k + 1);
    float *out = sim->next[0] + grid_row(&sim->grid, j, k);
    Rows first = displacement_row(sim, 0, j, k), last = displacement_row(sim, nx - 1, j, k);
    sim->kernels->advect->advect(u, 1, y, z, first, first, 1, task->limit, 1, out);
    sim->kernels->advect->advect(u, 2, y, z, first, displacement_row(sim, 1, j, k), 1, task->limit,
                                 nx - 1, out + 1);
    sim->kernels->advect->advect(u, (float)(nx + 1), y, z, last, last, 1, task->limit, 1, out + nx);
}

static void advect_velocity_task(void *context, Team team)
{
    const AdvectTask *task = context;
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < grid->ny; j++)
            advect_u_row(task, j, k);
        for (int j = 0; j <= grid->ny; j++)
            sim->kernels->advect->advect(&task->carried[1], 1, (float)(j + 1), (float)(k + 1),
                                         displacement_row(sim, 0, j - 1, k),
                                         displacement_row(sim, 0, j, k), 1, task->limit, grid->nx,
                                         sim->next[1] + grid_row(grid, j, k));
    }
    int end = slab.end + (team.index == team.count - 1); /* the faces at nz */
    for (int k = slab.begin; k < end; k++)
        for (int j = 0; j < grid->ny; j++)
            sim->kernels->advect->advect(&task->carried[2], 1, (float)(j + 1), (float)(k + 1),
                                         displacement_row(sim, 0, j, k - 1),
                                         displacement_row(sim, 0, j, k), 1, task->limit, grid->nx,
                                         sim->next[2] + grid_row(grid, j, k));
}

static void swap(float **a, float **b)
{
    float *kept = *a;
    *a = *b;
    *b = kept;
}

void advect_velocity(BillowSim *sim, double dt)
{
    AdvectTask task = advect_task(sim, dt);
    team_run(sim->threads, advect_velocity_task, &task);
    for (int axis = 0; axis < 3; axis++)
        swap(&sim->velocity[axis], &sim->next[axis]);
    sim->displaced_dt = 0;
    profile_traffic(sim, 9);
}

typedef struct ScalarTask {
    AdvectTask flow;
    Sampler field;
    float keep; /* share left by decay */
} ScalarTask;

static void scalar_task(void *context, Team team)
{
    const ScalarTask *task = context;
    BillowSim *sim = task->flow.sim;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++) {
            Rows d = displacement_row(sim, 0, j, k);
            sim->kernels->advect->advect(&task->field, 1, (float)(j + 1), (float)(k + 1), d, d,
                                         task->keep, FLT_MAX, grid->nx,
                                         sim->scalar_next + grid_row(grid, j, k));
        }
}

static void advect_scalar(const AdvectTask *flow, float **field, float rate, double dt)
{
    BillowSim *sim = flow->sim;
    ScalarTask task = {*flow, scalar_sampler(sim, *field), expf(-rate * (float)dt)};
    team_run(sim->threads, scalar_task, &task);
    swap(field, &sim->scalar_next);
}

void advect_scalars(BillowSim *sim, double dt)
{
    AdvectTask flow = advect_task(sim, dt);
    advect_displace(sim, dt);
    advect_scalar(&flow, &sim->density, sim->def.params.dissipation, dt);
    advect_scalar(&flow, &sim->temperature, sim->def.params.cooling, dt);
    profile_traffic(sim, 5 + 5);
}
