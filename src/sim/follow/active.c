/* SPDX-License-Identifier: MIT
 *
 * The active cells: the search for smoke, and the sets of cells that follow from it. */
#include "sim/follow/follow.h"

#include "sim/fields/field_table.h"
#include "sim/sources/sources.h"

#include <math.h>
#include <string.h>

/* Distance from active cells up to which the far velocity is advected, in far cells. */
enum { NEAR = 8 };

/* -- spans ------------------------------------------------------------------------------------- */

int span_parts(Span outer, Span a, Span b, Span parts[3])
{
    if (span_is_empty(a) || (!span_is_empty(b) && b.begin < a.begin)) {
        Span swapped = a;
        a = b;
        b = swapped;
    }
    const Span holes[2] = {a, b};
    int count = 0;
    short at = outer.begin;
    for (int h = 0; h < 2; h++) {
        if (span_is_empty(holes[h]))
            continue;
        short until = holes[h].begin < outer.end ? holes[h].begin : outer.end;
        if (until > at)
            parts[count++] = (Span){at, until};
        at = holes[h].end > at ? holes[h].end : at;
    }
    if (outer.end > at)
        parts[count++] = (Span){at, outer.end};
    return count;
}

/* A rectangle of rows, of cells or of blocks. */
typedef struct Rectangle {
    int ny, nz;
} Rectangle;

/* Finds the rows that are not empty, and `rows` more to all sides: from <= row < to. */
static void bound(const Span *spans, Rectangle size, int rows, Rectangle *from, Rectangle *to)
{
    *from = size;
    *to = (Rectangle){0, 0};
    for (int k = 0; k < size.nz; k++)
        for (int j = 0; j < size.ny; j++) {
            if (span_is_empty(spans[j + (ptrdiff_t)k * size.ny]))
                continue;
            from->nz = from->nz < k ? from->nz : k;
            to->nz = k + 1;
            from->ny = from->ny < j ? from->ny : j;
            to->ny = to->ny > j + 1 ? to->ny : j + 1;
        }
    from->ny = from->ny > rows ? from->ny - rows : 0;
    from->nz = from->nz > rows ? from->nz - rows : 0;
    to->ny = to->ny + rows < size.ny ? to->ny + rows : size.ny;
    to->nz = to->nz + rows < size.nz ? to->nz + rows : size.nz;
}

/* Grows the spans of rows by `cells` along x, and by `rows` rows to all sides. `work` has room for
 * one span per row. */
static void grow_spans(const Span *spans, Rectangle size, int nx, int rows, int cells, Span *work,
                       Span *out)
{
    Rectangle from = {0, 0}, to = {0, 0};
    bound(spans, size, rows, &from, &to);
    memset(out, 0, (size_t)size.ny * (size_t)size.nz * sizeof *out);
    for (int k = from.nz; k < to.nz; k++)
        for (int j = from.ny; j < to.ny; j++) {
            Span all = {0, 0};
            for (int b = j - rows < 0 ? 0 : j - rows; b <= j + rows && b < size.ny; b++)
                all = span_hull(all, spans[b + (ptrdiff_t)k * size.ny]);
            work[j + (ptrdiff_t)k * size.ny] = span_widen(all, cells, nx);
        }
    for (int k = from.nz; k < to.nz; k++)
        for (int j = from.ny; j < to.ny; j++) {
            Span all = {0, 0};
            for (int c = k - rows < from.nz ? from.nz : k - rows; c <= k + rows && c < to.nz; c++)
                all = span_hull(all, work[j + (ptrdiff_t)c * size.ny]);
            out[j + (ptrdiff_t)k * size.ny] = all;
        }
}

/* Per plane, the rows whose spans are not empty. */
static void find_rows(const Span *spans, Rectangle size, Span *rows)
{
    for (int k = 0; k < size.nz; k++) {
        const Span *plane = spans + (ptrdiff_t)k * size.ny;
        int begin = 0, end = size.ny;
        while (begin < end && span_is_empty(plane[begin]))
            begin++;
        while (end > begin && span_is_empty(plane[end - 1]))
            end--;
        rows[k] = begin < end ? (Span){(short)begin, (short)end} : (Span){0, 0};
    }
}

/* Gives every row of cells the span of its row of blocks. */
static void spread_blocks(const Grid *grid, const Span *blocks, Span *rows)
{
    int by = blocks_along(grid->ny);
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny; j++)
            rows[j + (ptrdiff_t)k * grid->ny] = blocks[j / BLOCK + (ptrdiff_t)(k / BLOCK) * by];
}

