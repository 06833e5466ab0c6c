/* SPDX-License-Identifier: MIT
 * Defaults and ranges of everything a user can set. */
#include "def.h"
#include "sim.h"

#include "boundary.h"
#include "fail.h"
#include "parallel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

BillowParams billow_default_params(void)
{
    return (BillowParams){
        .buoyancy = 9.81f / 293.0f,
        .weight = 0.1f,
        .vorticity = 4.0f,
        .ignition = 150.0f,
        .burn_rate = 4.0f,
        .burn_heat = 1500.0f,
        .burn_smoke = 1.0f,
        .cfl = 4.0f,
        .substeps_max = 16,
        .advection = BILLOW_SEMI_LAGRANGIAN,
        .pressure = BILLOW_MULTIGRID,
        .cycles = 8,
        .sweeps = 20,
        .tolerance = 1e-3f,
        .overrelaxation = 1.7f,
        .warm_start = true,
        .diffusion_sweeps = 20,
    };
}

BillowEmitter billow_default_emitter(void)
{
    return (BillowEmitter){
        .shape = BILLOW_SPHERE,
        .center = {0.5f, 0.1f, 0.5f},
        .size = {0.08f, 0.08f, 0.08f},
        .rotation = {0, 0, 0, 1},
        .smoke = 6.0f,
        .color = {1, 1, 1},
        .heat = 200.0f,
        .noise_scale = 0.05f,
        .noise_speed = 4.0f,
        .seed = 1,
        .end = 1e9,
    };
}

BillowSolid billow_default_solid(void)
{
    return (BillowSolid){
        .shape = BILLOW_SPHERE,
        .size = {0.1f, 0.1f, 0.1f},
        .center = {0.5f, 0.5f, 0.5f},
        .rotation = {0, 0, 0, 1},
        .motion = BILLOW_DRIVEN,
        .gravity = 9.81f,
        .bounce = 0.5f,
    };
}

BillowForce billow_default_force(void)
{
    return (BillowForce){
        .kind = BILLOW_WIND,
        .center = {0.5f, 0.5f, 0.5f},
        .velocity = {0, 1, 0},
        .scale = 0.1f,
        .speed = 1,
        .seed = 1,
        .end = 1e9,
    };
}

BillowDef billow_default_def(void)
{
    BillowDef def = {
        .nx = 64,
        .ny = 64,
        .nz = 64,
        .cell_size = 1.0f / 64.0f,
        .params = billow_default_params(),
    };
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = BILLOW_CLOSED;
    def.faces[BILLOW_CEILING] = BILLOW_OPEN;
    return def;
}

typedef struct Range {
    const char *name;
    double value, low, high;
} Range;

/* Written so that NaN fails. Values come from floats, so the limits are rounded as floats are. */
static bool inside(const Range *range)
{
    return range->value >= (double)(float)range->low && range->value <= (double)(float)range->high;
}

static const Range *first_outside(const Range *ranges, size_t count)
{
    for (size_t r = 0; r < count; r++)
        if (!inside(&ranges[r]))
            return &ranges[r];
    return NULL;
}

static bool refuse(BillowError *error, const char *where, const Range *range)
{
    return fail(error, "%s%s is %g; it must lie between %g and %g", where, range->name,
                range->value, range->low, range->high);
}

bool params_check(const BillowParams *params, BillowError *error)
{
    const Range ranges[] = {
        {"buoyancy", (double)params->buoyancy, -10, 10},
        {"weight", (double)params->weight, -100, 100},
        {"vorticity", (double)params->vorticity, 0, 100},
        {"viscosity", (double)params->viscosity, 0, 1e6},
        {"smoke_diffusion", (double)params->smoke_diffusion, 0, 1e6},
        {"heat_diffusion", (double)params->heat_diffusion, 0, 1e6},
        {"dissipation", (double)params->dissipation, 0, 1e3},
        {"cooling", (double)params->cooling, 0, 1e3},
        {"radiation", (double)params->radiation, 0, 1e3},
        {"ignition", (double)params->ignition, 0, 1e4},
        {"burn_rate", (double)params->burn_rate, 0, 1e3},
        {"burn_heat", (double)params->burn_heat, 0, 1e5},
        {"burn_smoke", (double)params->burn_smoke, 0, 1e3},
        {"burn_expansion", (double)params->burn_expansion, 0, 100},
        {"cfl", (double)params->cfl, 0.1, 100},
        {"substeps_max", params->substeps_max, 1, 1000},
        {"advection", params->advection, BILLOW_SEMI_LAGRANGIAN, BILLOW_CONSERVATIVE_SMOOTH},
        {"pressure", params->pressure, BILLOW_RELAXATION, BILLOW_CONJUGATE_GRADIENTS},
        {"cycles", params->cycles, 1, 1000},
        {"sweeps", params->sweeps, 1, 100000},
        {"tolerance", (double)params->tolerance, BILLOW_TOLERANCE_MIN, 1},
        {"overrelaxation", (double)params->overrelaxation, 0.1, 1.98},
        {"diffusion_sweeps", params->diffusion_sweeps, 1, 100000},
    };
    const Range *outside = first_outside(ranges, sizeof ranges / sizeof ranges[0]);
    return outside == NULL || refuse(error, "parameter ", outside);
}

