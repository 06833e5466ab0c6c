/* SPDX-License-Identifier: MIT
 *
 * Creates, resets and destroys simulations, and replaces parameters, emitters, solids and forces
 * while they run. */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* for madvise */
#endif
#include "sim/sim.h"
#include "sim/advection/advect.h"
#include "sim/advection/tracers.h"
#include "sim/def.h"
#include "sim/fields/field_table.h"
#include "sim/growth.h"
#include "sim/state.h"

#include "base/fail.h"
#include "base/float_mode.h"
#include "base/number.h"
#include "base/process_limits.h"
#include "sim/fields/boundary.h"
#include "sim/fields/region.h"
#include "sim/solids/bodies.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* The arena, cut once:
 *
 *     per-plane sums | spans of smoke | coefficients, coarse levels | lead |
 *     u v w | texture coordinates | means of the smoke | scratch 3 4 | guard zone | pressure |
 *     scratch 0 1 2 | scratch 5 6 | solids | tracers | the state before a step
 *
 * The fields of smoke cells have memory of their own (smoke.h).
 *
 * Samplers may read SAMPLE_LEAD floats before the first field. If the front face is open, they may
 * also read the plane after the last plane of a field. It must be 0. It consists of the ghosts of
 * the next field; or, if those may differ from 0, of a plane of zeros (cut_sampled); or, after the
 * last sampled field, of the guard zone, which is a plane and a row of zeros. Packed fields do not
 * start with a plane of zeros. They therefore follow the guard zone. */

float *sim_cut_field(Cut *arena, const Grid *grid)
{
    float *memory = sim_cut(arena, grid->field_floats * sizeof(float));
    return memory != NULL ? grid_field(grid, memory) : NULL;
}

/* Cuts a field that samplers read. If the next field's ghosts may differ from 0, a plane of zeros
 * follows the field. */
static float *cut_sampled(Cut *arena, const Grid *grid, const BillowDef *def)
{
    float *field = sim_cut_field(arena, grid);
    if (boundary_needs_gap(def)) {
        float *gap = sim_cut(arena, (size_t)grid->stride_z * sizeof(float));
        if (gap != NULL)
            memset(gap, 0, (size_t)grid->stride_z * sizeof(float));
    }
    return field;
}

static size_t guard_floats(const Grid *grid)
{
    return (size_t)(grid->stride_z + grid->stride_y + ROW_ALIGNMENT);
}

/* Cuts all fields of a definition out of the arena and stores their addresses in *sim. If
 * arena->base is NULL, it only measures. Where ranks divide the planes, the corrections have memory
 * of their own: those of a rank's planes would lie in other planes of every field that they
 * borrow. */
