/* SPDX-License-Identifier: MIT
 *
 * The table of fields. Whatever treats scalars alike loops over it: memory, advection, diffusion,
 * release, what flows in, solids, expansion, growth, statistics, saved states, the hash, views,
 * up-resolution, snapshots, `billow bake` and error messages. */
#include "sim/fields/field_table.h"

#include "base/float_mode.h"
#include "base/hash.h"
#include "base/parameter.h"
#include "sim/growth.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define DEF(member)   offsetof(BillowDef, member)
#define VIEW(member)  offsetof(BillowView, member)
#define SIM(member)   offsetof(BillowSim, member)
#define PARAM(member) offsetof(BillowParams, member)
#define TOTAL(member) offsetof(BillowStats, member)
#define RATE(member)  offsetof(BillowEmitter, member)

/* One row of the table. An offset of 0 means that there is none. It cannot be a real offset,
 * because the first members of those structs are no such values. */
typedef struct FieldRow {
    BillowField field; /* what callers see, but for the values */
    size_t needs; /* the value of BillowDef that is above 0 where the field is there; 0: it is in
                     every simulation */
    /* Of a scalar that the flow advects: */
    size_t memory;                        /* offset in BillowSim of its first pointer */
    const char *parts[3];                 /* names of the parts of a vector; else NULL */
    size_t rate, decay, diffusion, total; /* as in Scalar */
    Inflow inflow;
    float active; /* magnitude above which a cell is active; 0: none is */
    bool texture, of_smoke;
} FieldRow;

/* The components of a field are adjacent members of BillowView. One offset therefore finds them
 * all. */
static_assert(VIEW(v) == VIEW(u) + sizeof(float *) && VIEW(w) == VIEW(v) + sizeof(float *),
              "u, v and w stand side by side");

/* The order of the rows is that of lists of fields; that of the scalars among them is the order of
 * the arena, of saved states, of the hash and of the statistics. Values below `negligible` are
 * invisible: 0.05 K accelerates air by less than 2 mm/s2, and motion blur hides 1 mm/s. */
static const FieldRow rows[] = {
    {.field = {"density", "1", "concentration of smoke", BILLOW_AT_CENTRES, 1, 1, .amount = true,
               .drawn = true, .negligible = 1e-4f, .offset = VIEW(density)},
     .memory = SIM(density),
     .rate = RATE(smoke),
     .decay = PARAM(dissipation),
     .diffusion = PARAM(smoke_diffusion),
     .total = TOTAL(mass),
     .inflow = INFLOW_SMOKE,
     .active = 1e-4f},
    {.field = {"temperature", "K", "temperature above ambient", BILLOW_AT_CENTRES, 1, 1,
               .drawn = true, .negligible = 0.05f, .offset = VIEW(temperature)},
     .memory = SIM(temperature),
     .rate = RATE(heat),
     .decay = PARAM(cooling),
     .diffusion = PARAM(heat_diffusion),
     .total = TOTAL(heat),
     .inflow = INFLOW_HEAT,
     .active = 0.1f},
    {.field = {"flame", "1/s", "fuel that burns per second", BILLOW_AT_CENTRES, 1, 1,
               .amount = true, .drawn = true, .negligible = 1e-3f, .offset = VIEW(flame)},
     .needs = DEF(fire)},
    {.field = {"fuel", "1", "concentration of unburnt fuel", BILLOW_AT_CENTRES, 1, 1,
               .amount = true, .negligible = 1e-4f, .offset = VIEW(fuel)},
     .needs = DEF(fire),
     .memory = SIM(fuel),
     .rate = RATE(fuel),
     .diffusion = PARAM(smoke_diffusion),
     .total = TOTAL(fuel),
     .active = 1e-4f},
    {.field = {"velocity", "m/s", "velocity of the fluid", BILLOW_AT_FACES, 3, 3, .wind = true,
               .negligible = 1e-3f, .offset = VIEW(u)}},
    {.field = {"color", "1", "density times its colour, linear Rec. 709", BILLOW_AT_CENTRES, 3, 3,
               .amount = true, .drawn = true, .negligible = 1e-4f, .offset = VIEW(color)},
     .needs = DEF(color),
     .memory = SIM(color),
     .parts = {"color[0]", "color[1]", "color[2]"},
     .decay = PARAM(dissipation),
     .diffusion = PARAM(smoke_diffusion),
     .total = TOTAL(color),
     .inflow = INFLOW_SMOKE,
     .of_smoke = true}, /* the smoke that flows in is white */
    {.field = {"age", "s", "density times the mean time since its smoke was released",
               BILLOW_AT_CENTRES, 1, 1, .amount = true, .drawn = true, .negligible = 1e-4f,
               .offset = VIEW(age)},
     .needs = DEF(age),
     .memory = SIM(age),
     .decay = PARAM(dissipation),
     .diffusion = PARAM(smoke_diffusion),
     .of_smoke = true},
    {.field = {"pressure", "1", "pressure, of which a 1 is BillowView.pressure_unit",
               BILLOW_CHECKERBOARD, 1, 2, .wind = true, .offset = VIEW(pressure)}},
    {.field = {"solid", "cells", "distance from the nearest solid", BILLOW_AT_CORNERS, 1, 1,
               .wind = true, .drawn = true, .offset = VIEW(solid)},
     .needs = DEF(solid_count)},
    {.field = {"texture[0]", "m", "advected texture coordinates, first set", BILLOW_AT_CENTRES, 3,
               3, .wind = true, .drawn = true, .offset = VIEW(texture[0])},
     .needs = DEF(texture_period),
     .memory = SIM(texture[0]),
     .texture = true,
     .parts = {"texture[0][0]", "texture[0][1]", "texture[0][2]"}},
    {.field = {"texture[1]", "m", "advected texture coordinates, second set", BILLOW_AT_CENTRES, 3,
               3, .wind = true, .drawn = true, .offset = VIEW(texture[1])},
     .needs = DEF(texture_period),
     .memory = SIM(texture[1]),
     .texture = true,
     .parts = {"texture[1][0]", "texture[1][1]", "texture[1][2]"}},
};

