/* SPDX-License-Identifier: MIT
 *
 * Stages 5 and 7: the velocity at the sides of the box, and the projection to a velocity whose
 * divergence is the expansion source. With q = dt p / (rho h), in m/s:
 *
 *     sum over neighbours (q_c - q_n) = -h (div u - expansion),     u -= q_c - q_(c-1)
 *
 * A periodic axis wraps around. The sum leaves out neighbours beyond walls and inflows: the
 * velocity is given there, and q has no gradient. Beyond open faces q = 0. In a box without open
 * faces the right-hand sides must add up to 0. Their mean is therefore subtracted. */
#include "sim/pressure/project.h"
#include "sim/fields/boundary.h"
#include "sim/solids/floating_bodies.h"
#include "sim/solids/solid_flow.h"
#include "sim/solver/relaxation.h"
#include "sim/sources/combustion.h"

#include <math.h>

typedef struct ProjectTask {
    BillowSim *sim;
    Level *level;  /* the finest level */
    float start;   /* factor on the last pressure, from which the solve starts */
    float share;   /* share of the pressure's gradient that is subtracted */
    double before; /* L2 norm of the right-hand side before the solve; set by the first worker */
    Solved solved; /* set by the first worker */
} ProjectTask;

/* Sets the velocity through a side of the box: the given velocity at an inflow, 0 at a wall. The
 * last face of a periodic axis becomes a copy of the first. */
static void give_face(BillowSim *sim, BillowSide side)
{
    const Grid *grid = &sim->grid;
    int axis = (int)side / 2, high = (int)side % 2;
    bool inflow = sim->def.faces[side] == BILLOW_INFLOW;
    int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    ptrdiff_t around = grid->cells[axis] * grid->strides[axis];
    bool periodic = sim->def.faces[side] == BILLOW_PERIODIC;
    float *face = sim->velocity[axis] + (high ? around : 0);
    if (periodic && !high)
        return;
    Slab own = axis < 2 ? ranks_own(sim->ranks, grid->nz) : (Slab){0, grid->cells[b]};
    for (int q = own.begin; q < own.end; q++)
        for (int p = 0; p < grid->cells[a]; p++) {
            float *one = face + p * grid->strides[a] + q * grid->strides[b];
            *one = periodic ? one[-around]
                   : inflow ? boundary_value(&sim->def, side, axis, p, q)
                            : 0;
        }
}

void boundaries_apply(BillowSim *sim)
{
    if (boundary_wraps(&sim->def, 2)) /* the last faces repeat the first, which another rank has */
        exchange_fields(sim_alone(sim), &sim->grid, sim->velocity + 2, 1, 1);
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (sim->def.faces[side] != BILLOW_OPEN)
            give_face(sim, (BillowSide)side);
}

void project_load(BillowSim *sim, Slab slab)
{
    const Grid *grid = &sim->grid;
    Packed rhs = grid_packed(grid, scratch_use(&sim->scratch, SCRATCH_RIGHT_HAND_SIDE)[0]);
    float *expansion = scratch_use(&sim->scratch, SCRATCH_EXPANSION)[0];
    for (int k = slab.begin; k < slab.end; k++) {
        ptrdiff_t at = grid_row(grid, 0, k), packed = packed_row(grid, 0, k), expansion_stride;
        const float *v = sim->velocity[1] + at, *w = sim->velocity[2] + at;
        DivergenceRows rows = {.u = sim->velocity[0] + at,
                               .v = v,
                               .v_up = v + grid->stride_y,
                               .w = w,
                               .w_up = w + grid->stride_z,
                               .expansion = expansion_plane(sim, k, expansion, &expansion_stride)};
        PackedRows out = {{rhs.color[0] + packed, rhs.color[1] + packed}, grid->packed_y, k & 1};
        DivergenceSums sums = sim->kernels->project->negative_divergence(
            &rows, grid->stride_y, expansion_stride, grid->nx, grid->ny, &out);
        sim->plane_squares[k] = sums.squares;
        sim->plane_sums[k] = sums.sum;
        solids_empty(sim, k);
    }
}

/* Subtracts the mean of the right-hand side. Otherwise the equations of a closed box have no
 * solution. */
