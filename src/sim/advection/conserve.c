/* SPDX-License-Identifier: MIT
 *
 * Stage 8, advection of scalars, by fluxes between cells (BILLOW_CONSERVATIVE). They neither create
 * nor lose any amount in a flow without divergence.
 *
 * Each step advects along one axis after the other: x, y, z, and z, y, x in the next step (Strang
 * 1968). The flow along one axis alone compresses and expands the fluid of a cell. Its volume V is
 * therefore computed too, for a unit cell with the value q:
 *
 *     V' = V - (c_high - c_low),    V' q' = V q - (F_high - F_low),    F = c q_face
 *
 * with c = dt u / h at the faces, dt the length of a step, and V = 1 at the start. After three axes
 * V is 1 minus dt times the divergence. The next step starts from V = 1 again. The divergence that
 * the projection leaves therefore changes the amount of q in a cell by dt q div u (billow verify
 * dye-drift). A uniform q stays uniform after every axis. Fluxes are upwind, of second order and
 * limited (van Leer 1977; cell_kernels.c). They create no new extrema and no negative values.
 *
 * If fluid expands, V is above 1 at the start and 1 at the end (combustion.c).
 *
 * A substep is divided into steps so short that no cell loses more along an axis than it contains
 * (FLUX_SHARE, FLUX_STEPS_MAX). */
#include "sim/advection/conserve.h"
#include "sim/sim.h"
#include "sim/sources/combustion.h"

#include "base/mathematics.h"
#include "sim/fields/boundary.h"
#include "sim/solids/solid_advection.h"

#include <math.h>
#include <string.h>

enum { HALO = 2, LEAD = ROW_ALIGNMENT };
/* A row with padding. Element LEAD is cell 0; the first in use is HALO elements before it. */
typedef float Row[LEAD + BILLOW_GRID_MAX + ROW_ALIGNMENT];

typedef struct ConserveTask {
    BillowSim *sim;
    const Scalar *list;
    int count;
    double dt;
    float keep[SCALARS_MAX]; /* per scalar: share that decay leaves after dt */
    Row ones;
    int steps;        /* number of steps in dt; set by the first worker */
    float scale;      /* length of one step / h, s/m; set by the first worker */
    double passed[2]; /* density that has flowed through the ends of the columns along z */
    bool summed;      /* whether to sum the density that remains */
    bool expands;
} ConserveTask;

/* Advection along one axis in one step. */
typedef struct Sweep {
    const ConserveTask *task;
    int axis;
    const float *before; /* volumes before the sweep, a field of cells; NULL: all 1 */
    float *after;        /* volumes after the sweep, a field of cells */
    bool last;           /* whether this is the last sweep of the last step in dt */
} Sweep;

/* A plane of cells that contains the sweep's axis, as rows of n cells along x. Row r has index r
 * along the axis. A sweep changes the rows of `own`: along z, the planes of this rank. */
typedef struct Sheet {
    int rows, n;
    Slab own;
    ptrdiff_t first, stride; /* offset of row 0, and distance between rows, in floats */
    int index;               /* index of the plane: k for a sweep along y, j for a sweep along z */
} Sheet;

static BillowFace face_at(const Sweep *sweep, int high)
{
    return sweep->task->sim->def.faces[2 * sweep->axis + high];
}

static bool passes(BillowFace face)
{
    return face == BILLOW_OPEN || face == BILLOW_INFLOW;
}

/* -- speeds at faces cut by solids ------------------------------------------------------------- */

/* Speeds through the n low faces of row (j, k), m/s. Row ny and plane nz contain the high faces of
 * the last cells. A face that a solid cuts gets the mean of the fluid's and the solid's speed,
 * weighted by the open part. */
