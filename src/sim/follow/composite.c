/* SPDX-License-Identifier: MIT
 *
 * The flow of a simulation that follows (follow.h). Velocity is restricted to the far field: the
 * mean of the fine faces of a far face; and prolonged: fine faces are interpolated between far
 * ones.
 *
 * The pressure is that of one system of equations for the active cells and for the far cells around
 * them, which are twice as wide. With q = dt p / (rho h) for
 * fine cells and q' = dt p / (rho 2h) = q / 2 for far ones, every cell's equation is
 *
 *     sum over faces of outward flux = 0,   flux = u - (difference of q across the face).
 *
 * A fine face between an active and a far cell takes q beyond the face from a ghost cell, which is
 * interpolated linearly between the far cells; under active cells these hold the mean of q / 2
 * (Martin, Cartwright 1996; Almgren et al. 1998). The flux through a far face beside active cells
 * is the mean of the fluxes of its four fine faces, so that no volume is lost.
 *
 * The multigrid cycle (multigrid.c) solves it: level 0 relaxes the active cells, level 1 covers the
 * whole box. Its right-hand sides are the restricted residuals under active cells, and the
 * residuals of the far cells elsewhere (fast adaptive composite grids, McCormick 1989). */
#include "sim/follow/composite.h"

#include <string.h>

static float *fine_pressure(const BillowSim *sim, int i, int j, int k)
{
    const Level *level = &sim->multigrid.levels[0];
    return level->x.color[(i + j + k) & 1] + packed_row(&level->grid, j, k) + (i >> 1);
}

/* The span of far cells under active cells in a far row; empty beyond the box. */
static Span under_row(const BillowSim *sim, int j, int k)
{
    return span_at(sim->follow->under, &sim->follow->far->grid, j, k);
}

static bool contains(Span span, int i)
{
    return i >= span.begin && i < span.end;
}

/* -- rows of the far grid ---------------------------------------------------------------------- */

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

/* The rows of a far field between which a fine row is interpolated. */
static void four_rows(const Grid *grid, const float *field, Pair y, Pair z, const float *rows[4])
{
    for (int row = 0; row < 4; row++)
        rows[row] = field + grid_row(grid, row & 1 ? y.other : y.own, row & 2 ? z.other : z.own);
}

/* -- the far pressure under active cells ------------------------------------------------------- */

/* Means of the eight fine cells in each far cell. */
static void restrict_pressure(const BillowSim *sim, int j, int k, Span cells)
{
    const Grid *far = &sim->follow->far->grid;
    const float *fine[8];
    for (int part = 0; part < 8; part++)
        fine[part] = fine_pressure(sim, part & 1, 2 * j + (part >> 1 & 1), 2 * k + (part >> 2));
    sim->kernels->follow->restrict_cells(fine, 0.0625f, cells,
                                         sim->follow->pressure + grid_row(far, j, k));
}

/* Restricts the pressure next to far cells, from where ghost cells are interpolated. */
static void restrict_border(const BillowSim *sim, int j, int k)
{
    const Grid *far = &sim->follow->far->grid;
    Span under = under_row(sim, j, k), inner = span_at(sim->follow->inner, far, j, k);
    if (span_is_empty(inner)) {
        restrict_pressure(sim, j, k, under);
        return;
    }
    restrict_pressure(sim, j, k, (Span){under.begin, inner.begin});
    restrict_pressure(sim, j, k, (Span){inner.end, under.end});
}

/* -- ghost cells ------------------------------------------------------------------------------- */

enum { MOST_GHOSTS = 4 * 3 + 2 }; /* parts of a row that hold ghost cells */

/* Interpolates the pressure of parts of fine row (j, k) from the far pressure. */
static void interpolate(const BillowSim *sim, int j, int k, const Span *parts, int count)
{
    const Transfer *t = &sim->multigrid.transfers[0];
    const Grid *far = &sim->follow->far->grid;
    const Pair y = pair_of(j, false, far->ny), z = pair_of(k, false, far->nz);
    const float *rows[4];
    four_rows(far, sim->follow->pressure, y, z, rows);
    const float weights[4] = {t->near[1][j] * t->near[2][k], t->far[1][j] * t->near[2][k],
                              t->near[1][j] * t->far[2][k], t->far[1][j] * t->far[2][k]};
    float *even = fine_pressure(sim, 0, j, k), *odd = fine_pressure(sim, 1, j, k);
    for (int n = 0; n < count; n++)
        sim->kernels->follow->prolong_cells(rows, weights, &t->x, parts[n], even, odd);
}

