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
static float turned(const BillowSim *sim, int axis, float x)
{
    float n = (float)sim->grid.cells[axis];
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
    return solids_distance_at(sim,
                              (float[3]){turned(sim, 0, p[0] + 0.5f), turned(sim, 1, p[1] + 0.5f),
                                         turned(sim, 2, p[2] + 0.5f)});
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

/* The eight cells around a position. Corner c, and bit c of a set of corners, is the cell at
 * low + (c & 1, c >> 1 & 1, c >> 2). */
typedef struct Around {
    int low[3], home; /* home: the corner whose cell contains the position */
    float share[3];
} Around;

static Around around(const BillowSim *sim, const float position[3])
{
    Around a = {.home = 0};
    for (int axis = 0; axis < 3; axis++) {
        const BillowFace *faces = sim->def.faces + 2 * axis;
        bool beyond = faces[1] == BILLOW_OPEN || faces[1] == BILLOW_PERIODIC;
        float low = faces[0] == BILLOW_OPEN ? -1 : 0,
              high = (float)(sim->grid.cells[axis] - !beyond);
        float x = clamped(turned(sim, axis, position[axis]), low, high);
        a.low[axis] = (int)floorf(x);
        a.share[axis] = x - (float)a.low[axis];
        a.home |= (a.share[axis] >= 0.5f) << axis;
    }
    return a;
}

/* Whether a cell is fluid. Cells beyond an open face count as fluid. For cells beyond a periodic
 * face, the cell at the other end decides. */
static bool is_fluid(const BillowSim *sim, const int cell[3])
{
    int at[3] = {cell[0], cell[1], cell[2]};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] == sim->grid.cells[axis] && boundary_wraps(&sim->def, axis))
            at[axis] = 0;
        if (at[axis] < 0 || at[axis] >= sim->grid.cells[axis])
            return true;
    }
    return sim->solids->fluid[grid_row(&sim->grid, at[1], at[2]) + at[0]] != 0;
}

static void cell_of(const Around *a, int corner, int cell[3])
{
    for (int axis = 0; axis < 3; axis++)
        cell[axis] = a->low[axis] + (corner >> axis & 1);
}

/* Whether the face between a corner and its neighbour above along `axis` is partly open. */
static bool passes(const BillowSim *sim, const Around *a, int corner, int axis)
{
    int high[3];
    cell_of(a, corner | 1 << axis, high);
    for (int q = 0; q < 3; q++)
        if (q != axis && high[q] == sim->grid.cells[q] && boundary_wraps(&sim->def, q))
            high[q] = 0;
        else if (high[q] < 0 || high[q] > sim->grid.cells[q] ||
                 (q != axis && high[q] == sim->grid.cells[q]))
            return true; /* outside of the box */
    return *face_fraction(&sim->multigrid.levels[0], axis, high[0], high[1], high[2]) > 0.0f;
}

/* Computes is_clear for eight cells inside the box. */
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
static bool is_clear(const BillowSim *sim, const Around *a)
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++)
        inside = inside && a->low[axis] >= 0 && a->low[axis] + 1 < sim->grid.cells[axis];
    if (inside)
        return is_clear_inside(sim, a);
    for (int corner = 0; corner < 8; corner++) {
        int cell[3];
        cell_of(a, corner, cell);
        if (!is_fluid(sim, cell))
            return false;
    }
    for (int corner = 0; corner < 8; corner++)
        for (int axis = 0; axis < 3; axis++)
            if (!(corner >> axis & 1) && !passes(sim, a, corner, axis))
                return false;
    return true;
}

/* Set of the corners that have a weight above 0, are fluid, and are connected to `home` by open
 * faces between the eight cells. */
static unsigned reachable(const BillowSim *sim, const Around *a)
{
    unsigned wanted = 0, found;
    for (int corner = 0; corner < 8; corner++) {
        int cell[3];
        bool weighs = true;
        for (int axis = 0; axis < 3; axis++)
            weighs = weighs && (!(corner >> axis & 1) || a->share[axis] > 0.0f);
        cell_of(a, corner, cell);
        if (weighs && is_fluid(sim, cell))
            wanted |= 1u << corner;
    }
    found = wanted & 1u << a->home;
    for (unsigned before = 0; found != before;) {
        before = found;
        for (int corner = 0; corner < 8; corner++)
            for (int axis = 0; axis < 3; axis++) {
                unsigned beside = 1u << (corner ^ 1 << axis);
                if ((found >> corner & 1) && (wanted & beside) && !(found & beside) &&
                    passes(sim, a, corner & ~(1 << axis), axis))
                    found |= beside;
            }
    }
    return found;
}

