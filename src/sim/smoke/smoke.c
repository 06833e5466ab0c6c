/* SPDX-License-Identifier: MIT
 *
 * Which cells of the smoke take part, and their memory. */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* for madvise */
#endif
#include "sim/smoke/smoke.h"
#include "sim/sim.h"

#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"

#include <math.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

/* -- spans ------------------------------------------------------------------------------------- */

static bool is_empty(Span span)
{
    return span.end <= span.begin;
}

static Span hull(Span a, Span b)
{
    if (is_empty(a) || is_empty(b))
        return is_empty(a) ? b : a;
    return (Span){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

static size_t span_count(const Smoke *smoke)
{
    return (size_t)smoke->blocks * (size_t)smoke->grid.nz;
}

static size_t smoke_wind_rows(const Smoke *smoke)
{
    return (size_t)(smoke->grid.ny / smoke->refine) * (size_t)(smoke->grid.nz / smoke->refine);
}

static int row_end(const Smoke *smoke, int block)
{
    int end = (block + 1) * SMOKE_ROWS;
    return end < smoke->grid.ny ? end : smoke->grid.ny;
}

/* -- layout ------------------------------------------------------------------------------------ */

void smoke_set_grid(Smoke *smoke, const BillowDef *def)
{
    const int refine = def->refine;
    smoke->grid = grid_make(def->nx * refine, def->ny * refine, def->nz * refine);
    smoke->refine = refine;
    smoke->blocks = (smoke->grid.ny + SMOKE_ROWS - 1) / SMOKE_ROWS;
    smoke->cell_size = def->cell_size / (float)refine;
}

/* Samplers may read SAMPLE_LEAD floats before a field and the plane after it, which are 0. */
static float *cut_field(Cut *arena, const Grid *grid)
{
    sim_cut(arena, SAMPLE_LEAD * sizeof(float));
    float *field = sim_cut_field(arena, grid);
    sim_cut(arena, (size_t)grid->stride_z * sizeof(float));
    return field;
}

void smoke_cut_fields(Cut *arena, const BillowDef *def, BillowSim *sim)
{
    Smoke *smoke = &sim->smoke;
    Scalar list[SCALARS_MAX];
    int count = scalars_of(def, sim, list);
    for (int s = 0; s < count; s++)
        if (!list[s].texture)
            *list[s].field = cut_field(arena, &smoke->grid);
    sim->flame = def->fire ? cut_field(arena, &smoke->grid) : NULL;
    smoke->arriving[0] = cut_field(arena, &smoke->grid);
    smoke->arriving[1] = cut_field(arena, &smoke->grid);
    smoke->volumes = cut_field(arena, &smoke->grid);
}

void smoke_cut_spans(Cut *arena, const BillowDef *def, BillowSim *sim)
{
    Smoke *smoke = &sim->smoke;
    smoke->spans = sim_cut(arena, span_count(smoke) * sizeof(Span));
    smoke->content = sim_cut(arena, span_count(smoke) * sizeof(Span));
    smoke->work = sim_cut(arena, span_count(smoke) * sizeof(Span));
    smoke->written = sim_cut(arena, span_count(smoke) * sizeof(Span));
    smoke->saved = def->guarded ? sim_cut(arena, span_count(smoke) * sizeof(Span)) : NULL;
    smoke->idle = sim_cut(arena, span_count(smoke));
    smoke->winds = sim_cut(arena, smoke_wind_rows(smoke) * sizeof *smoke->winds);
    smoke->before = sim_cut(arena, (size_t)(smoke->grid.nz + 1) * sizeof(int64_t));
    smoke->before_blocks = sim_cut(arena, (size_t)(smoke->blocks + 1) * sizeof(int64_t));
    smoke->emitters = sim_cut(arena, BILLOW_EMITTERS_MAX * sizeof(PlacedEmitter));
    smoke->queued = sim_cut(arena, BILLOW_EMITTERS_MAX * sizeof(PlacedEmitter));
    eddies_cut(arena, sim);
}

int smoke_scalars(const BillowSim *sim, Scalar *list)
{
    int count = scalars_list((BillowSim *)sim, list); /* only lists them */
    while (count > 0 && list[count - 1].texture)
        count--;
    return count;
}

void smoke_place_emitter(const BillowSim *sim, const BillowEmitter *emitter, PlacedEmitter *placed)
{
    if (sim->smoke.refine > 1)
        *placed = emitter_place(emitter, &sim->smoke.grid, &sim->def, sim->smoke.cell_size);
}

const PlacedEmitter *smoke_emitter(const BillowSim *sim, int e)
{
    int queued = e - sim->def.emitter_count;
    if (sim->smoke.refine == 1)
        return sim_emitter(sim, e);
    return queued < 0 ? &sim->smoke.emitters[e] : &sim->smoke.queued[queued];
}

Wind smoke_wind(const BillowSim *sim, float *const speed[3])
{
    Wind wind = {.grid = &sim->grid, .refine = sim->smoke.refine, .scale = 1};
    for (int axis = 0; axis < 3; axis++) {
        wind.speed[axis] = speed[axis];
        wind.wraps[axis] = boundary_wraps(&sim->def, axis);
    }
    return wind;
}

bool smoke_is_fluid(const BillowSim *sim, const int cell[3])
{
    const int refine = sim->smoke.refine;
    return sim->solids == NULL ||
           sim->solids->fluid[grid_row(&sim->grid, cell[1] / refine, cell[2] / refine) +
                              cell[0] / refine] != SOLID;
}

double smoke_cell_volume(const BillowSim *sim)
{
    double h = (double)sim->def.cell_size / sim->smoke.refine;
    return h * h * h;
}

/* -- shares of workers ------------------------------------------------------------------------- */

/* Counts cells, for the shares. */
static void count_cells(Smoke *smoke)
{
    memset(smoke->before_blocks, 0, (size_t)(smoke->blocks + 1) * sizeof *smoke->before_blocks);
    smoke->before[0] = 0;
    for (int k = 0; k < smoke->grid.nz; k++) {
        int64_t plane = 0;
        for (int b = 0; b < smoke->blocks; b++) {
            Span span = smoke->spans[b + (ptrdiff_t)k * smoke->blocks];
            int64_t cells = is_empty(span) ? 0 : span.end - span.begin;
            plane += cells;
            smoke->before_blocks[b + 1] += cells;
        }
        smoke->before[k + 1] = smoke->before[k] + plane;
    }
    for (int b = 0; b < smoke->blocks; b++)
        smoke->before_blocks[b + 1] += smoke->before_blocks[b];
}

/* The first of the entries begin to end before which there are `cells` cells. */
static int first_with(const int64_t *before, int begin, int end, int64_t cells)
{
    while (begin < end && before[begin] < cells)
        begin++;
    return begin;
}

static Slab share_of(const int64_t *before, Slab all, Team team)
{
    int64_t first = before[all.begin], cells = before[all.end] - first;
    Slab share = {
        first_with(before, all.begin, all.end, first + cells * team.index / team.count),
        first_with(before, all.begin, all.end, first + cells * (team.index + 1) / team.count)};
    if (team.index == 0)
        share.begin = all.begin;
    if (team.index == team.count - 1)
        share.end = all.end;
    return share;
}

Slab smoke_slab(const BillowSim *sim, Team team)
{
    return share_of(sim->smoke.before, ranks_own(sim->ranks, sim->smoke.grid.nz), team);
}

/* The row before which there are that many cells, if those of a block divide evenly. */
static int row_with(const Smoke *smoke, int64_t cells)
{
    const int64_t *before = smoke->before_blocks;
    const int block = first_with(before + 1, 0, smoke->blocks, cells + 1);
    if (block == smoke->blocks)
        return smoke->grid.ny;
    const int first = block * SMOKE_ROWS, rows = row_end(smoke, block) - first;
    return first + (int)((cells - before[block]) * rows / (before[block + 1] - before[block]));
}

Slab smoke_row_slab(const BillowSim *sim, Team team)
{
    const Smoke *smoke = &sim->smoke;
    const int64_t cells = smoke->before_blocks[smoke->blocks];
    return (Slab){team.index == 0 ? 0 : row_with(smoke, cells * team.index / team.count),
                  team.index == team.count - 1
                      ? smoke->grid.ny
                      : row_with(smoke, cells * (team.index + 1) / team.count)};
}

/* -- memory ------------------------------------------------------------------------------------ */

/* Fields of smoke cells beside the scalars; all of them may have stale values where no cell takes
 * part, unless they are cleared. */
static int other_fields(const BillowSim *sim, float *list[4])
{
    int count = 0;
    if (sim->flame != NULL)
        list[count++] = sim->flame;
    list[count++] = sim->smoke.arriving[0];
    list[count++] = sim->smoke.arriving[1];
    list[count++] = sim->smoke.volumes;
    return count;
}

static void clear_cells(const Smoke *smoke, float *field, int block, int k, int begin, int end)
{
    for (int j = block * SMOKE_ROWS; j < row_end(smoke, block) && begin < end; j++)
        memset(field + grid_row(&smoke->grid, j, k) + begin, 0,
               (size_t)(end - begin) * sizeof *field);
}

/* Clears a block's rows in plane k, and gives whole pages of them back to the system. */
static void return_rows(const Smoke *smoke, float *field, int block, int k)
{
    char *begin = (char *)(field + grid_row(&smoke->grid, block * SMOKE_ROWS, k));
    char *end =
        (char *)(field + grid_row(&smoke->grid, row_end(smoke, block) - 1, k) + smoke->grid.nx);
    char *first = end, *last = end;
#ifdef __linux__
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    first = begin + (page - (uintptr_t)begin % page) % page;
    last = end - (uintptr_t)end % page;
    if (last <= first || madvise(first, (size_t)(last - first), MADV_DONTNEED) != 0)
        first = last = end;
#endif
    memset(begin, 0, (size_t)(first - begin));
    memset(last, 0, (size_t)(end - last));
}

/* -- the search for content -------------------------------------------------------------------- */

typedef struct Search {
    BillowSim *sim;
    Scalar list[SCALARS_MAX];
    int count;
} Search;

static bool holds(const Search *search, ptrdiff_t at, int n)
{
    bool any = false;
    for (int s = 0; s < search->count && !any; s++)
        any = search->sim->kernels->flux->holds(*search->list[s].field + at, n);
    return any;
}

/* The first or the last cell of a chunk of SMOKE_ALIGN cells that holds anything; `at` is that of
 * the chunk. */
static int find_in_chunk(const Search *search, ptrdiff_t at, bool last)
{
    bool any[SMOKE_ALIGN] = {false};
    for (int s = 0; s < search->count; s++)
        for (int i = 0; i < SMOKE_ALIGN; i++)
            any[i] |= (*search->list[s].field)[at + i] != 0.0f;
    int first = 0, end = SMOKE_ALIGN - 1;
    while (first < end && !any[first])
        first++;
    while (end > first && !any[end])
        end--;
    return last ? end : first;
}

/* Extends `found` by the content of row (j, k). Looks for it from both ends of the span. */
static Span find_in_row(const Search *search, int j, int k, Span found)
{
    const Smoke *smoke = &search->sim->smoke;
    const Span row = smoke_span(smoke, j, k);
    const ptrdiff_t at = grid_row(&smoke->grid, j, k);
    const bool none = is_empty(found);
    int begin = row.begin, end = row.end;
    const int low = none ? end : found.begin;
    while (begin < low && !holds(search, at + begin, SMOKE_ALIGN))
        begin += SMOKE_ALIGN;
    if (begin < low) {
        begin += find_in_chunk(search, at + begin, false);
        found.begin = (short)(begin < end ? begin : end - 1); /* a ghost stands for the last cell */
    } else if (none)
        return found;
    const int high = none ? begin : found.end;
    int from = (end - 1) / SMOKE_ALIGN * SMOKE_ALIGN;
    while (from + SMOKE_ALIGN > high && !holds(search, at + from, SMOKE_ALIGN))
        from -= SMOKE_ALIGN;
    if (from + SMOKE_ALIGN > high) {
        const int past = from + find_in_chunk(search, at + from, true) + 1;
        end = past < end ? past : end;
        found.end = (short)(none || end > found.end ? end : found.end);
    }
    return found;
}

static void find_task(void *context, Team team)
{
    const Search *search = context;
    const Smoke *smoke = &search->sim->smoke;
    Slab slab = smoke_slab(search->sim, team);
    for (int k = slab.begin; k < slab.end; k++)
        for (int b = 0; b < smoke->blocks; b++) {
            Span found = {0, 0};
            for (int j = b * SMOKE_ROWS; j < row_end(smoke, b); j++)
                found = find_in_row(search, j, k, found);
            smoke->content[b + (ptrdiff_t)k * smoke->blocks] = found;
        }
}

/* Adds the cells low <= i < high along each axis to the content and to those that take part. */
static void add_box(const Smoke *smoke, const int low[3], const int high[3])
{
    const int nx = smoke->grid.nx;
    int end = (high[0] + SMOKE_ALIGN - 1) / SMOKE_ALIGN * SMOKE_ALIGN;
    Span span = {(short)(low[0] / SMOKE_ALIGN * SMOKE_ALIGN), (short)(end < nx ? end : nx)};
    for (int k = low[2]; k < high[2] && k < smoke->grid.nz; k++)
        for (int b = low[1] / SMOKE_ROWS; b < smoke->blocks && b * SMOKE_ROWS < high[1]; b++) {
            const ptrdiff_t at = b + (ptrdiff_t)k * smoke->blocks;
            smoke->content[at] = hull(smoke->content[at], span);
            smoke->spans[at] = hull(smoke->spans[at], span);
        }
}

/* Adds the cells next to faces through which smoke may flow in. */
static void add_inflows(const BillowSim *sim)
{
    const Smoke *smoke = &sim->smoke;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        int low[3] = {0, 0, 0}, axis = side / 2;
        int high[3] = {smoke->grid.nx, smoke->grid.ny, smoke->grid.nz};
        if (sim->def.faces[side] != BILLOW_INFLOW)
            continue;
        if (side % 2 == 0)
            high[axis] = 1;
        else
            low[axis] = high[axis] - 1;
        add_box(smoke, low, high);
    }
}

/* Substeps for which no cell of a block has taken part before its memory is given back. At the edge
 * of the smoke blocks come and go. */
enum { IDLE_STEPS = 32 };

/* Clears a row's ghosts, or a whole row of ghosts. Rows have room for three at the end. */
static void clear_ghosts(const Grid *grid, float *row, bool whole)
{
    enum { BEFORE = 2, AFTER = 3 };
    memset(row - BEFORE, 0, BEFORE * sizeof *row);
    memset(row + grid->nx, 0, AFTER * sizeof *row);
    if (whole)
        memset(row, 0, (size_t)grid->nx * sizeof *row);
}

/* Clears the ghosts beside a block's rows in plane k, which nobody fills while they are idle
 * (boundary.h). */
static void clear_field_ghosts(const Smoke *smoke, float *field, int block, int k)
{
    const Grid *grid = &smoke->grid;
    const int end = row_end(smoke, block);
    for (int j = block * SMOKE_ROWS; j < end; j++) {
        clear_ghosts(grid, field + grid_row(grid, j, k), false);
        if (k == 0)
            clear_ghosts(grid, field + grid_row(grid, j, -1), true);
        if (k == grid->nz - 1)
            clear_ghosts(grid, field + grid_row(grid, j, grid->nz), true);
    }
    if (block == 0)
        clear_ghosts(grid, field + grid_row(grid, -1, k), true);
    if (end == grid->ny)
        clear_ghosts(grid, field + grid_row(grid, grid->ny, k), true);
}

static void clear_block_ghosts(const BillowSim *sim, int block, int k)
{
    Scalar list[SCALARS_MAX];
    if (!boundary_has_ghosts(&sim->def))
        return;
    for (int s = smoke_scalars(sim, list); s-- > 0;)
        clear_field_ghosts(&sim->smoke, *list[s].field, block, k);
    for (int f = 0; f < 2; f++)
        clear_field_ghosts(&sim->smoke, sim->smoke.arriving[f], block, k);
}

/* Clears a block in plane k of all fields, and gives its memory back. */
static void return_block(const BillowSim *sim, int block, int k)
{
    Scalar list[SCALARS_MAX];
    float *others[4];
    clear_block_ghosts(sim, block, k);
    for (int f = other_fields(sim, others); f-- > 0;)
        return_rows(&sim->smoke, others[f], block, k);
    for (int s = smoke_scalars(sim, list); s-- > 0;)
        return_rows(&sim->smoke, *list[s].field, block, k);
    sim->smoke.idle[block + (ptrdiff_t)k * sim->smoke.blocks] = 0;
}

/* Lets the cells of `work` take part in place of those that do. What is left behind holds nothing
 * in its scalars. */
static void leave_task(void *context, Team team)
{
    const BillowSim *sim = context;
    const Smoke *smoke = &sim->smoke;
    float *others[4];
    const int count = other_fields(sim, others);
    Slab slab = smoke_slab(sim, team);
    for (int k = slab.begin; k < slab.end; k++)
        for (int b = 0; b < smoke->blocks; b++) {
            ptrdiff_t at = b + (ptrdiff_t)k * smoke->blocks;
            const Span old = smoke->spans[at], now = smoke->work[at];
            unsigned char *idle = &smoke->idle[at]; /* 0: takes part, or has no memory */
            for (int f = 0; f < count && !is_empty(old); f++)
                if (is_empty(now))
                    clear_cells(smoke, others[f], b, k, old.begin, old.end);
                else {
                    clear_cells(smoke, others[f], b, k, old.begin, now.begin);
                    clear_cells(smoke, others[f], b, k, now.end, old.end);
                }
            if (!is_empty(now))
                *idle = 0;
            else if (!is_empty(old)) {
                *idle = 1;
                clear_block_ghosts(sim, b, k);
            } else if (*idle > 0 && ++*idle > IDLE_STEPS)
                return_block(sim, b, k);
        }
}

static void take_work(BillowSim *sim)
{
    Smoke *smoke = &sim->smoke;
    Span *old = smoke->spans;
    smoke->spans = smoke->work;
    smoke->work = old;
    smoke->filled = false;
    count_cells(smoke);
}

static Span widened(Span span, int cells, int nx)
{
    if (is_empty(span))
        return span;
    int begin = span.begin - cells, end = span.end + cells;
    begin = begin > 0 ? begin / SMOKE_ALIGN * SMOKE_ALIGN : 0;
    end = (end + SMOKE_ALIGN - 1) / SMOKE_ALIGN * SMOKE_ALIGN;
    return (Span){(short)begin, (short)(end < nx ? end : nx)};
}

/* After smoke_fill: lets those cells alone take part that hold anything, or did so before, whose
 * other fields may not be 0. */
static void unfill(BillowSim *sim)
{
    Smoke *smoke = &sim->smoke;
    if (smoke->filled && sim->flame == NULL) /* a caller may have written the flame anywhere */
        for (size_t s = 0; s < span_count(smoke); s++)
            smoke->spans[s] =
                hull(widened(smoke->content[s], 0, smoke->grid.nx), smoke->written[s]);
    smoke->filled = false;
}

void smoke_find(BillowSim *sim, double dt)
{
    Smoke *smoke = &sim->smoke;
    Search search = {.sim = sim};
    search.count = smoke_scalars(sim, search.list);
    sim_run(sim, find_task, &search);
    exchange_entries(sim_alone(sim), smoke->content, (size_t)smoke->blocks * sizeof(Span),
                     smoke->grid.nz);
    unfill(sim);
    for (int e = 0; e < sim_emitter_count(sim); e++)
        if (sim_emitter_seconds(sim, e, dt) > 0)
            add_box(smoke, smoke_emitter(sim, e)->low, smoke_emitter(sim, e)->high);
    add_inflows(sim);
    count_cells(smoke);
}

/* -- growth ------------------------------------------------------------------------------------ */

/* Index `index` + `by` along an axis of n; -1 beyond an end of the box. */
static int stepped(int index, int by, int n, bool wraps)
{
    index += by;
    if (index >= 0 && index < n)
        return index;
    return wraps ? (index % n + n) % n : -1;
}

/* How far what the cells of a block hold can come along each axis, cells of the smoke. */
typedef struct Reach {
    int cells[3];
} Reach;

static Reach reach_of(const Grid *grid, const float winds[3], double factor, int beside)
{
    Reach reach;
    for (int axis = 0; axis < 3; axis++) {
        const double cells = ceil((double)winds[axis] * factor) + beside;
        reach.cells[axis] = cells < grid->cells[axis] ? (int)cells : grid->cells[axis];
    }
    return reach;
}

/* Raises the entries of `most` to those of a row of winds. */
static void raise(float most[3], const float winds[3])
{
    for (int axis = 0; axis < 3; axis++)
        most[axis] = winds[axis] > most[axis] ? winds[axis] : most[axis];
}

/* Largest winds that what the cells of a block hold can meet. around: rows and planes of wind
 * beside those of the block. */
static void winds_around(const BillowSim *sim, int block, int k, const int around[3], float most[3])
{
    const Smoke *smoke = &sim->smoke;
    const Grid *grid = &sim->grid;
    const int first = block * SMOKE_ROWS / smoke->refine,
              last = (row_end(smoke, block) - 1) / smoke->refine, plane = k / smoke->refine;
    most[0] = most[1] = most[2] = 0;
    for (int by = -around[2]; by <= around[2]; by++) {
        const int p = stepped(plane, by, grid->nz, boundary_wraps(&sim->def, 2));
        for (int row = first - around[1]; row <= last + around[1] && p >= 0; row++) {
            const int j = stepped(row, 0, grid->ny, boundary_wraps(&sim->def, 1));
            if (j >= 0)
                raise(most, smoke->winds[j + (ptrdiff_t)p * grid->ny].speed);
        }
    }
}

/* Adds to `work` the cells to which a block's content may come. */
static void widen_block(const BillowSim *sim, int block, int k, const Reach *reach)
{
    const Smoke *smoke = &sim->smoke;
    const Grid *grid = &smoke->grid;
    const int planes = reach->cells[2];
    /* around a periodic box comes a block with fewer rows, if the last has */
    const int shorter = boundary_wraps(&sim->def, 1) && grid->ny % SMOKE_ROWS != 0;
    const int rows = (reach->cells[1] + SMOKE_ROWS - 1) / SMOKE_ROWS + shorter;
    Span span =
        widened(smoke->content[block + (ptrdiff_t)k * smoke->blocks], reach->cells[0], grid->nx);
    if (boundary_wraps(&sim->def, 0) && (span.begin == 0 || span.end == grid->nx))
        span = (Span){0, (short)grid->nx};
    for (int by = -planes; by <= planes; by++) {
        const int p = stepped(k, by, grid->nz, boundary_wraps(&sim->def, 2));
        for (int row = -rows; row <= rows && p >= 0; row++) {
            const int b = stepped(block, row, smoke->blocks, boundary_wraps(&sim->def, 1));
            Span *to = &smoke->work[b + (ptrdiff_t)p * smoke->blocks];
            if (b >= 0)
                *to = hull(*to, span);
        }
    }
}

void smoke_widen(BillowSim *sim, double factor, int beside)
{
    Smoke *smoke = &sim->smoke;
    float most[3] = {0};
    int around[3];
    exchange_entries(sim_alone(sim), smoke->winds, (size_t)sim->grid.ny * sizeof *smoke->winds,
                     sim->grid.nz);
    for (size_t row = 0; row < smoke_wind_rows(smoke); row++)
        raise(most, smoke->winds[row].speed);
    const Reach farthest = reach_of(&smoke->grid, most, factor, beside);
    for (int axis = 0; axis < 3; axis++) {
        const int n = sim->grid.cells[axis], cells = farthest.cells[axis] / smoke->refine + 1;
        around[axis] = cells < n ? cells : n;
    }
    memset(smoke->work, 0, span_count(smoke) * sizeof *smoke->work);
    for (int k = 0; k < smoke->grid.nz; k++)
        for (int b = 0; b < smoke->blocks; b++) {
            if (is_empty(smoke->content[b + (ptrdiff_t)k * smoke->blocks]))
                continue;
            winds_around(sim, b, k, around, most);
            const Reach reach = reach_of(&smoke->grid, most, factor, beside);
            widen_block(sim, b, k, &reach);
        }
    sim_run(sim, leave_task, sim);
    take_work(sim);
}

void smoke_fill(BillowSim *sim)
{
    Smoke *smoke = &sim->smoke;
    if (!smoke->filled)
        memcpy(smoke->written, smoke->spans, span_count(smoke) * sizeof *smoke->written);
    smoke->filled = true;
    for (size_t s = 0; s < span_count(smoke); s++)
        smoke->spans[s] = smoke->content[s] = (Span){0, (short)smoke->grid.nx};
    count_cells(smoke);
}

void smoke_fill_all(BillowSim *sim)
{
    smoke_fill(sim);
    sim->smoke.filled = false;
}

static void clear_task(void *context, Team team)
{
    const BillowSim *sim = context;
    const Smoke *smoke = &sim->smoke;
    Slab slab = smoke_slab(sim, team);
    for (int k = slab.begin; k < slab.end; k++)
        for (int b = 0; b < smoke->blocks; b++) {
            ptrdiff_t at = b + (ptrdiff_t)k * smoke->blocks;
            if (!is_empty(smoke->spans[at]) || smoke->idle[at] > 0)
                return_block(sim, b, k);
        }
}

void smoke_clear(BillowSim *sim)
{
    Smoke *smoke = &sim->smoke;
    sim_run(sim, clear_task, sim);
    memset(smoke->spans, 0, span_count(smoke) * sizeof *smoke->spans);
    memset(smoke->content, 0, span_count(smoke) * sizeof *smoke->content);
    /* before the first state is saved there, its memory may hold anything */
    for (size_t s = 0; s < span_count(smoke) && smoke->saved != NULL; s++)
        smoke->saved[s] = (Span){0, (short)smoke->grid.nx};
    smoke->filled = false;
    count_cells(smoke);
}

/* -- means ------------------------------------------------------------------------------------- */

/* Cells that take part in the smoke rows of wind row (j, k). */
static Span span_of_wind(const Smoke *smoke, int j, int k)
{
    Span all = {0, 0};
    for (int p = 0; p < smoke->refine; p++)
        for (int q = 0; q < smoke->refine; q++)
            all = hull(all, smoke_span(smoke, j * smoke->refine + q, k * smoke->refine + p));
    return all;
}

/* Adds the sums of `refine` cells side by side to `sums`. Inlined, so that compilers know refine.
 */
static inline void add_cells(const float *row, int n, int refine, float *sums)
{
    for (int i = 0; i < n; i++) {
        float sum = row[i * refine];
        for (int c = 1; c < refine; c++)
            sum += row[i * refine + c];
        sums[i] += sum;
    }
}

/* Means of a field over the cells of wind row (j, k). */
static void mean_row(const Smoke *smoke, const float *field, int j, int k, float *means)
{
    const int refine = smoke->refine, n = smoke->grid.nx / refine;
    const Span span = span_of_wind(smoke, j, k);
    const int begin = span.begin / refine, end = (span.end + refine - 1) / refine;
    const float share = 1.0f / (float)(refine * refine * refine);
    memset(means, 0, (size_t)n * sizeof *means);
    for (int p = 0; p < refine && begin < end; p++)
        for (int q = 0; q < refine; q++) {
            const float *row =
                field + grid_row(&smoke->grid, j * refine + q, k * refine + p) + begin * refine;
            if (refine == 2)
                add_cells(row, end - begin, 2, means + begin);
            else if (refine == 3)
                add_cells(row, end - begin, 3, means + begin);
            else
                add_cells(row, end - begin, 4, means + begin);
        }
    for (int i = begin; i < end; i++)
        means[i] *= share;
}

static void mean_planes(const BillowSim *sim, const float *field, float *means, Slab planes)
{
    for (int k = planes.begin; k < planes.end; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            mean_row(&sim->smoke, field, j, k, means + grid_row(&sim->grid, j, k));
}

static void feel_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab planes = team_slab(team, sim->grid.nz);
    mean_planes(sim, sim->density, sim->smoke.felt_density, planes);
    mean_planes(sim, sim->temperature, sim->smoke.felt_temperature, planes);
}

void smoke_feel(BillowSim *sim)
{
    if (sim->smoke.refine > 1)
        sim_run(sim, feel_task, sim);
}

static double sum_flame(const BillowSim *sim, int k)
{
    double sum = 0;
    for (int j = 0; j < sim->grid.ny; j++) {
        const Span span = span_of_wind(&sim->smoke, j, k);
        const int begin = span.begin / sim->smoke.refine,
                  end = (span.end + sim->smoke.refine - 1) / sim->smoke.refine;
        const float *row = sim_felt_flame(sim) + grid_row(&sim->grid, j, k);
        for (int i = begin; i < end; i++)
            sum += (double)row[i];
    }
    return sum;
}

static void feel_flame_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab planes = team_slab(team, sim->grid.nz);
    if (sim->smoke.refine > 1)
        mean_planes(sim, sim->flame, sim->smoke.felt_flame, planes);
    for (int k = planes.begin; k < planes.end; k++)
        sim->wind_budgets[k].flame = sum_flame(sim, k);
}

void smoke_feel_flame(BillowSim *sim)
{
    sim_run(sim, feel_flame_task, sim);
    sim_exchange_wind_budgets(sim);
    sim->flame_sum = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        sim->flame_sum += sim->wind_budgets[k].flame;
}
