/* SPDX-License-Identifier: MIT
 *
 * Stage 9: statistics, the mass budget, and the hash of the state. Sums are taken per plane and
 * added in order. */
#include "sim/statistics.h"
#include "sim/fields/field_table.h"
#include "sim/sound_source.h"
#include "sim/sources/combustion.h"

#include "base/float_mode.h"
#include "base/hash.h"
#include "sim/fields/boundary.h"
#include "sim/solids/solid_flow.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void add(PlaneStatistics *sum, const PlaneStatistics *part)
{
    sum->energy += part->energy;
    for (int axis = 0; axis < 3; axis++)
        sum->velocity[axis] += part->velocity[axis];
    sum->divergence2 += part->divergence2;
    sum->nonfinite += part->nonfinite;
    sum->speed2_max = fmaxf(sum->speed2_max, part->speed2_max);
    sum->divergence_max = fmaxf(sum->divergence_max, part->divergence_max);
}

/* Sums over the fluid cells of a row that solids cut. */
static PlaneStatistics sum_fluid_runs(const BillowSim *sim, const StatisticsRows *row, int j, int k)
{
    const unsigned char *fluid = sim->solids->fluid + grid_row(&sim->grid, j, k);
    const int nx = sim->grid.nx;
    PlaneStatistics sum = {0};
    for (int i = 0, end; i < nx; i = end + 1) {
        const unsigned char *solid = memchr(fluid + i, SOLID, (size_t)(nx - i));
        end = solid != NULL ? (int)(solid - fluid) : nx;
        if (end == i)
            continue;
        StatisticsRows run = statistics_rows_from(row, i, i);
        PlaneStatistics part = sim->kernels->statistics->sum(&run, 0, 0, end - i, 1);
        add(&sum, &part);
    }
    return sum;
}

static PlaneStatistics sum_plane_statistics(const BillowSim *sim, const StatisticsRows *plane,
                                            ptrdiff_t expansion_stride, int k)
{
    const Grid *grid = &sim->grid;
    const Level *level = &sim->multigrid.levels[0];
    if (sim->solids == NULL || !level->fractions.planes[k])
        return sim->kernels->statistics->sum(plane, grid->stride_y, expansion_stride, grid->nx,
                                             grid->ny);
    PlaneStatistics sum = {0};
    for (int j = 0; j < grid->ny; j++) {
        StatisticsRows row =
            statistics_rows_from(plane, grid_row(grid, j, 0), j * expansion_stride);
        PlaneStatistics part = level_row_is_cut(level, j, k)
                                   ? sum_fluid_runs(sim, &row, j, k)
                                   : sim->kernels->statistics->sum(&row, 0, 0, grid->nx, 1);
        add(&sum, &part);
    }
    return sum;
}

/* Sums the scalars of a plane of the smoke. */
static void sum_smoke(BillowSim *sim, int k)
{
    Scalar list[SCALARS_MAX];
    const Smoke *smoke = &sim->smoke;
    int count = smoke_scalars(sim, list);
    PlaneBudget *budget = &sim->plane_budgets[k];
    memset(budget->scalars, 0, sizeof budget->scalars);
    for (int j = 0; j < smoke->grid.ny; j += SMOKE_ROWS) {
        const Span span = smoke_span(smoke, j, k);
        const ptrdiff_t at = grid_row(&smoke->grid, j, k) + span.begin;
        const int rows = smoke->grid.ny - j < SMOKE_ROWS ? smoke->grid.ny - j : SMOKE_ROWS;
        for (int s = 0; s < count && span.begin < span.end; s++)
            sim->kernels->statistics->sum_scalar(*list[s].field + at, smoke->grid.stride_y,
                                                 span.end - span.begin, rows, &budget->scalars[s]);
    }
}

/* Sum of the outward velocities on the faces of the box beside plane k, m/s. Times h^2 it is the
 * outflow, m3/s. */
