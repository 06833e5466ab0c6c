/* SPDX-License-Identifier: MIT
 *
 * Stages 4 and 8: implicit diffusion (Stam 2003), a = nu dt / h2:
 *
 *     (1 + a*counted) x - a * (sum of the six) = x0
 *
 * Walls are free-slip for the velocity along them and insulating for scalars (not counted); a
 * wall's normal velocity is a given 0; beyond an open face scalars are ambient (counted, value 0)
 * and the velocity has no gradient. */
#include "sim.h"

#include "parallel.h"
#include "relax.h"

#include <string.h>

typedef struct DiffuseTask {
    BillowSim *sim;
    Level level;
    Relaxation relaxation;
    float *field; /* first unknown */
    int axis;     /* of a velocity component, -1 for scalars */
} DiffuseTask;

/* Given values on the first and last face of a component join the right-hand side of the unknowns
 * next to them. */
static void add_given_faces(const DiffuseTask *task, int j, int k, float *row)
{
    const Level *level = &task->level;
    const Grid *grid = &task->sim->grid;
    const ptrdiff_t strides[3] = {1, grid->stride_y, grid->stride_z};
    const int at[3] = {0, j, k};
    const float *field = task->field + grid_row(grid, j, k);
    ptrdiff_t stride = strides[task->axis];
    int last = level->cells[task->axis] - 1;
    if (task->axis == 0) {
        row[0] += level->weight * field[-1];
        row[last] += level->weight * field[last + 1];
        return;
    }
    for (int i = 0; i < level->cells[0]; i++) {
        row[i] += at[task->axis] == 0 ? level->weight * field[i - stride] : 0;
        row[i] += at[task->axis] == last ? level->weight * field[i + stride] : 0;
    }
}

/* The packed unknowns start as the field itself; their memory was used otherwise, so its ghosts are
 * cleared too. */
static void load(const DiffuseTask *task, Slab slab)
{
    const Level *level = &task->level;
    BillowSim *sim = task->sim;
    int last = level->cells[2];
    for (int k = slab.begin == 0 ? -1 : slab.begin; k < (slab.end == last ? last + 1 : slab.end);
         k++)
        level_clear(level, k);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < level->cells[1]; j++) {
            ptrdiff_t at = grid_row(&sim->grid, j, k);
            float *row = sim->work[1] + at;
            memcpy(row, task->field + at, (size_t)level->cells[0] * sizeof(float));
            level_pack_row(level, row, j, k, level->x);
            if (task->axis >= 0)
                add_given_faces(task, j, k, row);
            level_pack_row(level, row, j, k, level->rhs);
        }
}

static void diffuse_task(void *context, Team team)
{
    const DiffuseTask *task = context;
    const Level *level = &task->level;
    Slab slab = team_slab(team, level->cells[2]);
    if (slab.begin < slab.end)
        load(task, slab);
    team_barrier(team);
    relaxation_solve(&task->relaxation, team);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < level->cells[1]; j++)
            level_unpack_row(level, level->x, j, k, task->field + grid_row(&task->sim->grid, j, k));
}

static void diffuse(BillowSim *sim, float *field, int axis, float rate, double dt)
{
    const Grid *grid = &sim->grid;
    double h = (double)sim->def.cell_size;
    const ptrdiff_t strides[3] = {1, grid->stride_y, grid->stride_z};
    DiffuseTask task = {
        .sim = sim,
        .field = axis < 0 ? field : field + strides[axis],
        .axis = axis,
        .level = {.grid = *grid,
                  .cells = {grid->nx, grid->ny, grid->nz},
                  .kernels = sim->kernels->relax,
                  .x = grid_packed(grid, sim->work[2]),
                  .rhs = grid_packed(grid, sim->work[0]),
                  .base = 1,
                  .weight = (float)((double)rate * dt / (h * h))},
        .relaxation = {.omega = 1, .sweeps = sim->def.params.diffusion_sweeps},
    };
    bool counted[BILLOW_SIDES];
    for (int side = 0; side < BILLOW_SIDES; side++)
        counted[side] = axis < 0 ? sim->def.faces[side] == BILLOW_OPEN : side / 2 == axis;
    if (axis >= 0)
        task.level.cells[axis]--;
    task.relaxation.level = &task.level;
    level_cut(&task.level, sim->coefficients);
    level_prepare(&task.level, task.level.cells, 0, counted);
    team_run(sim->threads, diffuse_task, &task);
    profile_traffic(sim, 5 + 3.0 * sim->def.params.diffusion_sweeps + 2);
}

void diffuse_velocity(BillowSim *sim, double dt)
{
    if (sim->def.params.viscosity > 0.0f)
        for (int axis = 0; axis < 3; axis++)
            diffuse(sim, sim->velocity[axis], axis, sim->def.params.viscosity, dt);
}

void diffuse_scalars(BillowSim *sim, double dt)
{
    const BillowParams *params = &sim->def.params;
    if (params->smoke_diffusion > 0.0f)
        diffuse(sim, sim->density, -1, params->smoke_diffusion, dt);
    if (params->heat_diffusion > 0.0f)
        diffuse(sim, sim->temperature, -1, params->heat_diffusion, dt);
}