bool shape_check(BillowShape shape, const float rotation[4], const BillowVolume *volume,
                 const char *where, BillowError *error)
{
    double squared = 0;
    for (int i = 0; i < 4; i++)
        squared += (double)rotation[i] * (double)rotation[i];
    if (!(fabs(sqrt(squared) - 1) <= 1e-2))
        return fail(error,
                    "%srotation (%g, %g, %g, %g) has the length %g; a rotation is a unit "
                    "quaternion",
                    where, (double)rotation[0], (double)rotation[1], (double)rotation[2],
                    (double)rotation[3], sqrt(squared));
    if (shape != BILLOW_VOLUME)
        return true;
    if (volume == NULL || volume->distance == NULL)
        return fail(error, "%sshape is a volume, but there is no volume", where);
    const Range ranges[] = {
        {"volume.nx", volume->nx, 2, BILLOW_GRID_MAX},
        {"volume.ny", volume->ny, 2, BILLOW_GRID_MAX},
        {"volume.nz", volume->nz, 2, BILLOW_GRID_MAX},
        {"volume.spacing", (double)volume->spacing, 1e-9, 1e4},
    };
    const Range *outside = first_outside(ranges, sizeof ranges / sizeof ranges[0]);
    return outside == NULL || refuse(error, where, outside);
}

enum { WHERE = 32 };

/* "emitters[2]." before a value's name. */
static void name_entry(const char *list, int index, char where[WHERE])
{
    snprintf(where, WHERE, "%s[%d].", list, index);
}

bool emitter_check(const BillowEmitter *emitter, int index, BillowError *error)
{
    char where[WHERE];
    name_entry("emitters", index, where);
    const BillowEmitter *e = emitter;
    const Range ranges[] = {
        {"shape", e->shape, BILLOW_SPHERE, BILLOW_VOLUME},
        {"center[0]", (double)e->center[0], -1e6, 1e6},
        {"center[1]", (double)e->center[1], -1e6, 1e6},
        {"center[2]", (double)e->center[2], -1e6, 1e6},
        {"size[0]", (double)e->size[0], 0, 1e4},
        {"size[1]", (double)e->size[1], 0, 1e4},
        {"size[2]", (double)e->size[2], 0, 1e4},
        {"smoke", (double)e->smoke, 0, 1e6},
        {"color[0]", (double)e->color[0], 0, 1},
        {"color[1]", (double)e->color[1], 0, 1},
        {"color[2]", (double)e->color[2], 0, 1},
        {"heat", (double)e->heat, -1e6, 1e6},
        {"fuel", (double)e->fuel, 0, 1e6},
        {"expansion", (double)e->expansion, -1e3, 1e3},
        {"velocity[0]", (double)e->velocity[0], -1e4, 1e4},
        {"velocity[1]", (double)e->velocity[1], -1e4, 1e4},
        {"velocity[2]", (double)e->velocity[2], -1e4, 1e4},
        {"burst", (double)e->burst, -1e4, 1e4},
        {"grip", (double)e->grip, 0, 1e6},
        {"tracers", (double)e->tracers, 0, 1e8},
        {"noise", (double)e->noise, 0, 4},
        {"noise_scale", (double)e->noise_scale, 1e-3, 1e4},
        {"noise_speed", (double)e->noise_speed, 0, 1e3},
        {"start", e->start, 0, 1e9},
        {"end", e->end, 0, 1e9},
    };
    const Range *outside = first_outside(ranges, sizeof ranges / sizeof ranges[0]);
    if (outside != NULL)
        return refuse(error, where, outside);
    return shape_check(e->shape, e->rotation, e->volume, where, error);
}

