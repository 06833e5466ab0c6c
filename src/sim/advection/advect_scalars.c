/* SPDX-License-Identifier: MIT
 *
 * Stage 8, semi-Lagrangian advection. The scalars of the smoke follow the displacement of the wind,
 * which is interpolated to the cells of the smoke. Texture coordinates follow it in cells of the
 * wind. */
#include "sim/advection/advect.h"
#include "sim/advection/conserve.h"
#include "sim/sources/combustion.h"

#include "base/mathematics.h"
#include "sim/solids/solid_advection.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Largest number of scalars that one pass advects: those of Smoke.arriving, and of
 * SCRATCH_ARRIVING. */
enum { TOGETHER = 2 };

typedef struct ScalarTask {
    BillowSim *sim;
    const Grid *grid;
    int refine; /* cells of the grid along an edge of a wind cell */
    SampleBounds bounds;
    Advected fields[TOGETHER];
    float *old[TOGETHER];
    int kinds[TOGETHER], count;
    int reach;     /* planes beside those of this rank that samples are interpolated from */
    bool budgeted; /* the first scalar is density, whose losses are added to the mass budget */
    bool summed;   /* the new density is summed, to find how much mass has dissipated */
} ScalarTask;

/* -- the mass budget --------------------------------------------------------------------------- */

/* Density that the cells begin <= i < end of row (j, k) lose through their faces at a side of the
 * box: the sum of density times outward speed, m/s. faces: those of the wind cells of the row. */
static double leaving(const BillowSim *sim, BillowSide side, const float *faces,
                      const float *density, Span cells)
{
    double sum = 0;
    float outwards = side % 2 == 0 ? -1 : 1; /* sign of a velocity that leaves the box */
    bool inflow = sim->def.faces[side] == BILLOW_INFLOW;
    if (sim->def.faces[side] != BILLOW_OPEN && !inflow)
        return 0;
    float brought = inflow ? sim->def.boundaries[side].smoke : 0;
    for (int i = cells.begin; i < cells.end; i++) {
        float speed = outwards * faces[i / sim->smoke.refine];
        sum += (double)speed * (double)(speed > 0.0f ? density[i] : brought);
    }
    return sum;
}

static double leaving_row(const BillowSim *sim, int j, int k)
{
    const Smoke *smoke = &sim->smoke;
    const Grid *grid = &smoke->grid, *wind = &sim->grid;
    const Span span = smoke_span(smoke, j, k), first = {0, 1},
               last = {(short)(grid->nx - 1), (short)grid->nx};
    const ptrdiff_t at = grid_row(wind, j / smoke->refine, k / smoke->refine);
    const float *density = sim->density + grid_row(grid, j, k);
    const float *u = sim->velocity[0] + at, *v = sim->velocity[1] + at, *w = sim->velocity[2] + at;
    double sum = span.begin == 0 ? leaving(sim, BILLOW_LEFT, u, density, first) : 0;
    if (span.end == grid->nx)
        sum += leaving(sim, BILLOW_RIGHT, u + 1, density, last);
    if (j == 0)
        sum += leaving(sim, BILLOW_FLOOR, v, density, span);
    if (j == grid->ny - 1)
        sum += leaving(sim, BILLOW_CEILING, v + wind->stride_y, density, span);
    if (k == 0)
        sum += leaving(sim, BILLOW_BACK, w, density, span);
    if (k == grid->nz - 1)
        sum += leaving(sim, BILLOW_FRONT, w + wind->stride_z, density, span);
    return sum;
}

static double row_sum(const float *row, int n)
{
    enum { PARTS = 8 };
    double parts[PARTS] = {0}, sum = 0;
    int whole = n - n % PARTS;
    for (int i = 0; i < whole; i += PARTS)
        for (int part = 0; part < PARTS; part++)
            parts[part] += (double)row[i + part];
    for (int i = whole; i < n; i++)
        sum += (double)row[i];
    for (int part = 0; part < PARTS; part++)
        sum += parts[part];
    return sum;
}

/* -- rows -------------------------------------------------------------------------------------- */

/* Displacements of cells begin <= i < end of row (j, k), in cells, interpolated between those of
 * wind cells. Writes all cells of a wind cell. */