enum { ROWS = sizeof rows / sizeof rows[0] };
static_assert(ROWS <= BILLOW_FIELDS_MAX, "the public list holds every field");

/* The parameter of BillowDef at row->needs. */
static const BillowParameter *need_of(const FieldRow *row)
{
    int count, p = 0;
    const BillowParameter *parameters = billow_parameters(BILLOW_TABLE_DEF, &count);
    while (p < count - 1 && parameters[p].offset != row->needs)
        p++;
    return &parameters[p];
}

static bool is_present(const FieldRow *row, const BillowDef *def)
{
    return row->needs == 0 || parameter_number(need_of(row), def, 0) > 0;
}

/* -- scalars ----------------------------------------------------------------------------------- */

static float param_at(const BillowParams *params, size_t offset)
{
    return offset != 0 ? *(const float *)((const char *)params + offset) : 0;
}

/* Writes the scalars of a row that are there, and returns their number. kind: of the first. */
static int scalars_of_row(const FieldRow *row, const BillowDef *def, BillowSim *sim, int kind,
                          Scalar *list)
{
    if (row->memory == 0 || !is_present(row, def))
        return 0;
    for (int a = 0; a < row->field.arrays; a++) {
        double *total = (double *)((char *)&sim->stats + row->total);
        list[a] = (Scalar){
            .name = row->parts[a] != NULL ? row->parts[a] : row->field.name,
            .field = (float **)((char *)sim + row->memory) + a,
            .kind = kind + a,
            .amount = row->field.amount,
            .smoke = row->of_smoke || kind == SCALAR_DENSITY,
            .texture = row->texture,
            .active = {row->active > 0.0f && !row->field.amount ? -row->active : -INFINITY,
                       row->active > 0.0f ? row->active : INFINITY},
            .rate = row->rate,
            .decay = param_at(&def->params, row->decay),
            .diffusion = param_at(&def->params, row->diffusion),
            .total = row->total != 0 ? total + a : NULL,
        };
    }
    return row->field.arrays;
}

int scalars_of(const BillowDef *def, BillowSim *sim, Scalar list[SCALARS_MAX])
{
    int count = 0, kind = SCALAR_DENSITY;
    for (int r = 0; r < ROWS; r++) {
        count += scalars_of_row(&rows[r], def, sim, kind, &list[count]);
        kind += rows[r].memory != 0 ? rows[r].field.arrays : 0;
    }
    assert(count <= SCALARS_MAX);
    return count;
}

