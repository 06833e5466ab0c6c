/* SPDX-License-Identifier: MIT
 *
 * Stage 8, advection of scalars, by fluxes between cells (BILLOW_CONSERVATIVE). They neither create
 * nor lose any amount in a flow without divergence.
 *
 * Each step advects along one axis after the other: x, y, z, and z, y, x in the next step (Strang
 * 1968). The flow along one axis alone compresses and expands the fluid of a cell. Its volume V, in
 * cells, is therefore computed too: it is 1 before the first axis, and a sweep changes it to
 *
 *     V' = V - (c_high - c_low)
 *
 * where c = dt u / h is the volume that flows through a face in the step. The fluid of volume c
 * next to a face, on the side that it flows from, ends at the face's departure point. What lies
 * between the departure points of a cell's two faces is therefore in the cell after the step. Its
 * amount is that of whole cells, and at both ends the integral of a parabola over a part of a cell
 * (Leonard et al. 1996; Lin & Rood 1996):
 *
 *     V' q' = whole cells between the departure points + parts at both ends
 *
 * The parabola of a cell keeps its amount and makes no new extrema (Colella & Woodward 1984).
 *
 * Amounts are kept to rounding at any length of a step, a uniform q stays uniform, and no new
 * extrema and no negative values appear. After three axes V is 1 minus dt times the divergence. The
 * next step starts from V = 1 again. The divergence that the projection leaves therefore changes
 * the amount of q in a cell by dt q div u (billow verify dye-drift).
 *
 * If fluid expands, V is above 1 at the start and 1 at the end (combustion.c).
 *
 * A substep is divided into steps so short that V never falls by more than FLUX_SHARE and fluid
 * crosses at most FLUX_CELLS cells. */
#include "sim/advection/conserve.h"
#include "sim/sim.h"
#include "sim/sources/combustion.h"

#include "base/mathematics.h"
#include "sim/fields/boundary.h"
#include "sim/solids/solid_advection.h"

#include <math.h>
#include <string.h>

typedef struct ConserveTask {
    BillowSim *sim;
    const Scalar *list;
    int count;
    double dt;
    float keep[SCALARS_MAX]; /* per scalar: share that decay leaves after dt */
    int steps;               /* number of steps in dt; set by the first worker */
    float scale;             /* length of one step / h, s/m; likewise */
    double passed[2];        /* density that has flowed through the ends of the columns along z */
    bool summed;             /* whether to sum the density that remains */
    bool expands;
} ConserveTask;

/* Advection along one axis in one step. */
typedef struct Sweep {
    const ConserveTask *task;
    int axis;
    bool first; /* whether all volumes are 1 before it */
    bool last;  /* whether it is the last sweep in dt */
} Sweep;

/* Cells that lie along the sweep's axis: a row, or columns side by side. A column of n cells begins
 * at `first`; its cells are `stride` floats apart. A sweep changes those of `own`: along z, the
 * planes of this rank. */
typedef struct Columns {
    int width, n;
    Slab own;
    ptrdiff_t first, stride;
    int cell[3]; /* the first cell of the first column */
    int budget;  /* of plane_budgets */
} Columns;

static BillowFace face_at(const Sweep *sweep, int high)
{
    return sweep->task->sim->def.faces[2 * sweep->axis + high];
}

static bool passes(BillowFace face)
{
    return face == BILLOW_OPEN || face == BILLOW_INFLOW;
}

/* -- speeds at faces cut by solids ------------------------------------------------------------- */

/* Replaces the speeds through n low faces of a row, from cell (i, j, k) on. Row ny and plane nz
 * contain the high faces of the last cells. A face that a solid cuts gets the mean of the fluid's
 * and the solid's speed, weighted by the open part. */
static void mix_speeds(BillowSim *sim, int axis, int first, int j, int k, int n, float *speeds)
{
    const Level *level = &sim->multigrid.levels[0];
    const int n_axis = sim->grid.cells[axis];
    int row = j < sim->grid.ny ? j : j - 1, plane = k < sim->grid.nz ? k : k - 1;
    if (sim->solids == NULL || !level_row_is_cut(level, row, plane))
        return;
    for (int c = 0; c < n; c++) {
        const int i = first + c, at = ((const int[3]){i, j, k})[axis];
        BillowFace side = sim->def.faces[2 * axis + (at == n_axis)];
        bool wall = (at == 0 || at == n_axis) && !passes(side) && side != BILLOW_PERIODIC;
        float open = wall ? 0 : *face_fraction(level, axis, i, j, k);
        if (open < 1.0f)
            speeds[c] = open > 0.0f
                            ? open * speeds[c] + (1 - open) * solids_velocity(sim, axis, i, j, k)
                            : 0;
    }
}

