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

#include "constants.h"
#include "parallel.h"
#include "pressure.h"
#include "relax.h"

#include <math.h>
#include <string.h>

typedef struct ProjectTask {
    BillowSim *sim;
    Level *level;  /* the finest */
    bool closed;   /* all round */
    float start;   /* multiple of the last pressure to start from */
    double before; /* L2 of the inflow that was found; this and the rest by the first worker, */
    Solved solved; /* for when all are done */
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

/* plane = what piles up in the cells of plane k, with its sums. */
static void inflow_plane(BillowSim *sim, int k, float *plane)
{
    const Grid *grid = &sim->grid;
    const float *u = sim->velocity[0], *v = sim->velocity[1], *w = sim->velocity[2];
    for (int j = 0; j < grid->ny; j++) {
        ptrdiff_t at = grid_row(grid, j, k);
        sim->kernels->project->inflow(u + at, v + at, v + at + grid->stride_y, w + at,
                                      w + at + grid->stride_z, grid->nx,
                                      plane + grid_row(grid, j, 0));
    }
    sources_expand(sim, k, plane);
    RowNorm sum = {0, 0, 0};
    for (int j = 0; j < grid->ny; j++) {
        RowNorm row = sim->kernels->account->norm(plane + grid_row(grid, j, 0), grid->nx);
        sum.squares += row.squares;
        sum.sum += row.sum;
        sum.max = row.max > sum.max ? row.max : sum.max;
    }
    sim->plane_squares[k] = sum.squares;
    sim->plane_sums[k] = sum.sum;
    sim->plane_max[k] = sum.max;
}

void project_measure(BillowSim *sim, Slab slab, float *field)
{
    for (int k = slab.begin; k < slab.end; k++)
        inflow_plane(sim, k, field + grid_row(&sim->grid, 0, slab.begin));
}

/* The right-hand side of plane k; its inflow passes through `plane`. */
static void load_plane(const ProjectTask *task, int k, float *plane)
{
    const Level *level = task->level;
    inflow_plane(task->sim, k, plane);
    for (int j = 0; j < level->cells[1]; j++)
        level_pack_row(level, plane + grid_row(&level->grid, j, 0), j, k, level->rhs);
}

static void load_right_hand_side(const ProjectTask *task, Slab slab)
{
    float *plane = task->sim->work[1] + grid_row(&task->sim->grid, 0, slab.begin);
    for (int k = slab.begin; k < slab.end; k++)
        load_plane(task, k, plane);
}

static Solved relax(const ProjectTask *task, double goal, Team team)
{
    BillowSim *sim = task->sim;
    const BillowParams *params = &sim->def.params;
    Relaxation relaxation = {.level = task->level,
                             .omega = params->overrelaxation,
                             .sweeps = params->sweeps,
                             .goal = goal,
                             .plane_squares = sim->plane_squares,
                             .plane_sums = sim->plane_sums};
    relaxation_start(&relaxation, task->start, team);
    return (Solved){BILLOW_RELAXATION, relaxation_solve(&relaxation, team), 0};
}

/* In a box closed all round, what piles up everywhere alike has no pressure to answer it. */
static void take_off_mean(const ProjectTask *task, double mean, Slab slab)
{
    const Level *level = task->level;
    const Grid *grid = &level->grid;
    for (int k = slab.begin; k < slab.end; k++)
        for (int color = 0; color < 2; color++)
            task->sim->kernels->project->add_constant(-(float)mean, (int)grid->packed_y * grid->ny,
                                                      level->rhs.color[color] +
                                                          packed_row(grid, 0, k));
}

static Solved solve(const ProjectTask *task, Team team, Slab slab)
{
    const BillowSim *sim = task->sim;
    const BillowParams *params = &sim->def.params;
    double cells = (double)sim->grid.nx * sim->grid.ny * sim->grid.nz;
    double squares = sum_planes(sim->plane_squares, sim->grid.nz);
    double mean = task->closed ? sum_planes(sim->plane_sums, sim->grid.nz) / cells : 0;
    double goal = (double)params->tolerance * sqrt(fmax(squares - cells * mean * mean, 0));
    team_barrier(); /* all have read the sums */
    if (fabs(mean) * sqrt(cells) > MEAN_SHARE * goal) {
        take_off_mean(task, mean, slab);
        team_barrier();
    }
    if (params->pressure == BILLOW_RELAXATION)
        return relax(task, goal, team);
    PressureSolve pressure = {.multigrid = &sim->multigrid,
                              .goal = goal,
                              .cycles = params->cycles,
                              .start = task->start,
                              .conjugate = params->pressure == BILLOW_CONJUGATE_GRADIENTS,
                              .memory = {sim->work[1], sim->work[2]},
                              .plane_sums = sim->plane_sums};
    return pressure_solve(&pressure, team);
}

/* u -= q_c - q_(c-1) on every face of plane k that is not closed, but those along z; q and south
 * are rows of the pressure. */
static void subtract_in_plane(const ProjectTask *task, int k, float *here, float *south)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    const BillowFace *faces = sim->def.faces;
    const ProjectKernels *kernels = sim->kernels->project;
    int left = faces[BILLOW_LEFT] == BILLOW_OPEN ? 0 : 1;
    int right = faces[BILLOW_RIGHT] == BILLOW_OPEN ? grid->nx + 1 : grid->nx;
    for (int j = 0; j < grid->ny; j++) {
        ptrdiff_t at = grid_row(grid, j, k);
        level_unpack_row(task->level, task->level->x, j, k, here);
        kernels->subtract_difference(here + left, here + left - 1, right - left,
                                     sim->velocity[0] + at + left);
        if (j > 0 || faces[BILLOW_FLOOR] == BILLOW_OPEN)
            kernels->subtract_difference(here, south, grid->nx, sim->velocity[1] + at);
        float *kept = south;
        south = here;
        here = kept;
    }
    memset(here, 0, (size_t)grid->nx * sizeof *here);
    if (faces[BILLOW_CEILING] == BILLOW_OPEN)
        kernels->subtract_difference(here, south, grid->nx,
                                     sim->velocity[1] + grid_row(grid, grid->ny, k));
}