static void cut_all(Cut *arena, const BillowDef *def, const Grid *grid, bool divided,
                    BillowSim *sim)
{
    size_t planes = (size_t)grid->nz + 1;
    sim->plane_squares = sim_cut(arena, planes * sizeof(double));
    sim->plane_sums = sim_cut(arena, planes * sizeof(double));
    sim->plane_statistics = sim_cut(arena, planes * sizeof(PlaneStatistics));
    sim->plane_budgets = sim_cut(arena, (size_t)sim_budgets(sim) * sizeof(PlaneBudget));
    sim->wind_budgets = sim_cut(arena, planes * sizeof(WindBudget));
    sim->plane_sounds = sim_cut(arena, planes * sizeof(PlaneSound));
    sim->plane_hashes = sim_cut(arena, (planes + (size_t)sim->smoke.grid.nz) * sizeof(uint64_t));
    sim->plane_reach = growth_on(def) ? sim_cut(arena, planes * sizeof(PlaneReach)) : NULL;
    smoke_cut_spans(arena, def, sim);
    sim->coefficients = sim_cut(arena, level_floats(grid) * sizeof(float));
    sim->multigrid_memory = sim_cut(arena, multigrid_floats(grid) * sizeof(float));
    sim->corrections =
        divided ? sim_cut(arena, multigrid_corrections_floats(grid) * sizeof(float)) : NULL;
    sim_cut(arena, SAMPLE_LEAD * sizeof(float));
    for (int axis = 0; axis < 3; axis++)
        sim->velocity[axis] = cut_sampled(arena, grid, def);
    Scalar scalars[SCALARS_MAX];
    int scalar_count = scalars_of(def, sim, scalars);
    for (int s = 0; s < scalar_count; s++)
        if (scalars[s].texture)
            *scalars[s].field = cut_sampled(arena, grid, def);
    float **const felt[] = {&sim->smoke.felt_density, &sim->smoke.felt_temperature,
                            &sim->smoke.felt_flame};
    for (int f = 0; f < 3; f++)
        *felt[f] = def->refine > 1 && (f < 2 || def->fire) ? cut_sampled(arena, grid, def) : NULL;
    for (int w = 3; w < SCRATCH_FIELDS_OPEN; w++)
        sim->scratch.fields[w] = cut_sampled(arena, grid, def);
    sim->guard_zone = sim_cut(arena, guard_floats(grid) * sizeof(float));
    sim->pressure = sim_cut_field(arena, grid);
    for (int w = 0; w < 3; w++)
        sim->scratch.fields[w] = sim_cut_field(arena, grid);
    for (int w = SCRATCH_FIELDS_OPEN; w < SCRATCH_FIELDS; w++)
        sim->scratch.fields[w] = def->solid_count > 0 ? sim_cut_field(arena, grid) : NULL;
    sim->solids_memory = sim_cut(arena, solids_floats(def, grid) * sizeof(float));
    float **tracers[TRACER_ARRAYS];
    int arrays = sim_tracer_arrays(def, &sim->tracers, tracers);
    for (int a = 0; a < TRACER_ARRAYS; a++)
        *tracers[a] = a < arrays ? sim_cut(arena, (size_t)def->tracers * sizeof(float)) : NULL;
    sim->saved_state = def->guarded ? sim_cut(arena, state_bytes_most(def)) : NULL;
}

/* Cuts the velocity before its last advection, which only reflection needs, out of memory of its
 * own: lead | u v w | guard zone. */
static void cut_before(Cut *arena, const BillowDef *def, const Grid *grid, BillowSim *sim)
{
    float *lead = sim_cut(arena, SAMPLE_LEAD * sizeof(float));
    for (int axis = 0; axis < 3; axis++)
        sim->before[axis] = cut_sampled(arena, grid, def);
    float *guard = sim_cut(arena, guard_floats(grid) * sizeof(float));
    if (lead != NULL) {
        memset(lead, 0, SAMPLE_LEAD * sizeof(float));
        memset(guard, 0, guard_floats(grid) * sizeof(float));
    }
}

static size_t before_bytes(const BillowDef *def)
{
    Grid grid = grid_make(def->nx, def->ny, def->nz);
    BillowSim measured = {0};
    Cut arena = {NULL, 0};
    cut_before(&arena, def, &grid, &measured);
    return arena.used;
}

static bool axis_in_range(int n)
{
    return n >= BILLOW_GRID_MIN && n <= BILLOW_GRID_MAX;
}

static size_t arena_bytes(const BillowDef *def, bool divided)
{
    Grid grid = grid_make(def->nx, def->ny, def->nz);
    BillowSim measured = {0};
    Cut arena = {NULL, 0};
    smoke_set_grid(&measured.smoke, def);
    cut_all(&arena, def, &grid, divided, &measured);
    return arena.used;
}

/* Addresses of the smoke's fields, which take memory only where there is smoke. */
static size_t smoke_bytes(const BillowDef *def)
{
    BillowSim measured = {0};
    Cut memory = {NULL, 0};
    smoke_set_grid(&measured.smoke, def);
    smoke_cut_fields(&memory, def, &measured);
    return memory.used;
}

size_t billow_bytes_needed(const BillowDef *def)
{
    FLOAT_MODE_OWN;
    if (def == NULL || !axis_in_range(def->nx) || !axis_in_range(def->ny) ||
        !axis_in_range(def->nz) || def->refine < 1 || def->refine > BILLOW_REFINE_MAX ||
        def->tracers < 0 || def->tracers > BILLOW_TRACERS_MAX)
        return 0;
    return sizeof(BillowSim) + arena_bytes(def, false) + smoke_bytes(def) +
           (params_reflect(&def->params) ? before_bytes(def) : 0);
}