/* -- between the box and a strip --------------------------------------------------------------- */

/* A worker's strip, and old values of columns that are longer than a strip, while new ones replace
 * them. Entry 0 of the arrays is for the volumes, entry 1 + s for scalar s. */
typedef struct Workspace {
    FluxStrip strip;
    float below[1 + SCALARS_MAX][STRIP_PAD * STRIP_WIDTH]; /* of the cells before the strip's */
    float start[1 + SCALARS_MAX][STRIP_PAD * STRIP_WIDTH]; /* of the first cells, if periodic */
} Workspace;

/* The part of columns that a strip holds: cells begin <= c < end. */
typedef struct Piece {
    const Sweep *sweep;
    const Columns *columns;
    int begin, end;
} Piece;

/* Distance between cells in a strip. */
static ptrdiff_t step_of(const Columns *columns)
{
    return columns->stride == 1 ? 1 : STRIP_WIDTH;
}

/* Cells along the axis that a strip can hold. */
static int piece_cells(const Columns *columns)
{
    return STRIP_CELLS * STRIP_WIDTH / (int)step_of(columns);
}

/* Copies cells begin <= c < end of columns, c from the first cell of the field `values`. Other
 * workers may be writing what lies beside the columns. */
static void copy_cells(const Columns *columns, const float *values, int begin, int end, float *out)
{
    if (columns->stride == 1) {
        memcpy(out, values + begin, (size_t)(end - begin) * sizeof *out);
        return;
    }
    for (int c = begin; c < end; c++, out += STRIP_WIDTH)
        if (columns->width == STRIP_WIDTH)
            memcpy(out, values + c * columns->stride, STRIP_WIDTH * sizeof *out);
        else {
            memset(out, 0, STRIP_WIDTH * sizeof *out);
            memcpy(out, values + c * columns->stride, (size_t)columns->width * sizeof *out);
        }
}

/* Cells beyond the low or the high end of the box. Beyond an inflow or open face they are `given`;
 * at a wall, through which nothing flows, they are the last cell. */
static void fill_beyond(const Piece *piece, const float *values, const float *start, int begin,
                        int end, const float *given, float *out)
{
    const Columns *columns = piece->columns;
    const size_t bytes = (size_t)step_of(columns) * sizeof *out;
    const bool high = begin >= columns->n;
    const BillowFace face = face_at(piece->sweep, high);
    for (int c = begin; c < end; c++, out += step_of(columns)) {
        int cell = high ? columns->n - 1 : 0;
        if (face == BILLOW_PERIODIC)
            cell = (c + STRIP_PAD * columns->n) % columns->n;
        if (passes(face))
            memcpy(out, given, bytes);
        else if (face == BILLOW_PERIODIC && high && columns->n > piece_cells(columns))
            memcpy(out, start + cell * step_of(columns), bytes);
        else
            copy_cells(columns, values, cell, cell + 1, out);
    }
}

/* Loads the cells of a piece and `beyond` cells on both sides of them. `old`: entry of the
 * workspace. given: what is beyond open faces, low and high. */
static void load(const Piece *piece, const float *field, int beyond, const float *const given[2],
                 Workspace *work, int old, float *out)
{
    const Columns *columns = piece->columns;
    const ptrdiff_t step = step_of(columns);
    const float *values = field + columns->first;
    int begin = piece->begin - beyond, end = piece->end + beyond;
    int inside = begin, outside = end < columns->n ? end : columns->n;
    out += (STRIP_PAD - beyond) * step;
    if (piece->begin > columns->own.begin) {
        memcpy(out, work->below[old] + (STRIP_PAD - beyond) * step,
               (size_t)(beyond * step) * sizeof *out);
        inside = piece->begin;
    } else if (begin < 0) {
        fill_beyond(piece, values, work->start[old], begin, 0, given[0], out);
        inside = 0;
    }
    copy_cells(columns, values, inside, outside, out + (inside - begin) * step);
    if (end > outside)
        fill_beyond(piece, values, work->start[old], outside, end, given[1],
                    out + (outside - begin) * step);
}

