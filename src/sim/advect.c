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
#include <string.h>

enum { SCALARS = 2 };

typedef struct AdvectTask {
    BillowSim *sim;
    Sampler velocity[3]; /* that carries */
    Reach carried[3];    /* where it may be sampled to be carried itself */
    Reach cells;         /* and the scalars */
    float step;          /* dt over cell size */
    float limit;         /* m/s */
    Carried scalars[SCALARS];
    int scalar_count;
} AdvectTask;

static const float *corner(const Grid *grid, const float *field)
{
    return field - grid->stride_z - grid->stride_y - 1;
}

static Reach cell_reach(const Grid *grid)
{
    return (Reach){
        .stride_y = (int)grid->stride_y,
        .stride_z = (int)grid->stride_z,
        .low = {1, 1, 1},
        .high = {(float)grid->nx, (float)grid->ny, (float)grid->nz},
    };
}

static Reach face_reach(const Grid *grid, int axis)
{
    Reach reach = cell_reach(grid);
    reach.high[axis] += 1; /* its last face */
    return reach;
}

/* Beyond an open face lies one layer of ghosts, all 0: still, ambient air. */
static Reach into_open(const BillowSim *sim, Reach reach)
{
    for (int axis = 0; axis < 3; axis++) {
        reach.low[axis] -= sim->def.faces[2 * axis] == BILLOW_OPEN ? 1 : 0;
        reach.high[axis] += sim->def.faces[2 * axis + 1] == BILLOW_OPEN ? 1 : 0;
    }
    return reach;
}

static AdvectTask advect_task(BillowSim *sim, double dt)
{
    const Grid *grid = &sim->grid;
    double step = dt / (double)sim->def.cell_size;
    AdvectTask task = {.sim = sim, .step = (float)step, .limit = (float)(SPEED_LIMIT_CELLS / step)};
    for (int axis = 0; axis < 3; axis++) {
        Reach reach = face_reach(grid, axis);
        task.velocity[axis] = (Sampler){corner(grid, sim->velocity[axis]), reach};
        task.carried[axis] = into_open(sim, reach);
    }
    task.cells = into_open(sim, cell_reach(grid));
    return task;
}

/* Makes a buffer that may have held any kind of field one of the given kind, -1 for cells: 0 beyond
 * its last element (grid.h). Each worker for its slab. */
static void clear_beyond(const Grid *grid, float *field, int axis, Team team)
{
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < grid->ny && axis != 0; j++)
            field[grid_row(grid, j, k) + grid->nx] = 0;
        if (axis != 1)
            memset(field + grid_row(grid, grid->ny, k), 0, (size_t)grid->nx * sizeof *field);
    }
    if (axis != 2 && team.index == team.count - 1)
        for (int j = 0; j < grid->ny; j++)
            memset(field + grid_row(grid, j, grid->nz), 0, (size_t)grid->nx * sizeof *field);
}

static Rows displacement_row(const BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    j = j < 0 ? 0 : j >= grid->ny ? grid->ny - 1 : j;
    k = k < 0 ? 0 : k >= grid->nz ? grid->nz - 1 : k;
    ptrdiff_t at = grid_row(grid, j, k);
    return (Rows){sim->work[0] + at, sim->work[1] + at, sim->work[2] + at};
}

static void carry_scalar_row(const AdvectTask *task, int j, int k)
{
    BillowSim *sim = task->sim;
    Rows d = displacement_row(sim, j, k);
    Origins from = {1, (float)(j + 1), (float)(k + 1), d, d};
    Carried fields[SCALARS];
    for (int f = 0; f < task->scalar_count; f++) {
        fields[f] = task->scalars[f];
        fields[f].out += grid_row(&sim->grid, j, k);
    }
    sim->kernels->advect->advect(&task->cells, &from, fields, task->scalar_count, FLT_MAX,
                                 sim->grid.nx);
}

/* The displacement, and the scalars along it while its row is still near. */
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
            if (task->scalar_count > 0)
                carry_scalar_row(task, j, k);
        }
    for (int f = 0; f < task->scalar_count; f++)
        clear_beyond(grid, task->scalars[f].out, -1, team);
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

static Rows shifted(Rows rows, int by)
{
    return (Rows){rows.x + by, rows.y + by, rows.z + by};
}

/* n elements of row (j, k) of a component, the first at i, moved by the mean of a and b. */
static void carry_faces(const AdvectTask *task, int axis, int i, int j, int k, Rows a, Rows b,
                        int n)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Origins from = {(float)(i + 1), (float)(j + 1), (float)(k + 1), a, b};
    Carried field = {task->velocity[axis].corner, 1, sim->next[axis] + grid_row(grid, j, k) + i};
    sim->kernels->advect->advect(&task->carried[axis], &from, &field, 1, task->limit, n);
}

static void advect_velocity_task(void *context, Team team)
{
    const AdvectTask *task = context;
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    int nx = grid->nx, ny = grid->ny;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < ny; j++) {
            Rows here = displacement_row(sim, j, k), last = shifted(here, nx - 1);
            carry_faces(task, 0, 0, j, k, here, here, 1);
            carry_faces(task, 0, 1, j, k, here, shifted(here, 1), nx - 1);
            carry_faces(task, 0, nx, j, k, last, last, 1);
            carry_faces(task, 1, 0, j, k, displacement_row(sim, j - 1, k), here, nx);
            carry_faces(task, 2, 0, j, k, displacement_row(sim, j, k - 1), here, nx);
        }
    for (int k = slab.begin; k < slab.end; k++) {
        Rows top = displacement_row(sim, ny - 1, k);
        carry_faces(task, 1, 0, ny, k, top, top, nx);
    }
    for (int j = 0; j < ny && team.index == team.count - 1; j++) {
        Rows front = displacement_row(sim, j, grid->nz - 1);
        carry_faces(task, 2, 0, j, grid->nz, front, front, nx);
    }
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

static Carried carried_scalar(const BillowSim *sim, const float *field, float rate, double dt,
                              float *out)
{
    return (Carried){corner(&sim->grid, field), expf(-rate * (float)dt), out};
}

void advect_scalars(BillowSim *sim, double dt)
{
    const BillowParams *params = &sim->def.params;
    AdvectTask task = advect_task(sim, dt);
    task.scalars[0] = carried_scalar(sim, sim->density, params->dissipation, dt, sim->scalar_next);
    task.scalars[1] = carried_scalar(sim, sim->temperature, params->cooling, dt, sim->next[0]);
    task.scalar_count = 2;
    team_run(sim->threads, displace_task, &task);
    swap(&sim->density, &sim->scalar_next);
    swap(&sim->temperature, &sim->next[0]);
    sim->displaced_dt = dt;
    profile_traffic(sim, 6 + 2 * SCALARS);
}