void composite_interpolate(const BillowSim *sim, int j, int k, Span cells)
{
    interpolate(sim, j, k, &cells, 1);
}

/* The span of active cells in the row at distance (dj, dk) if it lies in another block of rows,
 * whose span may differ; otherwise an empty one. */
static Span span_beside(const BillowSim *sim, int j, int k, int dj, int dk)
{
    int b = j + dj, c = k + dk;
    bool same =
        (j & ~(BLOCK - 1)) == (b & ~(BLOCK - 1)) && (k & ~(BLOCK - 1)) == (c & ~(BLOCK - 1));
    return same ? (Span){0, 0} : span_at(sim->follow->region.spans[ACTIVE_CELLS], &sim->grid, b, c);
}

/* Fills the cells of a fine row that are outside of its span and next to active cells. */
static void fill_ghosts(const BillowSim *sim, int j, int k)
{
    static const int beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    Span own = active_span(sim, ACTIVE_CELLS, j, k), parts[MOST_GHOSTS];
    int count = 0, last = sim->grid.nx;
    for (int n = 0; n < 4; n++) {
        Span other = span_beside(sim, j, k, beside[n][0], beside[n][1]);
        if (!span_is_empty(other) && !span_covers(own, other))
            count += span_parts(other, own, (Span){0, 0}, parts + count);
    }
    if (!span_is_empty(own) && own.begin > 0)
        parts[count++] = (Span){(short)(own.begin - 1), own.begin};
    if (!span_is_empty(own) && own.end < last)
        parts[count++] = (Span){own.end, (short)(own.end + 1)};
    interpolate(sim, j, k, parts, count);
}

static void exchange(void *context, Team team)
{
    const BillowSim *sim = context;
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = sim->follow->under_rows[k].begin; j < sim->follow->under_rows[k].end; j++)
            restrict_border(sim, j, k);
    team_barrier(team);
    for (int k = 2 * slab.begin; k < 2 * slab.end; k++) {
        Span rows = active_rows(sim, ACTIVE_FACES, k);
        for (int j = rows.begin; j < rows.end; j++)
            fill_ghosts(sim, j, k);
    }
    team_barrier(team);
}

/* -- the residuals of far cells ---------------------------------------------------------------- */

/* What the fine faces add to the residual of far cell (i, j, k) across its face along x towards the
 * neighbour at `side` (0 low, 1 high), in place of the difference of far pressures. */
static float correction(const BillowSim *sim, int side, int i, int j, int k)
{
    const float *p = sim->follow->pressure + grid_row(&sim->follow->far->grid, j, k) + i;
    int high = 2 * (i + side);
    float sum = 0;
    for (int face = 0; face < 4; face++) {
        int fine_j = 2 * j + (face & 1), fine_k = 2 * k + (face >> 1);
        sum += *fine_pressure(sim, high, fine_j, fine_k) -
               *fine_pressure(sim, high - 1, fine_j, fine_k);
    }
    float fine = 0.25f * sum;
    return side ? fine - (p[1] - p[0]) : (p[0] - p[-1]) - fine;
}

/* The rows around row (j, k) of the far grid. */
static FarRows far_rows(const BillowSim *sim, int j, int k)
{
    const BillowSim *far = sim->follow->far;
    const Grid *grid = &far->grid;
    const Level *level = &sim->multigrid.levels[1];
    ptrdiff_t at = grid_row(grid, j, k), sy = grid->stride_y, sz = grid->stride_z;
    const float *v = far->velocity[1] + at, *w = far->velocity[2] + at,
                *p = sim->follow->pressure + at;
    return (FarRows){far->velocity[0] + at,
                     v,
                     v + sy,
                     w,
                     w + sz,
                     {p, p - sy, p + sy, p - sz, p + sz},
                     level->low[0],
                     level->high[0],
                     level->low[1][j],
                     level->high[1][j],
                     level->low[2][k],
                     level->high[2][k]};
}

/* The packed rows of fine row (j, k): even cells and odd cells. */
static void fine_rows(const BillowSim *sim, int j, int k, const float *rows[2])
{
    rows[0] = fine_pressure(sim, 0, j, k);
    rows[1] = fine_pressure(sim, 1, j, k);
}

/* `correction` for the faces of cells in far row (j, k) towards row (j + dj, k + dk), of which one
 * distance is 0. */