static void subtract_mean(const ProjectTask *task, double mean, Slab slab)
{
    const Level *level = task->level;
    const Grid *grid = &level->grid;
    for (int k = slab.begin; k < slab.end; k++) {
        for (int color = 0; color < 2; color++)
            task->sim->kernels->project->add_constant(-(float)mean, (int)grid->packed_y * grid->ny,
                                                      level->rhs.color[color] +
                                                          packed_row(grid, 0, k));
        solids_empty(task->sim, k);
    }
}

static Solved solve(const ProjectTask *task, Team team, Slab slab)
{
    const BillowSim *sim = task->sim;
    const BillowParams *params = &sim->def.params;
    double cells = sim->solids != NULL ? sim->solids->open_cells
                                       : (double)sim->grid.nx * sim->grid.ny * sim->grid.nz;
    double squares = sum_planes(sim->plane_squares, sim->grid.nz);
    if (squares == 0.0) {
        team_barrier(team); /* all workers have read the sums */
        for (int k = slab.begin; k < slab.end; k++)
            level_scale(task->level, 0, k);
        team_barrier(team);
        level_exchange(task->level, team);
        return (Solved){params->pressure, 0, 0};
    }
    double mean =
        boundary_closed(&sim->def) ? sum_planes(sim->plane_sums, sim->grid.nz) / cells : 0;
    double goal = (double)params->tolerance * sqrt(fmax(squares - cells * mean * mean, 0));
    team_barrier(team); /* all workers have read the sums */
    if (fabs(mean) * sqrt(cells) > MEAN_SHARE * goal) {
        subtract_mean(task, mean, slab);
        team_barrier(team);
    }
    if (params->pressure == BILLOW_RELAXATION) {
        Relaxation relaxation = {.level = task->level,
                                 .omega = params->overrelaxation,
                                 .sweeps = params->sweeps,
                                 .goal = goal,
                                 .plane_squares = sim->plane_squares,
                                 .plane_sums = sim->plane_sums};
        relaxation_start(&relaxation, task->start, team);
        return (Solved){BILLOW_RELAXATION, relaxation_solve(&relaxation, team), 0};
    }
    float *const *conjugate = scratch_use(&sim->scratch, SCRATCH_CONJUGATE);
    PressureSolve pressure = {.multigrid = &sim->multigrid,
                              .goal = goal,
                              .cycles = params->cycles,
                              .start = task->start,
                              .conjugate = params->pressure == BILLOW_CONJUGATE_GRADIENTS,
                              .memory = {conjugate[0], conjugate[1]},
                              .plane_sums = sim->plane_sums};
    return pressure_solve(&pressure, team);
}

/* A row of the pressure with room for a value before its first cell and one after its last. */
enum { LEAD = ROW_ALIGNMENT };
typedef float PressureRow[LEAD + BILLOW_GRID_MAX + 1];

/* q beyond a side of the box: 0 beyond an open face, `around` beyond a periodic face. Beyond all
 * other faces it is the value inside, for a gradient of 0. */
static float beyond(const BillowSim *sim, BillowSide side, float inside, float around)
{
    BillowFace face = sim->def.faces[side];
    return face == BILLOW_OPEN ? 0 : face == BILLOW_PERIODIC ? around : inside;
}

/* Unpacks q in row (j, k), with the value before the first cell. */
static void pressure_row(const ProjectTask *task, int j, int k, float *row)
{
    level_unpack_row(task->level, task->level->x, j, k, row);
    row[-1] = beyond(task->sim, BILLOW_LEFT, row[0], row[task->sim->grid.nx - 1]);
}

/* Computes q in the row beyond a side of the box. `inside`: the row next to the side. (j, k): the
 * row at the other end of the axis. */
static void row_beyond(const ProjectTask *task, BillowSide side, const float *inside, int j, int k,
                       float *row)
{
    const BillowSim *sim = task->sim;
    if (sim->def.faces[side] == BILLOW_PERIODIC)
        pressure_row(task, j, k, row);
    else
        for (int i = 0; i < sim->grid.nx; i++)
            row[i] = beyond(sim, side, inside[i], 0);
}