int scalars_list(BillowSim *sim, Scalar list[SCALARS_MAX])
{
    return scalars_of(&sim->def, sim, list);
}

int scalars_that_activate(const BillowSim *sim, Scalar list[SCALARS_MAX])
{
    int count = scalars_list((BillowSim *)sim, list), kept = 0; /* only lists the fields */
    for (int s = 0; s < count; s++)
        if (list[s].active[1] < INFINITY)
            list[kept++] = list[s];
    return kept;
}

int scalars_count(const BillowDef *def)
{
    int count = 0;
    for (int r = 0; r < ROWS; r++)
        count += rows[r].memory != 0 && is_present(&rows[r], def) ? rows[r].field.arrays : 0;
    return count;
}

uint32_t scalars_present(const BillowDef *def)
{
    uint32_t found = 0;
    for (int r = 0; r < ROWS; r++)
        found |= rows[r].memory != 0 && is_present(&rows[r], def) ? 1u << r : 0;
    return found;
}

const char *scalars_need(uint32_t found)
{
    int row = 0;
    while (row < ROWS - 1 && (found >> row & 1) == 0)
        row++;
    return need_of(&rows[row])->name;
}

uint64_t scalars_hash_names(uint64_t hash)
{
    for (int r = 0; r < ROWS; r++)
        if (rows[r].memory != 0)
            hash = hash_bytes(hash, rows[r].field.name, strlen(rows[r].field.name));
    return hash;
}

Inflow scalar_inflow(int kind)
{
    int first = SCALAR_DENSITY;
    for (int r = 0; r < ROWS; r++) {
        first += rows[r].memory != 0 ? rows[r].field.arrays : 0;
        if (kind < first)
            return rows[r].inflow;
    }
    return INFLOW_NOTHING;
}

/* -- fields of views --------------------------------------------------------------------------- */

static const float **member(const BillowView *view, const BillowField *field)
{
    return (const float **)((char *)view + field->offset);
}

int scalars_of_view(const BillowView *view, ViewScalar list[VIEW_SCALARS_MAX])
{
    int count = 0;
    for (int r = 0; r < ROWS; r++) {
        const BillowField *field = &rows[r].field;
        const float **values = member(view, field);
        if (field->place != BILLOW_AT_CENTRES || rows[r].texture || values[0] == NULL)
            continue;
        for (int a = 0; a < field->arrays; a++)
            list[count++] =
                (ViewScalar){&values[a], rows[r].of_smoke, field->amount && rows[r].active > 0.0f};
    }
    assert(count <= VIEW_SCALARS_MAX);
    return count;
}

int billow_list_fields(const BillowView *view, BillowField fields[BILLOW_FIELDS_MAX])
{
    assert(view != NULL && fields != NULL);
    int count = 0;
    for (int r = 0; r < ROWS; r++) {
        const BillowField *field = &rows[r].field;
        const float **values = member(view, field);
        if (values[0] == NULL)
            continue;
        fields[count] = *field;
        memcpy(fields[count++].values, values, (size_t)field->arrays * sizeof *values);
    }
    return count;
}

void billow_set_field(BillowView *view, const BillowField *field, const float *values[3])
{
    assert(view != NULL && field != NULL);
    for (int a = 0; a < field->arrays; a++)
        member(view, field)[a] = values != NULL ? values[a] : NULL;
}

BillowView billow_wind_view(const BillowView *view)
{
    FLOAT_MODE_OWN;
    assert(view != NULL);
    BillowView wind = *view;
    wind.refine = 1;
    wind.spans = NULL;
    if (view->refine < 1) {
        wind.wind_stride_y = view->stride_y;
        wind.wind_stride_z = view->stride_z;
    } else {
        wind.stride_y = view->wind_stride_y;
        wind.stride_z = view->wind_stride_z;
        wind.nx /= view->refine;
        wind.ny /= view->refine;
        wind.nz /= view->refine;
        wind.cell_size *= (float)view->refine;
    }
    for (int r = 0; r < ROWS; r++)
        if (!rows[r].field.wind)
            billow_set_field(&wind, &rows[r].field, NULL);
    return wind;
}

