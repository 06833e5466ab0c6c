/* SPDX-License-Identifier: MIT
 *
 * The active cells, and the transfer of velocity between them and the far field. */
#include "follow.h"

#include "boundary.h"
#include "fail.h"
#include "scalars.h"
#include "sources.h"
#include "stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Substeps between two releases of cells that smoke has left. Cells are activated in any substep.
 */
enum { SHRINK_SUBSTEPS = 8 };

/* Distance from active cells up to which the far velocity is advected, in far cells. */
enum { NEAR = 8 };

/* If more than this share of the cells is active, following costs more than it saves. */
#define WHOLE_SHARE 0.65

/* -- spans ------------------------------------------------------------------------------------- */

/* Whether `outer` contains all of `inner`. */
static bool covers(Span outer, Span inner)
{
    return span_is_empty(inner) || (outer.begin <= inner.begin && outer.end >= inner.end);
}

/* The parts of `outer` that lie in neither a nor b, at most three. Returns their number. */
static int parts_outside(Span outer, Span a, Span b, Span parts[3])
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

/* Number of blocks along an axis of n cells. */
static int blocks_along(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

/* A rectangle of rows, of cells or of blocks. */
typedef struct Rectangle {
    int ny, nz;
} Rectangle;

/* Grows the spans of rows by `cells` along x, and by `rows` rows to all sides. `work` has room for
 * one span per row. */
static void grow_spans(const Span *spans, Rectangle size, int nx, int rows, int cells, Span *work,
                       Span *out)
{
    for (int k = 0; k < size.nz; k++)
        for (int j = 0; j < size.ny; j++) {
            Span all = {0, 0};
            for (int b = j - rows < 0 ? 0 : j - rows; b <= j + rows && b < size.ny; b++)
                all = span_hull(all, spans[b + (ptrdiff_t)k * size.ny]);
            work[j + (ptrdiff_t)k * size.ny] = span_widen(all, cells, nx);
        }
    for (int k = 0; k < size.nz; k++)
        for (int j = 0; j < size.ny; j++) {
            Span all = {0, 0};
            for (int c = k - rows < 0 ? 0 : k - rows; c <= k + rows && c < size.nz; c++)
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

/* Whether a row of n cells has smoke, fuel or heat. */
static bool cells_active(const BillowSim *sim, ptrdiff_t at, int n)
{
    const float *density = sim->density + at, *heat = sim->temperature + at;
    int any = 0;
    for (int i = 0; i < n; i++)
        any |= (density[i] > ACTIVE_SMOKE) | (fabsf(heat[i]) > ACTIVE_HEAT);
    for (int i = 0; i < n && sim->fuel != NULL; i++)
        any |= sim->fuel[at + i] > ACTIVE_SMOKE;
    return any != 0;
}

/* Extends `found` by the smoke of a row. Looks for it from both ends of the row. */
static Span find_in_row(const BillowSim *sim, int j, int k, Span found)
{
    Span row = active_span(sim, ACTIVE_CELLS, j, k);
    ptrdiff_t at = grid_row(&sim->grid, j, k);
    int begin = row.begin, end = row.end;
    int last = span_is_empty(found) ? end : found.begin;
    while (begin < last &&
           !cells_active(sim, at + begin, end - begin < ALIGN ? end - begin : ALIGN))
        begin += ALIGN;
    if (begin >= last && span_is_empty(found))
        return found;
    int first = span_is_empty(found) || begin > found.end ? begin : found.end;
    while (end > first) {
        int from = (end - 1) / ALIGN * ALIGN;
        if (cells_active(sim, at + from, end - from))
            break;
        end = from;
    }
    return span_hull(found, (Span){(short)begin, (short)(end > begin ? end : begin)});
}

/* The span of the smoke in a row of blocks, within the present active cells. */
static Span find_in_blocks(const BillowSim *sim, int bj, int bk)
{
    const Grid *grid = &sim->grid;
    Span found = {0, 0};
    for (int k = bk * BLOCK; k < (bk + 1) * BLOCK && k < grid->nz; k++)
        for (int j = bj * BLOCK; j < (bj + 1) * BLOCK && j < grid->ny; j++)
            found = find_in_row(sim, j, k, found);
    return found;
}

static void find_task(void *context, Team team)
{
    BillowSim *sim = context;
    int by = blocks_along(sim->grid.ny);
    Slab slab = team_slab(team, blocks_along(sim->grid.nz));
    for (int bk = slab.begin; bk < slab.end; bk++)
        for (int bj = 0; bj < by; bj++)
            sim->follow->smoke[bj + (ptrdiff_t)bk * by] = find_in_blocks(sim, bj, bk);
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

/* Computes the active blocks from those with smoke, in follow->band. Keeps those that were active
 * if `keep` is true. Returns their share of the box. */
static double find_active(BillowSim *sim, bool keep)
{
    const Grid *grid = &sim->grid;
    Follow *follow = sim->follow;
    const Rectangle blocks = {blocks_along(grid->ny), blocks_along(grid->nz)};
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

/* Far cells whose velocity is advected: those within NEAR cells of active cells. */
static void make_near(const BillowSim *sim)
{
    const Follow *follow = sim->follow;
    const Grid *far = &follow->far->grid;
    const Rectangle rows = {far->ny, far->nz};
    grow_spans(follow->under, rows, far->nx, NEAR, NEAR, follow->work,
               follow->near.spans[ACTIVE_CELLS]);
    grow_spans(follow->near.spans[ACTIVE_CELLS], rows, far->nx, 4, 4, follow->work,
               follow->near.spans[ACTIVE_BAND]);
    fill_sets(&follow->near, rows, far->nx, follow->work);
}

static void swap_sets(Follow *follow)
{
    ActiveRegion old = follow->before;
    follow->before = follow->region;
    follow->region = old;
}

/* Computes all sets of cells from the active blocks in follow->band. Returns false if they have not
 * changed. */
static bool make_spans(BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    Follow *follow = sim->follow;
    const Rectangle blocks = {blocks_along(grid->ny), blocks_along(grid->nz)};
    const Rectangle rows = {grid->ny, grid->nz};
    size_t block_count = (size_t)blocks.ny * (size_t)blocks.nz;
    if (memcmp(follow->band, follow->active, block_count * sizeof(Span)) == 0)
        return false;
    swap_sets(follow);
    memcpy(follow->active, follow->band, block_count * sizeof(Span));
    grow_spans(follow->active, blocks, grid->nx, MARGIN / BLOCK, MARGIN, follow->work,
               follow->band);
    spread_blocks(grid, follow->active, follow->region.spans[ACTIVE_CELLS]);
    spread_blocks(grid, follow->band, follow->region.spans[ACTIVE_BAND]);
    fill_sets(&follow->region, rows, grid->nx, follow->work);
    make_under(sim);
    make_near(sim);
    return true;
}

/* -- transfer of velocity ---------------------------------------------------------------------- */

/* Spans of the far faces of component `axis` in far row (j, k) that touch a far cell under active
 * cells: those of the row itself and of the row below along the axis. */
static void under_faces(const BillowSim *sim, int axis, int j, int k, Span faces[2])
{
    const Follow *follow = sim->follow;
    const Grid *far = &follow->far->grid;
    int below_j = axis == 1 ? j - 1 : j, below_k = axis == 2 ? k - 1 : k;
    faces[0] = faces[1] = (Span){0, 0};
    if (j < far->ny && k < far->nz)
        faces[0] = follow->under[j + (ptrdiff_t)k * far->ny];
    if (axis > 0 && below_j >= 0 && below_k >= 0)
        faces[1] = follow->under[below_j + (ptrdiff_t)below_k * far->ny];
    if (axis == 0 && !span_is_empty(faces[0]))
        faces[0].end++;
}

/* Means of the four fine faces that make up each far face of a row. */
static void restrict_faces(const BillowSim *sim, int axis, int j, int k, Span faces)
{
    const Grid *grid = &sim->grid;
    BillowSim *far = sim->follow->far;
    ptrdiff_t a = axis == 0 ? grid->stride_y : 1;
    ptrdiff_t b = axis == 2 ? grid->stride_y : grid->stride_z;
    const float *fine = sim->velocity[axis] + grid_row(grid, 2 * j, 2 * k);
    const float *const rows[4] = {fine, fine + a, fine + b, fine + a + b};
    sim->kernels->follow->restrict_faces(rows, faces,
                                         far->velocity[axis] + grid_row(&far->grid, j, k));
}

typedef struct RestrictTask {
    BillowSim *sim;
    bool border; /* only faces on the border of far cells beyond active cells */
} RestrictTask;

static void restrict_border(const BillowSim *sim, int axis, int j, int k, Span faces)
{
    const Grid *far = &sim->follow->far->grid;
    Span inner = {0, 0}, parts[3];
    if (j < far->ny && k < far->nz)
        inner = sim->follow->inner[j + (ptrdiff_t)k * far->ny];
    int count = parts_outside(faces, inner, (Span){0, 0}, parts);
    for (int p = 0; p < count; p++)
        restrict_faces(sim, axis, j, k, parts[p]);
}

/* The far rows of plane k that have faces of far cells under active cells. */
static Span restrict_rows(const BillowSim *sim, int k)
{
    const Follow *follow = sim->follow;
    const Grid *far = &follow->far->grid;
    if (follow->under == follow->far_all)
        return (Span){0, (short)far->ny};
    Span own = k < far->nz ? follow->under_rows[k] : (Span){0, 0};
    return k > 0 ? span_hull(own, follow->under_rows[k - 1]) : own;
}

static void restrict_task(void *context, Team team)
{
    const RestrictTask *task = context;
    const BillowSim *sim = task->sim;
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    int end = slab.end + (slab.end == far->nz);
    for (int k = slab.begin; k < end; k++) {
        Span rows = restrict_rows(sim, k);
        for (int axis = 0; axis < 3; axis++)
            for (int j = rows.begin; j < rows.end + (axis == 1); j++) {
                Span faces[2];
                if (k == far->nz && axis != 2)
                    continue;
                under_faces(sim, axis, j, k, faces);
                for (int part = 0; part < 2; part++)
                    if (part == 1 && covers(faces[0], faces[1]))
                        continue;
                    else if (task->border)
                        restrict_border(sim, axis, j, k, faces[part]);
                    else
                        restrict_faces(sim, axis, j, k, faces[part]);
            }
    }
}

void follow_restrict(BillowSim *sim)
{
    team_run(sim->threads, restrict_task, &(RestrictTask){sim, false});
    displacement_drop(sim->follow->far);
}

void follow_restrict_border(BillowSim *sim)
{
    team_run(sim->threads, restrict_task, &(RestrictTask){sim, true});
}

/* Two far rows or planes and their weights, for fine row or plane i. Along the axis of a velocity
 * component every other fine face coincides with a far face. Across it, fine faces lie a quarter of
 * a far cell from the nearest far row. n: far cells along the axis. */
typedef struct Pair {
    int own, other;
    float weight; /* of `other` */
} Pair;

static Pair pair_of(int i, bool along, int n)
{
    int own = i >> 1, other = i & 1 ? own + 1 : own - 1;
    if (along)
        return (Pair){own, i & 1 ? own + 1 : own, i & 1 ? 0.5f : 0.0f};
    return (Pair){own, other < 0 || other >= n ? own : other, 0.25f};
}

/* Interpolates fine faces of a row linearly between far faces. */
static void prolong_faces(const BillowSim *sim, int axis, int j, int k, Span faces, float *out)
{
    const BillowSim *far = sim->follow->far;
    const Grid *grid = &far->grid;
    Pair y = pair_of(j, axis == 1, grid->ny), z = pair_of(k, axis == 2, grid->nz);
    const float *field = far->velocity[axis];
    const float *const rows[4] = {
        field + grid_row(grid, y.own, z.own), field + grid_row(grid, y.other, z.own),
        field + grid_row(grid, y.own, z.other), field + grid_row(grid, y.other, z.other)};
    const float weights[4] = {(1 - y.weight) * (1 - z.weight), y.weight * (1 - z.weight),
                              (1 - y.weight) * z.weight, y.weight * z.weight};
    sim->kernels->follow->prolong_faces(rows, weights, axis == 0,
                                        axis == 0 ? grid->nx : grid->nx - 1, faces, out);
}

/* Fills the low faces of the cells of `outer`, and the last faces of the box, except those that are
 * faces of the cells of `inner`. */
typedef struct ProlongTask {
    const BillowSim *sim;
    float *const *velocity;
    const Span *outer, *inner, *rows;
} ProlongTask;

static Span row_of(const ProlongTask *task, const Span *spans, int j, int k)
{
    const Grid *grid = &task->sim->grid;
    if (j < 0 || k < 0 || j >= grid->ny || k >= grid->nz)
        return (Span){0, 0};
    return spans[j + (ptrdiff_t)k * grid->ny];
}

/* The faces in row (j, k) of a component that belong to cells: their low faces, and the high faces
 * of the row's own cells (axis 0) or of the cells in the row below along the axis. */
static void faces_of(const ProlongTask *task, const Span *spans, int axis, int j, int k,
                     Span faces[2])
{
    faces[0] = row_of(task, spans, j, k);
    faces[1] = axis == 0 ? (Span){0, 0} : row_of(task, spans, j - (axis == 1), k - (axis == 2));
    if (axis == 0 && !span_is_empty(faces[0]))
        faces[0].end++;
}

static void prolong_row(const ProlongTask *task, int axis, int j, int k)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Span inner[2], parts[3];
    Span outer = row_of(task, task->outer, j < grid->ny ? j : j - 1, k < grid->nz ? k : k - 1);
    if (span_is_empty(outer))
        return;
    if (axis == 0 && outer.end == grid->nx)
        outer.end++;
    faces_of(task, task->inner, axis, j, k, inner);
    int count = parts_outside(outer, inner[0], inner[1], parts);
    for (int p = 0; p < count; p++)
        prolong_faces(sim, axis, j, k, parts[p], task->velocity[axis] + grid_row(&sim->grid, j, k));
}

static void prolong_task(void *context, Team team)
{
    const ProlongTask *task = context;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, grid->nz);
    int end = slab.end + (slab.end == grid->nz);
    for (int k = slab.begin; k < end; k++) {
        Span rows = task->rows[k < grid->nz ? k : k - 1];
        for (int axis = k < grid->nz ? 0 : 2; axis < 3; axis++)
            for (int j = rows.begin;
                 task->velocity[axis] != NULL && j < rows.end + (axis == 1 && rows.end == grid->ny);
                 j++)
                prolong_row(task, axis, j, k);
    }
}

void follow_prolong_slab(const BillowSim *sim, int axis, float *component, ActiveSet outer,
                         Team team)
{
    if (!follows(sim))
        return;
    const ActiveRegion *region = &sim->follow->region;
    float *velocity[3] = {NULL, NULL, NULL};
    velocity[axis] = component;
    ProlongTask task = {sim, velocity, region->spans[outer], region->spans[ACTIVE_CELLS],
                        region->rows[outer]};
    prolong_task(&task, team);
}

static void follow_prolong(BillowSim *sim, const Span *inner)
{
    const ActiveRegion *region = &sim->follow->region;
    ProlongTask task = {sim, sim->velocity, region->spans[ACTIVE_BAND], inner,
                        region->rows[ACTIVE_BAND]};
    team_run(sim->threads, prolong_task, &task);
}

void follow_fill_band(BillowSim *sim)
{
    follow_prolong(sim, sim->follow->region.spans[ACTIVE_CELLS]);
}

/* -- the update -------------------------------------------------------------------------------- */

void follow_clear_band(const BillowSim *sim, float *scalar, int j, int k)
{
    Span parts[3];
    if (!follows(sim))
        return;
    int count = parts_outside(active_span(sim, ACTIVE_BAND, j, k),
                              active_span(sim, ACTIVE_CELLS, j, k), (Span){0, 0}, parts);
    for (int p = 0; p < count; p++)
        memset(scalar + grid_row(&sim->grid, j, k) + parts[p].begin, 0,
               (size_t)(parts[p].end - parts[p].begin) * sizeof *scalar);
}

static Span span_before(const BillowSim *sim, ActiveSet set, int j, int k)
{
    return sim->follow->before.spans[set][j + (ptrdiff_t)k * sim->grid.ny];
}

static Span span_now(const BillowSim *sim, ActiveSet set, int j, int k)
{
    return sim->follow->region.spans[set][j + (ptrdiff_t)k * sim->grid.ny];
}

int follow_new_faces(const BillowSim *sim, int j, int k, Span parts[3])
{
    return parts_outside(span_now(sim, ACTIVE_FACES, j, k), span_before(sim, ACTIVE_FACES, j, k),
                         (Span){0, 0}, parts);
}

static double sum_of(const float *row, Span cells)
{
    double sum = 0;
    for (int i = cells.begin; i < cells.end; i++)
        sum += (double)row[i];
    return sum;
}

/* Clears all scalars of cells that are no longer active, and sums the density that this removes. */
static void leave_row(BillowSim *sim, int j, int k)
{
    Scalar list[SCALARS_MAX];
    Span parts[3], now = span_now(sim, ACTIVE_CELLS, j, k);
    int count = scalars_list(sim, list);
    int left = parts_outside(span_before(sim, ACTIVE_CELLS, j, k), now, (Span){0, 0}, parts);
    ptrdiff_t at = grid_row(&sim->grid, j, k);
    for (int p = 0; p < left; p++) {
        sim->plane_budgets[k].cut += sum_of(sim->density + at, parts[p]);
        for (int s = 0; s < count; s++)
            memset(*list[s].field + at + parts[p].begin, 0,
                   (size_t)(parts[p].end - parts[p].begin) * sizeof(float));
    }
}

/* Interpolates the pressure of cells that have become active. */
static void enter_row(BillowSim *sim, int j, int k)
{
    Span parts[3], before = span_before(sim, ACTIVE_CELLS, j, k);
    int come = parts_outside(span_now(sim, ACTIVE_CELLS, j, k), before, (Span){0, 0}, parts);
    for (int p = 0; p < come; p++)
        composite_interpolate(sim, j, k, parts[p]);
}

/* Clears what a row holds of each field beyond the band, where it was in the band before. One float
 * more at both ends, for the faces there. */
static void forget_row(const BillowSim *sim, float *const *fields, int count, int j, int k)
{
    Span parts[3], now = span_now(sim, ACTIVE_BAND, j, k);
    int left = parts_outside(span_before(sim, ACTIVE_BAND, j, k), now, (Span){0, 0}, parts);
    ptrdiff_t at = grid_row(&sim->grid, j, k);
    for (int p = 0; p < left; p++)
        for (int f = 0; f < count; f++)
            memset(fields[f] + at + parts[p].begin, 0,
                   (size_t)(parts[p].end - parts[p].begin) * sizeof(float));
}

static void change_task(void *context, Team team)
{
    BillowSim *sim = context;
    float *fields[SIM_FIELDS_MAX];
    int count = sim_plain_fields(sim, fields);
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++) {
        sim->plane_budgets[k].cut = 0;
        Span rows = span_hull(sim->follow->region.rows[ACTIVE_BAND][k],
                              sim->follow->before.rows[ACTIVE_BAND][k]);
        for (int j = rows.begin; j < rows.end; j++) {
            leave_row(sim, j, k);
            enter_row(sim, j, k);
            forget_row(sim, fields, count, j, k);
        }
    }
}

static size_t rows_of(const Grid *grid)
{
    return (size_t)grid->ny * (size_t)grid->nz;
}

/* Applies a change of the active cells, from `before` to `spans`. */
static void apply_change(BillowSim *sim)
{
    Follow *follow = sim->follow;
    double cut = 0, h = (double)sim->def.cell_size;
    team_run(sim->threads, change_task, sim);
    follow_prolong(sim, follow->before.spans[ACTIVE_BAND]);
    for (int k = 0; k < sim->grid.nz; k++)
        cut += sim->plane_budgets[k].cut;
    sim->stats.mass_cut += cut * h * h * h;
}

/* Makes all cells active. */
static void fill_spans(BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    Follow *follow = sim->follow;
    for (int set = 0; set < ACTIVE_SETS; set++)
        for (size_t row = 0; row < rows_of(grid); row++)
            follow->region.spans[set][row] = (Span){0, (short)grid->nx};
    for (int set = 0; set < ACTIVE_SETS; set++)
        for (int k = 0; k < grid->nz; k++)
            follow->region.rows[set][k] = (Span){0, (short)grid->ny};
    for (int b = 0; b < blocks_along(grid->ny) * blocks_along(grid->nz); b++)
        follow->active[b] = (Span){0, (short)grid->nx};
}

/* The far field takes over the whole velocity and pressure of a simulation in which all cells were
 * active. */
static void take_all(BillowSim *sim)
{
    Follow *follow = sim->follow;
    Span *under = follow->under;
    follow->under = follow->far_all;
    follow_restrict(sim);
    composite_restrict_all(sim);
    follow->under = under;
}

void follow_make_whole(BillowSim *sim)
{
    Follow *follow = sim->follow;
    if (follow != NULL)
        follow->used = true;
    if (follow == NULL || follow->whole)
        return;
    composite_prepare(sim);
    swap_sets(follow);
    fill_spans(sim);
    apply_change(sim);
    follow->whole = true;
    sim->region = NULL;
    displacement_drop(sim);
}

/* Whether the active cells alone can be simulated. Solids, tracers, diffusion, conservative
 * advection, faces with ghosts, closed boxes and other pressure solvers need the whole box. */
static bool can_follow(const BillowSim *sim)
{
    const BillowDef *def = &sim->def;
    const BillowParams *params = &def->params;
    bool diffuses =
        params->viscosity > 0.0f || params->smoke_diffusion > 0.0f || params->heat_diffusion > 0.0f;
    return params->pressure == BILLOW_MULTIGRID && !diffuses && !params_conserve(params) &&
           def->solid_count == 0 && def->tracers == 0 && !boundary_has_ghosts(def) &&
           !boundary_closed(def) && params->cfl <= MARGIN - 2;
}

void follow_update(BillowSim *sim, double dt)
{
    Follow *follow = sim->follow;
    if (follow == NULL)
        return;
    follow->used = true;
    if (!can_follow(sim)) {
        follow_make_whole(sim);
        return;
    }
    bool shrinks = sim->stats.substeps % SHRINK_SUBSTEPS == 0;
    if (follow->whole && !shrinks)
        return;
    composite_prepare(sim);
    team_run(sim->threads, find_task, sim);
    add_emitters(sim, dt);
    double share = find_active(sim, !shrinks);
    if (share > WHOLE_SHARE * (follow->whole ? 0.85 : 1)) {
        follow_make_whole(sim);
        return;
    }
    if (!make_spans(sim))
        return;
    if (follow->whole)
        take_all(sim);
    follow->whole = false;
    sim->region = &follow->region;
    apply_change(sim);
    advect_displace_more(sim);
}

/* -- saved states ------------------------------------------------------------------------------ */

Span *follow_saved_spans(const BillowSim *sim, bool fill, int *count)
{
    const Follow *follow = sim->follow;
    *count = blocks_along(sim->grid.ny) * blocks_along(sim->grid.nz);
    if (fill)
        memcpy(follow->smoke, follow->active, (size_t)*count * sizeof(Span));
    return follow->smoke;
}

bool follow_spans_valid(const BillowSim *sim)
{
    int count, nx = sim->grid.nx;
    const Span *spans = follow_saved_spans(sim, false, &count);
    bool good = true;
    for (int b = 0; b < count; b++)
        good = good && spans[b].begin >= 0 && spans[b].begin <= spans[b].end &&
               spans[b].end <= nx && spans[b].begin % ALIGN == 0 &&
               (spans[b].end % ALIGN == 0 || spans[b].end == nx);
    return good;
}

static void forget_task(void *context, Team team)
{
    BillowSim *sim = context;
    float *fields[SIM_FIELDS_MAX];
    int count = sim_plain_fields(sim, fields);
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            forget_row(sim, fields, count, j, k);
}

void follow_restore(BillowSim *sim, bool whole)
{
    Follow *follow = sim->follow;
    follow->used = true;
    int count;
    memcpy(follow->band, follow_saved_spans(sim, false, &count),
           (size_t)blocks_along(sim->grid.ny) * (size_t)blocks_along(sim->grid.nz) * sizeof(Span));
    if (whole)
        swap_sets(follow);
    if (whole)
        fill_spans(sim);
    else
        make_spans(sim);
    team_run(sim->threads, forget_task, sim);
    follow->whole = whole;
    sim->region = whole ? NULL : &follow->region;
    displacement_drop(follow->far);
    composite_prepare(sim);
}

/* -- creation ---------------------------------------------------------------------------------- */

static BillowDef far_def(const BillowDef *def)
{
    BillowDef far = *def;
    far.nx = def->nx / 2;
    far.ny = def->ny / 2;
    far.nz = def->nz / 2;
    far.cell_size = 2 * def->cell_size;
    far.domain = BILLOW_WHOLE_BOX;
    far.fire = far.color = far.age = far.guarded = false;
    far.emitter_count = 0;
    far.tracers = 0;
    memset(far.unbounded, 0, sizeof far.unbounded);
    far.texture_period = 0;
    far.params.advection = BILLOW_SEMI_LAGRANGIAN;
    far.params.vorticity = 0;
    return far;
}

/* Memory that is cut into slices. */
typedef struct Slices {
    char *base; /* NULL while measuring */
    size_t used;
} Slices;

static void *slice(Slices *slices, size_t count, size_t size)
{
    size_t at = slices->used;
    slices->used += (count * size + 63) / 64 * 64;
    return slices->base != NULL ? slices->base + at : NULL;
}

/* Cuts all that *follow points to, beside the far field. */
static void cut_slices(Slices *slices, const Grid *grid, const Grid *far, Follow *follow)
{
    size_t rows = rows_of(grid), far_rows = rows_of(far);
    size_t blocks = (size_t)blocks_along(grid->ny) * (size_t)blocks_along(grid->nz);
    size_t planes = (size_t)grid->nz, far_planes = (size_t)far->nz;
    ActiveRegion *const regions[3] = {&follow->region, &follow->before, &follow->near};
    for (int r = 0; r < 3; r++)
        for (int set = 0; set < ACTIVE_SETS; set++) {
            regions[r]->spans[set] = slice(slices, r < 2 ? rows : far_rows, sizeof(Span));
            regions[r]->rows[set] = slice(slices, r < 2 ? planes : far_planes, sizeof(Span));
        }
    Span **const of_far_rows[] = {&follow->under, &follow->inner, &follow->far_all};
    Span **const of_blocks[] = {&follow->smoke, &follow->active, &follow->band};
    for (int f = 0; f < 3; f++) {
        *of_far_rows[f] = slice(slices, far_rows, sizeof(Span));
        *of_blocks[f] = slice(slices, blocks, sizeof(Span));
    }
    follow->under_rows = slice(slices, far_planes, sizeof(Span));
    follow->work = slice(slices, rows, sizeof(Span));
    follow->plane_squares = slice(slices, far_planes, sizeof(double));
    float *field = slice(slices, far->field_floats, sizeof(float));
    follow->pressure = field != NULL ? field + far->stride_z + far->stride_y : NULL;
}

bool follow_create(BillowSim *sim, BillowError *error)
{
    sim->follow = NULL;
    sim->region = NULL;
    if (sim->def.domain != BILLOW_FOLLOW)
        return true;
    const BillowDef def = far_def(&sim->def);
    BillowSim *far = sim_create(&def, error);
    if (far == NULL)
        return false;
    Follow measured;
    Slices slices = {NULL, 0};
    slice(&slices, 1, sizeof(Follow));
    cut_slices(&slices, &sim->grid, &far->grid, &measured);
    slices = (Slices){calloc(1, slices.used), 0};
    if (slices.base == NULL) {
        billow_destroy(far);
        return fail(error, "no memory for the active cells of a grid of %dx%dx%d", sim->grid.nx,
                    sim->grid.ny, sim->grid.nz);
    }
    sim->follow = slice(&slices, 1, sizeof(Follow));
    sim->follow->far = far;
    cut_slices(&slices, &sim->grid, &far->grid, sim->follow);
    for (size_t row = 0; row < rows_of(&far->grid); row++)
        sim->follow->far_all[row] = (Span){0, (short)far->grid.nx};
    return true;
}

size_t follow_bytes_needed(const BillowDef *def)
{
    if (def->domain != BILLOW_FOLLOW)
        return 0;
    const BillowDef far = far_def(def);
    const Grid grid = grid_make(def->nx, def->ny, def->nz),
               far_grid = grid_make(far.nx, far.ny, far.nz);
    Follow measured;
    Slices slices = {NULL, 0};
    slice(&slices, 1, sizeof(Follow));
    cut_slices(&slices, &grid, &far_grid, &measured);
    return slices.used + billow_bytes_needed(&far);
}

void follow_destroy(BillowSim *sim)
{
    if (sim->follow == NULL)
        return;
    billow_destroy(sim->follow->far);
    free(sim->follow);
    sim->follow = NULL;
}

bool follow_is_fresh(const BillowSim *sim)
{
    return !sim->follow->used;
}

void follow_reset(BillowSim *sim)
{
    Follow *follow = sim->follow;
    if (follow == NULL)
        return;
    billow_reset(follow->far);
    const Grid *far = &follow->far->grid;
    memset(follow->pressure - far->stride_z - far->stride_y, 0, far->field_floats * sizeof(float));
    fill_spans(sim);
    follow->used = false;
    follow->whole = true;
    sim->region = NULL;
    follow->far->region = &follow->near;
}