/* The faces between planes k-1 and k; beyond the box q = 0. */
static void subtract_between(const ProjectTask *task, int k, float *here, float *below)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    size_t bytes = (size_t)grid->nx * sizeof(float);
    memset(here, 0, bytes);
    memset(below, 0, bytes);
    for (int j = 0; j < grid->ny; j++) {
        if (k < grid->nz)
            level_unpack_row(task->level, task->level->x, j, k, here);
        if (k > 0)
            level_unpack_row(task->level, task->level->x, j, k - 1, below);
        sim->kernels->project->subtract_difference(here, below, grid->nx,
                                                   sim->velocity[2] + grid_row(grid, j, k));
    }
}

static void subtract_gradient(const ProjectTask *task, Team team, Slab slab)
{
    enum { LEAD = ROW_ALIGNMENT }; /* a ghost before the row, the row aligned */
    const BillowFace *faces = task->sim->def.faces;
    float rows[2][LEAD + BILLOW_GRID_MAX + 1];
    bool last = team.index == team.count - 1;
    int first = slab.begin == 0 && faces[BILLOW_BACK] == BILLOW_CLOSED ? 1 : slab.begin;
    int end = slab.end + (last && faces[BILLOW_FRONT] == BILLOW_OPEN);
    for (int k = slab.begin; k < (end > slab.end ? end : slab.end); k++) {
        memset(rows, 0, sizeof rows);
        if (k < slab.end)
            subtract_in_plane(task, k, rows[0] + LEAD, rows[1] + LEAD);
        if (k >= first && k < end)
            subtract_between(task, k, rows[0] + LEAD, rows[1] + LEAD);
    }
}

static void project_task(void *context, Team team)
{
    ProjectTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = team_slab(team, sim->grid.nz);
    load_right_hand_side(task, slab);
    team_barrier();
    if (team.index == 0)
        task->before = sqrt(sum_planes(sim->plane_squares, sim->grid.nz));
    Solved solved = solve(task, team, slab);
    if (team.index == 0)
        task->solved = solved;
    subtract_gradient(task, team, slab);
}

void project(BillowSim *sim, double dt)
{
    const Grid *grid = &sim->grid;
    const BillowParams *params = &sim->def.params;
    ProjectTask task = {.sim = sim, .level = &sim->multigrid.levels[0], .closed = true};
    for (int side = 0; side < BILLOW_SIDES; side++)
        task.closed = task.closed && sim->def.faces[side] == BILLOW_CLOSED;
    task.level->x = grid_packed(grid, sim->pressure);
    task.level->rhs = grid_packed(grid, sim->work[0]);
    if (params->warm_start && sim->projected_dt > 0)
        task.start = (float)(dt / sim->projected_dt);
    sim->projected_dt = sim->expansion_dt = dt;
    sim->expansion_time = sim->time;
    team_run(sim->threads, project_task, &task);
    sim->inflow_before = task.before;
    sim->stats.cycles = task.solved.cycles;
    sim->stats.pressure = task.solved.by;
    if (!isfinite(task.solved.left)) /* no start for the next */
        sim->projected_dt = 0;
    double sweep = params->pressure == BILLOW_RELAXATION ? 3 : 2 * 3 * 8.0 / 7;
    profile_traffic(sim, 4 + 2 + sweep * task.solved.cycles + 7);
}