void billow_cell_velocity(const BillowView *view, const int cell[3], float velocity[3])
{
    FLOAT_MODE_OWN;
    assert(view != NULL && view->u != NULL && velocity != NULL);
    const BillowView wind = billow_wind_view(view);
    const float *const faces[3] = {wind.u, wind.v, wind.w};
    const ptrdiff_t strides[3] = {1, wind.stride_y, wind.stride_z};
    const int n[3] = {wind.nx, wind.ny, wind.nz}, refine = view->refine > 1 ? view->refine : 1;
    float share[3]; /* from the low to the high face along each axis */
    float side[3];  /* from the centre of the wind's cell to that of a neighbour */
    ptrdiff_t at = 0, beside[3];
    for (int axis = 0; axis < 3; axis++) {
        const int around = cell[axis] / refine;
        share[axis] = ((float)(cell[axis] % refine) + 0.5f) / (float)refine;
        const bool before = share[axis] < 0.5f;
        const bool within = before ? around > 0 : around + 1 < n[axis];
        at += around * strides[axis];
        side[axis] = fabsf(share[axis] - 0.5f);
        beside[axis] = !within ? 0 : before ? -strides[axis] : strides[axis];
    }
    for (int c = 0; c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        float sum = 0;
        for (int corner = 0; corner < 4; corner++) {
            const float weight =
                (corner & 1 ? side[a] : 1 - side[a]) * (corner & 2 ? side[b] : 1 - side[b]);
            const float *face =
                faces[c] + at + (corner & 1 ? beside[a] : 0) + (corner & 2 ? beside[b] : 0);
            if (weight > 0.0f)
                sum += weight * ((1 - share[c]) * face[0] + share[c] * face[strides[c]]);
        }
        velocity[c] = sum;
    }
}

int billow_list_fields_of(const BillowDef *def, BillowField fields[BILLOW_FIELDS_MAX])
{
    FLOAT_MODE_OWN;
    assert(fields != NULL);
    int count = 0;
    for (int r = 0; r < ROWS; r++)
        if (def == NULL || is_present(&rows[r], def))
            fields[count++] = rows[r].field;
    return count;
}

/* -- age ---------------------------------------------------------------------------------------
 *
 * The field is density times age, an amount that mixes and moves as smoke does: its quotient by
 * the density is the mean age of the smoke in a cell. Both decay alike. */

typedef struct AgeTask {
    BillowSim *sim;
    float seconds;
} AgeTask;

static void age_task(void *context, Team team)
{
    const AgeTask *task = context;
    const BillowSim *sim = task->sim;
    const Smoke *smoke = &sim->smoke;
    Slab slab = smoke_slab(sim, team);
    for (int k = slab.begin; k < slab.end; k++)
        FOR_SMOKE_ROWS(smoke, j, k)
        {
            const Span span = smoke_span(smoke, j, k);
            ptrdiff_t at = grid_row(&smoke->grid, j, k);
            for (int i = span.begin; i < span.end; i++)
                sim->age[at + i] += task->seconds * sim->density[at + i];
        }
}

void age_advance(BillowSim *sim, double dt)
{
    if (!sim->def.age)
        return;
    sim_run(sim, age_task, &(AgeTask){sim, (float)dt});
    profile_traffic(sim, 3);
}

/* -- texture coordinates (Neyret 2003, "Advected textures") --------------------------------------
 *
 * Texture coordinates X are the position at which the fluid at x was when they were last reset. The
 * flow advects them, so that a texture looked up at X moves with the fluid. The flow also distorts
 * them; therefore they are reset to X = x every period. There are two sets, half a period apart;
 * the weight of each is 0 around its own reset. The fields store the displacement M = x - X, which
 * is small and continuous across periodic faces:
 *
 *     M'(x) = M(x - d) + d
 *
 * Fluid that enters the box takes the M of the nearest cell inside. */

typedef struct TextureTask {
    BillowSim *sim;
    bool reset[2];
} TextureTask;

