/* SPDX-License-Identifier: MIT
 *
 * Stage 2: advection of the velocity (advect.c), which conserves the momentum along periodic axes.
 */
#include "sim/advection/advect_velocity.h"

#include "sim/advection/advect.h"
#include "sim/fields/boundary.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct VelocityTask {
    BillowSim *sim;
    SampleBounds components[3]; /* bounds of each component as an advected field */
    float limit;                /* largest speed, m/s */
    float *out[3];              /* new components */
    int arriving; /* planes of other ranks, beside this one's, that are on their way; 0: none */
} VelocityTask;

static VelocityTask velocity_task(BillowSim *sim, double dt)
{
    VelocityTask task = {.sim = sim,
                         .limit = (float)(SPEED_LIMIT_CELLS / (dt / (double)sim->def.cell_size))};
    for (int axis = 0; axis < 3; axis++) {
        SampleBounds faces = bounds_of_faces(&sim->def, &sim->grid, axis);
        SampleBounds given = bounds_with_given(&sim->def, faces, axis);
        task.components[axis] = bounds_short_of_next(bounds_with_open(&sim->def, given), axis);
    }
    return task;
}

/* Advects the faces of row (j, k) of a component. Their displacements are the means of those of two
 * cells. */
static void advect_faces(const VelocityTask *task, int axis, int j, int k)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Rows high = displacement_row(sim, j, k);
    Rows low =
        axis == 0 ? rows_from(high, -1) : displacement_row(sim, j - (axis == 1), k - (axis == 2));
    Origins from = {1, (float)(j + 1), (float)(k + 1), low, high};
    Advected field = {field_corner(grid, sim->velocity[axis]), 1,
                      task->out[axis] + grid_row(grid, j, k)};
    advect_kernel(sim)(&task->components[axis], &from, &field, 1, task->limit,
                       grid->nx + (axis == 0));
}

/* Components first..last. */
typedef struct Components {
    const VelocityTask *task;
    int first, last;
} Components;

static void advect_planes(const void *context, Slab slab)
{
    const Components *c = context;
    const VelocityTask *task = c->task;
    const Grid *grid = &task->sim->grid;
    int first = c->first, last = c->last;
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < grid->ny; j++) {
            prefetch_displacement(task->sim, j, k);
            for (int axis = first; axis <= last; axis++) {
                prefetch_sampled(grid, task->sim->velocity[axis], j, k);
                advect_faces(task, axis, j, k);
            }
        }
        if (first <= 1 && last >= 1)
            advect_faces(task, 1, grid->ny, k);
    }
    for (int j = 0; j < grid->ny && last == 2 && slab_ends(slab, grid->nz); j++)
        advect_faces(task, 2, j, grid->nz);
}

static void advect_components(const VelocityTask *task, int first, int last, int arriving,
                              Team team)
{
    advect_pass(task->sim, advect_planes, &(Components){task, first, last}, arriving, team);
}

static void advect_velocity_task(void *context, Team team)
{
    const VelocityTask *task = context;
    if (params_reflect(&task->sim->def.params))
        advect_components(task, 0, 2, task->arriving, team);
    else {
        advect_components(task, 0, 1, task->arriving, team);
        team_barrier(team); /* the new w takes the memory of u */
        advect_components(task, 2, 2, 0, team);
    }
    for (int axis = 0; axis < 3; axis++)
        advect_clear_beyond(task->sim, task->out[axis], axis, team);
}

/* With reflection the new velocity takes the memory of that before the last advection, which
 * nothing needs any more; otherwise SCRATCH_ARRIVING and the memory of u. */
static void advect_components_into(VelocityTask *task)
{
    BillowSim *sim = task->sim;
    float **velocity = sim->velocity;
    if (params_reflect(&sim->def.params)) {
        memcpy(task->out, sim->before, sizeof task->out);
        sim_run(sim, advect_velocity_task, task);
        memcpy(sim->before, velocity, sizeof sim->before);
        memcpy(velocity, task->out, sizeof task->out);
        return;
    }
    scratch_claim(&sim->scratch, SCRATCH_ARRIVING);
    float **arriving = scratch_trade(&sim->scratch, SCRATCH_ARRIVING);
    task->out[0] = arriving[0];
    task->out[1] = arriving[1];
    task->out[2] = velocity[0];
    sim_run(sim, advect_velocity_task, task);
    memcpy(arriving, velocity + 1, 2 * sizeof *arriving);
    memcpy(velocity, task->out, sizeof task->out);
    scratch_release(&sim->scratch, SCRATCH_ARRIVING);
}

/* -- the velocity at the end of the substep ---------------------------------------------------- */

/* Extrapolates the faces of row (j, k) from the velocity before to as far after the present one:
 * 2 u - before. */
static void lead_row(const BillowSim *sim, int axis, int j, int k)
{
    const float *now = sim->velocity[axis] + grid_row(&sim->grid, j, k);
    float *before = sim->before[axis] + grid_row(&sim->grid, j, k);
    for (int i = 0; i < sim->grid.nx + (axis == 0); i++)
        before[i] = 2.0f * now[i] - before[i];
}