static void displace_row(const ScalarTask *task, int j, int k, Span cells, float *out[3])
{
    const int refine = task->refine;
    const float y = ((float)j + 0.5f) / (float)refine - 0.5f,
                z = ((float)k + 0.5f) / (float)refine - 0.5f;
    const int low_j = (int)floorf(y), low_k = (int)floorf(z);
    const float share_y = y - (float)low_j, share_z = z - (float)low_k;
    const Rows rows[4] = {displacement_row(task->sim, low_j, low_k),
                          displacement_row(task->sim, low_j + 1, low_k),
                          displacement_row(task->sim, low_j, low_k + 1),
                          displacement_row(task->sim, low_j + 1, low_k + 1)};
    const int begin = cells.begin / refine, end = (cells.end - 1) / refine + 1;
    float across[BILLOW_GRID_MAX + 2]; /* element c is wind cell begin - 1 + c */
    for (int axis = 0; axis < 3; axis++) {
        const float *d[4];
        for (int r = 0; r < 4; r++)
            d[r] = axis == 0 ? rows[r].x : axis == 1 ? rows[r].y : rows[r].z;
        for (int c = begin - 1; c <= end; c++)
            across[c - begin + 1] = grid_mix(grid_mix(d[0][c], d[1][c], share_y),
                                             grid_mix(d[2][c], d[3][c], share_y), share_z);
        for (int s = 0; s < refine; s++) {
            /* twice the position from the centre of the wind cell before, times refine */
            const int place = 2 * s + 1 + refine;
            const float share = (float)(place % (2 * refine)) / (float)(2 * refine);
            const float *low = across + place / (2 * refine);
            for (int c = 0; c < end - begin; c++)
                out[axis][(begin + c) * refine + s] =
                    (float)refine * grid_mix(low[c], low[c + 1], share);
        }
    }
}

static void drop_traces(float *row, int n)
{
    for (int i = 0; i < n; i++)
        row[i] = fabsf(row[i]) < LEAST_VALUE ? 0 : row[i];
}

static void advect_row(const ScalarTask *task, int j, int k, Span cells)
{
    BillowSim *sim = task->sim;
    float moved[3][BILLOW_GRID_MAX], *out[3] = {moved[0], moved[1], moved[2]};
    const int n = cells.end - cells.begin;
    Rows d = {moved[0], moved[1], moved[2]};
    if (task->refine == 1)
        d = displacement_row(sim, j, k);
    else
        displace_row(task, j, k, cells, out);
    d = rows_from(d, cells.begin);
    Origins from = {(float)(1 + cells.begin), (float)(j + 1), (float)(k + 1), d, d};
    Advected fields[TOGETHER];
    for (int f = 0; f < task->count; f++) {
        fields[f] = task->fields[f];
        fields[f].out += grid_row(task->grid, j, k) + cells.begin;
    }
    advect_kernel(sim)(&task->bounds, &from, fields, task->count, FLT_MAX, n);
    for (int f = 0; f < task->count; f++)
        fields[f].out -= cells.begin;
    solids_advect_row(sim, task->grid, task->refine, j, k, cells, d, fields, task->count);
}

static void texture_planes(void *context, Team team)
{
    const ScalarTask *task = context;
    const Grid *grid = task->grid;
    Slab planes = team_slab(team, grid->nz);
    for (int k = planes.begin; k < planes.end; k++)
        for (int j = 0; j < grid->ny; j++)
            advect_row(task, j, k, (Span){0, (short)grid->nx});
    for (int f = 0; f < task->count; f++)
        advect_clear_beyond(task->sim, task->fields[f].out, -1, team);
}

static void smoke_planes(void *context, Team team)
{
    const ScalarTask *task = context;
    BillowSim *sim = task->sim;
    const Smoke *smoke = &sim->smoke;
    Slab planes = smoke_slab(sim, team);
    for (int k = planes.begin; k < planes.end; k++) {
        PlaneBudget *budget = &sim->plane_budgets[k];
        budget->leaving = budget->kept = 0;
        FOR_SMOKE_ROWS(smoke, j, k)
        {
            const Span span = smoke_span(smoke, j, k);
            advect_row(task, j, k, span);
            for (int f = 0; f < task->count; f++)
                drop_traces(task->fields[f].out + grid_row(&smoke->grid, j, k) + span.begin,
                            span.end - span.begin);
            if (task->budgeted)
                budget->leaving += leaving_row(sim, j, k);
            if (task->summed)
                budget->kept +=
                    row_sum(task->fields[0].out + grid_row(&smoke->grid, j, k) + span.begin,
                            span.end - span.begin);
        }
    }
}

/* -- passes ------------------------------------------------------------------------------------ */

static void ghost_task(void *context, Team team)
{
    const ScalarTask *task = context;
    const BillowSim *sim = task->sim;
    const Smoke *smoke = task->grid == &sim->smoke.grid ? &sim->smoke : NULL;
    for (int f = 0; f < task->count; f++)
        boundary_fill(&sim->def, task->grid, smoke, task->kinds[f], task->old[f], team);
    team_barrier(team);
    exchange_fields(team, task->grid, task->old, task->count, task->reach);
    for (int f = 0; f < task->count; f++)
        boundary_fill_ends(&sim->def, task->grid, smoke, task->kinds[f], task->old[f], team);
}