static const float *speeds(const Sweep *sweep, int j, int k, int n, Row buffer)
{
    BillowSim *sim = sweep->task->sim;
    const Level *level = &sim->multigrid.levels[0];
    const int n_axis = sim->grid.cells[sweep->axis];
    const float *all = sim->velocity[sweep->axis] + grid_row(&sim->grid, j, k);
    int row = j < sim->grid.ny ? j : j - 1, plane = k < sim->grid.nz ? k : k - 1;
    if (sim->solids == NULL || !level_row_is_cut(level, row, plane))
        return all;
    for (int i = 0; i < n; i++) {
        const int at = ((const int[3]){i, j, k})[sweep->axis];
        BillowFace side = face_at(sweep, at == n_axis);
        bool wall = (at == 0 || at == n_axis) && !passes(side) && side != BILLOW_PERIODIC;
        float open = wall ? 0 : *face_fraction(level, sweep->axis, i, j, k);
        buffer[i] = open >= 1.0f ? all[i]
                    : open > 0.0f
                        ? open * all[i] + (1 - open) * solids_velocity(sim, sweep->axis, i, j, k)
                        : 0;
    }
    return buffer;
}

/* -- along x: within rows ---------------------------------------------------------------------- */

/* Copies a row and pads it. Beyond an inflow or open face the padding is the `given` value; beyond
 * a periodic face it is the other end of the row; at a wall, through which nothing flows, it is the
 * last value. */
static void pad(const Sweep *sweep, const float *row, int n, const float given[2], Row padded)
{
    float *out = padded + LEAD;
    memcpy(out, row, (size_t)n * sizeof *row);
    for (int high = 0; high < 2; high++)
        for (int h = 0; h < HALO; h++) {
            BillowFace face = face_at(sweep, high);
            int beyond = high ? n + h : -1 - h;
            out[beyond] = face == BILLOW_PERIODIC ? row[high ? h : n - 1 - h]
                          : passes(face)          ? given[high]
                                                  : row[high ? n - 1 : 0];
        }
}

/* Adds to the mass budget what passed through the ends of a row or column. Along z the two ends of
 * a column may belong to different ranks. */
static void budget_passed(const Sweep *sweep, const Scalar *scalar, double low, double high,
                          int index)
{
    PlaneBudget *budget = &sweep->task->sim->plane_budgets[index];
    if (scalar->kind != SCALAR_DENSITY)
        return;
    low = passes(face_at(sweep, 0)) ? low : 0;
    high = passes(face_at(sweep, 1)) ? high : 0;
    if (sweep->axis < 2)
        budget->leaving += high - low;
    else {
        budget->passed[0] = low;
        budget->passed[1] = high;
    }
}

static float keep(const Sweep *sweep, int s)
{
    return sweep->last ? sweep->task->keep[s] : 1;
}

static void sweep_row(const Sweep *sweep, int j, int k)
{
    const ConserveTask *task = sweep->task;
    BillowSim *sim = task->sim;
    const FluxKernels *kernels = sim->kernels->flux;
    int n = sim->grid.nx;
    ptrdiff_t at = grid_row(&sim->grid, j, k);
    const float even[2] = {1, 1};
    Row masked, volumes, values, passed;
    const float *speed = speeds(sweep, j, k, n + 1, masked);
    pad(sweep, sweep->before != NULL ? sweep->before + at : task->ones, n, even, volumes);
    const float *before = volumes + LEAD;
    float *after = sweep->after + at;
    kernels->volume(before, speed, speed + 1, task->scale, n, after);
    for (int s = 0; s < task->count; s++) {
        const Scalar *scalar = &task->list[s];
        float *row = *scalar->field + at;
        const float given[2] = {row[-1], row[n]}; /* ghosts (boundary.h) */
        pad(sweep, row, n, given, values);
        const float *q = values + LEAD;
        FluxRows rows = {q - 2, q - 1, q, q + 1, before - 1, before, speed};
        kernels->flux(&rows, task->scale, n + 1, passed);
        kernels->take(before, after, passed, passed + 1, keep(sweep, s), n, row);
        budget_passed(sweep, scalar, (double)passed[0], (double)passed[n], k);
    }
}

/* -- along y and z: between rows --------------------------------------------------------------- */

static const float *sheet_speeds(const Sweep *sweep, const Sheet *sheet, int r, Row buffer)
{
    return sweep->axis == 1 ? speeds(sweep, r, sheet->index, sheet->n, buffer)
                            : speeds(sweep, sheet->index, r, sheet->n, buffer);
}

/* Old values of the rows below face r, while a sweep overwrites its rows of a sheet in ascending
 * order. Of these, rows below r - 1 already contain new values. */
