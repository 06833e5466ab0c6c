/* SPDX-License-Identifier: MIT
 *
 * Defaults and checks of a definition. Ranges come from the tables of parameters.c. This file has
 * the conditions between several values, and the notices on likely mistakes. */
#include "sim/def.h"

#include "base/fail.h"
#include "base/float_mode.h"
#include "base/number.h"
#include "base/parameter.h"
#include "sim/fields/boundary.h"
#include "sim/fields/constants.h"
#include "sim/fields/grid.h"
#include "sim/sim.h"
#include "sim/solids/bodies.h"
#include "sim/sources/sources.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- expansion in a closed box ------------------------------------------------------------------
 *
 * An incompressible fluid in a closed box can neither grow nor shrink. The expansion of its
 * emitters must therefore add up to 0 at every time. */

/* An emitter whose fluid expands inside the box while start <= time < end. */
typedef struct Flow {
    int emitter;             /* its index */
    const char *flickers;    /* key that makes its rate vary in time; NULL: none */
    double start, end, rate; /* s, s, m3/s */
} Flow;

typedef struct Flows {
    Flow items[BILLOW_EMITTERS_MAX];
    int count;
} Flows;

/* An interval of time in which the emitters' expansion does not add up to 0. */
typedef struct Excess {
    double from, to, rate;
    const Flow *worst;
    bool flickers; /* the rates add up to 0, but that of the worst emitter varies */
} Excess;

