/* SPDX-License-Identifier: MIT
 *
 * Advection around solids: displacements that end at surfaces, interpolation between connected
 * cells, and a correction of the amounts around moving solids. */
#include "sim/solids/solid_advection.h"

#include "base/vec3.h"
#include "sim/fields/boundary.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Positions are in cells here: the centre of cell (i, j, k) is (i, j, k). */

static float clamped(float x, float low, float high)
{
    return x > low ? x < high ? x : high : low; /* NaN: low */
}

/* Wraps a coordinate to 0 <= x < n if the axis, of n cells, is periodic. Returns NaN unchanged. */
static float turned(const BillowSim *sim, int axis, int cells, float x)
{
    float n = (float)cells;
    if (!boundary_wraps(&sim->def, axis) || (x >= 0.0f && x < n))
        return x;
    float back = x - n * floorf(x / n);
    return back < n ? back : 0; /* rounding may give n */
}

float solids_distance_at(const BillowSim *sim, const float corner[3])
{
    const Grid *grid = &sim->grid;
    ptrdiff_t low[3], high[3];
    float share[3];
    for (int axis = 0; axis < 3; axis++) {
        int n = grid->cells[axis];
        float x = clamped(corner[axis], 0, (float)n);
        int at = (int)x < n ? (int)x : n - 1;
        low[axis] = at * grid->strides[axis];
        high[axis] = low[axis] + grid->strides[axis];
        share[axis] = x - (float)at;
    }
    return grid_trilinear(sim->solids->distance, low, high, share);
}

/* Distance from a point, in cells from the centre of cell (0, 0, 0), to the nearest surface. */
static float distance_at(const BillowSim *sim, const float p[3])
{
    float corner[3];
    for (int axis = 0; axis < 3; axis++)
        corner[axis] = turned(sim, axis, sim->grid.cells[axis], p[axis] + 0.5f);
    return solids_distance_at(sim, corner);
}

/* Share of the path back from p, along d, that is before the first surface, 0 to 1. A step along
 * the path is 0.9 times the distance to the nearest surface, but at least `shortest`. For
 * displacements of up to a thousand cells (SPEED_LIMIT_CELLS) `shortest` is 1/8 of a cell, and no
 * step crosses a wall of one cell. */
static float free_part(const BillowSim *sim, const float p[3], const float d[3], float length)
{
    const float shortest = fmaxf(0.125f, length / 8192);
    float gone = 0;
    for (;;) {
        float to[3];
        for (int axis = 0; axis < 3; axis++)
            to[axis] = p[axis] - d[axis] * (gone / length);
        float distance = distance_at(sim, to);
        if (!(distance > 0.0f))
            return fmaxf(gone - shortest, 0) / length;
        if (gone >= length)
            return 1;
        gone = fminf(gone + fmaxf(0.9f * distance, shortest), length);
    }
}

static float longest(const BillowSim *sim, Rows displacement)
{
    return sim->kernels->advect->longest(displacement, sim->grid.nx);
}

/* Cells begin <= i < end of a row that may be within `bounds` cells of a surface. */
typedef struct Neighbourhood {
    int begin, end;
    float bounds;
} Neighbourhood;

static Neighbourhood span_near(const BillowSim *sim, int j, int k, float bounds)
{
    const Region *region = &sim->solids->region;
    if (sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] > bounds)
        return (Neighbourhood){0, 0, 0};
    if (bounds + 1 < SOLID_REACH)
        return (Neighbourhood){region->low[0], region->high[0], bounds};
    return (Neighbourhood){0, sim->grid.nx, bounds};
}

/* Whether a cell's centre may be within `span->bounds` cells of a surface. The stored distance is
 * that of the cell's low corner, less than a cell from the centre. */
static bool is_near(const BillowSim *sim, const Neighbourhood *span, ptrdiff_t row, int i)
{
    return sim->solids->distance[row + i] <= span->bounds + 1;
}

void solids_stop_row(const BillowSim *sim, int j, int k, RowsOut out)
{
    if (sim->solids == NULL)
        return;
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    Neighbourhood near = span_near(sim, j, k, longest(sim, (Rows){out.x, out.y, out.z}));
    for (int i = near.begin; i < near.end; i++) {
        if (!is_near(sim, &near, row, i))
            continue;
        const float p[3] = {(float)i, (float)j, (float)k}, d[3] = {out.x[i], out.y[i], out.z[i]};
        float length = vec3_length(vec3_from(d));
        if (!(length > 0.0f) || distance_at(sim, p) > length)
            continue;
        float part = length < FLT_MAX ? free_part(sim, p, d, length) : 0;
        out.x[i] *= part;
        out.y[i] *= part;
        out.z[i] *= part;
    }
}