/* Subtracts the gradient at faces of a high side of the box, between the row `inside` and the row
 * beyond. */
static void subtract_end(const ProjectTask *task, BillowSide side, const float *inside, int j,
                         int k, float *faces)
{
    PressureRow memory;
    float *row = memory + LEAD;
    row_beyond(task, side, inside, j, k, row);
    for (int i = 0; i < task->sim->grid.nx; i++)
        faces[i] = limited_speed(faces[i] - task->share * (row[i] - inside[i]));
}

/* Subtracts the gradient at the low faces of the cells in row (j, k), and at their faces at the
 * high sides of the box. `here` is q in that row and `south` q in row (j - 1, k). */
static void subtract_row(const ProjectTask *task, int j, int k, const float *here,
                         const float *south)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    PressureRow memory;
    float *below = memory + LEAD, *const *velocity = sim->velocity;
    if (k > 0)
        pressure_row(task, j, k - 1, below);
    else
        row_beyond(task, BILLOW_BACK, here, j, grid->nz - 1, below);
    ptrdiff_t at = grid_row(grid, j, k);
    float last = here[grid->nx - 1], *right = velocity[0] + at + grid->nx;
    sim->kernels->project->subtract_gradient(here, south, below, task->share, grid->nx,
                                             velocity[0] + at, velocity[1] + at, velocity[2] + at);
    *right =
        limited_speed(*right - task->share * (beyond(sim, BILLOW_RIGHT, last, here[0]) - last));
    if (j == grid->ny - 1)
        subtract_end(task, BILLOW_CEILING, here, 0, k, velocity[1] + grid_row(grid, grid->ny, k));
    if (k == grid->nz - 1)
        subtract_end(task, BILLOW_FRONT, here, j, 0, velocity[2] + grid_row(grid, j, grid->nz));
}

static void subtract_plane(const ProjectTask *task, int k)
{
    const Grid *grid = &task->sim->grid;
    PressureRow memory[2];
    float *south = memory[0] + LEAD, *here = memory[1] + LEAD;
    for (int j = 0; j < grid->ny; j++) {
        pressure_row(task, j, k, here);
        if (j == 0)
            row_beyond(task, BILLOW_FLOOR, here, grid->ny - 1, k, south);
        subtract_row(task, j, k, here, south);
        float *old = south;
        south = here;
        here = old;
    }
}

static void subtract_gradient(const ProjectTask *task, Slab slab, Team team)
{
    BillowSim *sim = task->sim;
    for (int k = slab.begin; k < slab.end; k++)
        subtract_plane(task, k);
    if (sim->solids != NULL) {
        team_barrier(team);
        exchange_fields(team, &sim->grid, sim->velocity, 3, 1);
        solids_impose(sim, slab);
    }
}

/* -- the null space ---------------------------------------------------------------------------- */

/* Removes the null space. In fluid without a path to an open face, the equations determine the
 * pressure only up to a constant. Rounding leaves a mean in the residuals, which coarse levels
 * magnify. In a closed box multigrid.c subtracts that mean on a coarse level. A region that solids
 * enclose has no coarse levels of its own. Each solve starts from the last pressure, so that the
 * constant could grow from step to step until the gradient is lost in rounding. Every
 * NULL_SPACE_STEPS substeps the mean pressure of each enclosed region, and of a closed box, is
 * therefore subtracted. */

/* The cells of a box of cells whose value in `fluid` is from `least` to `most`. */
typedef struct Part {
    Region region;
    unsigned char least, most;
} Part;

typedef struct Sum {
    double value, cells;
} Sum;

static bool contains(const BillowSim *sim, const Part *part, int i, int j, int k)
{
    if (sim->solids == NULL)
        return true;
    unsigned char fluid = sim->solids->fluid[grid_row(&sim->grid, j, k) + i];
    return fluid >= part->least && fluid <= part->most;
}

static Sum plane_sum(const BillowSim *sim, const Part *part, int k)
{
    const Level *level = &sim->multigrid.levels[0];
    float row[BILLOW_GRID_MAX];
    Sum sum = {0, 0};
    for (int j = part->region.low[1]; j < part->region.high[1]; j++) {
        level_unpack_row(level, level->x, j, k, row);
        for (int i = part->region.low[0]; i < part->region.high[0]; i++) {
            bool counts = contains(sim, part, i, j, k);
            sum.value += counts ? (double)row[i] : 0;
            sum.cells += counts ? 1 : 0;
        }
    }
    return sum;
}