static double plane_outflow(const BillowSim *sim, int k)
{
    const Grid *grid = &sim->grid;
    double sum = 0;
    for (int j = 0; j < grid->ny; j++) {
        const float *u = sim->velocity[0] + grid_row(grid, j, k);
        sum += (double)u[grid->nx] - (double)u[0];
    }
    const float *floor_v = sim->velocity[1] + grid_row(grid, 0, k),
                *ceiling_v = sim->velocity[1] + grid_row(grid, grid->ny, k);
    for (int i = 0; i < grid->nx; i++)
        sum += (double)ceiling_v[i] - (double)floor_v[i];
    for (int j = 0; j < grid->ny && (k == 0 || k == grid->nz - 1); j++) {
        const float *low = sim->velocity[2] + grid_row(grid, j, 0),
                    *high = sim->velocity[2] + grid_row(grid, j, grid->nz);
        for (int i = 0; i < grid->nx; i++)
            sum += k > 0 ? (double)high[i] : -(double)low[i];
    }
    return sum;
}

static double plane_expansion(const BillowSim *sim, const float *plane, ptrdiff_t stride)
{
    double sum = 0;
    for (int j = 0; j < sim->grid.ny && stride != 0; j++)
        for (int i = 0; i < sim->grid.nx; i++)
            sum += (double)plane[j * stride + i];
    return sum;
}

/* Sums plane k. `expansion` is its expansion source, with rows expansion_stride floats apart. */
static void sum_plane(BillowSim *sim, int k, const float *expansion, ptrdiff_t expansion_stride)
{
    const Grid *grid = &sim->grid;
    ptrdiff_t at = grid_row(grid, 0, k);
    const float *v = sim->velocity[1] + at, *w = sim->velocity[2] + at;
    StatisticsRows rows = {.u = sim->velocity[0] + at,
                           .v = v,
                           .v_up = v + grid->stride_y,
                           .w = w,
                           .w_up = w + grid->stride_z,
                           .expansion = expansion};
    sim->plane_statistics[k] = sum_plane_statistics(sim, &rows, expansion_stride, k);
    sim->wind_budgets[k].outflow = plane_outflow(sim, k);
    sim->wind_budgets[k].expansion = plane_expansion(sim, expansion, expansion_stride);
}

static void statistics_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    if (sim->solids != NULL) { /* cut faces: mean of fluid and solid */
        solids_mix(sim, slab);
        team_barrier(team);
    }
    const int first = sim->listens ? 0 : 2; /* sound needs the vorticity */
    exchange_fields(team, &sim->grid, sim->velocity + first, 3 - first, 1);
    float *memory = scratch_use(&sim->scratch, SCRATCH_EXPANSION)[0];
    for (int k = slab.begin; k < slab.end; k++) {
        ptrdiff_t stride;
        const float *expansion = expansion_plane(sim, k, memory, &stride);
        sum_plane(sim, k, expansion, stride);
        if (sim->listens)
            sim->plane_sounds[k] = sound_source_plane(sim, k, expansion, stride);
    }
    Slab smoke = smoke_slab(sim, team);
    for (int k = smoke.begin; k < smoke.end; k++)
        sum_smoke(sim, k);
    if (sim->solids != NULL) {
        team_barrier(team);
        solids_unmix(sim, slab);
    }
}

/* Sums of the whole box. */
typedef struct Totals {
    PlaneStatistics wind;
    ScalarSum scalars[SCALARS_MAX];
    uint64_t nonfinite; /* cells of the wind, and values of the smoke */
} Totals;

static Totals add_planes(BillowSim *sim)
{
    Totals total = {.nonfinite = 0};
    Scalar list[SCALARS_MAX];
    int count = smoke_scalars(sim, list);
    exchange_entries(sim_alone(sim), sim->plane_statistics, sizeof total.wind, sim->grid.nz);
    sim_exchange_budgets(sim);
    sim_exchange_wind_budgets(sim);
    for (int k = 0; k < sim->grid.nz; k++)
        add(&total.wind, &sim->plane_statistics[k]);
    total.nonfinite = total.wind.nonfinite;
    for (int k = 0; k < sim->smoke.grid.nz; k++)
        for (int s = 0; s < count; s++) {
            const ScalarSum *part = &sim->plane_budgets[k].scalars[s];
            total.scalars[s].sum += part->sum;
            total.scalars[s].most = fmaxf(total.scalars[s].most, part->most);
            total.nonfinite += part->nonfinite;
        }
    return total;
}

static Totals sum_fields(BillowSim *sim)
{
    scratch_claim(&sim->scratch, SCRATCH_FLUID_VELOCITY);
    scratch_claim(&sim->scratch, SCRATCH_EXPANSION);
    sim_run(sim, statistics_task, sim);
    scratch_release(&sim->scratch, SCRATCH_EXPANSION);
    scratch_release(&sim->scratch, SCRATCH_FLUID_VELOCITY);
    return add_planes(sim);
}

