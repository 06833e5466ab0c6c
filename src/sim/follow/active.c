/* SPDX-License-Identifier: MIT
 *
 * The active cells: the search for smoke, the sets of cells that follow from it, and the window:
 * the cells around the band that have memory (grid.h). Rows are as long as the window, so that a
 * pass over the active cells reads memory with few gaps. If the band comes to the end of the
 * window, all fields move to a larger one. */
#include "sim/follow/active.h"

#include "sim/fields/field_table.h"
#include "sim/follow/follow.h"

#include <string.h>

/* Distance from active cells up to which the far velocity is advected, in far cells. */
enum { NEAR = 8 };

/* Windows begin and end at multiples of this, or at the end of the box. */
enum { STEP = ROW_ALIGNMENT };

/* The window shrinks if it ends more than this many cells beyond the band. */
enum { TOO_FAR = 2 * STEP };

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

void span_faces(const Span *spans, const Grid *grid, int axis, int j, int k, Span faces[2])
{
    faces[0] = span_at(spans, grid, j, k);
    faces[1] = axis == 0 ? (Span){0, 0} : span_at(spans, grid, j - (axis == 1), k - (axis == 2));
    if (axis == 0 && !span_is_empty(faces[0]))
        faces[0].end++;
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
    for (int e = 0; e < sim_emitter_count(sim); e++)
        if (sim_emitter_seconds(sim, e, dt) > 0)
            add_box(sim, sim_emitter(sim, e)->low, sim_emitter(sim, e)->high);
    grow_spans(follow->smoke, blocks, grid->nx, MARGIN / BLOCK, MARGIN, follow->work, follow->band);
    double cells = 0;
    for (int b = 0; b < blocks.ny * blocks.nz; b++) {
        if (keep)
            follow->band[b] = span_hull(follow->band[b], follow->active[b]);
        cells += follow->band[b].end - follow->band[b].begin;
    }
    return cells / ((double)grid->nx * blocks.ny * blocks.nz);
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

/* -- the window: moves ------------------------------------------------------------------------- */

Span region_kept(const Grid *grid, const ActiveRegion *region, int j, int k, int n)
{
    int row = j < grid->ny ? j : j - 1, plane = k < grid->nz ? k : k - 1;
    Span kept = region->spans[ACTIVE_BAND][row + (ptrdiff_t)plane * grid->ny];
    if (kept.end == grid->nx)
        kept.end = (short)n;
    return kept;
}

/* A field that moves between two memories, and between two grids of the same box. */
typedef struct Move {
    const ActiveRegion *kept; /* the cells to move; all other elements are 0 */
    const Grid *from, *to;
    float *old, *new;
    bool packed;
} Move;

static void move_row(const Move *move, int j, int k)
{
    Span kept = region_kept(move->from, move->kept, j, k, move->from->nx + 1);
    size_t bytes = (size_t)(kept.end - kept.begin) * sizeof(float);
    float *old = move->old + grid_row(move->from, j, k) + kept.begin;
    if (span_is_empty(kept))
        return;
    if (move->new != NULL)
        memcpy(move->new + grid_row(move->to, j, k) + kept.begin, old, bytes);
    memset(old, 0, bytes);
}

static void move_packed_row(const Move *move, int j, int k)
{
    Span kept = region_kept(move->from, move->kept, j, k, move->from->nx);
    size_t bytes = (size_t)((kept.end + 1) / 2 - kept.begin / 2) * sizeof(float);
    Packed old = grid_packed(move->from, move->old), new = grid_packed(move->to, move->new);
    for (int color = 0; color < 2 && !span_is_empty(kept); color++)
        memcpy(new.color[color] + packed_row(move->to, j, k) + kept.begin / 2,
               old.color[color] + packed_row(move->from, j, k) + kept.begin / 2, bytes);
}

/* Moves the rows of the band, and the faces at the high sides of the box that belong to it. */
static void move_task(void *context, Team team)
{
    const Move *move = context;
    const Grid *grid = move->from;
    Slab slab = team_slab(team, move->packed ? grid->nz : grid->nz + 1);
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = move->kept->rows[ACTIVE_BAND][k < grid->nz ? k : k - 1];
        int end = rows.end == grid->ny && !move->packed ? rows.end + 1 : rows.end;
        for (int j = rows.begin; j < end; j++)
            (move->packed ? move_packed_row : move_row)(move, j, k);
    }
}

/* Moves a field to the memory *spare, which must be 0. *spare becomes the old memory, cleared. */
static void trade(const BillowSim *sim, const ActiveRegion *kept, const Grid *to, float **field,
                  float **spare)
{
    Move move = {kept, &sim->grid, to, *field, grid_field(to, *spare), false};
    float *memory = grid_memory(&sim->grid, *field);
    if (kept != NULL)
        sim_run(sim, move_task, &move);
    *field = move.new;
    *spare = memory;
}

/* Moves the pressure to the memory of the first scratch field. Beyond the sides of the box the
 * pressure must be 0. */
