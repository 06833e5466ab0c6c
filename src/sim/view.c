/* SPDX-License-Identifier: MIT
 *
 * The public view of a simulation: read-only pointers, writable fields, and the names of stages and
 * solvers. */
#include "sim/fields/carried.h"
#include "sim/fields/field_table.h"
#include "sim/follow/follow.h"
#include "sim/sim.h"

#include "base/float_mode.h"
#include "sim/fields/constants.h"

#include <assert.h>
#include <string.h>

/* Lets the fields of a view begin at the first cell of the window. */
static void begin_at_window(const Grid *grid, BillowView *view)
{
    BillowField list[BILLOW_FIELDS_MAX];
    int count = billow_list_fields(view, list);
    for (int f = 0; f < count; f++) {
        bool packed = list[f].place == BILLOW_CHECKERBOARD;
        const float *values[3] = {NULL, NULL, NULL};
        for (int a = 0; a < list[f].arrays; a++)
            values[a] = list[f].values[a] + (packed ? grid_first(grid) / 2 : grid_first(grid));
        billow_set_field(view, &list[f], values);
    }
    for (int axis = 0; axis < 3; axis++)
        view->origin[axis] =
            (float)((double)view->origin[axis] + grid->window.low[axis] * (double)view->cell_size);
}

BillowView billow_view(const BillowSim *sim)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    const Grid *grid = &sim->grid;
    const Region *window = &grid->window;
    BillowView view = {
        .nx = window->high[0] - window->low[0],
        .ny = window->high[1] - window->low[1],
        .nz = window->high[2] - window->low[2],
        .stride_y = grid->stride_y,
        .stride_z = grid->stride_z,
        .cell_size = sim->def.cell_size,
        .origin = {sim->def.origin[0], sim->def.origin[1], sim->def.origin[2]},
        .box = {grid->nx, grid->ny, grid->nz},
        .box_origin = {sim->def.origin[0], sim->def.origin[1], sim->def.origin[2]},
        .time = sim->time,
        .flame = sim->flame,
        .u = sim->velocity[0],
        .v = sim->velocity[1],
        .w = sim->velocity[2],
        .solid = sim->solids != NULL ? sim->solids->distance : NULL,
        .tracer = {sim->tracers.place[0], sim->tracers.place[1], sim->tracers.place[2]},
        .tracer_age = sim->tracers.age,
        .tracer_velocity = {sim->tracers.velocity[0], sim->tracers.velocity[1],
                            sim->tracers.velocity[2]},
        .tracer_life = sim->tracers.life,
        .tracer_count = sim->def.tracers,
        .solid_version = sim->solids != NULL ? sim->solids->version : 0,
    };
    /* the pressure is stored as dt p / (rho h) */
    double unit = sim->projected_dt > 0
                      ? (double)AIR_DENSITY * (double)sim->def.cell_size / sim->projected_dt
                      : 0;
    Packed pressure = grid_packed(grid, sim->pressure);
    view.pressure[0] = pressure.color[0];
    view.pressure[1] = pressure.color[1];
    view.pressure_stride_y = grid->packed_y;
    view.pressure_stride_z = grid->packed_z;
    view.pressure_unit = (float)unit;
    scalars_view(sim, &view);
    bool changes = growth_on(&sim->def) || sim->follow != NULL;
    for (int axis = 0; axis < 3; axis++) {
        view.home[0][axis] = sim->home.origin[axis];
        view.home[1][axis] =
            sim->home.origin[axis] + (changes ? (float)sim->home.n[axis] * view.cell_size : 0);
    }
    texture_weigh(sim, view.texture_weight);
    if (follows(sim))
        begin_at_window(grid, &view);
    return view;
}

BillowFields billow_fields(BillowSim *sim)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    follow_make_whole(sim); /* the caller may write anywhere */
    sim->touched = true;
    displacement_drop(sim);
    return (BillowFields){.density = sim->density,
                          .temperature = sim->temperature,
                          .u = sim->velocity[0],
                          .v = sim->velocity[1],
                          .w = sim->velocity[2],
                          .color = {sim->color[0], sim->color[1], sim->color[2]},
                          .fuel = sim->fuel};
}

/* -- names ------------------------------------------------------------------------------------- */

const char *billow_stage_name(BillowStage stage)
{
    static const char *const names[BILLOW_STAGES] = {
        "sources",    "advect_velocity", "forces",         "diffuse_velocity", "boundaries",
        "combustion", "project",         "advect_scalars", "account",
    };
    return stage >= 0 && stage < BILLOW_STAGES ? names[stage] : "";
}

const char *billow_pressure_name(BillowPressure pressure)
{
    static const char *const names[] = {"relaxation", "multigrid", "conjugate_gradients"};
    return pressure >= BILLOW_RELAXATION && pressure <= BILLOW_CONJUGATE_GRADIENTS ? names[pressure]
                                                                                   : "";
}