static void correct_across(const BillowSim *sim, int j, int k, int dj, int dk, Span cells,
                           float *out)
{
    const Grid *far = &sim->follow->far->grid;
    const float *p = sim->follow->pressure + grid_row(far, j, k),
                *beside = sim->follow->pressure + grid_row(far, j + dj, k + dk);
    const float *rows[8]; /* those of the far cells' own side first */
    for (int part = 0; part < 2; part++) {
        int own_j = 2 * j + (dj > 0 || (dj == 0 && part)),
            own_k = 2 * k + (dk > 0 || (dk == 0 && part));
        fine_rows(sim, own_j, own_k, rows + 2 * part);
        fine_rows(sim, own_j + dj, own_k + dk, rows + 4 + 2 * part);
    }
    sim->kernels->follow->replace_flux(rows, p, beside, cells, out);
}

/* Corrects the residuals of far cells beside active cells. */
static void correct_residuals(const BillowSim *sim, int j, int k, Span cells, float *out)
{
    static const int beside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    Span own = under_row(sim, j, k);
    for (int n = 0; n < 4; n++) {
        Span other = under_row(sim, j + beside[n][0], k + beside[n][1]);
        other.begin = other.begin > cells.begin ? other.begin : cells.begin;
        other.end = other.end < cells.end ? other.end : cells.end;
        if (!span_is_empty(other))
            correct_across(sim, j, k, beside[n][0], beside[n][1], other, out);
    }
    if (span_is_empty(own))
        return;
    if (contains(cells, own.begin - 1))
        out[own.begin - 1] += correction(sim, 1, own.begin - 1, j, k);
    if (contains(cells, own.end))
        out[own.end] += correction(sim, 0, own.end, j, k);
}

/* The far cells of a row beyond active cells: the two parts on either side. */
void composite_far_parts(const BillowSim *sim, int j, int k, Span parts[2])
{
    short n = (short)sim->follow->far->grid.nx;
    Span under = under_row(sim, j, k);
    bool none = span_is_empty(under);
    parts[0] = (Span){0, none ? n : under.begin};
    parts[1] = (Span){none ? n : under.end, n};
}

/* Whether any cell of a far row lies beside active cells in another row. */
static bool has_neighbours(const BillowSim *sim, int j, int k)
{
    return under_row(sim, j - 1, k).end + under_row(sim, j + 1, k).end +
               under_row(sim, j, k - 1).end + under_row(sim, j, k + 1).end +
               under_row(sim, j, k).end >
           0;
}

/* Stores the residuals of a row's far cells as right-hand sides of level 1, whose unknowns are
 * twice those of the far grid. Returns the sum of their squares, weighted by the volume of a far
 * cell over that of a fine one. */
static double store_row(const BillowSim *sim, int j, int k, bool summed)
{
    const Level *level = &sim->multigrid.levels[1];
    ptrdiff_t at = packed_row(&level->grid, j, k);
    float row[BILLOW_GRID_MAX / 2 + 1];
    double sum = 0;
    Span parts[2];
    FarRows rows = far_rows(sim, j, k);
    composite_far_parts(sim, j, k, parts);
    for (int p = 0; p < 2; p++) {
        Span part = parts[p];
        if (span_is_empty(part))
            continue;
        sim->kernels->follow->residual(&rows, part, row);
        correct_residuals(sim, j, k, part, row);
        for (int odd = 0; odd < 2; odd++) {
            float *out = level->rhs.color[(odd + j + k) & 1] + at;
            for (int m = (part.begin + 1 - odd) / 2; m < (part.end + 1 - odd) / 2; m++)
                out[m] = 2 * row[2 * m + odd];
        }
        if (summed)
            sum +=
                2 * level->kernels->dot(row + part.begin, row + part.begin, part.end - part.begin);
    }
    return sum;
}

/* The first cycle computes all residuals. Later ones only those of rows beside active cells,
 * because the relaxation of these changes no others. */
static void residual(void *context, Team team)
{
    const BillowSim *sim = context;
    bool first = sim->follow->first;
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < far->ny; j++)
            if (first || has_neighbours(sim, j, k))
                store_row(sim, j, k, false);
    team_barrier(team);
    if (team.index == 0)
        sim->follow->first = false;
}

static double squares(void *context, Team team)
{
    const BillowSim *sim = context;
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        double sum = 0;
        for (int j = 0; j < far->ny; j++)
            sum += store_row(sim, j, k, true);
        sim->follow->plane_squares[k] = sum;
    }
    team_barrier(team);
    return sum_planes(sim->follow->plane_squares, far->nz);
}

