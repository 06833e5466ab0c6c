/* SPDX-License-Identifier: MIT
 *
 * Stage 6: combustion, after Feldman, O'Brien, Arikan 2003 ("Animating suspended particle
 * explosions"), without particles. Fuel F that is hot enough burns and gives heat, soot and
 * expansion:
 *
 *     dF/dt = -r F  if T >= ignition,         burnt B = F (1 - exp(-r dt)),  flame = B / dt
 *     T += heat B,   density += smoke B,      div u = expansion flame
 *
 * Fuel needs air. Where its density reaches R = burn_rich, no air is left, and it does not burn
 * until the flow has mixed it with air. Flames are then thin sheets around fuel, as in a pool fire:
 *
 *     dF/dt = -r F (1 - F/R),   B = F s (1 - F/R) / (1 - s F/R)  with s = 1 - exp(-r dt)
 *
 * This is the exact solution for any dt (Verhulst's logistic equation), for F < R; above, B = 0.
 *
 * Hot gas radiates with the fourth power of its temperature (Nguyen, Fedkiw, Jensen 2002). The
 * linear cooling c acts at the same time, but advection applies its factor exp(-c dt):
 *
 *     dT/dt = -c T - q T (T/1000)^3
 *
 * For y = 1/T^3 the equation is dy/dt = 3c y + 3q/1000^3, hence
 *
 *     T(dt) = exp(-c dt) T / (1 + g (T/1000)^3)^(1/3),    g = q (1 - exp(-3c dt)) / c
 *
 * This is exact for any dt. For c = 0, g is 3 q dt.
 *
 * Burning expands fluid by the factor exp(e), e = expansion B, and thins its smoke and fuel by
 * exp(-e). The flow that results from the divergence spreads them. */
#include "sim/sources/combustion.h"

#include "base/mathematics.h"
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"

#include <math.h>
#include <string.h>

typedef struct CombustionTask {
    BillowSim *sim;
    Burning burning;
    float gain; /* g of the formula */
    Scalar scalars[SCALARS_MAX];
    int count;
} CombustionTask;

/* Thins the amounts in those cells of a row that burnt. */
static void thin_row(const CombustionTask *task, ptrdiff_t at, int n, float expansion)
{
    for (int i = 0; i < n; i++) {
        float flame = task->sim->flame[at + i];
        if (flame > 0.0f) {
            float keep = math_expf(-expansion * flame);
            for (int s = 0; s < task->count; s++)
                if (task->scalars[s].amount)
                    (*task->scalars[s].field)[at + i] *= keep;
        }
    }
}

static void combustion_task(void *context, Team team)
{
    const CombustionTask *task = context;
    BillowSim *sim = task->sim;
    const CombustionKernels *kernels = sim->kernels->combustion;
    float expansion = sim->def.params.burn_expansion / task->burning.frequency;
    Slab slab = smoke_slab(sim, team);
    for (int k = slab.begin; k < slab.end; k++)
        FOR_SMOKE_ROWS(&sim->smoke, j, k)
        {
            const Span span = smoke_span(&sim->smoke, j, k);
            ptrdiff_t at = grid_row(&sim->smoke.grid, j, k) + span.begin;
            int n = span.end - span.begin;
            double burning = 0;
            if (sim->def.fire)
                burning = kernels->burn(&task->burning, n, sim->fuel + at, sim->temperature + at,
                                        sim->density + at, sim->flame + at);
            /* conservative advection thins them in expand_row */
            if (burning > 0 && expansion > 0.0f && !params_conserve(&sim->def.params))
                thin_row(task, at, n, expansion);
            if (task->gain > 0.0f)
                kernels->radiate(task->gain, n, sim->temperature + at);
        }
}

void combustion_apply(BillowSim *sim, double dt)
{
    const BillowParams *params = &sim->def.params;
    double c = (double)params->cooling, q = (double)params->radiation;
    if (!sim->def.fire && q == 0)
        return;
    CombustionTask task = {
        .sim = sim,
        .burning = {.ignition = params->ignition,
                    .richness = params->burn_rich > 0.0f ? 1 / params->burn_rich : 0.0f,
                    .share = (float)-math_expm1(-(double)params->burn_rate * dt),
                    .heat = params->burn_heat,
                    .smoke = params->burn_smoke,
                    .frequency = (float)(1 / dt)},
        .gain = (float)(c > 0 ? q * -math_expm1(-3 * c * dt) / c : 3 * q * dt)};
    task.count = smoke_scalars(sim, task.scalars);
    sim_run(sim, combustion_task, &task);
    if (sim->def.fire)
        smoke_feel_flame(sim);
    double h = (double)sim->def.cell_size;
    sim->stats.mass_sources += (double)params->burn_smoke * sim->flame_sum * dt * h * h * h;
    profile_traffic(sim, sim->def.fire ? 7 : 2);
}