static Flows find_flows(const BillowDef *def)
{
    const double h = (double)def->cell_size;
    const Grid grid = grid_make(def->nx, def->ny, def->nz);
    Flows flows = {.count = 0};
    for (int e = 0; e < def->emitter_count; e++) {
        const BillowEmitter *emitter = &def->emitters[e];
        if (emitter->expansion == 0.0f || emitter->end <= emitter->start)
            continue;
        PlacedEmitter placed = emitter_place(emitter, &grid, def, def->cell_size);
        double rate = (double)emitter->expansion * emitter_inside(&placed, &grid) * h * h * h;
        if (rate != 0)
            flows.items[flows.count++] =
                (Flow){e,
                       emitter->noise != 0.0f ? "noise"
                       : emitter->every > 0   ? "every"
                                              : NULL,
                       emitter->start,
                       emitter->every > 0 ? billow_default_emitter().end : emitter->end, rate};
    }
    return flows;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool runs(const Flow *flow, const Excess *excess)
{
    return flow->start < excess->to && flow->end > excess->from;
}

/* Returns true if the expansion does not add up to 0 between excess->from and excess->to. No
 * emitter starts or ends in that interval. */
static bool is_unbalanced(const Flows *flows, Excess *excess)
{
    double largest = 0, scale = 0;
    const Flow *flickering = NULL;
    excess->rate = 0;
    for (int f = 0; f < flows->count; f++) {
        const Flow *flow = &flows->items[f];
        if (!runs(flow, excess))
            continue;
        excess->rate += flow->rate;
        scale += fabs(flow->rate);
        if (fabs(flow->rate) > largest)
            excess->worst = flow;
        largest = fmax(largest, fabs(flow->rate));
        if (flow->flickers != NULL)
            flickering = flow;
    }
    if (fabs(excess->rate) > BALANCE_SHARE * scale)
        return true;
    excess->flickers = flickering != NULL;
    if (excess->flickers)
        excess->worst = flickering;
    return excess->flickers;
}

/* Finds the first interval in which the expansion does not add up to 0. Returns false if there is
 * none. */
static bool find_excess(const Flows *flows, Excess *excess)
{
    double times[2 * BILLOW_EMITTERS_MAX];
    int count = 0;
    for (int f = 0; f < flows->count; f++) {
        times[count++] = flows->items[f].start;
        times[count++] = flows->items[f].end;
    }
    qsort(times, (size_t)count, sizeof times[0], compare);
    for (int t = 0; t + 1 < count; t++) {
        *excess = (Excess){.from = times[t], .to = times[t + 1]};
        if (excess->from < excess->to && is_unbalanced(flows, excess))
            return true;
    }
    return false;
}

enum { WORDS = 200 };

/* Writes "emitters[2].expansion" or "the expansion of emitters 0, 1 and 3". Returns the number of
 * emitters. */
static int name_emitters(const Flows *flows, const Excess *excess, char words[WORDS])
{
    int running[BILLOW_EMITTERS_MAX], count = 0;
    for (int f = 0; f < flows->count; f++)
        if (runs(&flows->items[f], excess))
            running[count++] = flows->items[f].emitter;
    if (count == 1) {
        snprintf(words, WORDS, "emitters[%d].expansion", running[0]);
        return count;
    }
    int length = snprintf(words, WORDS, "the expansion of emitters ");
    for (int r = 0; r < count; r++) {
        const char *joint = r == 0 ? "" : r < count - 1 ? ", " : " and ";
        length += snprintf(words + length, (size_t)(WORDS - length), "%s%d", joint, running[r]);
    }
    return count;
}

static void name_time(const Excess *excess, char words[WORDS])
{
    const double forever = billow_default_emitter().end;
    if (excess->to < forever)
        number_print(words, WORDS, "from %g to %g s", excess->from, excess->to);
    else if (excess->from > 0)
        number_print(words, WORDS, "from %g s on", excess->from);
    else
        snprintf(words, WORDS, "at all times");
}

static void describe(const Flows *flows, const Excess *excess, BillowError *error)
{
    static const char closed[] = "left, right, floor, ceiling, back and front are all closed, yet";
    char emitters[WORDS], when[WORDS];
    int count = name_emitters(flows, excess, emitters);
    name_time(excess, when);
    if (excess->flickers) {
        fail(error,
             "nothing can leave or enter: %s the %s of emitters[%d] lets its expansion of %.3g "
             "m3/s flicker %s, which nothing balances; open a face or set its %s to 0",
             closed, excess->worst->flickers, excess->worst->emitter, excess->worst->rate, when,
             excess->worst->flickers);
        return;
    }
    fail(error, "nothing can %s: %s %s %s %.3g m3/s %s; open a face or %s",
         excess->rate > 0 ? "leave" : "enter", closed, emitters,
         excess->rate > 0 ? "makes" : "takes away", fabs(excess->rate), when,
         count == 1 ? "set it to 0" : "let it add up to 0");
}

int billow_unbalanced(const BillowDef *def, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(def != NULL);
    if (!def_check(def, NULL) || !boundary_closed(def))
        return -1;
    const Flows flows = find_flows(def);
    Excess excess;
    if (!find_excess(&flows, &excess))
        return -1;
    describe(&flows, &excess, error);
    return excess.worst->emitter;
}

/* -- notices ----------------------------------------------------------------------------------- */

/* The notices found so far. */
typedef struct Notices {
    BillowNotice *items;
    int most, count;
} Notices;

static void add(Notices *notices, int emitter, int solid, const BillowError *text)
{
    if (notices->count < notices->most)
        notices->items[notices->count] = (BillowNotice){*text, emitter, solid};
    notices->count++;
}

static void find_thin_walls(const BillowDef *def, Notices *notices)
{
    BillowError text;
    for (int s = 0; s < def->solid_count; s++) {
        double cells =
            shape_thickness(def->solids[s].shape, def->solids[s].size) / (double)def->cell_size;
        if (cells >= 0.999)
            continue;
        fail(&text,
             "solids[%d] is %.2g cells thick; what is thinner than a cell may let smoke through: "
             "make it thicker or the cells smaller",
             s, cells);
        add(notices, -1, s, &text);
    }
}

/* Upper bound of the temperature that fluid can reach without fire, K. Infinite if any emitter adds
 * heat, because heat accumulates. */
static double hottest(const BillowDef *def)
{
    double most = 0;
    for (int e = 0; e < def->emitter_count; e++)
        if (def->emitters[e].heat > 0.0f)
            most = INFINITY;
    for (int s = 0; s < def->solid_count; s++)
        if (def->solids[s].isothermal)
            most = fmax(most, (double)def->solids[s].temperature);
    for (int side = 0; side < BILLOW_SIDES; side++) {
        const BillowBoundary *boundary = &def->boundaries[side];
        if (boundary->isothermal)
            most = fmax(most, (double)boundary->temperature);
        if (boundary_flow(def, (BillowSide)side) != 0)
            most = fmax(most, (double)boundary->heat);
    }
    return most;
}

static void find_cold_fuel(const BillowDef *def, Notices *notices)
{
    BillowError text;
    double most = hottest(def);
    for (int e = 0; e < def->emitter_count; e++) {
        if (!def->fire || def->emitters[e].fuel == 0.0f || most >= (double)def->params.ignition)
            continue;
        fail(&text,
             "emitters[%d] gives fuel that will not burn: nothing is as hot as ignition, %g K; "
             "give an emitter heat or lower the ignition",
             e, (double)def->params.ignition);
        add(notices, e, -1, &text);
    }
}

static void find_shut_fire(const BillowDef *def, Notices *notices)
{
    BillowError text;
    bool fuel = false;
    for (int e = 0; e < def->emitter_count; e++)
        fuel = fuel || def->emitters[e].fuel > 0.0f;
    if (!def->fire || !fuel || def->params.burn_expansion == 0.0f || !boundary_closed(def))
        return;
    fail(&text, "no face is open, and fire cannot expand: the volume that burn_expansion "
                "makes is removed evenly everywhere; open a face or set it to 0");
    add(notices, -1, -1, &text);
}

int billow_notices(const BillowDef *def, BillowNotice *items, int most)
{
    FLOAT_MODE_OWN;
    assert(def != NULL);
    Notices notices = {items, most, 0};
    find_thin_walls(def, &notices);
    find_cold_fuel(def, &notices);
    find_shut_fire(def, &notices);
    return notices.count;
}

/* -- defaults ---------------------------------------------------------------------------------- */

/* Sets every value to its default, and members without a row to 0. */
static void reset(BillowTable table, void *base)
{
    int count;
    const BillowParameter *rows = billow_parameters(table, &count);
    parameter_reset(rows, count, base);
}

BillowParams billow_default_params(void)
{
    FLOAT_MODE_OWN;
    BillowParams params = {0};
    reset(BILLOW_TABLE_PARAMS, &params);
    return params;
}

BillowEmitter billow_default_emitter(void)
{
    FLOAT_MODE_OWN;
    BillowEmitter emitter = {0};
    reset(BILLOW_TABLE_EMITTER, &emitter);
    return emitter;
}

BillowSolid billow_default_solid(void)
{
    FLOAT_MODE_OWN;
    BillowSolid solid = {0};
    reset(BILLOW_TABLE_SOLID, &solid);
    return solid;
}

BillowForce billow_default_force(void)
{
    FLOAT_MODE_OWN;
    BillowForce force = {0};
    reset(BILLOW_TABLE_FORCE, &force);
    return force;
}

BillowDef billow_default_def(void)
{
    FLOAT_MODE_OWN;
    BillowDef def = {0};
    reset(BILLOW_TABLE_DEF, &def);
    reset(BILLOW_TABLE_PARAMS, &def.params);
    for (int side = 0; side < BILLOW_SIDES; side++)
        reset(BILLOW_TABLE_BOUNDARY, &def.boundaries[side]);
    return def;
}

/* -- checks ------------------------------------------------------------------------------------ */

/* Whether every value lies within the range of its row. Messages begin with `where`, followed by
 * the value's name. */
static bool check_rows(const BillowParameter *rows, int count, const void *base, const char *where,
                       BillowError *error)
{
    int part;
    const BillowParameter *row = parameter_outside(rows, count, base, &part);
    if (row == NULL)
        return true;
    char index[8] = "";
    if (parameter_parts(row->type) > 1)
        snprintf(index, sizeof index, "[%d]", part);
    return fail(error, "%s%s%s is %g; it must lie between %g and %g", where, row->name, index,
                parameter_number(row, base, part), row->least, row->most);
}

static bool check_table(BillowTable table, const void *base, const char *where, BillowError *error)
{
    int count;
    const BillowParameter *rows = billow_parameters(table, &count);
    return check_rows(rows, count, base, where, error);
}

bool params_check(const BillowParams *params, BillowError *error)
{
    return check_table(BILLOW_TABLE_PARAMS, params, "parameter ", error);
}

static bool volume_check(const BillowVolume *volume, const char *where, BillowError *error)
{
#define ROW(member, kind, low, high)                                                               \
    {                                                                                              \
        .name = "volume." #member, .type = (kind), .offset = offsetof(BillowVolume, member),       \
        .least = (low), .most = (high)                                                             \
    }
    static const BillowParameter rows[] = {
        ROW(nx, BILLOW_TYPE_INT, 2, BILLOW_GRID_MAX),
        ROW(ny, BILLOW_TYPE_INT, 2, BILLOW_GRID_MAX),
        ROW(nz, BILLOW_TYPE_INT, 2, BILLOW_GRID_MAX),
        ROW(spacing, BILLOW_TYPE_FLOAT, 1e-9, 1e4),
    };
#undef ROW
    return check_rows(rows, sizeof rows / sizeof rows[0], volume, where, error);
}

/* Checks the rotation and the volume of an emitter or solid. Messages begin with `where`, for
 * example "solids[2].". */
static bool shape_check(BillowShape shape, const float rotation[4], const BillowVolume *volume,
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
    return volume_check(volume, where, error);
}

enum { WHERE = 32 };

/* Checks an entry of a list. Writes the prefix of its values' names, for example "emitters[2].". */
static bool check_entry(BillowTable table, const void *base, const char *list, int index,
                        char where[WHERE], BillowError *error)
{
    snprintf(where, WHERE, "%s[%d].", list, index);
    return check_table(table, base, where, error);
}

bool emitter_check(const BillowEmitter *emitter, int index, BillowError *error)
{
    char where[WHERE];
    return check_entry(BILLOW_TABLE_EMITTER, emitter, "emitters", index, where, error) &&
           shape_check(emitter->shape, emitter->rotation, emitter->volume, where, error);
}

bool solid_check(const BillowSolid *solid, int index, BillowError *error)
{
    char where[WHERE];
    if (!check_entry(BILLOW_TABLE_SOLID, solid, "solids", index, where, error) ||
        !shape_check(solid->shape, solid->rotation, solid->volume, where, error))
        return false;
    if (solid->motion != BILLOW_FALLING || !(solid->density > 0.0f))
        return true;
    if (solid->shape == BILLOW_PLANE)
        return fail(error,
                    "%sdensity is %g, but a plane has no end and no mass; leave the density at 0",
                    where, (double)solid->density);
    return !bodies_change(solid) ||
           fail(error, "%sdensity is %g, but its shape changes; leave the density at 0", where,
                (double)solid->density);
}

/* The strength of a wind is a rate and cannot be negative. */
static const BillowParameter wind_strength = {.name = "strength",
                                              .type = BILLOW_TYPE_FLOAT,
                                              .offset = offsetof(BillowForce, strength),
                                              .least = 0,
                                              .most = 1e4};

bool force_check(const BillowForce *force, int index, BillowError *error)
{
    char where[WHERE];
    const float *v = force->velocity;
    if (!check_entry(BILLOW_TABLE_FORCE, force, "forces", index, where, error))
        return false;
    if (force->kind == BILLOW_WIND && !check_rows(&wind_strength, 1, force, where, error))
        return false;
    if (force->kind == BILLOW_VORTEX && v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f)
        return fail(error, "%svelocity is 0; a vortex needs it for its axis", where);
    return true;
}

/* Refuses values out of range, values that this kind of face does not use, and velocities that it
 * does not allow. */
static bool boundary_check(const BillowDef *def, int side, BillowError *error)
{
    const BillowBoundary *b = &def->boundaries[side];
    const char *name = boundary_side_name((BillowSide)side);
    BillowFace face = def->faces[side];
    bool moves = b->velocity[0] != 0.0f || b->velocity[1] != 0.0f || b->velocity[2] != 0.0f;
    float inwards = b->velocity[side / 2] * (side % 2 == 0 ? 1.0f : -1.0f);
    char where[WHERE];
    snprintf(where, sizeof where, "boundaries.%s.", name);
    if (!check_table(BILLOW_TABLE_BOUNDARY, b, where, error))
        return false;
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

/* Refuses inflow if no face is open, because the fluid could not leave. */
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
                 boundary_side_name((BillowSide)side));
    }
    return count == 0 ||
           fail(error, "%.3g m3/s flow in (%s), yet no face is open to let them out; open one",
                flow, names);
}