/* Keeps the old values that later pieces need, before new ones replace them. */
static void keep_old(const Piece *piece, const float *field, Workspace *work, int old,
                     const float *in)
{
    const Columns *columns = piece->columns;
    const ptrdiff_t step = step_of(columns);
    if (piece->end < columns->own.end)
        memcpy(work->below[old], in + (piece->end - piece->begin) * step,
               (size_t)(STRIP_PAD * step) * sizeof *in);
    if (piece->begin == columns->own.begin && columns->n > piece_cells(columns))
        copy_cells(columns, field + columns->first, 0, STRIP_PAD, work->start[old]);
}

static void store(const Piece *piece, const float *in, float *field)
{
    const Columns *columns = piece->columns;
    float *out = field + columns->first + piece->begin * columns->stride;
    int cells = piece->end - piece->begin;
    in += STRIP_PAD * step_of(columns);
    if (columns->stride == 1)
        memcpy(out, in, (size_t)cells * sizeof *in);
    else
        for (int c = 0; c < cells; c++, out += columns->stride, in += STRIP_WIDTH)
            memcpy(out, in, (size_t)columns->width * sizeof *in);
}

/* Loads what flows through the low faces of a piece's cells, and the high faces of the last. */
static void load_flow(const Piece *piece, FluxStrip *strip)
{
    const ConserveTask *task = piece->sweep->task;
    const Columns *columns = piece->columns;
    BillowSim *sim = task->sim;
    const int axis = piece->sweep->axis, faces = piece->end - piece->begin + 1;
    const ptrdiff_t step = step_of(columns);
    const float *speeds = sim->velocity[axis] + columns->first;
    float *flow = strip->flow + STRIP_PAD * step;
    copy_cells(columns, speeds, piece->begin, piece->end + 1, flow);
    int cell[3] = {columns->cell[0], columns->cell[1], columns->cell[2]};
    if (axis == 0)
        mix_speeds(sim, axis, piece->begin, cell[1], cell[2], faces, flow);
    else
        for (int f = 0; f < faces; f++) {
            cell[axis] = piece->begin + f;
            mix_speeds(sim, axis, cell[0], cell[1], cell[2], columns->width, flow + f * step);
        }
    for (ptrdiff_t e = 0; e < faces * step; e++)
        flow[e] *= task->scale;
    memset(flow + faces * step, 0, STRIP_SPARE * sizeof *flow);
}

/* Loads the volumes of the cells' fluid. Before the first sweep of a step they are all 1, unless
 * fluid expands, and are not in memory. */
static void load_volumes(const Piece *piece, const float *volumes, Workspace *work)
{
    const float ones[STRIP_WIDTH] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const float *const beyond[2] = {ones, ones};
    if (piece->sweep->first) {
        const int cells = piece->end - piece->begin + 2 * STRIP_PAD;
        for (ptrdiff_t e = 0; e < cells * step_of(piece->columns) + STRIP_SPARE; e++)
            work->strip.volume[e] = 1;
        return;
    }
    load(piece, volumes, STRIP_PAD, beyond, work, 0, work->strip.volume);
    keep_old(piece, volumes, work, 0, work->strip.volume);
}

/* -- a sweep ----------------------------------------------------------------------------------- */

/* Amount that has flowed through face `face` of a piece's columns, counted from its first. */
static double flowed(const Piece *piece, const FluxStrip *strip, int face)
{
    const ptrdiff_t step = step_of(piece->columns);
    double sum = 0;
    for (int column = 0; column < piece->columns->width; column++) {
        const ptrdiff_t e = (STRIP_PAD + face) * step + column;
        int from = (int)strip->from[e], boundary = from + (from < 0);
        sum -= (double)strip->part[e];
        for (int c = boundary; c < 0; c++)
            sum += (double)strip->content[e + c * step];
        for (int c = 0; c < boundary; c++)
            sum -= (double)strip->content[e + c * step];
    }
    return sum;
}

/* Adds what flowed through the ends of the columns to the mass budget. Along z the two ends of a
 * column may belong to different ranks. */
