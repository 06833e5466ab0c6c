/* SPDX-License-Identifier: MIT
 *
 * Stages 2 and 8: semi-Lagrangian advection (Stam 1999). The value at a point x after dt comes from
 *
 *     x - d,  d = dt * u(x - dt/2 * u(x))          (midpoint rule)
 *
 * One displacement field d at the cell centres serves every field. A face uses the mean of the
 * displacements of its two cells. The velocity that advects the scalars at the end of a substep
 * also advects the velocity at the start of the next substep. While dt stays the same, d is
 * therefore computed once per substep; with reflection, once for the scalars and once for each
 * half.
 *
 * Stam's scheme interpolates linearly, which smooths every field a little in every step. The others
 * interpolate by cubics (advect_sharp) and keep far more. Both stay within the range of the values
 * around the departure point, so that no new extremes appear.
 *
 * Air outside an open face is ambient and still: every advected field is 0 there. If the advected
 * velocity continued beyond the face, a draught through two open faces would sustain itself for
 * ever. At walls, and for the velocity that advects, samplers use the nearest value inside or the
 * value that the face gives (boundary.h). */
#include "sim/advection/advect.h"
#include "sim/advection/conserve.h"
#include "sim/sources/combustion.h"
#include "sim/statistics.h"

#include "base/mathematics.h"
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/solids/solid_advection.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Largest number of scalars that one pass advects: the fields of SCRATCH_ARRIVING. */
enum { TOGETHER = 2 };

typedef struct AdvectTask {
    BillowSim *sim;
    Sampler velocity[3]; /* the velocity that advects */
    SampleBounds cells;  /* bounds of every scalar */
    float step;          /* dt / cell size, s/m */
    bool displaced;      /* whether SCRATCH_DISPLACEMENT is already filled */
    Advected scalars[TOGETHER];
    int scalar_count;
    bool budgeted; /* the first scalar is density, whose losses are added to the mass budget */
    bool summed;   /* the new density is summed, to find how much mass has dissipated */
    int arriving;  /* planes of other ranks, beside this one's, that are on their way; 0: none */
} AdvectTask;

static AdvectTask advect_task(BillowSim *sim, double dt)
{
    const Grid *grid = &sim->grid;
    AdvectTask task = {.sim = sim, .step = (float)(dt / (double)sim->def.cell_size)};
    for (int axis = 0; axis < 3; axis++)
        task.velocity[axis] =
            (Sampler){field_corner(grid, sim->velocity[axis]),
                      bounds_with_given(&sim->def, bounds_of_faces(&sim->def, grid, axis), axis)};
    task.cells = bounds_with_open(
        &sim->def, bounds_with_given(&sim->def, bounds_of_cells(&sim->def, grid), SCALAR_DENSITY));
    return task;
}

/* Fields whose ghosts are filled: of the velocity and of listed scalars. */
typedef struct GhostTask {
    const BillowSim *sim;
    float *fields[3 + SCALARS_MAX];
    int kinds[3 + SCALARS_MAX];
    int count, reach, scalar_reach;
} GhostTask;

static void ghost_task(void *context, Team team)
{
    const GhostTask *task = context;
    const BillowSim *sim = task->sim;
    for (int f = 0; f < task->count; f++)
        boundary_fill(&sim->def, &sim->grid, task->kinds[f], task->fields[f], team);
    team_barrier(team);
    exchange_fields(team, &sim->grid, task->fields, 3, task->reach);
    if (task->count > 3)
        exchange_fields(team, &sim->grid, task->fields + 3, task->count - 3, task->scalar_reach);
    for (int f = 0; f < task->count; f++)
        boundary_fill_ends(&sim->def, &sim->grid, task->kinds[f], task->fields[f], team);
}