/* Advects the fields into cell `to` from those of the eight cells around its origin that are
 * connected. */
static void advect_cell(const BillowSim *sim, const int to[3], const Around *a,
                        const Advected *fields, int count)
{
    const Grid *grid = &sim->grid;
    unsigned counts = reachable(sim, a);
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

void solids_advect_row(const BillowSim *sim, int j, int k, const Advected *fields, int count)
{
    const Grid *grid = &sim->grid;
    const float apart = 2; /* cells; more than the diagonal between the centres of eight cells */
    if (sim->solids == NULL)
        return;
    ptrdiff_t row = grid_row(grid, j, k);
    float *const *moved = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    Rows d = {moved[0] + row, moved[1] + row, moved[2] + row};
    Neighbourhood near = span_near(sim, j, k, longest(sim, d) + apart);
    for (int i = near.begin; i < near.end; i++) {
        if (!is_near(sim, &near, row, i))
            continue;
        const int cell[3] = {i, j, k};
        const float from[3] = {(float)i - d.x[i], (float)j - d.y[i], (float)k - d.z[i]};
        if (sim->solids->fluid[row + i] == SOLID) {
            for (int f = 0; f < count; f++)
                fields[f].out[i] = 0;
        } else if (distance_at(sim, from) < apart) {
            Around a = around(sim, from);
            if (!is_clear(sim, &a))
                advect_cell(sim, cell, &a, fields, count);
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

static bool row_is_around(const BillowSim *sim, int j, int k)
{
    return sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] < GIVEN_REACH;
}

void solids_count_made(BillowSim *sim, const Scalar *list, int count, Slab slab)
{
    Region region = sim->solids->region;
    slab = slab_meet(slab, (Slab){region.low[2], region.high[2]});
    const float *volumes = scratch_use(&sim->scratch, SCRATCH_VOLUMES)[0];
    for (int k = slab.begin; k < slab.end; k++) {
        PlaneBudget *budget = &sim->plane_budgets[k];
        memset(budget->held, 0, sizeof budget->held);
        for (int j = region.low[1]; j < region.high[1]; j++) {
            if (!row_is_around(sim, j, k))
                continue;
            ptrdiff_t row = grid_row(&sim->grid, j, k);
            for (int i = region.low[0]; i < region.high[0]; i++) {
                if (!is_around(sim, row + i))
                    continue;
                double less = 1 - (double)volumes[row + i];
                for (int s = 0; s < count; s++) {
                    double value = (double)(*list[s].field)[row + i];
                    budget->made[s] += value * less;
                    budget->held[s] += value;
                }
            }
        }
    }
}

/* Computes the relative correction of scalar `s` around moving solids, and subtracts the corrected
 * amount from `owed`. Runs on one worker. */
static float correction_of(BillowSim *sim, int s)
{
    Region region = sim->solids->region;
    double held = 0, *owed = &sim->solids->owed[s];
    for (int k = region.low[2]; k < region.high[2]; k++) {
        *owed -= sim->plane_budgets[k].made[s];
        held += sim->plane_budgets[k].held[s];
    }
    double given = held > 0 ? fmin(fmax(*owed / held, -GIVEN_MOST), GIVEN_MOST) : 0;
    *owed -= given * held;
    return (float)given;
}

void solids_give_back(BillowSim *sim, const Scalar *list, int count, Slab slab, Team team)
{
    Region region = sim->solids->region;
    for (int s = 0; s < count && team.index == 0; s++)
        sim->solids->given[s] = list[s].kind != SCALAR_TEMPERATURE ? correction_of(sim, s) : 0;
    team_barrier(team);
    slab = slab_meet(slab, (Slab){region.low[2], region.high[2]});
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = region.low[1]; j < region.high[1]; j++) {
            ptrdiff_t row = grid_row(&sim->grid, j, k);
            for (int i = region.low[0]; i < region.high[0] && row_is_around(sim, j, k); i++)
                for (int s = 0; s < count && is_around(sim, row + i); s++)
                    (*list[s].field)[row + i] *= 1 + sim->solids->given[s];
        }
}