static void budget_passed(const Piece *piece, const FluxStrip *strip)
{
    const Sweep *sweep = piece->sweep;
    PlaneBudget *budget = &sweep->task->sim->plane_budgets[piece->columns->budget];
    const int ends[2] = {0, piece->columns->n}, own[2] = {piece->begin, piece->end};
    for (int high = 0; high < 2; high++) {
        if (!passes(face_at(sweep, high)) || own[high] != ends[high])
            continue;
        double amount = flowed(piece, strip, ends[high] - piece->begin);
        if (sweep->axis < 2)
            budget->leaving += high ? amount : -amount;
        else
            budget->passed[high] += amount;
    }
}

static void sweep_piece(const Piece *piece, float *volumes, Workspace *work)
{
    const ConserveTask *task = piece->sweep->task;
    const Columns *columns = piece->columns;
    const FluxKernels *kernels = task->sim->kernels->flux;
    const ptrdiff_t step = step_of(columns);
    const int cells = piece->end - piece->begin;
    FluxStrip *strip = &work->strip;
    load_flow(piece, strip);
    load_volumes(piece, volumes, work);
    kernels->settle(strip, step, cells);
    const int reach = kernels->depart(strip, step, cells);
    const int around = reach + 2; /* a parabola depends on two cells on both sides */
    for (int s = 0; s < task->count; s++) {
        float *field = *task->list[s].field;
        const float *values = field + columns->first;
        const float *const beyond[2] = {values - columns->stride, /* ghosts (boundary.h) */
                                        values + columns->n * columns->stride};
        load(piece, field, around, beyond, work, 1 + s, strip->value);
        keep_old(piece, field, work, 1 + s, strip->value);
        if (!kernels->holds(strip->value + (STRIP_PAD - around) * step,
                            (cells + 2 * around) * step))
            continue;
        kernels->reconstruct(strip, step, cells, reach);
        kernels->carry(strip, step, cells, piece->sweep->last ? task->keep[s] : 1);
        store(piece, strip->value, field);
        if (task->list[s].kind == SCALAR_DENSITY)
            budget_passed(piece, strip);
    }
    store(piece, strip->after, volumes);
}

static void sweep_columns(const Sweep *sweep, const Columns *columns, Workspace *work)
{
    float *volumes = scratch_use(&sweep->task->sim->scratch, SCRATCH_VOLUMES)[0];
    for (int begin = columns->own.begin; begin < columns->own.end;) {
        int end = begin + piece_cells(columns);
        Piece piece = {sweep, columns, begin, end < columns->own.end ? end : columns->own.end};
        sweep_piece(&piece, volumes, work);
        begin = piece.end;
    }
}

static void sweep_row(const Sweep *sweep, int j, int k, Workspace *work)
{
    const Grid *grid = &sweep->task->sim->grid;
    sweep_columns(sweep,
                  &(Columns){.width = 1,
                             .n = grid->nx,
                             .own = {0, grid->nx},
                             .first = grid_row(grid, j, k),
                             .stride = 1,
                             .cell = {0, j, k},
                             .budget = k},
                  work);
}

/* Sweeps all columns of a plane of cells along y, number k, or along z, number j. */
static void sweep_sheet(const Sweep *sweep, int number, Workspace *work)
{
    const BillowSim *sim = sweep->task->sim;
    const Grid *grid = &sim->grid;
    bool y = sweep->axis == 1;
    if (!y)
        memset(sim->plane_budgets[number].passed, 0, sizeof sim->plane_budgets[number].passed);
    for (int i = 0; i < grid->nx; i += STRIP_WIDTH) {
        int width = grid->nx - i < STRIP_WIDTH ? grid->nx - i : STRIP_WIDTH;
        sweep_columns(
            sweep,
            &(Columns){.width = width,
                       .n = grid->cells[sweep->axis],
                       .own = y ? (Slab){0, grid->ny} : ranks_own(sim->ranks, grid->nz),
                       .first = i + (y ? grid_row(grid, 0, number) : grid_row(grid, number, 0)),
                       .stride = grid->strides[sweep->axis],
                       .cell = {i, y ? 0 : number, y ? number : 0},
                       .budget = number},
            work);
    }
}

/* -- a step ------------------------------------------------------------------------------------ */