static void correct(void *context, Team team)
{
    const BillowSim *sim = context;
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < far->ny; j++) {
            Span parts[2];
            composite_far_parts(sim, j, k, parts);
            ptrdiff_t at = grid_row(far, j, k);
            const float *add = sim->multigrid.corrections[1] + at;
            for (int p = 0; p < 2; p++)
                if (!span_is_empty(parts[p]))
                    sim->kernels->relax->add(add + parts[p].begin, 0.5f,
                                             parts[p].end - parts[p].begin,
                                             sim->follow->pressure + at + parts[p].begin);
        }
    team_barrier(team);
}

/* -- the parts of the projection --------------------------------------------------------------- */

double composite_squares(const BillowSim *sim, Team team)
{
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    float row[BILLOW_GRID_MAX / 2 + 1];
    for (int k = slab.begin; k < slab.end; k++) {
        double sum = 0;
        for (int j = 0; j < far->ny; j++) {
            Span parts[2];
            FarRows rows = far_rows(sim, j, k);
            composite_far_parts(sim, j, k, parts);
            for (int p = 0; p < 2; p++) {
                sim->kernels->follow->divergence(&rows, parts[p], row);
                sum += 2 * sim->kernels->relax->dot(row + parts[p].begin, row + parts[p].begin,
                                                    parts[p].end - parts[p].begin);
            }
        }
        sim->follow->plane_squares[k] = sum;
    }
    team_barrier(team);
    return sum_planes(sim->follow->plane_squares, far->nz);
}

void composite_scale(const BillowSim *sim, float start, Team team)
{
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    if (start == 1.0f)
        return;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < far->ny; j++) {
            float *row = sim->follow->pressure + grid_row(far, j, k);
            for (int i = 0; i < far->nx; i++)
                row[i] = start != 0.0f ? row[i] * start : 0;
        }
    for (int k = 2 * slab.begin; k < 2 * slab.end; k++) {
        Span rows = active_rows(sim, ACTIVE_CELLS, k);
        for (int j = rows.begin; j < rows.end; j++) {
            Span span = active_span(sim, ACTIVE_CELLS, j, k);
            for (int i = span.begin; i < span.end; i++) {
                float *q = fine_pressure(sim, i, j, k);
                *q = start != 0.0f ? *q * start : 0;
            }
        }
    }
    team_barrier(team);
}

static void restrict_all_task(void *context, Team team)
{
    const BillowSim *sim = context;
    const Grid *far = &sim->follow->far->grid;
    Slab slab = team_slab(team, far->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < far->ny; j++)
            restrict_pressure(sim, j, k, under_row(sim, j, k));
}

void composite_restrict_all(BillowSim *sim)
{
    sim_run(sim, restrict_all_task, sim);
}

/* Subtracts `share` of the gradient at the low faces of all far cells, and at the last faces of the
 * box. Beyond an open side q is 0. */
void composite_subtract(BillowSim *sim, float share, Team team)
{
    BillowSim *far = sim->follow->far;
    const Grid *grid = &far->grid;
    const Level *level = &sim->multigrid.levels[1];
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < grid->ny; j++) {
            ptrdiff_t at = grid_row(grid, j, k);
            const float *p = sim->follow->pressure + at;
            float *u = far->velocity[0] + at, *v = far->velocity[1] + at,
                  *w = far->velocity[2] + at;
            sim->kernels->follow->subtract(p, p - grid->stride_y, p - grid->stride_z, level->low[0],
                                           level->low[1][j], level->low[2][k], share, grid->nx, u,
                                           v, w);
            int last = grid->nx - 1;
            u[grid->nx] -= share * (level->high[0][last] * (0 - p[last]));
            for (int i = 0; i < grid->nx && j == grid->ny - 1; i++)
                v[grid->stride_y + i] -= share * (level->high[1][j] * (0 - p[i]));
            for (int i = 0; i < grid->nx && k == grid->nz - 1; i++)
                w[grid->stride_z + i] -= share * (level->high[2][k] * (0 - p[i]));
        }
    team_barrier(team);
}

void composite_prepare(BillowSim *sim)
{
    sim->multigrid.levels[0].x = grid_packed(&sim->grid, sim->pressure);
    sim->follow->first = true;
    sim->follow->beyond = (Beyond){exchange, residual, correct, squares, sim};
}

