/* SPDX-License-Identifier: MIT
 *
 * The public view of a simulation: read-only pointers, the list of fields, writable fields, and the
 * names of stages and solvers. */
#include "follow.h"
#include "scalars.h"
#include "sim.h"

#include "constants.h"
#include "float_mode.h"

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
        .density = sim->density,
        .temperature = sim->temperature,
        .color = {sim->color[0], sim->color[1], sim->color[2]},
        .age = sim->age,
        .fuel = sim->fuel,
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
    for (int set = 0; set < 2; set++)
        for (int axis = 0; axis < 3; axis++)
            view.texture[set][axis] = sim->texture[set][axis];
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

/* -- the list of fields ------------------------------------------------------------------------ */

#define OFFSET(member) offsetof(BillowView, member)

/* The components of a field are adjacent members of BillowView. One offset therefore finds them
 * all. */
static_assert(OFFSET(v) == OFFSET(u) + sizeof(float *) && OFFSET(w) == OFFSET(v) + sizeof(float *),
              "u, v and w stand side by side");

/* Values below `negligible` are invisible: 0.05 K accelerates air by less than 2 mm/s2, and motion
 * blur hides 1 mm/s. */
static const BillowField all_fields[] = {
    {"density", "1", "concentration of smoke", BILLOW_AT_CENTRES, 1, 1, .amount = true,
     .drawn = true, .negligible = 1e-4f, .offset = OFFSET(density)},
    {"temperature", "K", "temperature above ambient", BILLOW_AT_CENTRES, 1, 1, .drawn = true,
     .negligible = 0.05f, .offset = OFFSET(temperature)},
    {"flame", "1/s", "fuel that burns per second", BILLOW_AT_CENTRES, 1, 1, .amount = true,
     .drawn = true, .negligible = 1e-3f, .offset = OFFSET(flame)},
    {"fuel", "1", "concentration of unburnt fuel", BILLOW_AT_CENTRES, 1, 1, .amount = true,
     .negligible = 1e-4f, .offset = OFFSET(fuel)},
    {"velocity", "m/s", "velocity of the fluid", BILLOW_AT_FACES, 3, 3, .negligible = 1e-3f,
     .offset = OFFSET(u)},
    {"color", "1", "density times its colour, linear Rec. 709", BILLOW_AT_CENTRES, 3, 3,
     .amount = true, .drawn = true, .negligible = 1e-4f, .offset = OFFSET(color)},
    {"age", "s", "density times the mean time since its smoke was released", BILLOW_AT_CENTRES, 1,
     1, .amount = true, .drawn = true, .negligible = 1e-4f, .offset = OFFSET(age)},
    {"pressure", "1", "pressure, of which a 1 is BillowView.pressure_unit", BILLOW_CHECKERBOARD, 1,
     2, .offset = OFFSET(pressure)},
    {"solid", "cells", "distance from the nearest solid", BILLOW_AT_CORNERS, 1, 1, .drawn = true,
     .offset = OFFSET(solid)},
    {"texture[0]", "m", "advected texture coordinates, first set", BILLOW_AT_CENTRES, 3, 3,
     .drawn = true, .offset = OFFSET(texture[0])},
    {"texture[1]", "m", "advected texture coordinates, second set", BILLOW_AT_CENTRES, 3, 3,
     .drawn = true, .offset = OFFSET(texture[1])},
};

enum { ALL_FIELDS = sizeof all_fields / sizeof all_fields[0] };
static_assert(ALL_FIELDS <= BILLOW_FIELDS_MAX, "the public list holds every field");

static const float **member(const BillowView *view, const BillowField *field)
{
    return (const float **)((char *)view + field->offset);
}

int billow_list_fields(const BillowView *view, BillowField fields[BILLOW_FIELDS_MAX])
{
    assert(view != NULL && fields != NULL);
    int count = 0;
    for (int f = 0; f < ALL_FIELDS; f++) {
        const float **values = member(view, &all_fields[f]);
        if (values[0] == NULL)
            continue;
        fields[count] = all_fields[f];
        memcpy(fields[count++].values, values, (size_t)all_fields[f].arrays * sizeof *values);
    }
    return count;
}

void billow_set_field(BillowView *view, const BillowField *field, const float *values[3])
{
    assert(view != NULL && field != NULL);
    for (int a = 0; a < field->arrays; a++)
        member(view, field)[a] = values != NULL ? values[a] : NULL;
}

int billow_list_fields_of(const BillowDef *def, BillowField fields[BILLOW_FIELDS_MAX])
{
    FLOAT_MODE_OWN;
    assert(def != NULL && fields != NULL);
    static const float there = 0;
    BillowView view = {.density = &there,
                       .temperature = &there,
                       .u = &there,
                       .pressure = {&there},
                       .fuel = def->fire ? &there : NULL,
                       .flame = def->fire ? &there : NULL,
                       .color = {def->color ? &there : NULL},
                       .age = def->age ? &there : NULL,
                       .solid = def->solid_count > 0 ? &there : NULL};
    for (int set = 0; set < 2 && def->texture_period > 0.0f; set++)
        view.texture[set][0] = &there;
    int count = billow_list_fields(&view, fields);
    for (int f = 0; f < count; f++)
        memset(fields[f].values, 0, sizeof fields[f].values);
    return count;
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
