/* SPDX-License-Identifier: MIT
 *
 * The expansion source: volume that emitters and burning make per volume and second.
 *
 * The projection gives the velocity this divergence. Conservative advection needs the volumes too.
 * With s = dt/h, fluid that leaves a cell by an expansion e takes up the volume s e beyond the
 * cell's, so that the content of a cell begins as
 *
 *     V = 1 + s (e_burn + e_emitters),    q' = q / (1 + s e_burn)
 *
 * and V is 1 once the flow has passed on what it passes. Burning spreads the smoke and fuel that
 * were there and makes none; a closed box draws them together elsewhere. What emitters blow in has
 * the density of its place: they make V q' - q of it. The temperature stays. */
#include "sim.h"
#include "sources.h"

#include "boundary.h"
#include "constants.h"

#include <math.h>
#include <string.h>

/* Whether an emitter that is on for a share of the substep expands or shrinks anything in plane k.
 */
static bool expands(const PlacedEmitter *placed, double share, int k)
{
    return placed->emitter.expansion != 0.0f && share > 0 && k >= placed->low[2] &&
           k < placed->high[2];
}

/* Share of the projected substep that the emitter is on. */
static double share_of(const BillowSim *sim, const BillowEmitter *emitter)
{
    double begin = sim->expansion_time, dt = sim->expansion_dt;
    return dt > 0 ? emitter_seconds(emitter, begin, begin + dt) / dt : 0;
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
    for (int e = 0; e < sim->def.emitter_count; e++)
        any = any || expands(&sim->emitters[e], share_of(sim, &sim->def.emitters[e]), k);
    for (int q = 0; q < sim->queued_count; q++)
        any = any || expands(&sim->queued[q], 1, k);
    return any;
}

/* h times the expansion of the emitters alone, m/s. */
static void expand_plane(const BillowSim *sim, int k, float *plane)
{
    const Grid *grid = &sim->grid;
    for (int j = 0; j < grid->ny; j++)
        memset(plane + grid_row(grid, j, 0), 0, (size_t)grid->nx * sizeof *plane);
    for (int e = 0; e < sim->def.emitter_count; e++)
        expand(sim, &sim->emitters[e], (float)share_of(sim, &sim->def.emitters[e]), k, plane);
    for (int q = 0; q < sim->queued_count; q++)
        expand(sim, &sim->queued[q], 1.0f, k, plane);
}

/* Density that emitters' expansion adds in plane k over the substep, at the present density. */
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
            sum += (double)sim->density[grid_row(grid, j, k) + i] *
                   (double)plane[grid_row(grid, j, 0) + i];
    return step * sum;
}

static void expanded_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        sim->plane_budgets[k].released = expanded_mass(sim, k);
}

void budget_expanded(BillowSim *sim, double share)
{
    bool any = false;
    for (int k = 0; k < sim->grid.nz; k++)
        any = any || emitters_expand_in(sim, k);
    if (!any)
        return;
    scratch_claim(&sim->scratch, SCRATCH_EXPANSION);
    team_run(sim->threads, expanded_task, sim);
    scratch_release(&sim->scratch, SCRATCH_EXPANSION);
    budget_released(sim, share);
}

bool expansion_in_plane(const BillowSim *sim, int k)
{
    return combustion_expands(sim, k) || emitters_expand_in(sim, k);
}

double expansion_shrinking(const BillowSim *sim)
{
    double sum = 0;
    for (int e = 0; e < sim->def.emitter_count + sim->queued_count; e++) {
        const PlacedEmitter *placed = e < sim->def.emitter_count
                                          ? &sim->emitters[e]
                                          : &sim->queued[e - sim->def.emitter_count];
        sum += fmax(-(double)placed->emitter.expansion, 0) * (double)placed->amount *
               emitter_flicker_max(&placed->emitter);
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

/* -- conservative advection ----------------------------------------------------------------------
 */

bool expansion_anywhere(const BillowSim *sim)
{
    for (int k = 0; k < sim->grid.nz; k++)
        if (expansion_in_plane(sim, k))
            return true;
    return false;
}

/* h times the expansion by burning alone, into the third of SCRATCH_VOLUMES. */
static void load_burning(BillowSim *sim, int k)
{
    const Grid *grid = &sim->grid;
    float *plane = scratch_use(&sim->scratch, SCRATCH_VOLUMES)[2] + grid_row(grid, 0, k);
    for (int j = 0; j < grid->ny; j++)
        memset(plane + grid_row(grid, j, 0), 0, (size_t)grid->nx * sizeof *plane);
    if (combustion_expands(sim, k))
        combustion_expand(sim, k, plane);
}

/* Volumes of a row, and what burning leaves of the scalars in it. `volumes` holds the expansion by
 * burning at first. */
static void load_volumes(const BillowSim *sim, float scale, ptrdiff_t at, const float *expansion,
                         float *volumes, float *thinned)
{
    int n = sim->grid.nx;
    for (int i = 0; i < n; i++) {
        float burnt = 1 + scale * volumes[i], all = 1 + scale * expansion[i];
        thinned[i] = 1 / (burnt > LEAST_VOLUME ? burnt : LEAST_VOLUME);
        volumes[i] = all > LEAST_VOLUME ? all : LEAST_VOLUME;
    }
    for (int i = 0; i < n && sim->solids != NULL; i++)
        if (!sim->solids->fluid[at + i])
            volumes[i] = thinned[i] = 1;
}

static bool any_of(const float *a, const float *b, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        any |= (a[i] != 0.0f) | (b[i] != 0.0f);
    return any;
}

/* Expands a row. Returns the density that emitters make. */
static double expand_row(BillowSim *sim, const Scalar *list, int count, float scale, ptrdiff_t at,
                         const float *expansion)
{
    int n = sim->grid.nx;
    float thinned[BILLOW_GRID_MAX], *volumes = scratch_use(&sim->scratch, SCRATCH_VOLUMES)[2] + at;
    double made = 0;
    if (!any_of(expansion, volumes, n)) {
        for (int i = 0; i < n; i++)
            volumes[i] = 1;
        return 0;
    }
    load_volumes(sim, scale, at, expansion, volumes, thinned);
    for (int i = 0; i < n; i++)
        made += ((double)volumes[i] * (double)thinned[i] - 1) * (double)sim->density[at + i];
    for (int s = 0; s < count; s++)
        for (int i = 0; i < n && list[s].kind != FIELD_TEMPERATURE; i++)
            (*list[s].field)[at + i] *= thinned[i];
    return made;
}

void expansion_make_volumes(BillowSim *sim, const Scalar *list, int count, float scale, Slab slab)
{
    const Grid *grid = &sim->grid;
    for (int k = slab.begin; k < slab.end; k++) {
        ptrdiff_t stride;
        float *scratch = scratch_use(&sim->scratch, SCRATCH_EXPANSION)[0];
        load_burning(sim, k);
        const float *expansion = expansion_plane(sim, k, scratch, &stride);
        for (int j = 0; j < grid->ny; j++)
            sim->plane_budgets[k].released +=
                expand_row(sim, list, count, scale, grid_row(grid, j, k), expansion + j * stride);
    }
}