int sim_state_fields(const BillowSim *sim, StateField list[SIM_FIELDS_MAX])
{
    Scalar scalars[SCALARS_MAX];
    int scalar_count = scalars_list((BillowSim *)sim, scalars), count = 0; /* only lists them */
    for (int axis = 0; axis < 3; axis++)
        list[count++] = (StateField){sim->velocity[axis], &sim->grid, axis, false};
    for (int s = 0; s < scalar_count; s++)
        list[count++] =
            (StateField){*scalars[s].field, scalar_grid(sim, &scalars[s]), -1, scalars[s].texture};
    if (sim->flame != NULL)
        list[count++] = (StateField){sim->flame, &sim->smoke.grid, -1, false};
    return count;
}

int sim_plain_fields(BillowSim *sim, float *fields[SIM_FIELDS_MAX])
{
    StateField list[SIM_FIELDS_MAX];
    int states = sim_state_fields(sim, list), count = 0;
    for (int f = 0; f < states; f++)
        if (list[f].grid == &sim->grid)
            fields[count++] = list[f].values;
    float *const felt[] = {sim->smoke.felt_density, sim->smoke.felt_temperature,
                           sim->smoke.felt_flame};
    for (int f = 0; f < 3; f++)
        if (felt[f] != NULL)
            fields[count++] = felt[f];
    for (int f = 0; f < SCRATCH_FIELDS; f++)
        if (sim->scratch.fields[f] != NULL)
            fields[count++] = sim->scratch.fields[f];
    for (int axis = 0; axis < 3 && sim->before_memory != NULL; axis++)
        fields[count++] = sim->before[axis];
    return count;
}

int sim_tracer_arrays(const BillowDef *def, Tracers *tracers, float **list[TRACER_ARRAYS])
{
    for (int axis = 0; axis < 3; axis++) {
        list[axis] = &tracers->place[axis];
        list[4 + axis] = &tracers->velocity[axis];
    }
    list[3] = &tracers->age;
    list[7] = &tracers->life;
    return def->tracers == 0 ? 0 : def->tracer_lag > 0.0f ? TRACER_ARRAYS : 4;
}

/* Planes of each worker, with the ghost planes beside the first and the last one. */
static Slab memory_planes(const Grid *grid, Team team)
{
    int planes = grid->nz;
    Slab slab = team_slab(team, planes);
    if (slab.begin == slab.end)
        return (Slab){0};
    return (Slab){slab.begin == 0 ? 0 : slab.begin + 1,
                  slab.end == planes ? planes + 2 : slab.end + 1};
}

static void clear_planes(const Grid *grid, float *field, Slab planes)
{
    memset(grid_memory(grid, field) + planes.begin * grid->stride_z, 0,
           (size_t)(planes.end - planes.begin) * (size_t)grid->stride_z * sizeof(float));
}

static void clear_before_task(void *context, Team team)
{
    const BillowSim *sim = context;
    for (int axis = 0; axis < 3; axis++)
        clear_planes(&sim->grid, sim->before[axis], memory_planes(&sim->grid, team));
}

/* Clears the planes of each worker in all fields. The operating system then places every page near
 * the worker that uses it. */
static void clear_task(void *context, Team team)
{
    BillowSim *sim = context;
    const Grid *grid = &sim->grid;
    float *fields[SIM_FIELDS_MAX];
    int count = sim_plain_fields(sim, fields);
    Slab slab = memory_planes(grid, team);
    int begin = slab.begin, end = slab.end;
    for (int f = 0; f < count; f++)
        clear_planes(grid, fields[f], slab);
    for (int color = 0; color < 2; color++) /* each colour has half of the memory */
        memset(grid_memory(grid, sim->pressure) + color * (ptrdiff_t)(grid->field_floats / 2) +
                   begin * grid->packed_z,
               0, (size_t)(end - begin) * (size_t)grid->packed_z * sizeof(float));
}

static void poison_field(const StateField *field, Slab own)
{
    const Grid *grid = field->grid;
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny && (k < own.begin || k >= own.end); j++)
            for (int i = 0; i < grid->nx; i++)
                field->values[grid_row(grid, j, k) + i] = NAN;
}

