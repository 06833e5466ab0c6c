/* SPDX-License-Identifier: MIT
 *
 * A simulation that follows, in a box that has grown: the larger simulation takes over the active
 * cells and the far field. Sides move by whole blocks, so that blocks keep their cells. Only a
 * block that the old side cut off gets more of them: these become active, as cells do that smoke
 * nears. Memory of the larger box outside of the band stays untouched. */
#include "sim/follow/follow.h"

#include "sim/fields/constants.h"
#include "sim/fields/field_table.h"
#include "sim/growth.h"
#include "sim/statistics.h"

#include <assert.h>
#include <string.h>

static_assert(GROWTH_CELLS % (2 * BLOCK) == 0 && GROWTH_CELLS % (2 * ALIGN) == 0,
              "a box grows by whole blocks, spans and far cells");

typedef struct ShiftTask {
    BillowSim *to;
    const BillowSim *from;
    const int *low; /* cells added at the low sides of the box, along each axis */
} ShiftTask;

static Span moved_span(Span span, int cells)
{
    if (span_is_empty(span))
        return (Span){0, 0};
    return (Span){(short)(span.begin + cells), (short)(span.end + cells)};
}

/* The active blocks. A span that ended at the old side goes on to a multiple of ALIGN. */
static void shift_blocks(const ShiftTask *task)
{
    const Grid *old = &task->from->grid, *grid = &task->to->grid;
    const int *low = task->low;
    int by = blocks_along(grid->ny), old_by = blocks_along(old->ny);
    Span *blocks = task->to->follow->band;
    memset(blocks, 0, (size_t)by * (size_t)blocks_along(grid->nz) * sizeof *blocks);
    for (int bk = 0; bk < blocks_along(old->nz); bk++)
        for (int bj = 0; bj < old_by; bj++) {
            Span span = moved_span(task->from->follow->active[bj + (ptrdiff_t)bk * old_by], low[0]);
            int end = (span.end + ALIGN - 1) / ALIGN * ALIGN;
            span.end = (short)(end < grid->nx ? end : grid->nx);
            blocks[bj + low[1] / BLOCK + (ptrdiff_t)(bk + low[2] / BLOCK) * by] = span;
        }
}

/* The cells that were active, as those before the change: all others have become active. */
static void shift_before(const ShiftTask *task)
{
    const Grid *old = &task->from->grid, *grid = &task->to->grid;
    const int *low = task->low;
    Span *before = task->to->follow->before.spans[ACTIVE_CELLS];
    memset(before, 0, (size_t)grid->ny * (size_t)grid->nz * sizeof *before);
    for (int k = 0; k < old->nz; k++)
        for (int j = 0; j < old->ny; j++)
            before[j + low[1] + (ptrdiff_t)(k + low[2]) * grid->ny] =
                moved_span(active_span(task->from, ACTIVE_CELLS, j, k), low[0]);
}

static void shift_part(const ShiftTask *task, const float *old, float *new, int j, int k, Span part)
{
    if (span_is_empty(part))
        return;
    float *row = new + grid_row(&task->to->grid, j + task->low[1], k + task->low[2]);
    memcpy(row + task->low[0] + part.begin, old + grid_row(&task->from->grid, j, k) + part.begin,
           (size_t)(part.end - part.begin) * sizeof *row);
}

static Span active_before(const ShiftTask *task, int j, int k)
{
    const Grid *old = &task->from->grid;
    if (j < 0 || k < 0 || j >= old->ny || k >= old->nz)
        return (Span){0, 0};
    return active_span(task->from, ACTIVE_CELLS, j, k);
}

/* The faces of active cells in row (j, k): their low faces, and the high faces of the row's own
 * cells (axis 0) or of those below along the axis. */
static void shift_faces(const ShiftTask *task, int axis, int j, int k)
{
    Span faces = active_before(task, j, k);
    if (axis > 0)
        faces = span_hull(faces, active_before(task, j - (axis == 1), k - (axis == 2)));
    else if (!span_is_empty(faces))
        faces.end++;
    shift_part(task, task->from->velocity[axis], task->to->velocity[axis], j, k, faces);
}

/* Cells keep their colour, because the shift is even along each axis. So do the ends of spans. */
static void shift_pressure(const ShiftTask *task, int j, int k, Span cells)
{
    const int *low = task->low;
    Packed old = grid_packed(&task->from->grid, task->from->pressure);
    Packed new = grid_packed(&task->to->grid, task->to->pressure);
    ptrdiff_t from = packed_row(&task->from->grid, j, k) + cells.begin / 2;
    ptrdiff_t at = packed_row(&task->to->grid, j + low[1], k + low[2]) + (cells.begin + low[0]) / 2;
    for (int color = 0; color < 2; color++)
        memcpy(new.color[color] + at, old.color[color] + from,
               (size_t)(cells.end - cells.begin) / 2 * sizeof(float));
}

static void shift_cells(const ShiftTask *task, int j, int k)
{
    Scalar old[SCALARS_MAX], new[SCALARS_MAX];
    int count = scalars_list((BillowSim *)task->from, old); /* only lists the fields */
    Span cells = active_before(task, j, k);
    if (span_is_empty(cells))
        return;
    scalars_list(task->to, new);
    for (int s = 0; s < count; s++)
        shift_part(task, *old[s].field, *new[s].field, j, k, cells);
    if (task->from->flame != NULL)
        shift_part(task, task->from->flame, task->to->flame, j, k, cells);
    shift_pressure(task, j, k, cells);
}

static void shift_task(void *context, Team team)
{
    const ShiftTask *task = context;
    const Grid *old = &task->from->grid;
    Slab slab = team_slab(team, old->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < old->ny; j++)
            shift_cells(task, j, k);
        for (int axis = 0; axis < 3; axis++)
            for (int j = 0; j < old->ny + (axis == 1); j++)
                shift_faces(task, axis, j, k);
        for (int j = 0; j < old->ny && k == old->nz - 1; j++)
            shift_faces(task, 2, j, k + 1);
    }
}

static void enter_task(void *context, Team team)
{
    const BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = active_rows(sim, ACTIVE_FACES, k);
        for (int j = rows.begin; j < rows.end; j++)
            follow_enter_row(sim, j, k);
    }
}

/* The far field, which is on a grid of half as many cells. */
static void shift_far(const ShiftTask *task)
{
    const int low[3] = {task->low[0] / 2, task->low[1] / 2, task->low[2] / 2};
    const Follow *old = task->from->follow, *new = task->to->follow;
    for (int axis = 0; axis < 3; axis++)
        growth_shift_field(new->far, old->far, low, old->far->velocity[axis],
                           new->far->velocity[axis], axis, true);
    growth_shift_field(new->far, old->far, low, old->pressure, new->pressure, -1, false);
}

void follow_shift(BillowSim *to, const BillowSim *from, const int low[3])
{
    const ShiftTask task = {to, from, low};
    Follow *follow = to->follow;
    follow->used = from->follow->used;
    follow->whole = false;
    follow->windy = from->follow->windy;
    shift_far(&task);
    shift_blocks(&task);
    active_apply(to);
    window_move(to, window_around(to, &follow->region), NULL);
    shift_before(&task);
    to->region = &follow->region;
    composite_prepare(to);
    team_run(to->threads, shift_task, (void *)&task);
    team_run(to->threads, enter_task, to);
    follow_prolong(to, follow->before.spans[ACTIVE_CELLS]);
    to->stats.active_share = statistics_active_share(to);
}