typedef struct Rolling {
    Row saved[3];     /* [0] and [1]: old rows r - 2 and r - 1 by turns; [2]: the old first row */
    const float *old; /* old row r - 2 */
} Rolling;

static const float *row_of(const Sweep *sweep, const Sheet *sheet, const float *values, int r,
                           const Rolling *rolling)
{
    int high = r >= sheet->rows;
    BillowFace face = face_at(sweep, high);
    if (r >= 0 && !high)
        return values + r * sheet->stride;
    if (face == BILLOW_PERIODIC && high)
        return rolling->saved[2]; /* row rows + 1 is never used, because the last face reuses the
                                     flux of the first */
    if (face == BILLOW_PERIODIC)
        return values + (r + sheet->rows) * sheet->stride;
    if (passes(face)) /* ghosts (boundary.h) */
        return values + (high ? sheet->rows : -1) * sheet->stride;
    return values + (high ? sheet->rows - 1 : 0) * sheet->stride;
}

static const float *volume_of(const Sweep *sweep, const Sheet *sheet, int r)
{
    bool around = face_at(sweep, 0) == BILLOW_PERIODIC;
    bool beyond = r < 0 || r >= sheet->rows;
    if (sweep->before == NULL || (beyond && !around))
        return sweep->task->ones;
    int row = beyond ? (r + sheet->rows) % sheet->rows : r;
    return sweep->before + sheet->first + row * sheet->stride;
}

static void face_flux(const Sweep *sweep, const Sheet *sheet, const float *values, int r,
                      const Rolling *rolling, float *out)
{
    Row masked;
    FluxRows rows = {
        .lower =
            r >= sheet->own.begin + 2 ? rolling->old : row_of(sweep, sheet, values, r - 2, rolling),
        .low = row_of(sweep, sheet, values, r - 1, rolling),
        .high = row_of(sweep, sheet, values, r, rolling),
        .higher = row_of(sweep, sheet, values, r + 1, rolling),
        .low_volume = volume_of(sweep, sheet, r - 1),
        .high_volume = volume_of(sweep, sheet, r),
        .speed = sheet_speeds(sweep, sheet, r, masked),
    };
    sweep->task->sim->kernels->flux->flux(&rows, sweep->task->scale, sheet->n, out);
}

static double row_sum(const float *row, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)row[i];
    return sum;
}

static void sweep_scalar(const Sweep *sweep, const Sheet *sheet, int s)
{
    const ConserveTask *task = sweep->task;
    const Scalar *scalar = &task->list[s];
    float *values = *scalar->field + sheet->first;
    size_t bytes = (size_t)sheet->n * sizeof *values;
    bool around = face_at(sweep, 0) == BILLOW_PERIODIC;
    Row fluxes[2], first;
    Rolling rolling;
    bool begins = sheet->own.begin == 0, ends = sheet->own.end == sheet->rows;
    memcpy(rolling.saved[2], values, bytes);
    float *low = fluxes[0], *high = fluxes[1];
    if (begins || (ends && around))
        face_flux(sweep, sheet, values, 0, &rolling, first);
    if (begins)
        memcpy(low, first, bytes);
    else
        face_flux(sweep, sheet, values, sheet->own.begin, &rolling, low);
    for (int r = sheet->own.begin; r < sheet->own.end; r++) {
        float *row = values + r * sheet->stride;
        if (r == sheet->rows - 1 && around)
            memcpy(high, first, bytes);
        else
            face_flux(sweep, sheet, values, r + 1, &rolling, high);
        memcpy(rolling.saved[r & 1], row, bytes);
        rolling.old = rolling.saved[r & 1];
        task->sim->kernels->flux->take(volume_of(sweep, sheet, r),
                                       sweep->after + sheet->first + r * sheet->stride, low, high,
                                       keep(sweep, s), sheet->n, row);
        float *spare = low;
        low = high;
        high = spare;
    }
    budget_passed(sweep, scalar, begins ? row_sum(first, sheet->n) : 0,
                  ends ? row_sum(low, sheet->n) : 0, sheet->index);
}