void sim_poison_planes(BillowSim *sim)
{
    StateField fields[SIM_FIELDS_MAX];
    if (sim->ranks == NULL || !sim->ranks->poison)
        return;
    const Grid *grid = &sim->grid;
    Slab own = ranks_own(sim->ranks, grid->nz);
    Packed pressure = grid_packed(grid, sim->pressure);
    int count = sim_state_fields(sim, fields);
    for (int f = 0; f < count; f++)
        poison_field(&fields[f], ranks_own(sim->ranks, fields[f].grid->nz));
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny && (k < own.begin || k >= own.end); j++)
            for (int i = 0; i < grid->nx; i++)
                pressure.color[(i + j + k) & 1][packed_row(grid, j, k) + (i >> 1)] = NAN;
}

void sim_place_emitters(BillowSim *sim, const BillowDef *before)
{
    for (int e = 0; e < sim->def.emitter_count; e++)
        if (before == NULL || e >= before->emitter_count ||
            memcmp(&before->emitters[e], &sim->def.emitters[e], sizeof(BillowEmitter)) != 0) {
            sim->emitters[e] =
                emitter_place(&sim->def.emitters[e], &sim->grid, &sim->def, sim->def.cell_size);
            smoke_place_emitter(sim, &sim->def.emitters[e], &sim->smoke.emitters[e]);
        }
}

static void prepare_pressure(BillowSim *sim)
{
    LevelSide sides[BILLOW_SIDES];
    for (int side = 0; side < BILLOW_SIDES; side++)
        sides[side] = sim->def.faces[side] == BILLOW_OPEN       ? SIDE_OUTSIDE
                      : sim->def.faces[side] == BILLOW_PERIODIC ? SIDE_WRAPS
                                                                : SIDE_WALL;
    multigrid_prepare(&sim->multigrid, &sim->grid, sim->kernels->relax, sides,
                      sim->multigrid_memory);
    if (sim->corrections != NULL)
        multigrid_place_corrections(&sim->multigrid, sim->corrections);
    sim->multigrid.smoothing = (Smoothing){SMOOTHING_SWEEPS, SMOOTHING_SWEEPS};
    sim->multigrid.plane_squares = sim->plane_squares;
}

/* Allocates memory aligned to ARENA_ALIGNMENT. `whole`: in huge pages if the system has them. A
 * stage reads many fields at once. With small pages it would need more entries than a core's TLB
 * (address cache) has. Otherwise the memory is 0, and systems like Linux give it pages only where
 * it is written. */
