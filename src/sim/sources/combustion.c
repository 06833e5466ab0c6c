/* SPDX-License-Identifier: MIT
 *
 * Stage 6: combustion, after Feldman, O'Brien, Arikan 2003 ("Animating suspended particle
 * explosions") on the grid alone. Fuel F that is hot enough burns and gives heat, soot and
 * expansion:
 *
 *     dF/dt = -r F  where T >= ignition,      burnt B = F (1 - exp(-r dt)),  flame = B / dt
 *     T += heat B,   density += smoke B,      div u = expansion flame
 *
 * Hot gas radiates with the fourth power of its temperature (as the cooling of Nguyen, Fedkiw,
 * Jensen 2002), in addition to the linear cooling c that advection applies:
 *
 *     dT/dt = -c T - q T (T/1000)^3
 *
 * With y = 1/T^3 that is dy/dt = 3c y + 3q/1000^3, hence
 *
 *     T(dt) = exp(-c dt) T / (1 + g (T/1000)^3)^(1/3),    g = q (1 - exp(-3c dt)) / c
 *
 * This is exact for any step; for c = 0, g is 3 q dt.
 *
 * Fluid that expands by exp(e), e = expansion B, keeps its smoke and fuel: they thin by exp(-e),
 * and the flow that the divergence drives spreads them. */
#include "sim.h"
#include "sources.h"

#include "boundary.h"
#include "parallel.h"

#include <math.h>

typedef struct CombustionTask {
    BillowSim *sim;
    Burning burning;
    float gain; /* g of the formula */
} CombustionTask;

/* Thins the smoke and fuel of a row where it burnt. */
static void thin_row(BillowSim *sim, ptrdiff_t at, float expansion)
{
    float *fields[5] = {sim->density + at, sim->fuel + at};
    int count = 2;
    for (int c = 0; c < 3 && sim->def.color; c++)
        fields[count++] = sim->color[c] + at;
    for (int i = 0; i < sim->grid.nx; i++) {
        float flame = sim->flame[at + i];
        if (flame > 0.0f) {
            float keep = expf(-expansion * flame);
            for (int f = 0; f < count; f++)
                fields[f][i] *= keep;
        }
    }
}

static double combust_plane(const CombustionTask *task, int k)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    const CombustionKernels *kernels = sim->kernels->combustion;
    double flame = 0;
    float expansion = sim->def.params.burn_expansion / task->burning.frequency;
    for (int j = 0; j < grid->ny; j++) {
        ptrdiff_t at = grid_row(grid, j, k);
        double burning = 0;
        if (sim->def.fire)
            burning = kernels->burn(&task->burning, grid->nx, sim->fuel + at, sim->temperature + at,
                                    sim->density + at, sim->flame + at);
        if (burning > 0 && expansion > 0.0f &&
            !params_conserve(
                &sim->def.params)) /* conservative advection thins by itself (expansion.c) */
            thin_row(sim, at, expansion);
        flame += burning;
        if (task->gain > 0.0f)
            kernels->radiate(task->gain, grid->nx, sim->temperature + at);
    }
    return flame;
}

static void combustion_task(void *context, Team team)
{
    const CombustionTask *task = context;
    Slab slab = team_slab(team, task->sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        task->sim->plane_budgets[k].flame = combust_plane(task, k);
}

void combustion_apply(BillowSim *sim, double dt)
{
    const BillowParams *params = &sim->def.params;
    double c = (double)params->cooling, q = (double)params->radiation;
    if (!sim->def.fire && q == 0)
        return;
    CombustionTask task = {.sim = sim,
                           .burning = {.ignition = params->ignition,
                                       .share = (float)-expm1(-(double)params->burn_rate * dt),
                                       .heat = params->burn_heat,
                                       .smoke = params->burn_smoke,
                                       .frequency = (float)(1 / dt)},
                           .gain = (float)(c > 0 ? q * -expm1(-3 * c * dt) / c : 3 * q * dt)};
    team_run(sim->threads, combustion_task, &task);
    sim->flame_sum = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        sim->flame_sum += sim->plane_budgets[k].flame;
    double h = (double)sim->def.cell_size;
    sim->stats.mass_sources += (double)params->burn_smoke * sim->flame_sum * dt * h * h * h;
    profile_traffic(sim, sim->def.fire ? 7 : 2);
}

/* In a closed box, the mean of what burning expands, 1/s; it is taken off every cell. */
static float mean_expansion(const BillowSim *sim)
{
    double cells = sim->solids != NULL ? sim->solids->open_cells
                                       : (double)sim->grid.nx * sim->grid.ny * sim->grid.nz;
    return boundary_closed(&sim->def)
               ? (float)((double)sim->def.params.burn_expansion * sim->flame_sum / cells)
               : 0;
}

bool combustion_expands(const BillowSim *sim, int k)
{
    if (!sim->def.fire || sim->def.params.burn_expansion == 0.0f)
        return false;
    return sim->plane_budgets[k].flame != 0.0 || mean_expansion(sim) != 0.0f;
}

void combustion_expand(const BillowSim *sim, int k, float *plane)
{
    const Grid *grid = &sim->grid;
    float h = sim->def.cell_size, rate = h * sim->def.params.burn_expansion;
    float mean = h * mean_expansion(sim);
    for (int j = 0; j < grid->ny; j++) {
        const float *flame = sim->flame + grid_row(grid, j, k);
        float *row = plane + grid_row(grid, j, 0);
        for (int i = 0; i < grid->nx; i++)
            row[i] += rate * flame[i] - mean;
    }
}