/* Mean expansion by burning in a closed box, 1/s, which is subtracted in every cell; 0 in an open
 * box. */
static float mean_expansion(const BillowSim *sim)
{
    double cells = sim->solids != NULL ? sim->solids->open_cells
                                       : (double)sim->grid.nx * sim->grid.ny * sim->grid.nz;
    return boundary_closed(&sim->def)
               ? (float)((double)sim->def.params.burn_expansion * sim->flame_sum / cells)
               : 0;
}

/* Whether burning expands or compresses fluid in plane k. */
static bool combustion_expands(const BillowSim *sim, int k)
{
    if (!sim->def.fire || sim->def.params.burn_expansion == 0.0f)
        return false;
    return sim->wind_budgets[k].flame != 0.0 || mean_expansion(sim) != 0.0f;
}

/* Adds h times the expansion by burning to the rows of plane k, m/s. */
static void combustion_expand(const BillowSim *sim, int k, float *plane)
{
    const Grid *grid = &sim->grid;
    float h = sim->def.cell_size, rate = h * sim->def.params.burn_expansion;
    float mean = h * mean_expansion(sim);
    for (int j = 0; j < grid->ny; j++) {
        const float *flame = sim_felt_flame(sim) + grid_row(grid, j, k);
        float *row = plane + grid_row(grid, j, 0);
        for (int i = 0; i < grid->nx; i++)
            row[i] += rate * flame[i] - mean;
    }
}

/* The expansion source: volume that emitters and burning make per volume and second.
 *
 * The projection makes this expansion the divergence of the velocity. Conservative advection needs
 * the volumes too. With s = dt/h, an expansion e adds the volume s e to the fluid of a cell.
 * Advection starts with the volume V and the content q'
 *
 *     V = 1 + s (e_burn + e_emitters),    q' = q / (1 + s e_burn)
 *
 * and the divergence of the flow brings V back to 1. Expansion by burning spreads the smoke and
 * fuel of a cell and creates none. In a closed box they are compressed elsewhere. Fluid that
 * emitters add has the same density as the fluid of the cell. Emitters therefore create the amount
 * V q' - q. The temperature does not change. */

/* Whether an emitter that is on for a share of the substep expands or shrinks fluid in plane k. */
static bool expands(const PlacedEmitter *placed, double share, int k)
{
    return placed->emitter.expansion != 0.0f && share > 0 && k >= placed->low[2] &&
           k < placed->high[2];
}

/* Share of the projected substep during which an emitter is on. */
static double share_of(const BillowSim *sim, int e)
{
    double begin = sim->expansion_time, dt = sim->expansion_dt;
    if (e >= sim->def.emitter_count)
        return 1;
    return dt > 0 ? emitter_seconds(&sim->def.emitters[e], begin, begin + dt) / dt : 0;
}

static void expand(const BillowSim *sim, const PlacedEmitter *placed, float share, int k,
                   float *plane)
{
    const Grid *grid = &sim->grid;
    const BillowEmitter *emitter = &placed->emitter;
    if (!expands(placed, (double)share, k))
        return;
    float rate = emitter->expansion * share * placed->amount * sim->def.cell_size;
    int j_end = placed->high[1] < grid->ny ? placed->high[1] : grid->ny;
    int i_end = placed->high[0] < grid->nx ? placed->high[0] : grid->nx;
    NoiseMemory memory = {0};
    for (int j = placed->low[1]; j < j_end; j++)
        for (int i = placed->low[0]; i < i_end; i++) {
            float x = (float)i, y = (float)j, z = (float)k;
            float coverage = emitter_coverage(placed, x, y, z);
            if (coverage > 0)
                plane[j * grid->stride_y + i] +=
                    rate * coverage *
                    emitter_flicker(placed, x, y, z, sim->def.cell_size, sim->expansion_time,
                                    &memory);
        }
}