static void *allocate(size_t bytes, bool whole)
{
    size_t all = bytes + ARENA_ALIGNMENT + sizeof(char *);
    char *memory = whole ? malloc(all) : calloc(1, all);
    if (memory == NULL)
        return NULL;
    size_t past = (uintptr_t)(memory + sizeof memory) % ARENA_ALIGNMENT;
    char *aligned = memory + sizeof memory + (ARENA_ALIGNMENT - past) % ARENA_ALIGNMENT;
    memcpy(aligned - sizeof memory, &memory, sizeof memory); /* for release() */
#ifdef __linux__
    madvise(aligned, bytes / ARENA_ALIGNMENT * ARENA_ALIGNMENT,
            whole ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
    return aligned;
}

static void release(void *aligned)
{
    char *memory;
    if (aligned == NULL)
        return;
    memcpy(&memory, (char *)aligned - sizeof(char *), sizeof memory);
    free(memory);
}

/* Whether planes of this simulation are divided among ranks. Boxes that grow are whole on every
 * rank. */
static bool divides(const BillowDef *def, const BillowExchange *exchange)
{
    return exchange != NULL && exchange->ranks > 1 && !growth_on(def);
}

/* Cuts the arena for a definition and prepares all that depends on the grid. The fields are not
 * cleared. */
static void set_up(BillowSim *sim, const BillowDef *def)
{
    const Grid grid = grid_make(def->nx, def->ny, def->nz);
    Cut arena = {sim->arena, 0}, smoke = {sim->smoke.memory, 0};
    smoke_set_grid(&sim->smoke, def);
    smoke_cut_fields(&smoke, def, sim);
    cut_all(&arena, def, &grid, sim->ranks != NULL, sim);
    if (sim->before_memory != NULL)
        cut_before(&(Cut){sim->before_memory, 0}, def, &grid, sim);
    bool fresh = sim->grid.nx == 0 && sim->ranks != NULL;
    if (!fresh) { /* the memory may not be 0 */
        memset(sim->plane_squares, 0,
               (size_t)((char *)grid_memory(&grid, sim->velocity[0]) - (char *)sim->plane_squares));
        memset(sim->guard_zone, 0, guard_floats(&grid) * sizeof(float));
    }
    sim->def = *def;
    sim->grid = grid;
    prepare_pressure(sim);
    sim_place_emitters(sim, NULL);
    if (def->solid_count > 0)
        solids_cut(sim, sim->solids_memory);
}

static bool check_index(const BillowDef *def, BillowError *error)
{
    Smoke smoke;
    smoke_set_grid(&smoke, def);
    const Grid *grid = &smoke.grid; /* it has no fewer cells than the wind's */
    return grid->field_floats + 4 * (size_t)grid->stride_z <= INT32_MAX ||
           fail(error, "a grid of %dx%dx%d has more cells than one field can index", grid->nx,
                grid->ny, grid->nz);
}

static bool memory_short(const BillowDef *def, const char *available, BillowError *error)
{
    return fail(error,
                "not enough memory for a grid of %dx%dx%d: it needs %.2f GB%s; try a smaller grid",
                def->nx, def->ny, def->nz, 1e-9 * (double)billow_bytes_needed(def), available);
}

/* Checks that the memory can be allocated. Systems that give pages only where memory is written
 * would otherwise end the process. Only memory that the first step writes whole is checked. */
static bool check_memory(const BillowDef *def, const BillowExchange *exchange, BillowError *error)
{
    char available[64];
    double left;
    if (divides(def, exchange) || process_limits_allow((double)billow_bytes_needed(def), &left))
        return true;
    number_print(available, sizeof available, ", and %.2f GB are available", 1e-9 * left);
    return memory_short(def, available, error);
}

/* Allocates memory for the velocity before its last advection, if the definition needs it. Returns
 * false if there is none. */
static bool allocate_before(BillowSim *sim, const BillowDef *def, const Ranks *ranks)
{
    if (params_reflect(&def->params))
        sim->before_memory = allocate(before_bytes(def), ranks == NULL);
    return !params_reflect(&def->params) || sim->before_memory != NULL;
}

bool sim_provide_before(BillowSim *sim, const BillowParams *params, BillowError *error)
{
    BillowDef def = sim->def;
    def.params = *params;
    if (sim->before_memory != NULL || !params_reflect(params))
        return true;
    if (!allocate_before(sim, &def, sim->ranks))
        return memory_short(&def, "", error);
    cut_before(&(Cut){sim->before_memory, 0}, &def, &sim->grid, sim);
    sim_run(sim, clear_before_task, sim);
    sim->bytes += before_bytes(&def);
    return true;
}

BillowSim *sim_create(const BillowDef *def, const BillowExchange *exchange, BillowError *error)
{
    Grid grid = grid_make(def->nx, def->ny, def->nz);
    size_t bytes = billow_bytes_needed(def);
    if (!check_index(def, error) || !check_memory(def, exchange, error))
        return NULL;
    Ranks *ranks = NULL;
    if (divides(def, exchange) &&
        (ranks = ranks_create(&grid, boundary_wraps(def, 2), exchange, error)) == NULL)
        return NULL;
    BillowSim *sim = calloc(1, sizeof *sim);
    if (sim != NULL) {
        sim->arena = allocate(arena_bytes(def, ranks != NULL), ranks == NULL);
        sim->smoke.memory = allocate(smoke_bytes(def), false);
    }
    bool own = sim != NULL && sim->arena != NULL && sim->smoke.memory != NULL &&
               allocate_before(sim, def, ranks);
    if (exchange_max((Team){0, 1, NULL, ranks}, !own) != 0) {
        if (sim != NULL) {
            release(sim->arena);
            release(sim->smoke.memory);
        }
        if (own) {
            release(sim->before_memory);
            fail(error, "another rank has no memory for its part of a grid of %dx%dx%d", def->nx,
                 def->ny, def->nz);
        } else
            memory_short(def, "", error);
        free(sim);
        ranks_destroy(ranks);
        return NULL;
    }
    sim->ranks = ranks;
    sim->home =
        (Box){{def->nx, def->ny, def->nz}, {def->origin[0], def->origin[1], def->origin[2]}};
    memcpy(sim->first_solids, def->solids, sizeof sim->first_solids);
    sim->bytes = bytes;
    sim->kernels = kernels_pick();
    sim->threads = def->threads > 0 ? def->threads : region_threads();
    set_up(sim, def);
    billow_reset(sim);
    return sim;
}

static bool check_exchange(const BillowExchange *exchange, BillowError *error)
{
    if (exchange->ranks < 1 || exchange->rank < 0 || exchange->rank >= exchange->ranks)
        return fail(error, "an exchange of rank %d among %d ranks; ranks count from 0",
                    exchange->rank, exchange->ranks);
    return exchange->ranks == 1 ||
           (exchange->begin != NULL && exchange->finish != NULL && exchange->gather != NULL) ||
           fail(error, "an exchange among %d ranks needs begin, finish and gather",
                exchange->ranks);
}

BillowSim *billow_create_exchanging(const BillowDef *def, const BillowExchange *exchange,
                                    BillowError *error)
{
    FLOAT_MODE_OWN;
    if (exchange != NULL && !check_exchange(exchange, error))
        return NULL;
    if (!def_check(def, error) || billow_unbalanced(def, error) >= 0 ||
        billow_buried(def, error) >= 0 || billow_shut(def, error) >= 0)
        return NULL;
    return sim_create(def, exchange, error);
}

BillowSim *billow_create(const BillowDef *def, BillowError *error)
{
    return billow_create_exchanging(def, NULL, error);
}

void billow_own_planes(const BillowSim *sim, int *first, int *end)
{
    assert(sim != NULL);
    Slab own = ranks_own(sim->ranks, sim->smoke.grid.nz);
    *first = own.begin;
    *end = own.end;
}

/* Lists the planes of all fields of the state, and returns their number. reach: in planes of the
 * smoke. Of the wind, the planes that interpolation there needs. */
static int state_planes(const BillowSim *sim, int reach, PlaneField list[SIM_FIELDS_MAX + 2])
{
    StateField fields[SIM_FIELDS_MAX];
    int count = sim_state_fields(sim, fields);
    for (int f = 0; f < count; f++)
        list[f] = planes_of(fields[f].grid, fields[f].values);
    planes_of_packed(&sim->grid, grid_packed(&sim->grid, sim->pressure), sim->grid.nz,
                     list + count);
    for (int f = 0; f < count + 2; f++)
        list[f].reach = list[f].planes > sim->grid.nz || sim->smoke.refine == 1
                            ? reach
                            : (reach + sim->smoke.refine - 1) / sim->smoke.refine + 1;
    return count + 2;
}

void billow_collect_state(BillowSim *sim)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    PlaneField list[SIM_FIELDS_MAX + 2];
    if (sim->ranks != NULL)
        exchange_collect(sim->ranks, list, state_planes(sim, 0, list));
}