/* The cells that are advected: those of the wind, or of the smoke, `refine` of them along an edge
 * of a wind cell. */
typedef struct Cells {
    const BillowSim *sim;
    const Grid *grid;
    int refine;
} Cells;

/* The eight cells around a position. Corner c, and bit c of a set of corners, is the cell at
 * low + (c & 1, c >> 1 & 1, c >> 2). */
typedef struct Around {
    int low[3], home; /* home: the corner whose cell contains the position */
    float share[3];
} Around;

static Around around(const Cells *cells, const float position[3])
{
    Around a = {.home = 0};
    for (int axis = 0; axis < 3; axis++) {
        const BillowFace *faces = cells->sim->def.faces + 2 * axis;
        const int n = cells->grid->cells[axis];
        bool beyond = faces[1] == BILLOW_OPEN || faces[1] == BILLOW_PERIODIC;
        float low = faces[0] == BILLOW_OPEN ? -1 : 0, high = (float)(n - !beyond);
        float x = clamped(turned(cells->sim, axis, n, position[axis]), low, high);
        a.low[axis] = (int)floorf(x);
        a.share[axis] = x - (float)a.low[axis];
        a.home |= (a.share[axis] >= 0.5f) << axis;
    }
    return a;
}

/* Whether a cell is fluid. Cells beyond an open face count as fluid. For cells beyond a periodic
 * face, the cell at the other end decides. */
static bool is_fluid(const Cells *cells, const int cell[3])
{
    int at[3] = {cell[0], cell[1], cell[2]};
    for (int axis = 0; axis < 3; axis++) {
        const int n = cells->grid->cells[axis];
        if (at[axis] == n && boundary_wraps(&cells->sim->def, axis))
            at[axis] = 0;
        if (at[axis] < 0 || at[axis] >= n)
            return true;
        at[axis] /= cells->refine;
    }
    return cells->sim->solids->fluid[grid_row(&cells->sim->grid, at[1], at[2]) + at[0]] != SOLID;
}

static void cell_of(const Around *a, int corner, int cell[3])
{
    for (int axis = 0; axis < 3; axis++)
        cell[axis] = a->low[axis] + (corner >> axis & 1);
}

/* Whether the face between a corner and its neighbour above along `axis` is partly open. Faces
 * within a wind cell are. */
static bool passes(const Cells *cells, const Around *a, int corner, int axis)
{
    const int *n = cells->grid->cells;
    int high[3];
    cell_of(a, corner | 1 << axis, high);
    for (int q = 0; q < 3; q++)
        if (q != axis && high[q] == n[q] && boundary_wraps(&cells->sim->def, q))
            high[q] = 0;
        else if (high[q] < 0 || high[q] > n[q] || (q != axis && high[q] == n[q]))
            return true; /* outside of the box */
    if (high[axis] % cells->refine != 0)
        return true;
    for (int q = 0; q < 3; q++)
        high[q] /= cells->refine;
    return *face_fraction(&cells->sim->multigrid.levels[0], axis, high[0], high[1], high[2]) > 0.0f;
}

/* Computes is_clear for eight wind cells inside the box. */
static bool is_clear_inside(const BillowSim *sim, const Around *a)
{
    const Level *level = &sim->multigrid.levels[0];
    const ptrdiff_t sy = sim->grid.stride_y, sz = sim->grid.stride_z;
    const int i = a->low[0], j = a->low[1], k = a->low[2];
    const unsigned char *fluid = sim->solids->fluid + grid_row(&sim->grid, j, k) + i;
    for (int corner = 0; corner < 8; corner++)
        if (fluid[(corner & 1) + (corner >> 1 & 1) * sy + (corner >> 2) * sz] == SOLID)
            return false;
    for (int q = 0; q < 2; q++)
        for (int p = 0; p < 2; p++)
            if (*face_fraction(level, 0, i + 1, j + p, k + q) == 0.0f ||
                *face_fraction(level, 1, i + p, j + 1, k + q) == 0.0f ||
                *face_fraction(level, 2, i + p, j + q, k + 1) == 0.0f)
                return false;
    return true;
}

/* Whether all eight cells are fluid and no face between them is shut. Ordinary advection is then
 * correct. */