bool solid_check(const BillowSolid *solid, int index, BillowError *error)
{
    char where[WHERE];
    name_entry("solids", index, where);
    const BillowSolid *s = solid;
    const Range ranges[] = {
        {"shape", s->shape, BILLOW_SPHERE, BILLOW_VOLUME},
        {"size[0]", (double)s->size[0], 0, 1e4},
        {"size[1]", (double)s->size[1], 0, 1e4},
        {"size[2]", (double)s->size[2], 0, 1e4},
        {"center[0]", (double)s->center[0], -1e6, 1e6},
        {"center[1]", (double)s->center[1], -1e6, 1e6},
        {"center[2]", (double)s->center[2], -1e6, 1e6},
        {"velocity[0]", (double)s->velocity[0], -1e4, 1e4},
        {"velocity[1]", (double)s->velocity[1], -1e4, 1e4},
        {"velocity[2]", (double)s->velocity[2], -1e4, 1e4},
        {"spin[0]", (double)s->spin[0], -1e3, 1e3},
        {"spin[1]", (double)s->spin[1], -1e3, 1e3},
        {"spin[2]", (double)s->spin[2], -1e3, 1e3},
        {"motion", s->motion, BILLOW_DRIVEN, BILLOW_FALLING},
        {"gravity", (double)s->gravity, -1e3, 1e3},
        {"bounce", (double)s->bounce, 0, 1},
        {"temperature", (double)s->temperature, -1e4, 1e4},
    };
    const Range *outside = first_outside(ranges, sizeof ranges / sizeof ranges[0]);
    if (outside != NULL)
        return refuse(error, where, outside);
    return shape_check(s->shape, s->rotation, s->volume, where, error);
}

bool force_check(const BillowForce *force, int index, BillowError *error)
{
    char where[WHERE];
    name_entry("forces", index, where);
    const BillowForce *f = force;
    const Range ranges[] = {
        {"kind", f->kind, BILLOW_WIND, BILLOW_TURBULENCE},
        {"center[0]", (double)f->center[0], -1e6, 1e6},
        {"center[1]", (double)f->center[1], -1e6, 1e6},
        {"center[2]", (double)f->center[2], -1e6, 1e6},
        {"radius", (double)f->radius, 0, 1e6},
        {"velocity[0]", (double)f->velocity[0], -1e4, 1e4},
        {"velocity[1]", (double)f->velocity[1], -1e4, 1e4},
        {"velocity[2]", (double)f->velocity[2], -1e4, 1e4},
        {"strength", (double)f->strength, f->kind == BILLOW_WIND ? 0 : -1e4, 1e4},
        {"scale", (double)f->scale, 1e-3, 1e4},
        {"speed", (double)f->speed, 0, 1e3},
        {"start", f->start, 0, 1e9},
        {"end", f->end, 0, 1e9},
    };
    const Range *outside = first_outside(ranges, sizeof ranges / sizeof ranges[0]);
    const float *v = f->velocity;
    if (outside != NULL)
        return refuse(error, where, outside);
    if (f->kind == BILLOW_VORTEX && v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f)
        return fail(error, "%svelocity is 0; a vortex needs it for its axis", where);
    return true;
}

static const char *const side_names[BILLOW_SIDES] = {"left",    "right", "floor",
                                                     "ceiling", "back",  "front"};

const char *boundary_side_name(BillowSide side)
{
    return side_names[side];
}

static bool boundary_in_range(const BillowDef *def, int side, BillowError *error)
{
    const BillowBoundary *b = &def->boundaries[side];
    const Range ranges[] = {
        {"velocity[0]", (double)b->velocity[0], -1e4, 1e4},
        {"velocity[1]", (double)b->velocity[1], -1e4, 1e4},
        {"velocity[2]", (double)b->velocity[2], -1e4, 1e4},
        {"profile", b->profile, BILLOW_UNIFORM, BILLOW_PARABOLIC},
        {"smoke", (double)b->smoke, 0, 1e6},
        {"heat", (double)b->heat, -1e6, 1e6},
        {"temperature", (double)b->temperature, -1e4, 1e4},
    };
    char where[32];
    snprintf(where, sizeof where, "boundaries.%s.", side_names[side]);
    const Range *outside = first_outside(ranges, sizeof ranges / sizeof ranges[0]);
    return outside == NULL || refuse(error, where, outside);
}

/* What a face of this kind has no use for. */
static bool boundary_suits(const BillowDef *def, int side, BillowError *error)
{
    const BillowBoundary *b = &def->boundaries[side];
    const char *name = side_names[side];
    BillowFace face = def->faces[side];
    bool moves = b->velocity[0] != 0.0f || b->velocity[1] != 0.0f || b->velocity[2] != 0.0f;
    float inwards = b->velocity[side / 2] * (side % 2 == 0 ? 1.0f : -1.0f);
    if (moves && face != BILLOW_NO_SLIP && face != BILLOW_INFLOW)
        return fail(error, "boundaries.%s.velocity needs the face to be no_slip or inflow", name);
    if (face == BILLOW_NO_SLIP && inwards != 0.0f)
        return fail(error, "boundaries.%s.velocity[%d] is %g; a wall can only move along itself",
                    name, side / 2, (double)b->velocity[side / 2]);
    if (inwards < 0.0f)
        return fail(error,
                    "boundaries.%s.velocity[%d] is %g, out of the box; an inflow must lead in",
                    name, side / 2, (double)b->velocity[side / 2]);
    if (face != BILLOW_INFLOW &&
        (b->profile != BILLOW_UNIFORM || b->smoke != 0.0f || b->heat != 0.0f))
        return fail(error, "boundaries.%s.%s needs the face to be inflow", name,
                    b->smoke != 0.0f  ? "smoke"
                    : b->heat != 0.0f ? "heat"
                                      : "profile");
    if ((b->isothermal || b->temperature != 0.0f) && face != BILLOW_CLOSED &&
        face != BILLOW_NO_SLIP)
        return fail(error, "boundaries.%s.%s needs the face to be closed or no_slip", name,
                    b->isothermal ? "isothermal" : "temperature");
    return true;
}