/* -- velocity ---------------------------------------------------------------------------------- */

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
                Span faces[2], parts[3], inner = {0, 0};
                if (k == far->nz && axis != 2)
                    continue;
                if (task->border)
                    inner = span_at(sim->follow->inner, far, j, k);
                span_faces(sim->follow->under, far, axis, j, k, faces);
                for (int f = 0; f < 2 && (f == 0 || !span_covers(faces[0], faces[1])); f++) {
                    int count = span_parts(faces[f], inner, (Span){0, 0}, parts);
                    for (int p = 0; p < count; p++)
                        restrict_faces(sim, axis, j, k, parts[p]);
                }
            }
    }
}

void composite_restrict_velocity(BillowSim *sim)
{
    sim_run(sim, restrict_task, &(RestrictTask){sim, false});
    displacement_drop(sim->follow->far);
}

void composite_restrict_border(BillowSim *sim)
{
    sim_run(sim, restrict_task, &(RestrictTask){sim, true});
}

/* Interpolates fine faces of a row linearly between far faces. */
static void prolong_faces(const BillowSim *sim, int axis, int j, int k, Span faces, float *out)
{
    const BillowSim *far = sim->follow->far;
    const Grid *grid = &far->grid;
    Pair y = pair_of(j, axis == 1, grid->ny), z = pair_of(k, axis == 2, grid->nz);
    const float *rows[4];
    four_rows(grid, far->velocity[axis], y, z, rows);
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

static void prolong_row(const ProlongTask *task, int axis, int j, int k, Span outer)
{
    const BillowSim *sim = task->sim;
    Span inner[2], parts[3];
    if (axis == 0 && outer.end == sim->grid.nx)
        outer.end++;
    span_faces(task->inner, &sim->grid, axis, j, k, inner);
    int count = span_parts(outer, inner[0], inner[1], parts);
    for (int p = 0; p < count; p++)
        prolong_faces(sim, axis, j, k, parts[p], task->velocity[axis] + grid_row(&sim->grid, j, k));
}

/* The faces of the cells of row (j, k), and of the sides of the box next to it. */
static void prolong_cells(const ProlongTask *task, int j, int k)
{
    const Grid *grid = &task->sim->grid;
    Span outer = span_at(task->outer, grid, j, k);
    if (span_covers(span_at(task->inner, grid, j, k), outer))
        return;
    for (int axis = 0; axis < 3; axis++) {
        int high_j = j + (axis == 1), high_k = k + (axis == 2);
        if (task->velocity[axis] == NULL)
            continue;
        prolong_row(task, axis, j, k, outer);
        if (high_j == grid->ny || high_k == grid->nz)
            prolong_row(task, axis, high_j, high_k, outer);
    }
}

static void prolong_task(void *context, Team team)
{
    const ProlongTask *task = context;
    Slab slab = team_slab(team, task->sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = task->rows[k].begin; j < task->rows[k].end; j++)
            prolong_cells(task, j, k);
}

void composite_prolong_slab(const BillowSim *sim, int axis, float *component, ActiveSet outer,
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

void composite_prolong(BillowSim *sim, const Span *inner)
{
    const ActiveRegion *region = &sim->follow->region;
    ProlongTask task = {sim, sim->velocity, region->spans[ACTIVE_BAND], inner,
                        region->rows[ACTIVE_BAND]};
    sim_run(sim, prolong_task, &task);
}

void composite_fill_band(BillowSim *sim)
{
    composite_prolong(sim, sim->follow->region.spans[ACTIVE_CELLS]);
}

const float *composite_row(const BillowSim *sim, int axis, const float *field, int j, int k,
                           float *memory)
{
    const float *row = field + grid_row(&sim->grid, j, k);
    int n = sim->grid.nx + (axis == 0);
    Span parts[3], kept = follow_kept(sim, j, k, n);
    if (!follows(sim))
        return row;
    int count = span_parts((Span){0, (short)n}, kept, (Span){0, 0}, parts);
    if (!span_is_empty(kept))
        memcpy(memory + kept.begin, row + kept.begin,
               (size_t)(kept.end - kept.begin) * sizeof *memory);
    for (int p = 0; p < count; p++)
        if (axis >= 0)
            prolong_faces(sim, axis, j, k, parts[p], memory);
        else
            memset(memory + parts[p].begin, 0,
                   (size_t)(parts[p].end - parts[p].begin) * sizeof *memory);
    return memory;
}
