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
 * crosses at most FLUX_CELLS cells. Eddies smaller than the wind's cells take part of what the wind
 * leaves of FLUX_SHARE (smoke/eddies.h). */
#include "sim/advection/conserve.h"
#include "sim/sim.h"
#include "sim/sources/combustion.h"

#include "base/mathematics.h"
#include "sim/fields/boundary.h"
#include "sim/kernels/loops.h"
#include "sim/smoke/eddies.h"
#include "sim/solids/solid_advection.h"

#include <math.h>
#include <string.h>

typedef struct ConserveTask {
    BillowSim *sim;
    const Scalar *list;
    int count;
    double dt;
    float keep[SCALARS_MAX]; /* per scalar: share that decay leaves after dt */
    int steps;               /* number of steps in dt */
    Wind wind;               /* with the length of one step over the width of a smoke cell, s/m */
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
 * at `first`; its cells are `stride` floats apart. A sweep changes those of `own`: cells that take
 * part (smoke.h); along z, of this rank's planes. */
typedef struct Columns {
    int width, n;
    Slab own;
    ptrdiff_t first, stride;
    ptrdiff_t next; /* distance to the columns that are swept next, floats */
    int cell[3];    /* the first cell of the first column */
    int budget;     /* of plane_budgets */
} Columns;

static BillowFace face_at(const Sweep *sweep, int high)
{
    return sweep->task->sim->def.faces[2 * sweep->axis + high];
}

static bool passes(BillowFace face)
{
    return face == BILLOW_OPEN || face == BILLOW_INFLOW;
}

/* -- the wind ---------------------------------------------------------------------------------- */

/* Copies the speeds through the n low faces of row (j, k). Row ny and plane nz contain the high
 * faces of the last cells. A face that a solid cuts gets the mean of the fluid's and the solid's
 * speed, weighted by the open part. */
static void mix_row(BillowSim *sim, int axis, int j, int k, int n, float *out)
{
    const Level *level = &sim->multigrid.levels[0];
    const int n_axis = sim->grid.cells[axis];
    memcpy(out, sim->velocity[axis] + grid_row(&sim->grid, j, k), (size_t)n * sizeof *out);
    if (!level_row_is_cut(level, j < sim->grid.ny ? j : j - 1, k < sim->grid.nz ? k : k - 1))
        return;
    for (int i = 0; i < n; i++) {
        const int at = ((const int[3]){i, j, k})[axis];
        BillowFace side = sim->def.faces[2 * axis + (at == n_axis)];
        bool wall = (at == 0 || at == n_axis) && !passes(side) && side != BILLOW_PERIODIC;
        float open = wall ? 0 : *face_fraction(level, axis, i, j, k);
        if (open < 1.0f)
            out[i] =
                open > 0.0f ? open * out[i] + (1 - open) * solids_velocity(sim, axis, i, j, k) : 0;
    }
}

/* Copies the speeds of these planes to SCRATCH_FLUID_VELOCITY, mixed with those of solids. */
static void mix_planes(BillowSim *sim, Slab planes)
{
    const Grid *grid = &sim->grid;
    float *const *mixed = scratch_use(&sim->scratch, SCRATCH_FLUID_VELOCITY);
    for (int axis = 0; axis < 3; axis++)
        for (int k = planes.begin; k < planes.end + (axis == 2 && planes.end == grid->nz); k++)
            for (int j = 0; j < grid->ny + (axis == 1); j++)
                mix_row(sim, axis, j, k, grid->nx + (axis == 0),
                        mixed[axis] + grid_row(grid, j, k));
}

/* A worker's planes of wind, with those of other ranks whose speeds this rank's smoke needs. */
static Slab wind_planes(const BillowSim *sim, Team team)
{
    Slab slab = team_slab(team, sim->grid.nz), own = ranks_own(sim->ranks, sim->grid.nz);
    slab.begin -= slab.begin == own.begin && slab.begin > 0;
    slab.end += slab.end == own.end && slab.end < sim->grid.nz;
    return slab;
}

/* Finds the rate of each plane of the slab, and the winds of its rows (Smoke). */
static void find_steps(const ConserveTask *task, Slab slab)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    for (int k = slab.begin; k < slab.end; k++) {
        float most = 0;
        for (int j = 0; j < grid->ny; j++) {
            const float *low[3], *high[3];
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = task->wind.speed[axis] + grid_row(grid, j, k);
                high[axis] = low[axis] + grid->strides[axis];
            }
            FluxRate rate = {0};
            sim->kernels->flux->raise_rate(low, high, sim->smoke.refine, grid->nx, &rate);
            most = fmaxf(most, rate.cells);
            sim->smoke.winds[j + (ptrdiff_t)k * grid->ny] = rate;
        }
        sim->wind_budgets[k].rate = most;
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
        prefetch_row(values + begin + columns->next, end - begin);
        memcpy(out, values + begin, (size_t)(end - begin) * sizeof *out);
        return;
    }
    values += begin * columns->stride;
    for (int c = begin; c < end; c++, out += STRIP_WIDTH, values += columns->stride) {
        PREFETCH(values + columns->next);
        if (columns->width == STRIP_WIDTH)
            memcpy(out, values, STRIP_WIDTH * sizeof *out);
        else {
            memset(out, 0, STRIP_WIDTH * sizeof *out);
            memcpy(out, values, (size_t)columns->width * sizeof *out);
        }
    }
}