/* Sweep along `axis`, which is number `place` (0 to 2) of its step. */
static Sweep sweep_along(const ConserveTask *task, int axis, int place, bool last)
{
    return (Sweep){task, axis, place == 0 && !task->expands, last && place == 2};
}

/* Sweeps along z the part of all columns that this rank owns. Before that it fetches the planes of
 * the scalars and of their volumes that the new values depend on. */
static void sweep_along_z(ConserveTask *task, const Sweep *z, Team team, Workspace *work)
{
    const Grid *grid = &task->sim->grid;
    float *fields[SCALARS_MAX + 1];
    int count = 0;
    for (int s = 0; s < task->count; s++)
        fields[count++] = *task->list[s].field;
    if (!z->first)
        fields[count++] = scratch_use(&task->sim->scratch, SCRATCH_VOLUMES)[0];
    exchange_fields(team, grid, fields, count, STRIP_PAD);
    Slab columns = team_part(team, grid->ny);
    for (int j = columns.begin; j < columns.end; j++)
        sweep_sheet(z, j, work);
    team_barrier(team);
    for (int j = 0; j < grid->ny && team.index == 0; j++)
        for (int high = 0; high < 2; high++)
            task->passed[high] += task->sim->plane_budgets[j].passed[high];
    team_barrier(team);
}

static void one_step(ConserveTask *task, int step, Team team, Workspace *work)
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
        sweep_along_z(task, &z, team, work);
    for (int k = planes.begin; k < planes.end; k++) {
        if (backwards)
            sweep_sheet(&y, k, work);
        for (int j = 0; j < grid->ny; j++)
            sweep_row(&x, j, k, work);
        if (!backwards)
            sweep_sheet(&y, k, work);
    }
    team_barrier(team);
    if (!backwards)
        sweep_along_z(task, &z, team, work);
}

/* Speeds through the n low faces of row (j, k): the field's own, or mixed ones in `buffer`. */
static const float *row_speeds(BillowSim *sim, int axis, int j, int k, int n, float *buffer)
{
    const float *all = sim->velocity[axis] + grid_row(&sim->grid, j, k);
    int row = j < sim->grid.ny ? j : j - 1, plane = k < sim->grid.nz ? k : k - 1;
    if (sim->solids == NULL || !level_row_is_cut(&sim->multigrid.levels[0], row, plane))
        return all;
    memcpy(buffer, all, (size_t)n * sizeof *all);
    mix_speeds(sim, axis, 0, j, k, n, buffer);
    return buffer;
}

/* Writes to plane_sums the number of steps that each plane of the slab needs. */
static void find_steps(const ConserveTask *task, Slab slab)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    float mixed[5][BILLOW_GRID_MAX + 1];
    for (int k = slab.begin; k < slab.end; k++) {
        float most = 0;
        for (int j = 0; j < grid->ny; j++) {
            const float *low[3], *high[3];
            low[0] = row_speeds(sim, 0, j, k, grid->nx + 1, mixed[0]);
            high[0] = low[0] + 1;
            low[1] = row_speeds(sim, 1, j, k, grid->nx, mixed[1]);
            high[1] = row_speeds(sim, 1, j + 1, k, grid->nx, mixed[2]);
            low[2] = row_speeds(sim, 2, j, k, grid->nx, mixed[3]);
            high[2] = row_speeds(sim, 2, j, k + 1, grid->nx, mixed[4]);
            most = fmaxf(most, sim->kernels->flux->most_rate(low, high, grid->nx));
        }
        sim->plane_sums[k] = (double)most * task->dt / (double)sim->def.cell_size;
    }
}

static void conserve_task(void *context, Team team)
{
    ConserveTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab planes = team_slab(team, task->sim->grid.nz);
    Workspace work;
    find_steps(task, planes);
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
        one_step(task, step, team, &work);
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
    for (int s = 0; s < task->count; s++)
        task->keep[s] = (float)math_exp(-(double)task->list[s].decay * task->dt);
    for (int b = 0; b < budgets; b++) {
        PlaneBudget *budget = &sim->plane_budgets[b];
        memset(budget->made, 0, sizeof budget->made);
        budget->leaving = budget->kept = budget->released = 0;
    }
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
    profile_traffic(sim, task.steps * (6 + 4 * count));
}