int advect_fill_ghosts(BillowSim *sim, int reach, const Scalar *list, int count, int scalar_reach)
{
    GhostTask task = {.sim = sim, .count = 3 + count, .reach = reach, .scalar_reach = scalar_reach};
    for (int f = 0; f < task.count; f++) {
        task.fields[f] = f < 3 ? sim->velocity[f] : *list[f - 3].field;
        task.kinds[f] = f < 3 ? f : list[f - 3].kind;
    }
    if (boundary_has_ghosts(&sim->def)) {
        sim_run(sim, ghost_task, &task);
        return 0;
    }
    PlaneField planes[3 + SCALARS_MAX];
    for (int f = 0; f < task.count; f++) {
        planes[f] = planes_of(&sim->grid, task.fields[f]);
        planes[f].reach = f < 3 ? reach : scalar_reach;
    }
    exchange_begin(sim_alone(sim), planes, task.count);
    return sim->ranks == NULL ? 0 : reach > scalar_reach ? reach : scalar_reach;
}

/* -- planes of other ranks --------------------------------------------------------------------- */

void advect_pass(const BillowSim *sim, PlanePass *pass, const void *context, int arriving,
                 Team team)
{
    int planes = sim->grid.nz;
    Slab outer[2];
    if (arriving == 0) {
        pass(context, team_slab(team, planes));
        return;
    }
    pass(context, exchange_inner(team, planes, arriving));
    exchange_finish(team);
    exchange_outer(team, planes, arriving, outer);
    pass(context, outer[0]);
    pass(context, outer[1]);
}

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

/* Largest absolute value of a field on all ranks. 0 without ranks. */
static double sample_most(const BillowSim *sim, const float *field)
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

/* Planes beyond a rank's own from which samples are interpolated that are at most so many cells
 * away: one plane after the departure point, or three with cubics; one more for the last face of a
 * periodic box, and one for the row beyond an open ceiling, which is the next plane's. 0 without
 * ranks. */
static int sample_reach(const BillowSim *sim, double most)
{
    int beside = params_reflect(&sim->def.params) ? 5 : 3;
    return sim->ranks != NULL ? beside + (int)fmin(ceil(most), sim->grid.nz) : 0;
}

/* Planes from which displacements over dt are computed. most: largest speed along z, m/s. */
static int displacing_reach(const BillowSim *sim, double most, double dt)
{
    return sample_reach(sim, 0.5 * most * dt / (double)sim->def.cell_size);
}

/* Whether no displacement along z is longer than the largest speed times dt: samples lie between
 * faces. Ghosts can be faster. */
static bool speed_bounds_displacement(const BillowSim *sim)
{
    return !boundary_has_ghosts(&sim->def) && !params_conserve(&sim->def.params);
}

/* Planes from which samples are interpolated then. most: largest speed along z, m/s. */
static int flow_reach(const BillowSim *sim, double most, double dt)
{
    const double rounding = 1 + 1e-6;
    return sample_reach(sim, rounding * most * dt / (double)sim->def.cell_size);
}

/* Planes from which samples are interpolated with the present displacement. */
static int displaced_reach(const BillowSim *sim)
{
    return sample_reach(sim, sample_most(sim, scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT)[2]));
}

int displacement_reach(const BillowSim *sim, double dt)
{
    return speed_bounds_displacement(sim) ? flow_reach(sim, sample_most(sim, sim->velocity[2]), dt)
                                          : displaced_reach(sim);
}

/* Fetches the displacements beside the rank's planes. */
static void fetch_displacement(const BillowSim *sim)
{
    exchange_fields(sim_alone(sim), &sim->grid, scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT), 3,
                    1);
}

/* -- new values -------------------------------------------------------------------------------- */