void billow_fetch_planes(BillowSim *sim, int reach)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL && reach >= 0);
    PlaneField list[SIM_FIELDS_MAX + 2];
    exchange_planes(sim_alone(sim), list, state_planes(sim, reach, list));
}

bool billow_count_exchanges(BillowSim *sim, const BillowDef *divided, int ranks, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    if (ranks < 1)
        return fail(error, "%d ranks; there must be at least 1", ranks);
    if (!def_check(divided, error))
        return false;
    const BillowExchange counted = {.ranks = ranks};
    const Grid there = grid_make(divided->nx, divided->ny, divided->nz);
    if (!check_index(divided, error))
        return false;
    if (sim->ranks != NULL && sim->ranks->calls.ranks > 1)
        return fail(error, "this simulation is divided already");
    ranks_destroy(sim->ranks);
    sim->ranks = NULL;
    bool good = divides(divided, &counted);
    /* the right-hand side lies, packed, in other planes of a scratch field than plain values do */
    sim->undivided = arena_bytes(divided, good) + smoke_bytes(divided) +
                     there.field_floats * sizeof(float) +
                     (params_reflect(&divided->params) ? before_bytes(divided) : 0);
    sim->whole = sim->undivided;
    if (!good)
        return true;
    size_t per_tracer = divided->tracer_lag > 0.0f ? 8 : 4; /* every rank has all tracers */
    sim->whole =
        sizeof(float) * (solids_floats(divided, &there) + per_tracer * (size_t)divided->tracers);
    int reach_most = 2 + (int)ceil((double)sim->def.params.cfl);
    sim->ranks =
        traffic_start(&sim->grid, &there, boundary_wraps(&sim->def, 2), ranks, reach_most, error);
    if (sim->ranks == NULL)
        return false;
    Traffic *traffic = sim->ranks->traffic;
    sim->ranks->traffic = NULL; /* in a divided simulation the last substep has found the reach */
    if (sim->displaced_dt != 0)
        sim->reach = displacement_reach(sim);
    sim->ranks->traffic = traffic;
    return true;
}