static bool emitters_expand_in(const BillowSim *sim, int k)
{
    bool any = false;
    for (int e = 0; e < sim_emitter_count(sim); e++)
        any = any || expands(sim_emitter(sim, e), share_of(sim, e), k);
    return any;
}

/* Writes h times the expansion by the emitters alone to plane k, m/s. */
static void expand_plane(const BillowSim *sim, int k, float *plane)
{
    const Grid *grid = &sim->grid;
    for (int j = 0; j < grid->ny; j++)
        memset(plane + grid_row(grid, j, 0), 0, (size_t)grid->nx * sizeof *plane);
    for (int e = 0; e < sim_emitter_count(sim); e++)
        expand(sim, sim_emitter(sim, e), (float)share_of(sim, e), k, plane);
}

/* Density that the emitters' expansion adds in plane k over the substep, summed over cells, if the
 * density stays as it is now. */
static double expanded_mass(const BillowSim *sim, int k)
{
    const Grid *grid = &sim->grid;
    float *plane = scratch_use(&sim->scratch, SCRATCH_EXPANSION)[0] + grid_row(grid, 0, k);
    double step = sim->expansion_dt / (double)sim->def.cell_size, sum = 0;
    if (!emitters_expand_in(sim, k))
        return 0;
    expand_plane(sim, k, plane);
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++)
            sum += (double)sim_felt_density(sim)[grid_row(grid, j, k) + i] *
                   (double)plane[grid_row(grid, j, 0) + i];
    return step * sum;
}

static void expanded_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        sim->plane_sums[k] = expanded_mass(sim, k);
}

void budget_expanded(BillowSim *sim, double share)
{
    bool any = false;
    for (int k = 0; k < sim->grid.nz; k++)
        any = any || emitters_expand_in(sim, k);
    if (!any)
        return;
    scratch_claim(&sim->scratch, SCRATCH_EXPANSION);
    smoke_feel(sim);
    sim_run(sim, expanded_task, sim);
    scratch_release(&sim->scratch, SCRATCH_EXPANSION);
    exchange_entries(sim_alone(sim), sim->plane_sums, sizeof *sim->plane_sums, sim->grid.nz);
    double h = (double)sim->def.cell_size;
    sim->stats.mass_sources += share * sum_planes(sim->plane_sums, sim->grid.nz) * h * h * h;
}

double expansion_shrinking(const BillowSim *sim)
{
    double sum = 0;
    for (int e = 0; e < sim_emitter_count(sim); e++) {
        const PlacedEmitter *placed = sim_emitter(sim, e);
        sum += fmax(-(double)placed->emitter.expansion, 0) * (double)placed->amount *
               (double)placed->most * emitter_flicker_max(&placed->emitter);
    }
    return sum;
}

const float *expansion_plane(const BillowSim *sim, int k, float *scratch, ptrdiff_t *stride)
{
    const Grid *grid = &sim->grid;
    *stride = 0;
    bool burns = combustion_expands(sim, k);
    if (!burns && !emitters_expand_in(sim, k))
        return sim->guard_zone; /* a row of zeros */
    float *plane = scratch + grid_row(grid, 0, k);
    expand_plane(sim, k, plane);
    if (burns)
        combustion_expand(sim, k, plane);
    *stride = grid->stride_y;
    return plane;
}

/* -- conservative advection -------------------------------------------------------------------- */

bool expansion_anywhere(const BillowSim *sim)
{
    for (int k = 0; k < sim->grid.nz; k++)
        if (combustion_expands(sim, k) || emitters_expand_in(sim, k))
            return true;
    return false;
}

/* What expands the smoke in a row of the wind: volumes above 1, and the factors by which burning
 * thins the scalars, in the cells of smoke from `begin` to `end`. Nothing expands elsewhere. */
typedef struct Expanded {
    float above[BILLOW_GRID_MAX], thinned[BILLOW_GRID_MAX];
    int begin, end;
} Expanded;