void advect_clear_beyond(const BillowSim *sim, float *field, int axis, Team team)
{
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < grid->ny && axis != 0; j++)
            field[grid_row(grid, j, k) + grid->nx] = 0;
        if (axis != 1)
            memset(field + grid_row(grid, grid->ny, k), 0, (size_t)grid->nx * sizeof *field);
        else /* the row beyond the ceiling is the next plane's ghost row below the floor */
            memset(field + grid_row(grid, -1, k + 1) - 1, 0,
                   (size_t)(grid->nx + 2) * sizeof *field);
    }
    if (axis == 1 && team.ranks != NULL && team.index == 0) /* of the rank below */
        memset(field + grid_row(grid, -1, slab.begin) - 1, 0,
               (size_t)(grid->nx + 2) * sizeof *field);
    if (axis != 2 && team.index == team.count - 1)
        for (int j = 0; j < grid->ny; j++)
            memset(field + grid_row(grid, j, grid->nz), 0, (size_t)grid->nx * sizeof *field);
}

/* Density that n cells lose through their faces at a side of the box: the sum of density times
 * outward speed, m/s. 0 if the side is neither open nor an inflow. */
static double leaving(const BillowSim *sim, BillowSide side, const float *faces,
                      const float *density, int n)
{
    double sum = 0;
    float outwards = side % 2 == 0 ? -1 : 1; /* sign of a velocity that leaves the box */
    bool inflow = sim->def.faces[side] == BILLOW_INFLOW;
    if (sim->def.faces[side] != BILLOW_OPEN && !inflow)
        return 0;
    float brought = inflow ? sim->def.boundaries[side].smoke : 0;
    for (int i = 0; i < n; i++) {
        float speed = outwards * faces[i];
        sum += (double)speed * (double)(speed > 0.0f ? density[i] : brought);
    }
    return sum;
}

static double leaving_row(const BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    ptrdiff_t at = grid_row(grid, j, k);
    int nx = grid->nx;
    const float *density = sim->density + at, *u = sim->velocity[0] + at,
                *v = sim->velocity[1] + at, *w = sim->velocity[2] + at;
    double sum = leaving(sim, BILLOW_LEFT, u, density, 1) +
                 leaving(sim, BILLOW_RIGHT, u + nx, density + nx - 1, 1);
    if (j == 0)
        sum += leaving(sim, BILLOW_FLOOR, v, density, nx);
    if (j == grid->ny - 1)
        sum += leaving(sim, BILLOW_CEILING, v + grid->stride_y, density, nx);
    if (k == 0)
        sum += leaving(sim, BILLOW_BACK, w, density, nx);
    if (k == grid->nz - 1)
        sum += leaving(sim, BILLOW_FRONT, w + grid->stride_z, density, nx);
    return sum;
}

static double row_sum(const float *row, int n)
{
    enum { PARTS = 8 };
    double parts[PARTS] = {0}, sum = 0;
    int whole = n - n % PARTS;
    for (int i = 0; i < whole; i += PARTS)
        for (int part = 0; part < PARTS; part++)
            parts[part] += (double)row[i + part];
    for (int i = whole; i < n; i++)
        sum += (double)row[i];
    for (int part = 0; part < PARTS; part++)
        sum += parts[part];
    return sum;
}

/* Adds to the mass budget what row (j, k) lost and kept, after its density has been advected. */
static void budget_row(const AdvectTask *task, int j, int k)
{
    const BillowSim *sim = task->sim;
    PlaneBudget *budget = &sim->plane_budgets[k];
    const Grid *grid = &sim->grid;
    if (!task->budgeted)
        return;
    budget->leaving += leaving_row(sim, j, k);
    if (task->summed)
        budget->kept += row_sum(task->scalars[0].out + grid_row(grid, j, k), grid->nx);
}

static void advect_scalar_row(const AdvectTask *task, int j, int k)
{
    BillowSim *sim = task->sim;
    Rows d = displacement_row(sim, j, k);
    Origins from = {1, (float)(j + 1), (float)(k + 1), d, d};
    Advected fields[TOGETHER];
    for (int f = 0; f < task->scalar_count; f++) {
        fields[f] = task->scalars[f];
        fields[f].out += grid_row(&sim->grid, j, k);
    }
    advect_kernel(sim)(&task->cells, &from, fields, task->scalar_count, FLT_MAX, sim->grid.nx);
    solids_advect_row(sim, j, k, fields, task->scalar_count);
}