static void sweep_sheet(const Sweep *sweep, int index)
{
    const BillowSim *sim = sweep->task->sim;
    const Grid *grid = &sim->grid;
    bool y = sweep->axis == 1;
    Sheet sheet = {.rows = grid->cells[sweep->axis],
                   .n = grid->nx,
                   .own = y ? (Slab){0, grid->ny} : ranks_own(sim->ranks, grid->nz),
                   .first = y ? grid_row(grid, 0, index) : grid_row(grid, index, 0),
                   .stride = grid->strides[sweep->axis],
                   .index = index};
    Row low, high;
    for (int r = sheet.own.begin; r < sheet.own.end; r++)
        sim->kernels->flux->volume(volume_of(sweep, &sheet, r), sheet_speeds(sweep, &sheet, r, low),
                                   sheet_speeds(sweep, &sheet, r + 1, high), sweep->task->scale,
                                   sheet.n, sweep->after + sheet.first + r * sheet.stride);
    for (int s = 0; s < sweep->task->count; s++)
        sweep_scalar(sweep, &sheet, s);
}

/* -- a step ------------------------------------------------------------------------------------ */

/* Sweep along `axis`, which is number `place` (0 to 2) of its step. */
static Sweep sweep_along(const ConserveTask *task, int axis, int place, bool last)
{
    BillowSim *sim = task->sim;
    float *const *volumes = scratch_use(&sim->scratch, SCRATCH_VOLUMES);
    const float *expanded = task->expands ? volumes[2] : NULL;
    return (Sweep){task, axis, place > 0 ? volumes[place - 1] : expanded, volumes[place],
                   last && place == 2};
}

/* Sweeps along z the part of all columns that this rank owns. Before that it fetches the planes of
 * the scalars and of their volumes that the fluxes through its ends depend on. */
static void sweep_columns(ConserveTask *task, const Sweep *z, Team team)
{
    const Grid *grid = &task->sim->grid;
    float *fields[SCALARS_MAX + 1];
    int count = 0;
    for (int s = 0; s < task->count; s++)
        fields[count++] = *task->list[s].field;
    if (z->before != NULL)
        fields[count++] = (float *)z->before;
    exchange_fields(team, grid, fields, count, HALO);
    Slab columns = team_part(team, grid->ny);
    for (int j = columns.begin; j < columns.end; j++)
        sweep_sheet(z, j);
    team_barrier(team);
    for (int j = 0; j < grid->ny && team.index == 0; j++)
        for (int high = 0; high < 2; high++)
            task->passed[high] += task->sim->plane_budgets[j].passed[high];
    team_barrier(team);
}

static void one_step(ConserveTask *task, int step, Team team)
{
    const Grid *grid = &task->sim->grid;
    Slab planes = team_slab(team, grid->nz);
    bool last = step == task->steps - 1,
         backwards = (task->sim->stats.substeps + (uint64_t)step) % 2 == 1;
    Sweep x = sweep_along(task, 0, backwards ? 2 : 0, last), y = sweep_along(task, 1, 1, last),
          z = sweep_along(task, 2, backwards ? 0 : 2, last);
    if (task->expands) {
        expansion_make_volumes(task->sim, task->list, task->count, task->scale, planes);
        team_barrier(team);
    }
    if (backwards)
        sweep_columns(task, &z, team);
    for (int k = planes.begin; k < planes.end; k++) {
        if (backwards)
            sweep_sheet(&y, k);
        for (int j = 0; j < grid->ny; j++)
            sweep_row(&x, j, k);
        if (!backwards)
            sweep_sheet(&y, k);
    }
    team_barrier(team);
    if (!backwards)
        sweep_columns(task, &z, team);
}

/* Writes to plane_sums the number of steps that each plane of the slab needs. */
static void find_most_taken(const ConserveTask *task, Slab slab)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    for (int k = slab.begin; k < slab.end; k++) {
        float most = 0;
        for (int j = 0; j < grid->ny; j++) {
            const float *low[3], *high[3];
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = sim->velocity[axis] + grid_row(grid, j, k);
                high[axis] = low[axis] + grid->strides[axis];
            }
            most = fmaxf(most, sim->kernels->flux->most_taken(low, high, grid->nx));
        }
        sim->plane_sums[k] = (double)most * task->dt / (double)sim->def.cell_size;
    }
}