/* Adds up the volumes that expand and flow out. */
static void sum_volumes(BillowSim *sim)
{
    double h = (double)sim->def.cell_size, expansion = 0, outflow = 0;
    for (int k = 0; k < sim->grid.nz; k++) {
        expansion += sim->wind_budgets[k].expansion;
        outflow += sim->wind_budgets[k].outflow;
    }
    /* In a closed box combustion_expand() subtracts the mean expansion by burning from every cell.
     * It is added back here, so that the statistic counts the volume that the fire makes. */
    if (sim->def.fire && boundary_closed(&sim->def))
        expansion += h * (double)sim->def.params.burn_expansion * sim->flame_sum;
    sim->stats.expansion = expansion * h * h;
    sim->stats.outflow = outflow * h * h;
}

void statistics_update(BillowSim *sim, double dt)
{
    const Totals all = sum_fields(sim);
    const PlaneStatistics *wind = &all.wind;
    double h = (double)sim->def.cell_size, volume = h * h * h;
    double left = sqrt(wind->divergence2);
    BillowStats *stats = &sim->stats;
    Scalar list[SCALARS_MAX];
    int count = smoke_scalars(sim, list);
    for (int s = 0; s < count; s++)
        if (list[s].total != NULL)
            *list[s].total = all.scalars[s].sum * smoke_cell_volume(sim);
    stats->time = sim->time;
    budget_dissipated(sim, stats->mass);
    stats->mass_drift = stats->mass - (stats->mass_sources - stats->mass_outflow -
                                       stats->mass_dissipated - stats->mass_cut);
    stats->kinetic_energy = 0.5 * (double)AIR_DENSITY * wind->energy * volume;
    for (int axis = 0; axis < 3; axis++)
        stats->momentum[axis] = (double)AIR_DENSITY * wind->velocity[axis] * volume;
    stats->speed_max = sqrt((double)wind->speed2_max);
    stats->density_max = (double)all.scalars[0].most;
    stats->temperature_max = (double)all.scalars[1].most;
    stats->divergence_max = (double)wind->divergence_max / h;
    stats->residual_relative = sim->divergence_before != 0.0 ? left / sim->divergence_before : 0;
    stats->cfl = stats->speed_max * dt / h;
    stats->nonfinite = all.nonfinite;
    sum_volumes(sim);
    sound_source_update(sim);
    sim->touched = false;
    profile_traffic(sim, 5);
}

float statistics_make_good(const BillowSim *sim)
{
    const BillowStats *stats = &sim->stats;
    const double most = 0.05;
    double wanted = stats->mass - stats->mass_drift;
    if (!(stats->mass > 0))
        return 1;
    return (float)fmin(fmax(wanted / stats->mass, 1 - most), 1 + most);
}

bool statistics_recount(BillowSim *sim, double *speed)
{
    const Totals all = sum_fields(sim);
    sim->stats.nonfinite = all.nonfinite;
    if (all.nonfinite > 0)
        return false;
    sim->stats.mass_sources += all.scalars[0].sum * smoke_cell_volume(sim) - sim->stats.mass;
    *speed = sqrt((double)all.wind.speed2_max);
    return true;
}

/* FNV-1a over 32-bit words, in four interleaved streams. In a single stream each multiplication
 * would wait for the one before. */
static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = hash_add(hash, word);
    return hash ^ (hash >> 29);
}

static uint64_t hash_number(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return hash_word(hash, bits);
}

static uint64_t hash_row(uint64_t hash, const float *row, int n)
{
    uint64_t streams[4] = {hash, hash + 1, hash + 2, hash + 3};
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &row[i], sizeof bits);
        streams[i & 3] = hash_word(streams[i & 3], bits);
    }
    for (int s = 0; s < 4; s++)
        hash = hash_word(hash, streams[s]);
    return hash;
}

/* Adds the texture coordinates and the pressure of the cells of row (j, k). */
static uint64_t hash_cells(BillowSim *sim, uint64_t hash, Packed pressure, int j, int k)
{
    const Grid *grid = &sim->grid;
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list), n = grid->nx;
    for (int s = smoke_scalars(sim, list); s < count; s++)
        hash = hash_row(hash, *list[s].field + grid_row(grid, j, k), n);
    for (int color = 0; color < 2; color++)
        hash = hash_row(hash, pressure.color[color] + packed_row(grid, j, k),
                        (n - ((j + k + color) & 1) + 1) / 2);
    return hash;
}

