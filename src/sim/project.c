/* SPDX-License-Identifier: MIT
 *
 * Stages 5 and 6: walls, and the projection to a velocity whose divergence is what the emitters'
 * expansion asks for. With q = dt p / (rho h), in m/s:
 *
 *     sum over counted neighbours (q_c - q_n) = -h (div u - expansion),     u -= q_c - q_(c-1)
 *
 * Closed faces do not count (no flow, no gradient); beyond open ones q = 0. In a box closed all
 * round the right-hand side must sum to 0, so its mean is taken off. */
#include "sim.h"

#include "parallel.h"
#include "relax.h"

#include <math.h>
#include <string.h>

typedef struct ProjectTask {
    BillowSim *sim;
    Relaxation relaxation;
    bool closed;   /* all round */
    int sweeps;    /* done; like before, written by the first worker and read when all are done */
    double before; /* L2 of the inflow that was found */
} ProjectTask;

static void clear_face(BillowSim *sim, int side)
{
    const Grid *grid = &sim->grid;
    int axis = side / 2, high = side % 2;
    const int cells[3] = {grid->nx, grid->ny, grid->nz};
    const ptrdiff_t strides[3] = {1, grid->stride_y, grid->stride_z};
    int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    float *face = sim->velocity[axis] + (high ? cells[axis] * strides[axis] : 0);
    for (int q = 0; q < cells[b]; q++)
        for (int p = 0; p < cells[a]; p++)
            face[p * strides[a] + q * strides[b]] = 0;
}

void boundaries_apply(BillowSim *sim)
{
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (sim->def.faces[side] == BILLOW_CLOSED)
            clear_face(sim, side);
}

/* field = what piles up in the cells of plane k, with its sums. */
static void inflow_plane(BillowSim *sim, int k, float *field)
{
    const Grid *grid = &sim->grid;
    const float *u = sim->velocity[0], *v = sim->velocity[1], *w = sim->velocity[2];
    for (int j = 0; j < grid->ny; j++) {
        ptrdiff_t at = grid_row(grid, j, k);
        sim->kernels->project->inflow(u + at, v + at, v + at + grid->stride_y, w + at,
                             w + at + grid->stride_z, grid->nx, field + at);
    }
    sources_expand(sim, k, field + grid_row(grid, 0, k));
    RowNorm plane = {0, 0, 0};
    for (int j = 0; j < grid->ny; j++) {
        RowNorm row = sim->kernels->account->norm(field + grid_row(grid, j, k), grid->nx);
        plane.squares += row.squares;
        plane.sum += row.sum;
        plane.max = row.max > plane.max ? row.max : plane.max;
    }
    sim->plane_squares[k] = plane.squares;
    sim->plane_sums[k] = plane.sum;
    sim->plane_max[k] = plane.max;
}

void project_measure(BillowSim *sim, Slab slab, float *field)
{
    for (int k = slab.begin; k < slab.end; k++)
        inflow_plane(sim, k, field);
}

static void pack_right_hand_side(const ProjectTask *task, float mean, Slab slab)
{
    const Relaxation *r = &task->relaxation;
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++) {
            float *row = sim->work[1] + grid_row(grid, j, k);
            if (mean != 0.0f)
                sim->kernels->project->add_constant(-mean, grid->nx, row);
            relaxation_pack_row(r, row, j, k, r->rhs);
        }
}

static void clear_pressure(const ProjectTask *task, Slab slab)
{
    const Relaxation *r = &task->relaxation;
    for (int k = slab.begin; k < slab.end; k++)
        for (int color = 0; color < 2; color++)
            memset(r->x.color[color] + packed_row(r->grid, 0, k), 0,
                   (size_t)(r->grid->packed_y * r->grid->ny) * sizeof(float));
}

/* work[1] = the pressure as a field. */
static void unpack_pressure(const ProjectTask *task, Slab slab)
{
    const Relaxation *r = &task->relaxation;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < r->grid->ny; j++)
            relaxation_unpack_row(r, r->x, j, k, task->sim->work[1] + grid_row(r->grid, j, k));
}