static void conserve_task(void *context, Team team)
{
    ConserveTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab planes = team_slab(team, task->sim->grid.nz);
    find_most_taken(task, planes);
    team_barrier(team);
    exchange_entries(team, task->sim->plane_sums, sizeof(double), task->sim->grid.nz);
    if (team.index == 0) {
        double most = task->expands ? expansion_shrinking(task->sim) * task->dt / FLUX_SHARE : 0;
        for (int k = 0; k < grid->nz; k++)
            most = fmax(most, task->sim->plane_sums[k]);
        task->steps = most > FLUX_STEPS_MAX ? FLUX_STEPS_MAX : most > 1 ? (int)ceil(most) : 1;
        task->scale = (float)(task->dt / task->steps / (double)task->sim->def.cell_size);
    }
    team_barrier(team);
    for (int step = 0; step < task->steps; step++) {
        one_step(task, step, team);
        if (solids_owe(task->sim)) {
            solids_count_made(task->sim, task->list, task->count, planes);
            team_barrier(team);
            exchange_entries(team, task->sim->plane_budgets, sizeof(PlaneBudget),
                             task->sim->grid.nz);
        }
    }
    if (task->summed) /* before solids give back, as decay is */
        for (int k = planes.begin; k < planes.end; k++) {
            double kept = 0;
            for (int j = 0; j < grid->ny; j++)
                for (int i = 0; i < grid->nx; i++)
                    kept += (double)task->sim->density[grid_row(grid, j, k) + i];
            task->sim->plane_budgets[k].kept = kept;
        }
    team_barrier(team);
    exchange_entries(team, task->sim->plane_budgets, sizeof(PlaneBudget), task->sim->grid.nz);
    if (solids_owe(task->sim))
        solids_give_back(task->sim, task->list, task->count, planes, team);
}

static void prepare(ConserveTask *task)
{
    BillowSim *sim = task->sim;
    int budgets = sim->grid.ny > sim->grid.nz ? sim->grid.ny : sim->grid.nz;
    for (size_t i = 0; i < sizeof task->ones / sizeof task->ones[0]; i++)
        task->ones[i] = 1;
    for (int s = 0; s < task->count; s++)
        task->keep[s] = (float)math_exp(-(double)task->list[s].decay * task->dt);
    for (int b = 0; b < budgets; b++)
        memset(sim->plane_budgets[b].made, 0, sizeof sim->plane_budgets[b].made);
    for (int b = 0; b < budgets; b++)
        sim->plane_budgets[b].leaving = sim->plane_budgets[b].kept =
            sim->plane_budgets[b].released = 0;
    task->expands = expansion_anywhere(sim);
    sim->density_share = task->keep[0];
    task->summed = task->keep[0] < 1.0f && sim->substeps_left > 0;
}

void conserve_scalars(BillowSim *sim, const Scalar *list, int count, double dt)
{
    ConserveTask task = {.sim = sim, .list = list, .count = count, .dt = dt};
    prepare(&task);
    scratch_claim(&sim->scratch, SCRATCH_VOLUMES);
    scratch_claim(&sim->scratch, SCRATCH_EXPANSION);
    sim_run(sim, conserve_task, &task);
    scratch_release(&sim->scratch, SCRATCH_EXPANSION);
    scratch_release(&sim->scratch, SCRATCH_VOLUMES);
    double h = (double)sim->def.cell_size, volume = h * h * h, kept = 0;
    double left = task.passed[1] - task.passed[0];
    if (sim->ranks != NULL) { /* the ranks at the ends of the box know what passed there */
        const double *all = exchange_each(sim->ranks, task.passed, sizeof task.passed);
        left = all[2 * (sim->ranks->calls.ranks - 1) + 1] - all[0];
    }
    int budgets = sim->grid.ny > sim->grid.nz ? sim->grid.ny : sim->grid.nz;
    for (int b = 0; b < budgets; b++) {
        left += sim->plane_budgets[b].leaving;
        kept += sim->plane_budgets[b].kept;
    }
    sim->stats.mass_outflow += left * volume;
    budget_released(sim, 1);
    if (task.summed)
        budget_dissipated(sim, kept * volume);
    profile_traffic(sim, task.steps * (6 + 6 * count));
}