BillowTraffic billow_traffic(const BillowSim *sim)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    const Traffic *traffic = sim->ranks != NULL ? sim->ranks->traffic : NULL;
    BillowTraffic sum = traffic != NULL ? traffic_sum(traffic) : (BillowTraffic){0};
    sum.share = traffic != NULL ? traffic_share(traffic) : 1;
    sum.memory += sum.share * (double)(sim->undivided - sim->whole) + (double)sim->whole;
    return sum;
}

void sim_become(BillowSim *sim, BillowSim *other)
{
    release(sim->before_memory);
    release(sim->smoke.memory);
    release(sim->arena);
    other->listens = sim->listens;
    other->sound = sim->sound;
    *sim = *other;
    free(other);
}

/* Gives a box that has grown its first size again. Without memory for another arena the present one
 * is cut anew. */
static void shrink(BillowSim *sim)
{
    const int none[BILLOW_SIDES] = {0};
    int moved[BILLOW_SIDES];
    growth_moved(sim, moved);
    if (memcmp(moved, none, sizeof none) == 0)
        return;
    BillowSim *first = growth_create(sim, none, NULL);
    if (first == NULL) {
        const BillowDef def = growth_def(sim, none);
        uint64_t version = sim->solids != NULL ? sim->solids->version : 0;
        memset(sim->smoke.memory, 0, smoke_bytes(&sim->def));
        set_up(sim, &def);
        if (sim->solids != NULL)
            sim->solids->version = version; /* of no view that was seen before */
        return;
    }
    memcpy(first->first_solids, sim->first_solids, sizeof sim->first_solids);
    if (first->solids != NULL)
        first->solids->version = sim->solids->version;
    sim_become(sim, first);
}

void billow_reset(BillowSim *sim)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    shrink(sim);
    sim->growth_notice.text[0] = '\0';
    sim->out_of_memory = false;
    sim_run(sim, clear_task, sim);
    smoke_clear(sim);
    sim->time = sim->remainder = sim->flame_sum = 0;
    sim->expansion_time = sim->expansion_dt = sim->divergence_before = 0;
    displacement_drop(sim);
    sim->projected_dt = 0;
    sim->density_share = sim->made_good = 1;
    sim->queued_count = sim->pushed_count = 0;
    sim->touched = false;
    sim->error.text[0] = '\0';
    memcpy(sim->def.solids, sim->first_solids, sizeof sim->def.solids);
    solids_place(sim);
    memset(&sim->stats, 0, sizeof sim->stats);
    memset(&sim->sound, 0, sizeof sim->sound);
    memset(&sim->profile, 0, sizeof sim->profile);
    memset(sim->texture_turns, 0, sizeof sim->texture_turns);
    tracers_reset(sim);
}

void billow_destroy(BillowSim *sim)
{
    if (sim == NULL)
        return;
    ranks_destroy(sim->ranks);
    release(sim->before_memory);
    release(sim->smoke.memory);
    release(sim->arena);
    free(sim);
}

bool billow_set_params(BillowSim *sim, const BillowParams *params, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    if (params == NULL)
        return fail(error, "no parameters are given; begin with those of billow_params");
    if (!params_check(params, error))
        return false;
    if (!sim_provide_before(sim, params, error))
        return false;
    if (params->advection != sim->def.params.advection)
        displacement_drop(sim); /* the schemes compute the displacement differently */
    sim->def.params = *params;
    return true;
}