/* What flows in must be able to leave. */
static bool inflow_check(const BillowDef *def, BillowError *error)
{
    char names[64] = "";
    double flow = 0;
    int count = 0;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        size_t length = strlen(names);
        if (def->faces[side] == BILLOW_OPEN)
            return true;
        if (boundary_flow(def, (BillowSide)side) == 0)
            continue;
        flow += boundary_flow(def, (BillowSide)side);
        snprintf(names + length, sizeof names - length, "%s%s", count++ > 0 ? ", " : "",
                 side_names[side]);
    }
    return count == 0 ||
           fail(error, "%.3g m3/s flow in (%s), yet no face is open to let them out; open one",
                flow, names);
}

/* Periodic faces come in pairs, with an even number of cells between them: the colours of the
 * relaxation alternate around the axis. */
static bool periods_check(const BillowDef *def, int axis, BillowError *error)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    const char *low = side_names[2 * axis], *high = side_names[2 * axis + 1];
    bool first = def->faces[2 * axis] == BILLOW_PERIODIC,
         second = def->faces[2 * axis + 1] == BILLOW_PERIODIC;
    if (first != second)
        return fail(error, "%s is periodic and %s is not; it must be both or neither",
                    first ? low : high, first ? high : low);
    if (first && cells[axis] % 2 != 0)
        return fail(error, "%d cells from %s to %s; a periodic axis needs an even number of them",
                    cells[axis], low, high);
    return true;
}

bool billow_check_faces(const BillowDef *def, BillowError *error)
{
    for (int side = 0; side < BILLOW_SIDES; side++) {
        if (def->faces[side] < BILLOW_CLOSED || def->faces[side] > BILLOW_PERIODIC)
            return fail(error, "face %d has no known kind (%d)", side, (int)def->faces[side]);
        if (!boundary_in_range(def, side, error) || !boundary_suits(def, side, error))
            return false;
    }
    for (int axis = 0; axis < 3; axis++)
        if (!periods_check(def, axis, error))
            return false;
    return inflow_check(def, error);
}

bool def_check(const BillowDef *def, BillowError *error)
{
    const Range ranges[] = {
        {"nx", def->nx, BILLOW_GRID_MIN, BILLOW_GRID_MAX},
        {"ny", def->ny, BILLOW_GRID_MIN, BILLOW_GRID_MAX},
        {"nz", def->nz, BILLOW_GRID_MIN, BILLOW_GRID_MAX},
        {"cell_size", (double)def->cell_size, 1e-5, 1e4},
        {"origin[0]", (double)def->origin[0], -1e6, 1e6},
        {"origin[1]", (double)def->origin[1], -1e6, 1e6},
        {"origin[2]", (double)def->origin[2], -1e6, 1e6},
        {"emitter_count", def->emitter_count, 0, BILLOW_EMITTERS_MAX},
        {"solid_count", def->solid_count, 0, BILLOW_SOLIDS_MAX},
        {"force_count", def->force_count, 0, BILLOW_FORCES_MAX},
        {"tracers", def->tracers, 0, BILLOW_TRACERS_MAX},
        {"texture_period", (double)def->texture_period, 0, 1e4},
        {"threads", def->threads, 0, 1024},
    };
    const Range *outside = first_outside(ranges, sizeof ranges / sizeof ranges[0]);
    if (outside != NULL)
        return refuse(error, "", outside);
    for (int e = 0; e < def->emitter_count; e++)
        if (!emitter_check(&def->emitters[e], e, error))
            return false;
    for (int s = 0; s < def->solid_count; s++)
        if (!solid_check(&def->solids[s], s, error))
            return false;
    for (int f = 0; f < def->force_count; f++)
        if (!force_check(&def->forces[f], f, error))
            return false;
    return billow_check_faces(def, error) && params_check(&def->params, error);
}

int def_threads(const BillowDef *def)
{
    return def->threads > 0 ? def->threads : team_default_size();
}