static float decayed(const Scalar *scalar, double dt)
{
    return (float)math_exp(-(double)scalar->decay * dt);
}

/* Advects `count` scalars of one grid. arriving: memory for their new values, which becomes that of
 * the old ones. */
static void advect(ScalarTask *task, const Scalar *list, double dt, float **arriving,
                   TeamTask *planes)
{
    BillowSim *sim = task->sim;
    task->reach = sim->reach * task->refine;
    for (int f = 0; f < task->count; f++) {
        float keep = decayed(&list[f], dt) * (list[f].smoke ? sim->made_good : 1);
        task->old[f] = *list[f].field;
        task->kinds[f] = list[f].kind;
        task->fields[f] = (Advected){field_corner(task->grid, task->old[f]), keep, arriving[f]};
    }
    if (boundary_has_ghosts(&sim->def) || sim->ranks != NULL)
        sim_run(sim, ghost_task, task);
    sim_run(sim, planes, task);
    for (int f = 0; f < task->count; f++) {
        *list[f].field = arriving[f];
        arriving[f] = task->old[f];
    }
}

static int at_most(int count)
{
    return count < TOGETHER ? count : TOGETHER;
}

/* Advects the texture coordinates of a list. Beyond open faces and inflows they repeat the value
 * inside. */
static void advect_textures(BillowSim *sim, const Scalar *list, int count, double dt)
{
    for (int f = 0; f < count; f += TOGETHER) {
        ScalarTask task = {.sim = sim,
                           .grid = &sim->grid,
                           .refine = 1,
                           .bounds = bounds_of_cells(&sim->def, &sim->grid),
                           .count = at_most(count - f)};
        scratch_claim(&sim->scratch, SCRATCH_ARRIVING);
        advect(&task, list + f, dt, scratch_trade(&sim->scratch, SCRATCH_ARRIVING), texture_planes);
        scratch_release(&sim->scratch, SCRATCH_ARRIVING);
    }
    texture_advance(sim, dt);
}

static void sum_budgets(BillowSim *sim, bool summed, double dt)
{
    double leaving = 0, kept = 0, h = (double)sim->def.cell_size / sim->smoke.refine;
    sim_exchange_budgets(sim);
    for (int k = 0; k < sim->smoke.grid.nz; k++) {
        leaving += sim->plane_budgets[k].leaving;
        kept += sim->plane_budgets[k].kept;
    }
    sim->stats.mass_outflow += leaving * h * h * dt;
    if (summed)
        budget_dissipated(sim, kept * h * h * h);
}

static void advect_smoke(BillowSim *sim, const Scalar *list, int count, double dt)
{
    const BillowDef *def = &sim->def;
    const Grid *grid = &sim->smoke.grid;
    displacement_winds(sim);
    smoke_widen(sim, sim->smoke.refine, 2);
    for (int f = 0; f < count; f += TOGETHER) {
        ScalarTask task = {
            .sim = sim,
            .grid = grid,
            .refine = sim->smoke.refine,
            .bounds = bounds_with_open(
                def, bounds_with_given(def, bounds_of_cells(def, grid), SCALAR_DENSITY)),
            .count = at_most(count - f),
            .budgeted = f == 0};
        if (task.budgeted)
            sim->density_share = decayed(&list[0], dt);
        task.summed = task.budgeted && sim->density_share < 1.0f && sim->substeps_left > 0;
        advect(&task, list + f, dt, sim->smoke.arriving, smoke_planes);
        if (task.budgeted)
            sum_budgets(sim, task.summed, dt);
    }
    profile_traffic(sim, 3 + 2 * count);
}

void advect_scalars(BillowSim *sim, double dt)
{
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list), smoke = smoke_scalars(sim, list);
    bool conserves = params_conserve(&sim->def.params);
    displacement_drop(sim); /* the projection has changed the velocity */
    if (conserves)
        conserve_scalars(sim, list, smoke, dt); /* keeps its own mass budget */
    if (!conserves || count > smoke)
        advect_displace(sim, dt);
    if (!conserves) {
        budget_expanded(sim, 0.5); /* trapezoidal rule: half before advection, half after */
        advect_smoke(sim, list, smoke, dt);
        budget_expanded(sim, 0.5);
    }
    if (count > smoke)
        advect_textures(sim, list + smoke, count - smoke, dt);
    sim->made_good = 1;
}