/* Hash of plane k of the wind: its cells and the faces on their low sides. Plane nz contains only
 * the last faces of w. */
static uint64_t hash_plane(BillowSim *sim, Packed pressure, int k)
{
    const Grid *grid = &sim->grid;
    uint64_t hash = HASH_START;
    for (int j = 0; j <= grid->ny; j++) {
        for (int axis = 0; axis < 3; axis++)
            hash = hash_row(hash, sim->velocity[axis] + grid_row(grid, j, k), grid->nx + 1);
        if (j < grid->ny && k < grid->nz)
            hash = hash_cells(sim, hash, pressure, j, k);
    }
    return hash;
}

static bool is_zero(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == 0;
}

/* Hash of the values of a row from the first that is not 0 to the last, and of their place. It does
 * not depend on which cells take part. */
static uint64_t hash_content(uint64_t hash, const float *row, Span span, int j)
{
    int begin = span.begin, end = span.end;
    while (begin < end && is_zero(row[begin]))
        begin++;
    while (end > begin && is_zero(row[end - 1]))
        end--;
    if (begin == end)
        return hash;
    hash = hash_word(hash, (uint64_t)j << 48 | (uint64_t)begin << 24 | (uint64_t)end);
    return hash_row(hash, row + begin, end - begin);
}

static uint64_t hash_smoke(BillowSim *sim, int k)
{
    const Smoke *smoke = &sim->smoke;
    const float *fields[SCALARS_MAX + 1];
    Scalar list[SCALARS_MAX];
    int count = smoke_scalars(sim, list);
    uint64_t hash = HASH_START;
    for (int s = 0; s < count; s++)
        fields[s] = *list[s].field;
    if (sim->flame != NULL)
        fields[count++] = sim->flame;
    for (int f = 0; f < count; f++) {
        hash = hash_word(hash, (uint64_t)f);
        FOR_SMOKE_ROWS(smoke, j, k)
        hash = hash_content(hash, fields[f] + grid_row(&smoke->grid, j, k), smoke_span(smoke, j, k),
                            j);
    }
    return hash;
}

static void hash_task(void *context, Team team)
{
    BillowSim *sim = context;
    const int planes = sim->grid.nz + 1;
    Slab slab = team_slab(team, planes), smoke = smoke_slab(sim, team);
    Packed pressure = grid_packed(&sim->grid, sim->pressure);
    for (int k = slab.begin; k < slab.end; k++)
        sim->plane_hashes[k] = hash_plane(sim, pressure, k);
    for (int k = smoke.begin; k < smoke.end; k++)
        sim->plane_hashes[planes + k] = hash_smoke(sim, k);
}

static uint64_t hash_tracers(uint64_t hash, const BillowSim *sim)
{
    const Tracers *tracers = &sim->tracers;
    float **list[TRACER_ARRAYS];
    int arrays = sim_tracer_arrays(&sim->def, (Tracers *)tracers, list); /* only lists them */
    for (int a = 0; a < arrays; a++)
        hash = hash_row(hash, *list[a], sim->def.tracers);
    hash = hash_word(hash, tracers->born);
    for (int e = 0; e < 2 * BILLOW_EMITTERS_MAX; e++)
        hash = hash_number(hash, tracers->owed[e]);
    return hash;
}

uint64_t billow_state_hash(const BillowSim *sim)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL);
    sim_run(sim, hash_task, (void *)sim); /* writes only plane_hashes */
    const int planes = sim->grid.nz + 1, all = planes + sim->smoke.grid.nz;
    exchange_entries(sim_alone(sim), sim->plane_hashes, sizeof(uint64_t), planes);
    exchange_entries(sim_alone(sim), sim->plane_hashes + planes, sizeof(uint64_t),
                     sim->smoke.grid.nz);
    uint64_t hash = HASH_START;
    for (int k = 0; k < all; k++)
        hash = hash_word(hash, sim->plane_hashes[k]);
    hash = hash_number(hash, sim->time);
    hash = hash_number(hash, sim->remainder);
    return sim->def.tracers > 0 ? hash_tracers(hash, sim) : hash;
}