/* u -= q_c - q_(c-1) on every face that is not closed; ghosts of q are the 0 outside open ones. */
static void subtract_gradient(const ProjectTask *task, Team team, Slab slab)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    const BillowFace *faces = sim->def.faces;
    const float *q = sim->work[1];
    int left = faces[BILLOW_LEFT] == BILLOW_OPEN ? 0 : 1;
    int right = faces[BILLOW_RIGHT] == BILLOW_OPEN ? grid->nx + 1 : grid->nx;
    int floor_row = faces[BILLOW_FLOOR] == BILLOW_OPEN ? 0 : 1;
    int ceiling_row = faces[BILLOW_CEILING] == BILLOW_OPEN ? grid->ny : grid->ny - 1;
    bool last = team.index == team.count - 1;
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < grid->ny; j++) {
            ptrdiff_t at = grid_row(grid, j, k) + left;
            sim->kernels->project->subtract_difference(q + at, q + at - 1, right - left,
                                              sim->velocity[0] + at);
        }
        for (int j = floor_row; j <= ceiling_row; j++) {
            ptrdiff_t at = grid_row(grid, j, k);
            sim->kernels->project->subtract_difference(q + at, q + at - grid->stride_y, grid->nx,
                                              sim->velocity[1] + at);
        }
    }
    int first = slab.begin == 0 && faces[BILLOW_BACK] == BILLOW_CLOSED ? 1 : slab.begin;
    int end = slab.end + (last && faces[BILLOW_FRONT] == BILLOW_OPEN);
    for (int k = first; k < end; k++)
        for (int j = 0; j < grid->ny; j++) {
            ptrdiff_t at = grid_row(grid, j, k);
            sim->kernels->project->subtract_difference(q + at, q + at - grid->stride_z, grid->nx,
                                              sim->velocity[2] + at);
        }
}

static void project_task(void *context, Team team)
{
    ProjectTask *task = context;
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    project_measure(sim, slab, sim->work[1]);
    team_barrier();

    double cells = (double)grid->nx * grid->ny * grid->nz;
    double squares = sum_planes(sim->plane_squares, grid->nz);
    double mean = task->closed ? sum_planes(sim->plane_sums, grid->nz) / cells : 0;
    Relaxation relaxation = task->relaxation;
    relaxation.rhs_norm = sqrt(fmax(squares - cells * mean * mean, 0));
    if (team.index == 0)
        task->before = sqrt(squares);
    pack_right_hand_side(task, (float)mean, slab);
    if (!sim->def.params.warm_start)
        clear_pressure(task, slab);
    team_barrier();

    if (sim->def.params.warm_start)
        relaxation_scale_start(&relaxation, team);
    int sweeps = relaxation_solve(&relaxation, team);
    if (team.index == 0)
        task->sweeps = sweeps;
    unpack_pressure(task, slab);
    team_barrier();
    subtract_gradient(task, team, slab);
}

void project(BillowSim *sim, double dt)
{
    const BillowParams *params = &sim->def.params;
    const Grid *grid = &sim->grid;
    ProjectTask task = {
        .sim = sim,
        .closed = true,
        .relaxation = {.grid = grid,
                       .kernels = sim->kernels,
                       .cells = {grid->nx, grid->ny, grid->nz},
                       .x = grid_packed(grid, sim->pressure),
                       .rhs = grid_packed(grid, sim->work[0]),
                       .base = 0,
                       .weight = 1,
                       .omega = params->overrelaxation,
                       .sweeps = params->sweeps,
                       .tolerance = params->tolerance,
                       .inverse = sim->inverse,
                       .plane_squares = sim->plane_squares,
                       .plane_sums = sim->plane_sums},
    };
    for (int side = 0; side < BILLOW_SIDES; side++) {
        task.relaxation.counted[side] = sim->def.faces[side] == BILLOW_OPEN;
        task.closed = task.closed && sim->def.faces[side] == BILLOW_CLOSED;
    }
    sim->expansion_time = sim->time;
    sim->expansion_dt = dt;
    relaxation_prepare(&task.relaxation);
    team_run(sim->threads, project_task, &task);
    sim->inflow_before = task.before;
    sim->stats.cycles = task.sweeps;
    profile_traffic(sim, 4 + 1 + 2 + 3 + 3.0 * task.sweeps + 2 + 7);
}