static void texture_row(const TextureTask *task, ptrdiff_t at, int n)
{
    BillowSim *sim = task->sim;
    float h = sim->def.cell_size;
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    for (int set = 0; set < 2; set++)
        for (int axis = 0; axis < 3; axis++) {
            float *moved = sim->texture[set][axis] + at;
            const float *displacement = d[axis] + at;
            if (task->reset[set])
                memset(moved, 0, (size_t)n * sizeof *moved);
            else
                for (int i = 0; i < n; i++)
                    moved[i] += h * displacement[i];
        }
}

static void texture_task(void *context, Team team)
{
    const TextureTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++)
            texture_row(task, grid_row(grid, j, k), grid->nx);
}

/* Number of periods since the first reset of a set. The first reset of set 1 counts as half a
 * period before time 0. */
static double phase(const BillowSim *sim, int set, double time)
{
    return time / (double)sim->def.texture_period + 0.5 * set;
}

void texture_advance(BillowSim *sim, double dt)
{
    TextureTask task = {.sim = sim};
    if (!(sim->def.texture_period > 0.0f))
        return;
    for (int set = 0; set < 2; set++) {
        double turns = floor(phase(sim, set, sim->time + dt));
        task.reset[set] = turns != sim->texture_turns[set];
        sim->texture_turns[set] = turns;
    }
    sim_run(sim, texture_task, &task);
    profile_traffic(sim, 6 * 2 + 3);
}

/* The weight of set 0 rises smoothly from 0 at a reset to 1 half way to the next. Within a
 * sixteenth of a period of a reset it is 0, so that a reset anywhere in a substep does not show.
 * The two weights add up to 1. */
void texture_weigh(const BillowSim *sim, float weight[2])
{
    const double margin = 1.0 / 16;
    weight[0] = weight[1] = 0;
    if (!(sim->def.texture_period > 0.0f))
        return;
    double turn = phase(sim, 0, sim->time), off = 0.5 - fabs(turn - floor(turn) - 0.5);
    double share = fmin(fmax((off - margin) / (0.5 - 2 * margin), 0), 1);
    weight[0] = (float)(share * share * (3 - 2 * share));
    weight[1] = 1 - weight[0];
}

/* -- views of simulations ---------------------------------------------------------------------- */

BillowView billow_view(const BillowSim *sim)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    const Grid *grid = &sim->grid, *smoke = &sim->smoke.grid;
    BillowView view = {
        .nx = smoke->nx,
        .ny = smoke->ny,
        .nz = smoke->nz,
        .stride_y = smoke->stride_y,
        .stride_z = smoke->stride_z,
        .cell_size = sim->smoke.cell_size,
        .refine = sim->smoke.refine,
        .wind_stride_y = grid->stride_y,
        .wind_stride_z = grid->stride_z,
        .spans = sim->smoke.spans,
        .span_blocks = sim->smoke.blocks,
        .origin = {sim->def.origin[0], sim->def.origin[1], sim->def.origin[2]},
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
    for (int r = 0; r < ROWS; r++)
        for (int a = 0; a < rows[r].field.arrays && rows[r].memory != 0; a++)
            member(&view, &rows[r].field)[a] =
                ((float *const *)((const char *)sim + rows[r].memory))[a];
    bool grows = growth_on(&sim->def);
    for (int axis = 0; axis < 3; axis++) {
        view.home[0][axis] = sim->home.origin[axis];
        view.home[1][axis] =
            sim->home.origin[axis] + (grows ? (float)sim->home.n[axis] * sim->def.cell_size : 0);
    }
    for (int side = 0; side < BILLOW_SIDES; side++)
        view.leaves[side] =
            sim->def.faces[side] == BILLOW_OPEN &&
            (!sim->def.unbounded[side] || sim->growth_notice.text[0] != '\0');
    texture_weigh(sim, view.texture_weight);
    return view;
}

BillowFields billow_fields(BillowSim *sim)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    sim->touched = true;
    smoke_fill(sim); /* the caller may write anywhere */
    displacement_drop(sim);
    return (BillowFields){.density = sim->density,
                          .temperature = sim->temperature,
                          .u = sim->velocity[0],
                          .v = sim->velocity[1],
                          .w = sim->velocity[2],
                          .color = {sim->color[0], sim->color[1], sim->color[2]},
                          .fuel = sim->fuel};
}
