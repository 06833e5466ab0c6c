/* SPDX-License-Identifier: MIT
 *
 * Stage 3: buoyancy and vorticity confinement (Fedkiw, Stam, Jensen 2001):
 *
 *     f = (beta T - alpha rho) up + eps h (N x omega),   N = grad |omega| / |grad |omega||
 */
#include "sim.h"

#include "parallel.h"

typedef struct ForceTask {
    BillowSim *sim;
    float dt;
} ForceTask;

/* Rows around (j, k) of a field, at the walls the row itself: [0] here, [1] and [2] at j-1 and j+1,
 * [3] and [4] at k-1 and k+1. */
static void rows_around(const Grid *grid, const float *field, int j, int k, const float *rows[5])
{
    int south = j > 0 ? j - 1 : 0, north = j + 1 < grid->ny ? j + 1 : j;
    int below = k > 0 ? k - 1 : 0, above = k + 1 < grid->nz ? k + 1 : k;
    rows[0] = field + grid_row(grid, j, k);
    rows[1] = field + grid_row(grid, south, k);
    rows[2] = field + grid_row(grid, north, k);
    rows[3] = field + grid_row(grid, j, below);
    rows[4] = field + grid_row(grid, j, above);
}

static void vorticity_row(BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    const float *u[5], *v[5], *v_up[5], *w[5], *w_up[5];
    rows_around(grid, sim->velocity[0], j, k, u);
    rows_around(grid, sim->velocity[1], j, k, v);
    rows_around(grid, sim->velocity[1] + grid->stride_y, j, k, v_up);
    rows_around(grid, sim->velocity[2], j, k, w);
    rows_around(grid, sim->velocity[2] + grid->stride_z, j, k, w_up);
    ptrdiff_t row = grid_row(grid, j, k);
    RowsOut curl = {sim->next[0] + row, sim->next[1] + row, sim->next[2] + row};
    sim->kernels->forces->vorticity(u, v, v_up, w, w_up, 0.25f / sim->def.cell_size, grid->nx, curl,
                                    sim->work[1] + row);
}

static void confine_row(const ForceTask *task, int j, int k)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    const float *length[5];
    rows_around(grid, sim->work[1], j, k, length);
    ptrdiff_t row = grid_row(grid, j, k);
    RowsOut curl = {sim->next[0] + row, sim->next[1] + row, sim->next[2] + row};
    float strength = sim->def.params.vorticity * sim->def.cell_size * task->dt;
    sim->kernels->forces->confinement(length, strength, grid->nx, curl);
}

/* The centres' impulses, averaged to the faces between them. */
static void push_faces(BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    ptrdiff_t row = grid_row(grid, j, k);
    const float *fx = sim->next[0] + row, *fy = sim->next[1] + row, *fz = sim->next[2] + row;
    sim->kernels->forces->add_average(fx, fx + 1, 0.5f, grid->nx - 1, sim->velocity[0] + row + 1);
    if (j > 0)
        sim->kernels->forces->add_average(fy, fy - grid->stride_y, 0.5f, grid->nx,
                                          sim->velocity[1] + row);
    if (k > 0)
        sim->kernels->forces->add_average(fz, fz - grid->stride_z, 0.5f, grid->nx,
                                          sim->velocity[2] + row);
}

static void confinement_task(void *context, Team team)
{
    const ForceTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++)
            vorticity_row(task->sim, j, k);
    team_barrier();
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++)
            confine_row(task, j, k);
    team_barrier();
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++)
            push_faces(task->sim, j, k);
}

static void buoyancy_task(void *context, Team team)
{
    const ForceTask *task = context;
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    float lift = 0.5f * task->dt * sim->def.params.buoyancy;
    float sink = 0.5f * task->dt * sim->def.params.weight;
    int first = sim->def.faces[BILLOW_FLOOR] == BILLOW_OPEN ? 0 : 1;
    int last = sim->def.faces[BILLOW_CEILING] == BILLOW_OPEN ? grid->ny : grid->ny - 1;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = first; j <= last; j++) {
            /* An open face feels the one cell it has. */
            ptrdiff_t above = grid_row(grid, j < grid->ny ? j : j - 1, k);
            ptrdiff_t below = grid_row(grid, j > 0 ? j - 1 : 0, k);
            sim->kernels->forces->buoyancy(sim->temperature + above, sim->temperature + below,
                                           sim->density + above, sim->density + below, lift, sink,
                                           grid->nx, sim->velocity[1] + grid_row(grid, j, k));
        }
}

void forces_apply(BillowSim *sim, double dt)
{
    const BillowParams *params = &sim->def.params;
    ForceTask task = {sim, (float)dt};
    if (params->vorticity > 0.0f) {
        team_run(sim->threads, confinement_task, &task);
        profile_traffic(sim, 3 + 4 + 1 + 6 + 3 + 6);
    }
    if (params->buoyancy != 0.0f || params->weight != 0.0f) {
        team_run(sim->threads, buoyancy_task, &task);
        profile_traffic(sim, 2 + 2);
    }
}