static void displace_row(const AdvectTask *task, int j, int k)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    ptrdiff_t row = grid_row(grid, j, k);
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    RowsOut out = {d[0] + row, d[1] + row, d[2] + row};
    for (int axis = 0; axis < 3; axis++)
        prefetch_sampled(grid, sim->velocity[axis], j, k);
    sim->kernels->advect->displace(task->velocity, j, k, task->step, grid->nx, out);
    solids_stop_row(sim, j, k, out);
    /* The first and the last face along x use the mean of a cell's displacement and the padding
     * beyond it, which repeats the end of the row, or wraps around. */
    bool wraps = boundary_wraps(&sim->def, 0);
    for (int axis = 0, n = grid->nx; axis < 3; axis++) {
        float *component = d[axis] + row;
        component[-1] = component[wraps ? n - 1 : 0];
        component[n] = component[wraps ? 0 : n - 1];
    }
}

/* Fills the displacement row by row, and advects the scalars of each row while its displacement is
 * in the cache. */
static void displace_planes(const void *context, Slab slab)
{
    const AdvectTask *task = context;
    const Grid *grid = &task->sim->grid;
    for (int k = slab.begin; k < slab.end; k++) {
        task->sim->plane_budgets[k].leaving = task->sim->plane_budgets[k].kept = 0;
        for (int j = 0; j < grid->ny; j++) {
            for (int f = 0; f < task->scalar_count; f++)
                prefetch_sampled(grid, task->scalars[f].corner, j + 1, k + 1);
            if (!task->displaced)
                displace_row(task, j, k);
            if (task->scalar_count > 0)
                advect_scalar_row(task, j, k);
            budget_row(task, j, k);
        }
    }
}

static void displace_task(void *context, Team team)
{
    const AdvectTask *task = context;
    advect_pass(task->sim, displace_planes, task, task->arriving, team);
    for (int f = 0; f < task->scalar_count; f++)
        advect_clear_beyond(task->sim, task->scalars[f].out, -1, team);
}

void advect_displace(BillowSim *sim, double dt)
{
    if (sim->displaced_dt == dt)
        return;
    displacement_drop(sim);
    scratch_claim(&sim->scratch, SCRATCH_DISPLACEMENT);
    AdvectTask task = advect_task(sim, dt);
    double most = sample_most(sim, sim->velocity[2]);
    task.arriving = advect_fill_ghosts(sim, displacing_reach(sim, most, dt), NULL, 0, 0);
    sim_run(sim, displace_task, &task);
    sim->reach = displaced_reach(sim);
    fetch_displacement(sim);
    sim->displaced_dt = dt;
    profile_traffic(sim, 6);
}

/* Share that decay leaves of a scalar. */
static float decayed(const Scalar *scalar, double dt)
{
    return (float)math_exp(-(double)scalar->decay * dt);
}

/* Adds a scalar to the task. */
static void add_scalar(AdvectTask *task, const Scalar *scalar, double dt, float *out)
{
    float keep = decayed(scalar, dt) * (scalar->smoke ? task->sim->made_good : 1);
    task->scalars[task->scalar_count++] =
        (Advected){field_corner(&task->sim->grid, *scalar->field), keep, out};
}

/* Fetches the planes of scalars that this rank samples, unless advect_scalars has fetched them. The
 * displacement, which tells how many, is filled before. */
static void fetch_scalars(AdvectTask *task, const Scalar *list, int count)
{
    BillowSim *sim = task->sim;
    float *fields[TOGETHER];
    if (sim->ranks == NULL || speed_bounds_displacement(sim))
        return;
    if (!task->displaced) {
        sim_run(sim, displace_task, task);
        sim->reach = displaced_reach(sim);
        fetch_displacement(sim);
        task->displaced = true;
    }
    for (int f = 0; f < count; f++)
        fields[f] = *list[f].field;
    exchange_fields(sim_alone(sim), &sim->grid, fields, count, sim->reach);
}