bool billow_set_emitters(BillowSim *sim, const BillowEmitter *emitters, int count,
                         BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    if (count < 0 || count > BILLOW_EMITTERS_MAX)
        return fail(error, "%d emitters; at most %d are possible", count, BILLOW_EMITTERS_MAX);
    if (emitters == NULL && count > 0)
        return fail(error, "the list of %d emitters is NULL", count);
    BillowDef changed = sim->def;
    changed.emitter_count = count;
    for (int e = 0; e < count; e++) {
        if (!emitter_check(&emitters[e], e, error))
            return false;
        changed.emitters[e] = emitters[e];
    }
    if (billow_unbalanced(&changed, error) >= 0)
        return false;
    for (int e = 0; e < count; e++)
        if ((e >= sim->def.emitter_count ||
             bodies_emitter_moved(&sim->def.emitters[e], &emitters[e])) &&
            bodies_bury(&changed, e, error))
            return false;
    const BillowDef before = sim->def;
    sim->def = changed;
    sim_place_emitters(sim, &before);
    return true;
}

static bool check_solids(const BillowSim *sim, const BillowSolid *solids, int count,
                         BillowError *error)
{
    if (count != sim->def.solid_count)
        return fail(error, "%d solids; this simulation has %d", count, sim->def.solid_count);
    if (solids == NULL && count > 0)
        return fail(error, "the list of %d solids is NULL", count);
    for (int s = 0; s < count; s++)
        if (!solid_check(&solids[s], s, error))
            return false;
    return true;
}

bool billow_set_solids(BillowSim *sim, const BillowSolid *solids, int count, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    if (!check_solids(sim, solids, count, error))
        return false;
    if (count > 0)
        solids_set(sim, solids);
    return true;
}

bool billow_set_first_solids(BillowSim *sim, const BillowSolid *solids, int count,
                             BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    if (!check_solids(sim, solids, count, error))
        return false;
    if (count > 0)
        memcpy(sim->first_solids, solids, (size_t)count * sizeof solids[0]);
    return true;
}

const BillowSolid *billow_solid(const BillowSim *sim, int index)
{
    assert(sim != NULL);
    return index >= 0 && index < sim->def.solid_count ? &sim->def.solids[index] : NULL;
}

bool billow_set_forces(BillowSim *sim, const BillowForce *forces, int count, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    if (count < 0 || count > BILLOW_FORCES_MAX)
        return fail(error, "%d forces; at most %d are possible", count, BILLOW_FORCES_MAX);
    if (forces == NULL && count > 0)
        return fail(error, "the list of %d forces is NULL", count);
    for (int f = 0; f < count; f++)
        if (!force_check(&forces[f], f, error))
            return false;
    for (int f = 0; f < count; f++)
        sim->def.forces[f] = forces[f];
    sim->def.force_count = count;
    return true;
}

bool billow_emit(BillowSim *sim, const BillowEmitter *emitter)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    if (emitter == NULL)
        return false;
    bool makes_room = emitter->expansion == 0.0f || !boundary_closed(&sim->def);
    if (sim->queued_count == BILLOW_EMITTERS_MAX || !emitter_check(emitter, 0, NULL) || !makes_room)
        return false;
    BillowEmitter now = *emitter;
    emitter_color(emitter, sim->time, now.color);
    now.hue_speed = 0; /* a saved state holds the colour alone */
    smoke_place_emitter(sim, &now, &sim->smoke.queued[sim->queued_count]);
    sim->queued[sim->queued_count++] =
        emitter_place(&now, &sim->grid, &sim->def, sim->def.cell_size);
    return true;
}

bool billow_push(BillowSim *sim, const BillowForce *force)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    if (force == NULL || sim->pushed_count == BILLOW_FORCES_MAX || !force_check(force, 0, NULL))
        return false;
    sim->pushed[sim->pushed_count++] = *force;
    return true;
}

BillowParams billow_params(const BillowSim *sim)
{
    assert(sim != NULL);
    return sim->def.params;
}

BillowStats billow_stats(const BillowSim *sim)
{
    assert(sim != NULL);
    return sim->stats;
}

BillowProfile billow_profile(const BillowSim *sim)
{
    assert(sim != NULL);
    return sim->profile;
}

size_t billow_bytes(const BillowSim *sim)
{
    assert(sim != NULL);
    return sim->bytes;
}

int billow_threads(const BillowSim *sim)
{
    assert(sim != NULL);
    return sim->threads;
}