/* The cells of the wind in row (j, k) that hold smoke. */
static Span smoky_cells(const BillowSim *sim, int j, int k)
{
    const int refine = sim->smoke.refine;
    Span cells = {(short)sim->grid.nx, 0};
    for (int p = 0; p < refine; p++)
        for (int q = 0; q < refine; q++) {
            const Span span = smoke_span(&sim->smoke, j * refine + q, k * refine + p);
            if (span.begin >= span.end)
                continue;
            const short begin = (short)(span.begin / refine),
                        end = (short)((span.end + refine - 1) / refine);
            cells.begin = begin < cells.begin ? begin : cells.begin;
            cells.end = end > cells.end ? end : cells.end;
        }
    return cells;
}

/* expansion: h times the expansion source, m/s. burns: whether burning is a part of it. */
static void find_expanded(const BillowSim *sim, float scale, int j, int k, bool burns,
                          const float *expansion, Expanded *row)
{
    const int refine = sim->smoke.refine;
    const ptrdiff_t at = grid_row(&sim->grid, j, k);
    const float rate = burns ? sim->def.cell_size * sim->def.params.burn_expansion : 0,
                mean = burns ? sim->def.cell_size * mean_expansion(sim) : 0;
    const float *flame = burns ? sim_felt_flame(sim) + at : expansion;
    const Span cells = smoky_cells(sim, j, k);
    row->begin = BILLOW_GRID_MAX;
    row->end = 0;
    for (int i = cells.begin; i < cells.end; i++) {
        const bool fluid = sim->solids == NULL || sim->solids->fluid[at + i] != SOLID;
        const float burnt = fluid ? 1 + scale * (rate * flame[i] - mean) : 1,
                    all = fluid ? 1 + scale * expansion[i] : 1;
        const bool expands = (all != 1.0f) | (burnt != 1.0f);
        if (!expands && row->end == 0)
            continue;
        const float thinned = 1 / (burnt > LEAST_VOLUME ? burnt : LEAST_VOLUME),
                    above = (all > LEAST_VOLUME ? all : LEAST_VOLUME) - 1;
        for (int c = i * refine; c < (i + 1) * refine; c++)
            row->thinned[c] = thinned, row->above[c] = above;
        row->begin = i * refine < row->begin ? i * refine : row->begin;
        row->end = expands ? (i + 1) * refine : row->end;
    }
}

/* Expands smoke row (j, k). Returns the density that emitters create in it, summed over cells. */
static double expand_row(BillowSim *sim, const Scalar *list, int count, int j, int k,
                         const Expanded *row)
{
    const Span span = smoke_span(&sim->smoke, j, k);
    const int begin = span.begin > row->begin ? span.begin : row->begin,
              end = span.end < row->end ? span.end : row->end;
    const ptrdiff_t at = grid_row(&sim->smoke.grid, j, k);
    double made = 0;
    if (span.begin < span.end)
        memset(sim->smoke.volumes + at + span.begin, 0,
               (size_t)(span.end - span.begin) * sizeof *sim->smoke.volumes);
    for (int i = begin; i < end; i++) {
        sim->smoke.volumes[at + i] = row->above[i];
        made += ((1 + (double)row->above[i]) * (double)row->thinned[i] - 1) *
                (double)sim->density[at + i];
    }
    for (int s = 0; s < count; s++)
        for (int i = begin; i < end && list[s].kind != SCALAR_TEMPERATURE; i++)
            (*list[s].field)[at + i] *= row->thinned[i];
    return made;
}

void expansion_make_volumes(BillowSim *sim, const Scalar *list, int count, double dt, Slab slab)
{
    const int refine = sim->smoke.refine;
    const float scale = (float)(dt / (double)sim->def.cell_size);
    float *scratch = scratch_use(&sim->scratch, SCRATCH_EXPANSION)[0];
    Expanded row;
    for (int k = slab.begin; k < slab.end; k++) {
        ptrdiff_t stride;
        const float *expansion = expansion_plane(sim, k, scratch, &stride);
        const bool burns = combustion_expands(sim, k);
        row.begin = row.end = 0;
        for (int j = 0; j < sim->grid.ny; j++) {
            if (stride != 0)
                find_expanded(sim, scale, j, k, burns, expansion + j * stride, &row);
            for (int p = 0; p < refine; p++)
                for (int q = 0; q < refine; q++)
                    sim->plane_budgets[k * refine + p].released +=
                        expand_row(sim, list, count, j * refine + q, k * refine + p, &row);
        }
    }
}