/* Checks that the faces of an axis are both periodic or neither. A periodic axis needs an even
 * number of cells, so that the two colours of red-black relaxation still alternate across the
 * periodic faces. */
static bool periods_check(const BillowDef *def, int axis, BillowError *error)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    const char *low = boundary_side_name((BillowSide)(2 * axis));
    const char *high = boundary_side_name((BillowSide)(2 * axis + 1));
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
    FLOAT_MODE_OWN;
    if (def == NULL)
        return fail(error, "no definition is given; begin with that of billow_default_def");
    if (!check_table(BILLOW_TABLE_DEF, def, "", error))
        return false;
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (!boundary_check(def, side, error))
            return false;
    for (int axis = 0; axis < 3; axis++)
        if (!periods_check(def, axis, error))
            return false;
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (def->unbounded[side] && def->faces[side] != BILLOW_OPEN)
            return fail(error, "unbounded.%s needs the face to be open",
                        boundary_side_name((BillowSide)side));
    return inflow_check(def, error);
}

/* Refuses more cells of smoke along an axis than a grid may have. */
static bool refine_check(const BillowDef *def, BillowError *error)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    for (int axis = 0; axis < 3; axis++)
        if (cells[axis] * def->refine > BILLOW_GRID_MAX)
            return fail(
                error, "refine %d makes %d cells of smoke of the %d along %c; at most %d can be",
                def->refine, cells[axis] * def->refine, cells[axis], "xyz"[axis], BILLOW_GRID_MAX);
    return true;
}

bool def_check(const BillowDef *def, BillowError *error)
{
    if (!billow_check_faces(def, error) || !refine_check(def, error))
        return false;
    for (int e = 0; e < def->emitter_count; e++)
        if (!emitter_check(&def->emitters[e], e, error))
            return false;
    for (int s = 0; s < def->solid_count; s++)
        if (!solid_check(&def->solids[s], s, error))
            return false;
    for (int f = 0; f < def->force_count; f++)
        if (!force_check(&def->forces[f], f, error))
            return false;
    return params_check(&def->params, error);
}
