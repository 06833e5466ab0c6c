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

#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/solids/solid_advection.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct DisplaceTask {
    BillowSim *sim;
    Sampler velocity[3]; /* the velocity that advects */
    float step;          /* dt / cell size, s/m */
    int arriving; /* planes of other ranks, beside this one's, that are on their way; 0: none */
} DisplaceTask;

static DisplaceTask displace_task_of(BillowSim *sim, double dt)
{
    const Grid *grid = &sim->grid;
    DisplaceTask task = {.sim = sim, .step = (float)(dt / (double)sim->def.cell_size)};
    for (int axis = 0; axis < 3; axis++)
        task.velocity[axis] =
            (Sampler){field_corner(grid, sim->velocity[axis]),
                      bounds_with_given(&sim->def, bounds_of_faces(&sim->def, grid, axis), axis)};
    return task;
}

/* Fields of the velocity, whose ghosts are filled. */
typedef struct GhostTask {
    const BillowSim *sim;
    float *fields[3];
    int reach;
} GhostTask;

static void ghost_task(void *context, Team team)
{
    const GhostTask *task = context;
    const BillowSim *sim = task->sim;
    for (int axis = 0; axis < 3; axis++)
        boundary_fill(&sim->def, &sim->grid, NULL, axis, task->fields[axis], team);
    team_barrier(team);
    exchange_fields(team, &sim->grid, task->fields, 3, task->reach);
    for (int axis = 0; axis < 3; axis++)
        boundary_fill_ends(&sim->def, &sim->grid, NULL, axis, task->fields[axis], team);
}

int advect_fill_ghosts(BillowSim *sim, int reach)
{
    GhostTask task = {.sim = sim, .reach = reach};
    PlaneField planes[3];
    for (int axis = 0; axis < 3; axis++) {
        task.fields[axis] = sim->velocity[axis];
        planes[axis] = planes_of(&sim->grid, sim->velocity[axis]);
        planes[axis].reach = reach;
    }
    if (boundary_has_ghosts(&sim->def)) {
        sim_run(sim, ghost_task, &task);
        return 0;
    }
    exchange_begin(sim_alone(sim), planes, 3);
    return sim->ranks == NULL ? 0 : reach;
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

/* Largest absolute value of a field of the wind on all ranks. */
static double most_of(const BillowSim *sim, const float *field)
{
    MostTask task = {sim, field, field == sim->velocity[2]};
    double most = 0;
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

/* Planes from which displacements over dt are computed. */
static int displacing_reach(const BillowSim *sim, double dt)
{
    double most = sim->ranks != NULL ? most_of(sim, sim->velocity[2]) : 0;
    return sample_reach(sim, 0.5 * most * dt / (double)sim->def.cell_size);
}

int displacement_reach(const BillowSim *sim)
{
    const float *z = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT)[2];
    return sample_reach(sim, sim->ranks != NULL ? most_of(sim, z) : 0);
}

static void winds_task(void *context, Team team)
{
    const BillowSim *sim = context;
    const Grid *grid = &sim->grid;
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++)
            for (int axis = 0; axis < 3; axis++)
                sim->smoke.winds[j + (ptrdiff_t)k * grid->ny].speed[axis] =
                    (float)most_of_row(d[axis] + grid_row(grid, j, k), grid->nx);
}

void displacement_winds(BillowSim *sim)
{
    sim_run(sim, winds_task, sim);
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

static void displace_row(const DisplaceTask *task, int j, int k)
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

static void displace_planes(const void *context, Slab slab)
{
    const DisplaceTask *task = context;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < task->sim->grid.ny; j++)
            displace_row(task, j, k);
}

static void displace_task(void *context, Team team)
{
    const DisplaceTask *task = context;
    advect_pass(task->sim, displace_planes, task, task->arriving, team);
}

void advect_displace(BillowSim *sim, double dt)
{
    if (sim->displaced_dt == dt)
        return;
    displacement_drop(sim);
    scratch_claim(&sim->scratch, SCRATCH_DISPLACEMENT);
    DisplaceTask task = displace_task_of(sim, dt);
    task.arriving = advect_fill_ghosts(sim, displacing_reach(sim, dt));
    sim_run(sim, displace_task, &task);
    sim->reach = displacement_reach(sim);
    fetch_displacement(sim);
    sim->displaced_dt = dt;
    profile_traffic(sim, 6);
}