static void move_pressure(BillowSim *sim, const ActiveRegion *kept, const Grid *to)
{
    float *memory = grid_memory(&sim->grid, sim->scratch.fields[0]);
    Move move = {kept, &sim->grid, to, sim->pressure, grid_field(to, memory), true};
    memset(memory, 0, to->field_floats * sizeof(float));
    if (kept != NULL)
        sim_run(sim, move_task, &move);
    sim->scratch.fields[0] = grid_field(to, grid_memory(&sim->grid, sim->pressure));
    sim->pressure = move.new;
}

/* The flame keeps its memory, because no field that samplers read may lie there (sim.c). */
static void move_flame(BillowSim *sim, const ActiveRegion *kept, const Grid *to, float *spare)
{
    float *memory = grid_memory(&sim->grid, sim->flame);
    Move there = {kept, &sim->grid, to, sim->flame, grid_field(to, spare), false};
    Move back = {kept, to, to, grid_field(to, spare), grid_field(to, memory), false};
    if (kept != NULL) {
        sim_run(sim, move_task, &there);
        sim_run(sim, move_task, &back);
    }
    sim->flame = grid_field(to, memory);
}

void window_move(BillowSim *sim, Region window, const ActiveRegion *kept)
{
    Grid to = sim->grid;
    Scalar list[SCALARS_MAX];
    Scratch *scratch = &sim->scratch;
    int count = scalars_list(sim, list);
    grid_set_window(&to, window);
    displacement_drop(sim);
    for (int f = 3; f < SCRATCH_FIELDS_OPEN && kept != NULL; f++) /* moves nowhere: clears */
        sim_run(sim, move_task, &(Move){kept, &sim->grid, NULL, scratch->fields[f], NULL, false});
    for (int axis = 0; axis < 3 && kept != NULL && sim->before_memory != NULL; axis++)
        sim_run(sim, move_task, &(Move){kept, &sim->grid, NULL, sim->before[axis], NULL, false});
    float *spare = grid_memory(&sim->grid, scratch->fields[3]);
    for (int axis = 0; axis < 3; axis++)
        trade(sim, kept, &to, &sim->velocity[axis], &spare);
    for (int s = 0; s < count; s++)
        trade(sim, kept, &to, list[s].field, &spare);
    if (sim->flame != NULL)
        move_flame(sim, kept, &to, spare);
    move_pressure(sim, kept, &to);
    scratch->fields[3] = grid_field(&to, spare);
    for (int f = 1; f < SCRATCH_FIELDS; f++)
        if (f != 3 && scratch->fields[f] != NULL)
            scratch->fields[f] = grid_field(&to, grid_memory(&sim->grid, scratch->fields[f]));
    for (int axis = 0; axis < 3 && sim->before_memory != NULL; axis++)
        sim->before[axis] = grid_field(&to, grid_memory(&sim->grid, sim->before[axis]));
    size_t floats = sim->grid.field_floats;
    sim->grid = to;
    sim_return_pages(sim, floats);
    sim->multigrid.levels[0].grid = to;
}

/* The smallest box around the band; empty if the band is. */
static Region bounds_of(const Grid *grid, const ActiveRegion *region)
{
    Region all = {{0}, {0}};
    for (int k = 0; k < grid->nz; k++)
        for (int j = region->rows[ACTIVE_BAND][k].begin; j < region->rows[ACTIVE_BAND][k].end;
             j++) {
            Span span = region->spans[ACTIVE_BAND][j + (ptrdiff_t)k * grid->ny];
            all = region_hull(all, (Region){{span.begin, j, k}, {span.end, j + 1, k + 1}});
        }
    return all;
}

/* The region with at least `cells` more to all sides, from and to multiples of STEP. */
static Region widened(const Grid *grid, Region region, int cells)
{
    for (int axis = 0; axis < 3; axis++) {
        int low = region.low[axis] - cells, high = region.high[axis] + cells;
        if (region.low[axis] >= region.high[axis])
            low = high = 0;
        low = low > 0 ? low / STEP * STEP : 0;
        high = (high > low ? high + STEP - 1 : low + STEP) / STEP * STEP;
        region.low[axis] = low;
        region.high[axis] = high < grid->cells[axis] ? high : grid->cells[axis];
    }
    return region;
}

static bool contains(const Region *outer, const Region *inner)
{
    bool all = true;
    for (int axis = 0; axis < 3; axis++)
        all = all &&
              (inner->low[axis] >= inner->high[axis] ||
               (outer->low[axis] <= inner->low[axis] && outer->high[axis] >= inner->high[axis]));
    return all;
}

Region window_around(const BillowSim *sim, const ActiveRegion *region)
{
    return widened(&sim->grid, bounds_of(&sim->grid, region), 0);
}

void window_fit(BillowSim *sim, const ActiveRegion *kept, const ActiveRegion *other)
{
    const Grid *grid = &sim->grid;
    Region band = region_hull(bounds_of(grid, kept), bounds_of(grid, other));
    Region most = widened(grid, band, TOO_FAR);
    if (!contains(&grid->window, &band) || !contains(&most, &grid->window))
        window_move(sim, widened(grid, band, 0), kept);
}