static void lower_plane(const BillowSim *sim, const Part *part, int k, float mean)
{
    const Level *level = &sim->multigrid.levels[0];
    float row[BILLOW_GRID_MAX];
    for (int j = part->region.low[1]; j < part->region.high[1]; j++) {
        level_unpack_row(level, level->x, j, k, row);
        for (int i = part->region.low[0]; i < part->region.high[0]; i++)
            row[i] -= contains(sim, part, i, j, k) ? mean : 0;
        level_pack_row(level, row, j, k, level->x);
    }
    level_wrap(level, k);
}

/* Subtracts the mean pressure of the fluid outside of enclosed regions. All workers call this. */
static void lower_main(BillowSim *sim, Team team)
{
    const Grid *grid = &sim->grid;
    const Part part = {{{0, 0, 0}, {grid->nx, grid->ny, grid->nz}}, FLUID, OVERRUN};
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        Sum sum = plane_sum(sim, &part, k);
        sim->plane_sums[k] = sum.value;
        sim->plane_squares[k] = sum.cells;
    }
    team_barrier(team);
    exchange_entries(team, sim->plane_sums, sizeof(double), grid->nz);
    exchange_entries(team, sim->plane_squares, sizeof(double), grid->nz);
    double value = sum_planes(sim->plane_sums, grid->nz);
    double cells = sum_planes(sim->plane_squares, grid->nz);
    for (int k = slab.begin; k < slab.end && cells > 0; k++)
        lower_plane(sim, &part, k, (float)(value / cells));
}

static void lower_enclosed(BillowSim *sim, int c)
{
    unsigned char own = (unsigned char)(ENCLOSED + c);
    const Part part = {sim->solids->enclosed[c].region, own, own};
    Sum all = {0, 0};
    for (int k = part.region.low[2]; k < part.region.high[2]; k++) {
        Sum sum = plane_sum(sim, &part, k);
        all.value += sum.value;
        all.cells += sum.cells;
    }
    for (int k = part.region.low[2]; k < part.region.high[2] && all.cells > 0; k++)
        lower_plane(sim, &part, k, (float)(all.value / all.cells));
}

/* Fetches the planes of enclosed regions of a packed field. */
static void exchange_enclosed(const BillowSim *sim, Packed field, Team team)
{
    const Solids *solids = sim->solids;
    for (int c = 0; solids != NULL && c < solids->enclosed_count; c++) {
        const Region *region = &solids->enclosed[c].region;
        if (c != solids->main_part)
            level_exchange_whole(&sim->multigrid.levels[0], field,
                                 (Slab){region->low[2], region->high[2]}, team);
    }
}

static void remove_null_space(BillowSim *sim, Team team)
{
    const Solids *solids = sim->solids;
    if (sim->stats.substeps % NULL_SPACE_STEPS != 0)
        return;
    if (boundary_closed(&sim->def))
        lower_main(sim, team);
    team_barrier(team);
    exchange_enclosed(sim, sim->multigrid.levels[0].x, team);
    for (int c = 0; team.index == 0 && solids != NULL && c < solids->enclosed_count; c++)
        if (c != solids->main_part)
            lower_enclosed(sim, c);
    team_barrier(team);
}

/* -- the corrections of coarse levels ---------------------------------------------------------- */

/* During the solve the corrections lie in the planes of SCRATCH_EXPANSION, which nothing reads
 * after the right-hand sides are loaded. They overwrite ghosts between those planes, which must be
 * 0 when advection trades the field (grid.h), and are therefore cleared. Where ranks divide
 * the planes, they have other memory (sim.c). */

static float *corrections_in_scratch(const BillowSim *sim)
{
    return sim->corrections == NULL ? scratch_use(&sim->scratch, SCRATCH_EXPANSION)[0] : NULL;
}

/* -- the stage --------------------------------------------------------------------------------- */