static bool is_clear(const Cells *cells, const Around *a)
{
    bool inside = cells->refine == 1;
    for (int axis = 0; axis < 3; axis++)
        inside = inside && a->low[axis] >= 0 && a->low[axis] + 1 < cells->grid->cells[axis];
    if (inside)
        return is_clear_inside(cells->sim, a);
    for (int corner = 0; corner < 8; corner++) {
        int cell[3];
        cell_of(a, corner, cell);
        if (!is_fluid(cells, cell))
            return false;
    }
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 0; axis < 3; axis++)
            if (!(corner >> axis & 1) && !passes(cells, a, corner, axis))
                return false;
    return true;
}

/* Set of the corners that have a weight above 0, are fluid, and are connected to `home` by open
 * faces between the eight cells. */
static unsigned reachable(const Cells *cells, const Around *a)
{
    unsigned wanted = 0, found;
    for (int corner = 0; corner < 8; corner++) {
        int cell[3];
        bool weighs = true;
        for (int axis = 0; axis < 3; axis++)
            weighs = weighs && (!(corner >> axis & 1) || a->share[axis] > 0.0f);
        cell_of(a, corner, cell);
        if (weighs && is_fluid(cells, cell))
            wanted |= 1u << corner;
    }
    found = wanted & 1u << a->home;
    for (unsigned before = 0; found != before;) {
        before = found;
        for (int corner = 0; corner < 8; corner++)
            for (int axis = 0; axis < 3; axis++) {
                unsigned beside = 1u << (corner ^ 1 << axis);
                if ((found >> corner & 1) && (wanted & beside) && !(found & beside) &&
                    passes(cells, a, corner & ~(1 << axis), axis))
                    found |= beside;
            }
    }
    return found;
}

/* Advects the fields into cell `to` from those of the eight cells around its origin that are
 * connected. */
static void advect_cell(const Cells *cells, const int to[3], const Around *a,
                        const Advected *fields, int count)
{
    const Grid *grid = cells->grid;
    unsigned counts = reachable(cells, a);
    for (int f = 0; f < count; f++) {
        float sum = 0, weights = 0;
        for (int corner = 0; corner < 8; corner++) {
            int cell[3];
            if (!(counts >> corner & 1))
                continue;
            cell_of(a, corner, cell);
            float weight = 1;
            for (int axis = 0; axis < 3; axis++)
                weight *= corner >> axis & 1 ? a->share[axis] : 1 - a->share[axis];
            sum +=
                weight * fields[f].corner[grid_row(grid, 1 + cell[1], 1 + cell[2]) + 1 + cell[0]];
            weights += weight;
        }
        fields[f].out[to[0]] = fields[f].scale * (weights > 0.0f ? sum / weights : 0);
    }
}

void solids_advect_row(const BillowSim *sim, const Grid *grid, int refine, int j, int k, Span span,
                       Rows d, const Advected *fields, int count)
{
    const Cells cells = {sim, grid, refine};
    const float apart = 2; /* cells; more than the diagonal between the centres of eight cells */
    if (sim->solids == NULL)
        return;
    const ptrdiff_t row = grid_row(&sim->grid, j / refine, k / refine);
    const float far = sim->kernels->advect->longest(d, span.end - span.begin) / (float)refine;
    Neighbourhood near = span_near(sim, j / refine, k / refine, far + apart);
    const int begin = near.begin * refine > span.begin ? near.begin * refine : span.begin;
    const int end = near.end * refine < span.end ? near.end * refine : span.end;
    for (int i = begin; i < end; i++) {
        if (!is_near(sim, &near, row, i / refine))
            continue;
        const int cell[3] = {i, j, k}, at = i - span.begin;
        const float from[3] = {(float)i - d.x[at], (float)j - d.y[at], (float)k - d.z[at]};
        float wind[3]; /* in cells of the wind */
        for (int axis = 0; axis < 3; axis++)
            wind[axis] = refine > 1 ? (from[axis] + 0.5f) / (float)refine - 0.5f : from[axis];
        if (sim->solids->fluid[row + i / refine] == SOLID) {
            for (int f = 0; f < count; f++)
                fields[f].out[i] = 0;
        } else if (distance_at(sim, wind) < apart) {
            Around a = around(&cells, from);
            if (!is_clear(&cells, &a))
                advect_cell(&cells, cell, &a, fields, count);
        }
    }
}

/* -- amounts around moving solids -------------------------------------------------------------- */