/* Advects as many scalars from the start of the list as one pass can advect. Returns their number.
 * planes: those of other ranks that are on their way. */
static int advect_together(BillowSim *sim, const Scalar *list, int count, double dt, int planes)
{
    scratch_claim(&sim->scratch, SCRATCH_ARRIVING);
    float **arriving = scratch_trade(&sim->scratch, SCRATCH_ARRIVING);
    AdvectTask task = advect_task(sim, dt);
    count = count < TOGETHER ? count : TOGETHER;
    bool texture = list[0].texture;
    for (int f = 1; f < count && !texture; f++)
        count = list[f].texture ? f : count;
    if (texture) /* beyond open faces and inflows, texture coordinates repeat the value inside */
        task.cells = bounds_of_cells(&sim->def, &sim->grid);
    task.displaced = sim->displaced_dt == dt;
    if (!task.displaced)
        scratch_claim(&sim->scratch, SCRATCH_DISPLACEMENT);
    fetch_scalars(&task, list, count);
    task.arriving = planes;
    for (int f = 0; f < count; f++)
        add_scalar(&task, &list[f], dt, arriving[f]);
    task.budgeted = list[0].field == &sim->density;
    if (task.budgeted)
        sim->density_share = decayed(&list[0], dt);
    task.summed = task.budgeted && sim->density_share < 1.0f && sim->substeps_left > 0;
    sim_run(sim, displace_task, &task);
    if (!task.displaced)
        fetch_displacement(sim);
    if (task.budgeted) {
        double leaving = 0, kept = 0, h = (double)sim->def.cell_size;
        sim_exchange_budgets(sim);
        for (int k = 0; k < sim->grid.nz; k++) {
            leaving += sim->plane_budgets[k].leaving;
            kept += sim->plane_budgets[k].kept;
        }
        sim->stats.mass_outflow += leaving * h * h * dt;
        if (task.summed)
            budget_dissipated(sim, kept * h * h * h);
    }
    for (int f = 0; f < count; f++) {
        float *old = *list[f].field;
        *list[f].field = arriving[f];
        arriving[f] = old;
    }
    scratch_release(&sim->scratch, SCRATCH_ARRIVING);
    sim->displaced_dt = dt;
    profile_traffic(sim, (task.displaced ? 3 : 6) + 2 * count);
    return count;
}

void advect_scalars(BillowSim *sim, double dt)
{
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    int first = 0;
    displacement_drop(sim); /* the projection has changed the velocity */
    while (params_conserve(&sim->def.params) && first < count && !list[first].texture)
        first++;
    bool budgeted = first > 0; /* conserve_scalars keeps its own mass budget */
    if (!budgeted)
        budget_expanded(sim, 0.5); /* trapezoidal rule: half before advection, half after */
    /* Planes are fetched of the velocity for displacements, and of the scalars as far as the flow
     * can lead, or for stencils alone. */
    bool bounded = speed_bounds_displacement(sim);
    double most = sample_most(sim, sim->velocity[2]);
    int reach = displacing_reach(sim, most, dt);
    if (bounded)
        sim->reach = flow_reach(sim, most, dt);
    int arriving = advect_fill_ghosts(sim, reach, list, count, bounded ? sim->reach : reach);
    if (arriving > 0 && !bounded) {
        exchange_finish(sim_alone(sim));
        arriving = 0;
    }
    if (first > 0)
        conserve_scalars(sim, list, first, dt);
    for (; first < count; arriving = 0)
        first += advect_together(sim, list + first, count - first, dt, arriving);
    if (!budgeted)
        budget_expanded(sim, 0.5);
    texture_advance(sim, dt);
    sim->made_good = 1;
}