static void lead_task(void *context, Team team)
{
    const BillowSim *sim = context;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int axis = 0; axis < 3; axis++) {
        int end = slab.end + (axis == 2 ? slab_ends(slab, grid->nz) : 0);
        for (int k = slab.begin; k < end; k++)
            for (int j = 0; j < grid->ny + (axis == 1); j++)
                lead_row(sim, axis, j, k);
    }
}

void advect_lead(BillowSim *sim)
{
    sim_run(sim, lead_task, sim);
}

static void swap_with_before(BillowSim *sim)
{
    float *velocity[3];
    memcpy(velocity, sim->velocity, sizeof velocity);
    memcpy(sim->velocity, sim->before, sizeof velocity);
    memcpy(sim->before, velocity, sizeof velocity);
}

void advect_displace_led(BillowSim *sim, double dt)
{
    swap_with_before(sim);
    advect_displace(sim, dt);
    swap_with_before(sim);
}

/* -- momentum along periodic axes -------------------------------------------------------------- */

typedef struct MomentumTask {
    const BillowSim *sim;
    float *component; /* of the velocity */
    float change;     /* added to every face by change_task */
    int axis;
} MomentumTask;

/* Whether only forces can change the momentum along an axis: if the axis is periodic, and neither
 * solids nor sides of the box hold back the air. */
static bool keeps_momentum(const BillowSim *sim, int axis)
{
    bool keeps = boundary_wraps(&sim->def, axis) && sim->solids == NULL;
    for (int side = 0; side < BILLOW_SIDES; side++)
        keeps = keeps &&
                (sim->def.faces[side] == BILLOW_PERIODIC || sim->def.faces[side] == BILLOW_CLOSED);
    return keeps;
}

/* Sums whole numbers of velocity units, so that the sum does not depend on the order: a shifted
 * flow must give the shifted result, to the bit. The sums may wrap around, but not their
 * differences. */
#define UNITS 0x1p24f /* per m/s */

static void sum_task(void *context, Team team)
{
    const MomentumTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    const float most = 1e6f; /* m/s */
    for (int k = slab.begin; k < slab.end; k++) {
        uint64_t sum = 0;
        for (int j = 0; j < grid->ny; j++) {
            const float *row = task->component + grid_row(grid, j, k);
            for (int i = 0; i < grid->nx; i++)
                sum += (uint64_t)(fabsf(row[i]) < most ? (int64_t)rintf(row[i] * UNITS) : 0);
        }
        task->sim->wind_budgets[k].velocity = sum;
    }
}

static void change_task(void *context, Team team)
{
    const MomentumTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    int last[3] = {grid->nx, grid->ny, slab.end};
    if (task->axis < 2)
        last[task->axis]++;
    else
        last[2] += slab_ends(slab, grid->nz);
    for (int k = slab.begin; k < last[2]; k++)
        for (int j = 0; j < last[1]; j++) {
            float *row = task->component + grid_row(grid, j, k);
            for (int i = 0; i < last[0]; i++)
                row[i] += task->change;
        }
}

/* Sums of the velocity components whose momentum only forces can change, in steps of 2^-24 m/s; 0
 * for the others. */
static void momentum_sums(BillowSim *sim, uint64_t sums[3])
{
    for (int axis = 0; axis < 3; axis++) {
        MomentumTask task = {sim, sim->velocity[axis], 0, axis};
        sums[axis] = 0;
        if (!keeps_momentum(sim, axis))
            continue;
        sim_run(sim, sum_task, &task);
        sim_exchange_wind_budgets(sim);
        for (int k = 0; k < sim->grid.nz; k++)
            sums[axis] += sim->wind_budgets[k].velocity;
    }
}

/* Interpolation at the departure points loses or makes momentum. Adds the same velocity to all
 * faces of a component so that its sum is again that before advection. */
static void momentum_restore(BillowSim *sim, const uint64_t before[3])
{
    const Grid *grid = &sim->grid;
    double cells = (double)grid->nx * grid->ny * grid->nz, h = (double)sim->def.cell_size;
    uint64_t after[3];
    momentum_sums(sim, after);
    for (int axis = 0; axis < 3; axis++) {
        double lost = (double)(int64_t)(before[axis] - after[axis]) / (double)UNITS;
        MomentumTask task = {sim, sim->velocity[axis], (float)(lost / cells), axis};
        if (!keeps_momentum(sim, axis))
            continue;
        sim_run(sim, change_task, &task);
        sim->stats.momentum_restored[axis] += (double)AIR_DENSITY * lost * h * h * h;
    }
}

void advect_velocity(BillowSim *sim, double dt)
{
    uint64_t momentum[3];
    momentum_sums(sim, momentum);
    VelocityTask task = velocity_task(sim, dt);
    task.arriving = advect_fill_ghosts(sim, sim->reach);
    advect_components_into(&task);
    displacement_drop(sim);
    momentum_restore(sim, momentum);
    profile_traffic(sim, 7 + 5);
}