static void project_task(void *context, Team team)
{
    ProjectTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = team_slab(team, sim->grid.nz);
    if (sim->solids != NULL) {
        solids_mix(sim, slab);
        team_barrier(team);
    }
    exchange_fields(team, &sim->grid, sim->velocity + 2, 1, 1);
    project_load(sim, slab);
    team_barrier(team);
    exchange_entries(team, sim->plane_squares, sizeof(double), sim->grid.nz);
    exchange_entries(team, sim->plane_sums, sizeof(double), sim->grid.nz);
    if (sim->solids != NULL && sim->solids->enclosed_count > 0) {
        exchange_enclosed(sim, task->level->rhs, team);
        if (team.index == 0)
            enclosed_regions_balance(sim);
        team_barrier(team);
    }
    level_exchange(task->level, team);
    if (team.index == 0)
        task->before = sqrt(sum_planes(sim->plane_squares, sim->grid.nz));
    Solved solved = solve(task, team, slab);
    if (team.index == 0)
        task->solved = solved;
    if (corrections_in_scratch(sim) != NULL)
        multigrid_clear_corrections(&sim->multigrid, team);
    remove_null_space(sim, team);
    level_exchange(task->level, team);
    solids_unmix(sim, slab);
    subtract_gradient(task, slab, team);
}

/* Factor from the last pressure to that of a substep of dt; 0 if it cannot be used. */
static float last_pressure(const BillowSim *sim, double dt)
{
    double ratio = sim->projected_dt > 0 ? dt / sim->projected_dt : 0;
    return ratio > 1 / START_RATIO_MAX && ratio < START_RATIO_MAX ? (float)ratio : 0;
}

static void push_task(void *context, Team team)
{
    const ProjectTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = team_slab(team, sim->grid.nz);
    level_exchange(task->level, team);
    subtract_gradient(task, slab, team);
}

void project_push(BillowSim *sim, double dt, double share)
{
    ProjectTask task = {.sim = sim, .level = &sim->multigrid.levels[0]};
    task.level->x = grid_packed(&sim->grid, sim->pressure);
    task.share = (float)share * last_pressure(sim, dt);
    if (sim->touched || task.share == 0.0f)
        return;
    sim_run(sim, push_task, &task);
    profile_traffic(sim, 7);
}

void project(BillowSim *sim, double dt)
{
    const Grid *grid = &sim->grid;
    const BillowParams *params = &sim->def.params;
    ProjectTask task = {.sim = sim, .level = &sim->multigrid.levels[0], .share = 1};
    task.level->x = grid_packed(grid, sim->pressure);
    static const ScratchUse uses[] = {SCRATCH_RIGHT_HAND_SIDE, SCRATCH_CONJUGATE, SCRATCH_EXPANSION,
                                      SCRATCH_FLUID_VELOCITY};
    const int use_count = sizeof uses / sizeof uses[0];
    displacement_drop(sim);
    task.start = params->warm_start ? last_pressure(sim, dt) : 0;
    sim->projected_dt = dt;
    sim->expansion_dt = sim->substep_dt;
    sim->expansion_time = sim->time;
    sim->divergence_before = 0;
    sim->stats.cycles = 0;
    for (int u = 0; u < use_count; u++)
        scratch_claim(&sim->scratch, uses[u]);
    task.level->rhs = grid_packed(grid, scratch_use(&sim->scratch, SCRATCH_RIGHT_HAND_SIDE)[0]);
    if (corrections_in_scratch(sim) != NULL)
        multigrid_place_corrections(&sim->multigrid, corrections_in_scratch(sim));
    sim_run(sim, project_task, &task);
    floating_press(sim);
    for (int u = 0; u < use_count; u++)
        scratch_release(&sim->scratch, uses[u]);
    sim->divergence_before = task.before;
    sim->stats.cycles = task.solved.cycles;
    sim->stats.pressure = task.solved.by;
    if (!isfinite(task.before) || !isfinite(task.solved.left))
        sim->projected_dt = 0; /* the next solve cannot start from this pressure */
    double sweep = params->pressure == BILLOW_RELAXATION ? 3 : 2 * 3 * 8.0 / 7;
    profile_traffic(sim, 4 + 2 + sweep * task.solved.cycles + 7);
}