/* Conservative advection around moving solids.
 *
 * A cell that a surface cuts counts as a whole cell. When a solid moves into it, its fluid leaves
 * through the open faces only. The fluid's volume falls to V < 1 and is reset to 1 at the next
 * step, which creates the amount q (1 - V). By the time the solid covers the cell, the sum of 1 - V
 * over the steps is 1. The q of the covered cell is then lost. Behind the solid the opposite
 * happens. The created and lost amounts are equal unless q changes meanwhile. The difference is
 * corrected in proportion to the amounts around the surfaces (a mass fixer, as Bermejo & Conde
 * 2002). A substep changes the amounts by at most the share GIVEN_MOST; later substeps correct the
 * remaining difference. Without this correction a cloud lost 1 % of its smoke when a ball fell
 * through it and bounced. */

bool solids_owe(const BillowSim *sim)
{
    return sim->solids != NULL && !sim->solids->still;
}

static bool is_around(const BillowSim *sim, ptrdiff_t at)
{
    return sim->solids->fluid[at] != SOLID && sim->solids->distance[at] < GIVEN_REACH;
}

/* A pass over a cell of the smoke around moving solids, at `at` in its fields. */
typedef void AroundPass(BillowSim *sim, const Scalar *list, int count, int k, ptrdiff_t at);

/* Runs a pass on the cells around moving solids in the slab's planes of the smoke. */
static void pass_around(BillowSim *sim, const Scalar *list, int count, Slab slab, AroundPass *pass)
{
    const Region *region = &sim->solids->region;
    const Smoke *smoke = &sim->smoke;
    const int refine = smoke->refine;
    slab = slab_meet(slab, (Slab){region->low[2] * refine, region->high[2] * refine});
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = region->low[1] * refine; j < region->high[1] * refine; j++) {
            const ptrdiff_t wind = grid_row(&sim->grid, j / refine, k / refine);
            const Span span = smoke_span(smoke, j, k);
            if (sim->solids->rows[j / refine + (ptrdiff_t)(k / refine) * sim->grid.ny] >=
                GIVEN_REACH)
                continue;
            for (int i = span.begin; i < span.end; i++)
                if (i / refine >= region->low[0] && i / refine < region->high[0] &&
                    is_around(sim, wind + i / refine))
                    pass(sim, list, count, k, grid_row(&smoke->grid, j, k) + i);
        }
}

static void count_cell(BillowSim *sim, const Scalar *list, int count, int k, ptrdiff_t at)
{
    PlaneBudget *budget = &sim->plane_budgets[k];
    double less = -(double)sim->smoke.volumes[at];
    for (int s = 0; s < count; s++) {
        double value = (double)(*list[s].field)[at];
        budget->made[s] += value * less;
        budget->held[s] += value;
    }
}

void solids_count_made(BillowSim *sim, const Scalar *list, int count, Slab slab)
{
    for (int k = slab.begin; k < slab.end; k++)
        memset(sim->plane_budgets[k].held, 0, sizeof sim->plane_budgets[k].held);
    pass_around(sim, list, count, slab, count_cell);
}

/* Computes the relative correction of scalar `s` around moving solids, and subtracts the corrected
 * amount from `owed`. Runs on one worker. */
static float correction_of(BillowSim *sim, int s)
{
    Region region = sim->solids->region;
    double held = 0, *owed = &sim->solids->owed[s];
    const int refine = sim->smoke.refine;
    for (int k = region.low[2] * refine; k < region.high[2] * refine; k++) {
        *owed -= sim->plane_budgets[k].made[s];
        held += sim->plane_budgets[k].held[s];
    }
    double given = held > 0 ? fmin(fmax(*owed / held, -GIVEN_MOST), GIVEN_MOST) : 0;
    *owed -= given * held;
    return (float)given;
}

static void give_cell(BillowSim *sim, const Scalar *list, int count, int k, ptrdiff_t at)
{
    (void)k;
    for (int s = 0; s < count; s++)
        (*list[s].field)[at] *= 1 + sim->solids->given[s];
}

void solids_give_back(BillowSim *sim, const Scalar *list, int count, Slab slab, Team team)
{
    for (int s = 0; s < count && team.index == 0; s++)
        sim->solids->given[s] = list[s].kind != SCALAR_TEMPERATURE ? correction_of(sim, s) : 0;
    team_barrier(team);
    pass_around(sim, list, count, slab, give_cell);
}