/* -- the search for smoke ---------------------------------------------------------------------- */

/* The scalars that are searched. */
typedef struct Search {
    const BillowSim *sim;
    Scalar list[SCALARS_MAX];
    int count;
} Search;

/* Whether any of n cells of a row is active. */
static bool cells_active(const Search *search, ptrdiff_t at, int n)
{
    int any = 0;
    for (int s = 0; s < search->count; s++) {
        const Scalar scalar = search->list[s];
        const float *values = *scalar.field + at;
        for (int i = 0; i < n; i++)
            any |= scalar_is_active(&scalar, values[i]);
    }
    return any != 0;
}

/* Extends `found` by the smoke of a row. Looks for it from both ends of the row. */
static Span find_in_row(const Search *search, int j, int k, Span found)
{
    const BillowSim *sim = search->sim;
    Span row = active_span(sim, ACTIVE_CELLS, j, k);
    ptrdiff_t at = grid_row(&sim->grid, j, k);
    int begin = row.begin, end = row.end;
    int last = span_is_empty(found) ? end : found.begin;
    while (begin < last &&
           !cells_active(search, at + begin, end - begin < ALIGN ? end - begin : ALIGN))
        begin += ALIGN;
    if (begin >= last && span_is_empty(found))
        return found;
    int first = span_is_empty(found) || begin > found.end ? begin : found.end;
    while (end > first) {
        int from = (end - 1) / ALIGN * ALIGN;
        if (cells_active(search, at + from, end - from))
            break;
        end = from;
    }
    return span_hull(found, (Span){(short)begin, (short)(end > begin ? end : begin)});
}

/* The span of the smoke in a row of blocks, within the present active cells. */
static Span find_in_blocks(const Search *search, int bj, int bk)
{
    const Grid *grid = &search->sim->grid;
    Span found = {0, 0};
    for (int k = bk * BLOCK; k < (bk + 1) * BLOCK && k < grid->nz; k++)
        for (int j = bj * BLOCK; j < (bj + 1) * BLOCK && j < grid->ny; j++)
            found = find_in_row(search, j, k, found);
    return found;
}

static void find_task(void *context, Team team)
{
    BillowSim *sim = context;
    int by = blocks_along(sim->grid.ny);
    Slab slab = team_slab(team, blocks_along(sim->grid.nz));
    Search search = {.sim = sim};
    search.count = scalars_that_activate(sim, search.list);
    for (int bk = slab.begin; bk < slab.end; bk++)
        for (int bj = 0; bj < by; bj++)
            sim->follow->smoke[bj + (ptrdiff_t)bk * by] = find_in_blocks(&search, bj, bk);
}

/* Adds the cells low <= i < high along each axis. */
static void add_box(BillowSim *sim, const int low[3], const int high[3])
{
    const Grid *grid = &sim->grid;
    int by = blocks_along(grid->ny), bz = blocks_along(grid->nz);
    int end = (high[0] + ALIGN - 1) / ALIGN * ALIGN;
    Span span = {(short)(low[0] / ALIGN * ALIGN), (short)(end < grid->nx ? end : grid->nx)};
    for (int bk = low[2] / BLOCK; bk < bz && bk * BLOCK < high[2]; bk++)
        for (int bj = low[1] / BLOCK; bj < by && bj * BLOCK < high[1]; bj++) {
            Span *row = &sim->follow->smoke[bj + (ptrdiff_t)bk * by];
            *row = span_hull(*row, span);
        }
}

/* Adds the emitters that are on in the next dt. */
static void add_emitters(BillowSim *sim, double dt)
{
    for (int e = 0; e < sim->def.emitter_count; e++)
        if (emitter_seconds(&sim->def.emitters[e], sim->time, sim->time + dt) > 0)
            add_box(sim, sim->emitters[e].low, sim->emitters[e].high);
    for (int q = 0; q < sim->queued_count; q++)
        add_box(sim, sim->queued[q].low, sim->queued[q].high);
}

/* Share of the box that the spans of blocks cover. */
static double share_of(const Span *spans, Rectangle blocks, int nx)
{
    double cells = 0;
    for (int b = 0; b < blocks.ny * blocks.nz; b++)
        cells += spans[b].end - spans[b].begin;
    return cells / ((double)nx * blocks.ny * blocks.nz);
}