/* Cells beyond the low or the high end of the box. Beyond an inflow or open face they are `given`;
 * at a wall, through which nothing flows, they are the last cell. */
static void fill_beyond(const Piece *piece, const float *values, const float *start, int begin,
                        int end, float given, float *out)
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
            for (ptrdiff_t column = 0; column < step_of(columns); column++)
                out[column] = given;
        else if (face == BILLOW_PERIODIC && high && columns->n > STRIP_PAD)
            memcpy(out, start + cell * step_of(columns), bytes);
        else
            copy_cells(columns, values, cell, cell + 1, out);
    }
}

/* Loads the cells of a piece and `beyond` cells on both sides of them. old: entry of the workspace.
 * given: what is beyond open faces, low and high. */
static void load(const Piece *piece, const float *field, int beyond, const float given[2],
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
static void keep_old(const Piece *piece, Workspace *work, int old, const float *in)
{
    const ptrdiff_t step = step_of(piece->columns);
    if (piece->end < piece->columns->own.end)
        memcpy(work->below[old], in + (piece->end - piece->begin) * step,
               (size_t)(STRIP_PAD * step) * sizeof *in);
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
            if (columns->width == STRIP_WIDTH)
                memcpy(out, in, STRIP_WIDTH * sizeof *in);
            else
                memcpy(out, in, (size_t)columns->width * sizeof *in);
}

/* Loads what flows through the low faces of a piece's cells, and the high faces of the last. */
static void load_flow(const Piece *piece, FluxStrip *strip)
{
    const ConserveTask *task = piece->sweep->task;
    const Columns *columns = piece->columns;
    const int axis = piece->sweep->axis, faces = piece->end - piece->begin + 1;
    const ptrdiff_t step = step_of(columns);
    float *flow = strip->flow + STRIP_PAD * step;
    int cell[3] = {columns->cell[0], columns->cell[1], columns->cell[2]};
    cell[axis] = piece->begin;
    const FlowKernels *kernels = task->sim->kernels->flow;
    const EddyKernels *eddies = task->wind.eddies != NULL ? task->sim->kernels->eddies : NULL;
    if (axis == 0) {
        kernels->row(&task->wind, cell[0], cell[1], cell[2], faces, flow);
        if (eddies != NULL)
            eddies->row(&task->wind, cell[0], cell[1], cell[2], faces, flow);
    } else {
        kernels->columns(&task->wind, axis, cell, faces, flow);
        if (eddies != NULL)
            eddies->columns(&task->wind, axis, cell, faces, flow);
    }
    memset(flow + faces * step, 0, STRIP_SPARE * sizeof *flow);
}

/* Loads the volumes of the cells' fluid. Memory holds what they are above 1, so that cells that
 * take no part need none. Before the first sweep of a step all are 1, unless fluid expands. */
static void load_volumes(const Piece *piece, const float *above, Workspace *work)
{
    const float beyond[2] = {0, 0};
    const int cells = piece->end - piece->begin + 2 * STRIP_PAD;
    const ptrdiff_t elements = cells * step_of(piece->columns);
    float *volume = work->strip.volume;
    if (!piece->sweep->first) {
        load(piece, above, STRIP_PAD, beyond, work, 0, volume);
        keep_old(piece, work, 0, volume);
    } else
        memset(volume, 0, (size_t)elements * sizeof *volume);
    for (ptrdiff_t e = 0; e < elements; e++)
        volume[e] += 1;
    for (ptrdiff_t e = elements; e < elements + STRIP_SPARE; e++)
        volume[e] = 1;
}

static void store_volumes(const Piece *piece, float *after, float *above)
{
    const ptrdiff_t step = step_of(piece->columns), first = STRIP_PAD * step;
    const ptrdiff_t elements = (piece->end - piece->begin) * step;
    for (ptrdiff_t e = first; e < first + elements; e++)
        after[e] -= 1;
    store(piece, after, above);
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

/* What flows in through a side of the box. */
static float given_at(const Sweep *sweep, int s, int high)
{
    const BillowSide side = (BillowSide)(2 * sweep->axis + high);
    return face_at(sweep, high) == BILLOW_INFLOW
               ? boundary_value(&sweep->task->sim->def, side, sweep->task->list[s].kind, 0, 0)
               : 0;
}

static void sweep_piece(const Piece *piece, Workspace *work)
{
    const ConserveTask *task = piece->sweep->task;
    const Columns *columns = piece->columns;
    const FluxKernels *kernels = task->sim->kernels->flux;
    const ptrdiff_t step = step_of(columns);
    const int cells = piece->end - piece->begin;
    float *volumes = task->sim->smoke.volumes;
    FluxStrip *strip = &work->strip;
    load_flow(piece, strip);
    load_volumes(piece, volumes, work);
    kernels->settle(strip, step, cells);
    const int reach = kernels->depart(strip, step, cells);
    const int around = reach + 2; /* a parabola depends on two cells on both sides */
    for (int s = 0; s < task->count; s++) {
        float *field = *task->list[s].field;
        const float given[2] = {given_at(piece->sweep, s, 0), given_at(piece->sweep, s, 1)};
        load(piece, field, around, given, work, 1 + s, strip->value);
        keep_old(piece, work, 1 + s, strip->value);
        if (!kernels->holds(strip->value + (STRIP_PAD - around) * step,
                            (cells + 2 * around) * step))
            continue;
        kernels->reconstruct(strip, step, cells, reach);
        kernels->carry(strip, step, cells, piece->sweep->last ? task->keep[s] : 1);
        store(piece, strip->value, field);
        if (task->list[s].kind == SCALAR_DENSITY)
            budget_passed(piece, strip);
    }
    store_volumes(piece, strip->after, volumes);
}

/* Keeps the first cells of periodic columns, which new values replace before the last are done. */
static void keep_start(const Sweep *sweep, const Columns *columns, Workspace *work)
{
    const ConserveTask *task = sweep->task;
    if (face_at(sweep, 0) != BILLOW_PERIODIC || columns->n <= STRIP_PAD)
        return;
    if (!sweep->first)
        copy_cells(columns, task->sim->smoke.volumes + columns->first, 0, STRIP_PAD,
                   work->start[0]);
    for (int s = 0; s < task->count; s++)
        copy_cells(columns, *task->list[s].field + columns->first, 0, STRIP_PAD,
                   work->start[1 + s]);
}

/* Sweeps the cells of `own`. */
static void sweep_run(const Sweep *sweep, Columns *columns, Slab own, Workspace *work)
{
    columns->own = own;
    for (int begin = own.begin; begin < own.end;) {
        int end = begin + piece_cells(columns);
        Piece piece = {sweep, columns, begin, end < own.end ? end : own.end};
        sweep_piece(&piece, work);
        begin = piece.end;
    }
}

static void sweep_row(const Sweep *sweep, int j, int k, Workspace *work)
{
    const Smoke *smoke = &sweep->task->sim->smoke;
    const Span span = smoke_span(smoke, j, k);
    Columns columns = {.width = 1,
                       .n = smoke->grid.nx,
                       .first = grid_row(&smoke->grid, j, k),
                       .stride = 1,
                       .next = smoke->grid.stride_y,
                       .cell = {0, j, k},
                       .budget = k};
    keep_start(sweep, &columns, work);
    sweep_run(sweep, &columns, (Slab){span.begin, span.end}, work);
}

/* The blocks or planes of a plane or block that hold the cells i <= c < i + STRIP_WIDTH. */
typedef struct Runs {
    const Span *spans; /* `stride` entries apart */
    ptrdiff_t stride;
    int i, end;
    int apart; /* fewer entries than this between two runs make them one: the old values that the
                  second needs reach into the first */
} Runs;

static bool takes_part(const Runs *runs, int entry)
{
    const Span *span = &runs->spans[entry * runs->stride];
    return span->begin <= runs->i && span->end > runs->i;
}

/* The next entries from `begin` on whose cells take part. Empty if there are none. */
static Slab next_run(const Runs *runs, int begin)
{
    while (begin < runs->end && !takes_part(runs, begin))
        begin++;
    Slab run = {begin, begin};
    for (int e = begin; e < runs->end && e < run.end + runs->apart; e++)
        if (takes_part(runs, e))
            run.end = e + 1;
    return run;
}

static Columns columns_along(const Grid *grid, int axis, int i, int number)
{
    bool y = axis == 1;
    return (Columns){.width = grid->nx - i < STRIP_WIDTH ? grid->nx - i : STRIP_WIDTH,
                     .n = grid->cells[axis],
                     .first = i + (y ? grid_row(grid, 0, number) : grid_row(grid, number, 0)),
                     .stride = grid->strides[axis],
                     .next = y ? STRIP_WIDTH : grid->stride_y,
                     .cell = {i, y ? 0 : number, y ? number : 0},
                     .budget = number};
}

/* Sweeps plane k along y. */
static void sweep_plane(const Sweep *sweep, int k, Workspace *work)
{
    const Smoke *smoke = &sweep->task->sim->smoke;
    const Grid *grid = &smoke->grid;
    const Span *spans = smoke->spans + (ptrdiff_t)k * smoke->blocks;
    for (int i = 0; i < grid->nx; i += STRIP_WIDTH) {
        Columns columns = columns_along(grid, 1, i, k);
        const Runs runs = {spans, 1, i, smoke->blocks, STRIP_PAD / SMOKE_ROWS};
        Slab run = next_run(&runs, 0);
        if (run.begin < run.end)
            keep_start(sweep, &columns, work);
        for (; run.begin < run.end; run = next_run(&runs, run.end)) {
            int end = run.end * SMOKE_ROWS;
            sweep_run(sweep, &columns,
                      (Slab){run.begin * SMOKE_ROWS, end < grid->ny ? end : grid->ny}, work);
        }
    }
}

/* Sweeps rows of a block along z. */
static void sweep_rows(const Sweep *sweep, int block, Slab rows, Workspace *work)
{
    const BillowSim *sim = sweep->task->sim;
    const Smoke *smoke = &sim->smoke;
    const Grid *grid = &smoke->grid;
    const Slab own = ranks_own(sim->ranks, grid->nz);
    const Span *spans = smoke->spans + block;
    for (int j = rows.begin; j < rows.end; j++)
        memset(sim->plane_budgets[j].passed, 0, sizeof sim->plane_budgets[j].passed);
    for (int i = 0; i < grid->nx; i += STRIP_WIDTH)
        for (int j = rows.begin; j < rows.end; j++) {
            Columns columns = columns_along(grid, 2, i, j);
            const Runs runs = {spans, smoke->blocks, i, own.end, STRIP_PAD};
            Slab run = next_run(&runs, own.begin);
            if (run.begin < run.end)
                keep_start(sweep, &columns, work);
            for (; run.begin < run.end; run = next_run(&runs, run.end))
                sweep_run(sweep, &columns, run, work);
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
    const Smoke *smoke = &task->sim->smoke;
    float *fields[SCALARS_MAX + 1];
    int count = 0;
    for (int s = 0; s < task->count; s++)
        fields[count++] = *task->list[s].field;
    if (!z->first)
        fields[count++] = smoke->volumes;
    exchange_fields(team, &smoke->grid, fields, count, STRIP_PAD);
    const Slab rows = smoke_row_slab(task->sim, team);
    for (int block = rows.begin / SMOKE_ROWS; block * SMOKE_ROWS < rows.end; block++)
        sweep_rows(z, block, slab_meet(rows, (Slab){block * SMOKE_ROWS, (block + 1) * SMOKE_ROWS}),
                   work);
    team_barrier(team);
    for (int j = 0; j < smoke->grid.ny && team.index == 0; j++)
        for (int high = 0; high < 2; high++)
            task->passed[high] += task->sim->plane_budgets[j].passed[high];
    team_barrier(team);
}

static void one_step(ConserveTask *task, int step, Team team, Workspace *work)
{
    const Smoke *smoke = &task->sim->smoke;
    Slab planes = smoke_slab(task->sim, team);
    bool last = step == task->steps - 1,
         backwards = (task->sim->stats.substeps + (uint64_t)step) % 2 == 1;
    Sweep x = sweep_along(task, 0, backwards ? 2 : 0, last), y = sweep_along(task, 1, 1, last),
          z = sweep_along(task, 2, backwards ? 0 : 2, last);
    if (task->expands) {
        expansion_make_volumes(task->sim, task->list, task->count, task->dt / task->steps,
                               team_slab(team, task->sim->grid.nz));
        team_barrier(team);
    }
    if (backwards)
        sweep_along_z(task, &z, team, work);
    for (int k = planes.begin; k < planes.end; k++) {
        if (backwards)
            sweep_plane(&y, k, work);
        FOR_SMOKE_ROWS(smoke, j, k)
        sweep_row(&x, j, k, work);
        if (!backwards)
            sweep_plane(&y, k, work);
    }
    team_barrier(team);
    if (!backwards)
        sweep_along_z(task, &z, team, work);
}

/* Sums the density of a plane. */
static double sum_density(const BillowSim *sim, int k)
{
    const Smoke *smoke = &sim->smoke;
    double sum = 0;
    FOR_SMOKE_ROWS(smoke, j, k)
    {
        const Span span = smoke_span(smoke, j, k);
        const float *row = sim->density + grid_row(&smoke->grid, j, k);
        for (int i = span.begin; i < span.end; i++)
            sum += (double)row[i];
    }
    return sum;
}

static void conserve_task(void *context, Team team)
{
    ConserveTask *task = context;
    BillowSim *sim = task->sim;
    const int planes_all = sim->smoke.grid.nz;
    Slab planes = smoke_slab(sim, team);
    Workspace work;
    for (int step = 0; step < task->steps; step++) {
        one_step(task, step, team, &work);
        if (solids_owe(sim)) {
            solids_count_made(sim, task->list, task->count, planes);
            team_barrier(team);
            exchange_entries(team, sim->plane_budgets, sizeof(PlaneBudget), planes_all);
        }
    }
    for (int k = planes.begin; k < planes.end && task->summed; k++)
        sim->plane_budgets[k].kept = sum_density(sim, k); /* before solids give back, as decay is */
    team_barrier(team);
    exchange_entries(team, sim->plane_budgets, sizeof(PlaneBudget), planes_all);
    if (solids_owe(sim))
        solids_give_back(sim, task->list, task->count, planes, team);
}

/* -- the length of steps ----------------------------------------------------------------------- */

static void prepare_task(void *context, Team team)
{
    const ConserveTask *task = context;
    BillowSim *sim = task->sim;
    if (sim->solids != NULL) {
        mix_planes(sim, wind_planes(sim, team));
        team_barrier(team);
    }
    find_steps(task, team_slab(team, sim->grid.nz));
}

/* Sets the length of a step, and lets the cells take part that smoke reaches in all of them. */
static void choose_steps(ConserveTask *task)
{
    BillowSim *sim = task->sim;
    const double wind_cells = task->dt / (double)sim->def.cell_size;
    double most = task->expands ? expansion_shrinking(sim) * task->dt / FLUX_SHARE : 0;
    exchange_fields(sim_alone(sim), &sim->grid, sim->velocity, 3, 1); /* flow_kernels.c */
    sim_run(sim, prepare_task, task);
    sim_exchange_wind_budgets(sim);
    for (int k = 0; k < sim->grid.nz; k++)
        most = fmax(most, (double)sim->wind_budgets[k].rate * wind_cells);
    task->steps = most > FLUX_STEPS_MAX ? FLUX_STEPS_MAX : most > 1 ? (int)ceil(most) : 1;
    const double smoke_cells = wind_cells * sim->smoke.refine;
    task->wind.scale = (float)(smoke_cells / task->steps);
    if (task->wind.eddies != NULL)
        eddies_measure(sim, &task->wind, task->steps);
    smoke_widen(sim, smoke_cells, task->steps);
}

static void prepare(ConserveTask *task)
{
    BillowSim *sim = task->sim;
    for (int s = 0; s < task->count; s++)
        task->keep[s] = (float)math_exp(-(double)task->list[s].decay * task->dt);
    for (int b = 0; b < sim_budgets(sim); b++) {
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
    scratch_claim(&sim->scratch, SCRATCH_FLUID_VELOCITY);
    scratch_claim(&sim->scratch, SCRATCH_EXPANSION);
    task.wind =
        smoke_wind(sim, sim->solids != NULL ? scratch_use(&sim->scratch, SCRATCH_FLUID_VELOCITY)
                                            : sim->velocity);
    Eddies eddies;
    task.wind.eddies = eddies_begin(sim, &eddies) ? &eddies : NULL;
    choose_steps(&task);
    sim_run(sim, conserve_task, &task);
    scratch_release(&sim->scratch, SCRATCH_EXPANSION);
    scratch_release(&sim->scratch, SCRATCH_FLUID_VELOCITY);
    double volume = smoke_cell_volume(sim), kept = 0;
    double left = task.passed[1] - task.passed[0];
    if (sim->ranks != NULL) { /* the ranks at the ends of the box know what passed there */
        const double *all = exchange_each(sim->ranks, task.passed, sizeof task.passed);
        left = all[2 * (sim->ranks->calls.ranks - 1) + 1] - all[0];
    }
    for (int b = 0; b < sim_budgets(sim); b++) {
        left += sim->plane_budgets[b].leaving;
        kept += sim->plane_budgets[b].kept;
    }
    sim->stats.mass_outflow += left * volume;
    budget_released(sim, 1);
    if (task.summed)
        budget_dissipated(sim, kept * volume);
    profile_traffic(sim, task.steps * (6 + 4 * count));
}