/* The far cells under active cells, and those of them that have no far cell beside them. */
static void make_under(const BillowSim *sim)
{
    const Follow *follow = sim->follow;
    const Grid *grid = &sim->grid, *far = &follow->far->grid;
    for (int k = 0; k < far->nz; k++)
        for (int j = 0; j < far->ny; j++) {
            Span fine = follow->region.spans[ACTIVE_CELLS][2 * j + (ptrdiff_t)(2 * k) * grid->ny];
            follow->under[j + (ptrdiff_t)k * far->ny] = (Span){fine.begin / 2, fine.end / 2};
        }
    find_rows(follow->under, (Rectangle){far->ny, far->nz}, follow->under_rows);
    for (int k = 0; k < far->nz; k++)
        for (int j = 0; j < far->ny; j++) {
            Span inner = {0, (short)far->nx};
            for (int c = k - 1; c <= k + 1; c++)
                for (int b = j - 1; b <= j + 1; b++) {
                    if (b < 0 || c < 0 || b >= far->ny || c >= far->nz)
                        continue;
                    Span row = follow->under[b + (ptrdiff_t)c * far->ny];
                    short begin = row.begin > 0 ? (short)(row.begin + 1) : row.begin;
                    short end = row.end < far->nx ? (short)(row.end - 1) : row.end;
                    inner.begin = inner.begin > begin ? inner.begin : begin;
                    inner.end = inner.end < end ? inner.end : end;
                }
            follow->inner[j + (ptrdiff_t)k * far->ny] = span_is_empty(inner) ? (Span){0, 0} : inner;
        }
}

double active_find(BillowSim *sim, double dt, bool keep)
{
    const Grid *grid = &sim->grid;
    Follow *follow = sim->follow;
    const Rectangle blocks = {blocks_along(grid->ny), blocks_along(grid->nz)};
    sim_run(sim, find_task, sim);
    add_emitters(sim, dt);
    grow_spans(follow->smoke, blocks, grid->nx, MARGIN / BLOCK, MARGIN, follow->work, follow->band);
    for (int b = 0; b < blocks.ny * blocks.nz && keep; b++)
        follow->band[b] = span_hull(follow->band[b], follow->active[b]);
    return share_of(follow->band, blocks, grid->nx);
}

/* Spans of a region from its first set, and the rows of all sets. */
static void fill_sets(const ActiveRegion *region, Rectangle rows, int nx, Span *work)
{
    grow_spans(region->spans[ACTIVE_CELLS], rows, nx, 1, 1, work, region->spans[ACTIVE_FACES]);
    grow_spans(region->spans[ACTIVE_FACES], rows, nx, 1, 1, work, region->spans[ACTIVE_CURL]);
    grow_spans(region->spans[ACTIVE_CURL], rows, nx, 2, 2, work, region->spans[ACTIVE_WIDE]);
    for (int set = 0; set < ACTIVE_SETS; set++)
        find_rows(region->spans[set], rows, region->rows[set]);
}

void active_find_near(const BillowSim *sim)
{
    const Follow *follow = sim->follow;
    const Grid *far = &follow->far->grid;
    const Rectangle rows = {far->ny, far->nz};
    grow_spans(follow->windy ? follow->far_all : follow->under, rows, far->nx, NEAR, NEAR,
               follow->work, follow->near.spans[ACTIVE_CELLS]);
    grow_spans(follow->near.spans[ACTIVE_CELLS], rows, far->nx, 4, 4, follow->work,
               follow->near.spans[ACTIVE_BAND]);
    fill_sets(&follow->near, rows, far->nx, follow->work);
}

void active_swap(Follow *follow)
{
    ActiveRegion old = follow->before;
    follow->before = follow->region;
    follow->region = old;
}

bool active_apply(BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    Follow *follow = sim->follow;
    const Rectangle blocks = {blocks_along(grid->ny), blocks_along(grid->nz)};
    const Rectangle rows = {grid->ny, grid->nz};
    size_t block_count = (size_t)blocks.ny * (size_t)blocks.nz;
    if (memcmp(follow->band, follow->active, block_count * sizeof(Span)) == 0)
        return false;
    active_swap(follow);
    memcpy(follow->active, follow->band, block_count * sizeof(Span));
    grow_spans(follow->active, blocks, grid->nx, MARGIN / BLOCK, MARGIN, follow->work,
               follow->band);
    spread_blocks(grid, follow->active, follow->region.spans[ACTIVE_CELLS]);
    spread_blocks(grid, follow->band, follow->region.spans[ACTIVE_BAND]);
    fill_sets(&follow->region, rows, grid->nx, follow->work);
    make_under(sim);
    active_find_near(sim);
    return true;
}
