/* SPDX-License-Identifier: MIT
 * What an up-resolution needs of each cell: the sharpened density, and how far and by which noise
 * the smoke is displaced. */
#include "sim/upres/upres_state.h"

#include <math.h>
#include <string.h>

/* Age of the folds, s: strain needs about this time to displace smoke by `turbulence`. */
#define FOLD_SECONDS 0.5f

/* Fills the ghosts with the values of the cells next to them. */
static void fill_ghosts(const Lattice *lattice, float *field)
{
    const int *n = lattice->n;
    const Slab planes = lattice->planes;
    int begin = planes.begin == 0 ? -GHOSTS : planes.begin;
    int end = planes.end == n[2] ? n[2] + GHOSTS : planes.end;
    for (int k = begin; k < end; k++)
        for (int j = -GHOSTS; j < n[1] + GHOSTS; j++) {
            const ptrdiff_t *strides = lattice->strides;
            const float *from = field + least(most(j, 0), n[1] - 1) * strides[1] +
                                least(most(k, 0), n[2] - 1) * strides[2];
            float *row = field + j * strides[1] + k * strides[2];
            if (row != from)
                memcpy(row, from, (size_t)n[0] * sizeof(float));
            for (int ghost = 1; ghost <= GHOSTS; ghost++) {
                row[-ghost] = row[0];
                row[n[0] - 1 + ghost] = row[n[0] - 1];
            }
        }
}

/* Velocity at the centre of a cell, m/s. at: offset of the cell in the view. */
static float centre_velocity(const BillowView *view, int axis, ptrdiff_t at)
{
    const float *faces[3] = {view->u, view->v, view->w};
    const ptrdiff_t next[3] = {1, view->stride_y, view->stride_z};
    return 0.5f * (faces[axis][at] + faces[axis][at + next[axis]]);
}

/* Magnitude of the strain rate in a cell, sqrt(2 Sij Sij), 1/s; at the faces of the box, of the
 * cell inside. */
static float strain_rate(const BillowView *view, int i, int j, int k)
{
    const ptrdiff_t strides[3] = {1, view->stride_y, view->stride_z};
    const int n[3] = {view->nx, view->ny, view->nz}, cell[3] = {i, j, k};
    ptrdiff_t at = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (n[axis] < 3)
            return 0;
        at += least(most(cell[axis], 1), n[axis] - 2) * strides[axis];
    }
    float slopes[3][3], sum = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            slopes[a][b] = centre_velocity(view, a, at + strides[b]) -
                           centre_velocity(view, a, at - strides[b]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            float s = 0.25f * (slopes[a][b] + slopes[b][a]) / view->cell_size;
            sum += 2 * s * s;
        }
    return sqrtf(sum);
}

/* Copies the fields, and estimates how far eddies too small for the
 * grid have displaced the smoke: their speed, 0.24 times cell size times strain rate along each
 * axis (Yoshizawa 1986), over the age of a fold, but no further than a cell, about which they turn.
 */
static void copy_cells(void *context, Team team)
{
    const Task *task = context;
    const BillowUpres *upres = task->upres;
    const BillowView *view = task->view;
    const ptrdiff_t *strides = upres->cells.strides;
    ViewScalar scalars[VIEW_SCALARS_MAX];
    scalars_of_view(view, scalars);
    const Slab slab = upres_slab(team, upres->cells.planes);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < view->ny; j++) {
            ptrdiff_t from = j * view->stride_y + k * view->stride_z;
            ptrdiff_t to = j * strides[1] + k * strides[2];
            for (int n = 0; n < upres->scalar_count; n++)
                memcpy(upres->scalars[n] + to, *scalars[n].values + from,
                       (size_t)view->nx * sizeof(float));
            for (int i = 0; i < view->nx; i++)
                upres->smoke[to + i] = fmaxf(view->density[from + i], 0);
            for (int field = 0; field < TEXTURES && upres->textures[0] != NULL; field++)
                for (int i = 0; i < view->nx; i++)
                    upres->textures[field][to + i] =
                        -view->texture[field / 3][field % 3][from + i] / view->cell_size;
            for (int i = 0; i < view->nx; i++) {
                float turns =
                    0.24f * FOLD_SECONDS * (view->u != NULL ? strain_rate(view, i, j, k) : 0);
                upres->reach[to + i] = upres->def.turbulence * turns / (0.25f + turns);
            }
        }
}

/* Value of a field of cells a given way from a cell, linearly interpolated. way: up to a cell along
 * each axis. */
static float smoke_beside(const Lattice *lattice, const float *cell, const float way[3])
{
    float share[3][2];
    ptrdiff_t step[3];
    for (int axis = 0; axis < 3; axis++) {
        step[axis] = way[axis] < 0 ? -lattice->strides[axis] : lattice->strides[axis];
        share[axis][1] = fabsf(way[axis]);
        share[axis][0] = 1 - share[axis][1];
    }
    float sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        sum +=
            share[0][i] * share[1][j] * share[2][k] * cell[i * step[0] + j * step[1] + k * step[2]];
    }
    return sum;
}

/* Sharpens a value: moves it away from the mean of its neighbours up and down its gradient, as far
 * as the nearer of them. Curvature across the gradient does not count, so that balls keep their
 * size. Repeated, edges become steps (a shock filter: Alvarez and Mazorra 1994). */
static float sharpened(const Lattice *lattice, const float *cell)
{
    float slope[3], squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        slope[axis] = cell[lattice->strides[axis]] - cell[-lattice->strides[axis]];
        squares += slope[axis] * slope[axis];
    }
    if (squares == 0)
        return *cell;
    float up[3], down[3];
    for (int axis = 0; axis < 3; axis++) {
        up[axis] = slope[axis] / sqrtf(squares);
        down[axis] = -up[axis];
    }
    float high = smoke_beside(lattice, cell, up), low = smoke_beside(lattice, cell, down);
    float sharper = *cell + 2 * (*cell - 0.5f * (high + low));
    return fminf(fmaxf(sharper, fminf(low, *cell)), fmaxf(high, *cell));
}

static void sharpen_planes(void *context, Team team)
{
    const Task *task = context;
    const BillowUpres *upres = task->upres;
    const Lattice *cells = &upres->cells;
    const Slab slab = upres_slab(team, cells->planes);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < cells->n[1]; j++)
            for (int i = 0; i < cells->n[0]; i++) {
                ptrdiff_t at = i + j * cells->strides[1] + k * cells->strides[2];
                upres->sharper[at] = sharpened(cells, upres->smoke + at);
            }
}

/* The largest, or the weighted mean with weights 1, 2, 1, of a cell and its neighbours along an
 * axis. */
typedef struct Filter {
    const Task *task;
    const float *from;
    float *to;
    int axis;
    bool largest;
} Filter;

static void filter_planes(void *context, Team team)
{
    const Filter *filter = context;
    const Lattice *cells = &filter->task->upres->cells;
    const ptrdiff_t step = cells->strides[filter->axis];
    const Slab slab = upres_slab(team, cells->planes);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < cells->n[1]; j++) {
            ptrdiff_t row = j * cells->strides[1] + k * cells->strides[2];
            const float *from = filter->from + row;
            float *to = filter->to + row;
            for (int i = 0; i < cells->n[0]; i++)
                to[i] = filter->largest
                            ? fmaxf(fmaxf(from[i - step], from[i + step]), from[i])
                            : 0.25f * (from[i - step] + from[i + step]) + 0.5f * from[i];
        }
}

/* Filters `from` along the three axes. The result is in `to`; `spare` is overwritten. */
static void filter_field(const Task *task, bool largest, float *from, float *spare, float *to)
{
    float *const order[4] = {from, to, spare, to};
    for (int axis = 0; axis < 3; axis++) {
        fill_ghosts(&task->upres->cells, order[axis]);
        Filter filter = {task, order[axis], order[axis + 1], axis, largest};
        team_run(task->upres->threads, filter_planes, &filter);
    }
}

/* How much the noise of a set is compressed in a cell: the longest of the derivatives of the
 * texture coordinates along the axes; 1 where it is as it was made. */
static float stretch(const BillowUpres *upres, int set, ptrdiff_t at)
{
    float most_squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        ptrdiff_t step = upres->cells.strides[axis];
        float squares = 0;
        for (int part = 0; part < 3; part++) {
            const float *value = upres->textures[3 * set + part] + at;
            float slope = 0.5f * (value[step] - value[-step]) + (part == axis ? 1.0f : 0.0f);
            squares += slope * slope;
        }
        most_squares = fmaxf(most_squares, squares);
    }
    return sqrtf(most_squares);
}

static void stretch_planes(void *context, Team team)
{
    const Task *task = context;
    const BillowUpres *upres = task->upres;
    const Lattice *cells = &upres->cells;
    const Slab slab = upres_slab(team, cells->planes);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < cells->n[1]; j++)
            for (int i = 0; i < cells->n[0]; i++) {
                ptrdiff_t at = i + j * cells->strides[1] + k * cells->strides[2];
                for (int set = 0; set < 2; set++)
                    upres->textures[TEXTURES + set][at] = stretch(upres, set, at);
            }
}

static void sum_plane_masses(void *context, Team team)
{
    const Task *task = context;
    const BillowUpres *upres = task->upres;
    const Lattice *cells = &upres->cells;
    const Slab slab = upres_slab(team, upres->own);
    for (int k = slab.begin; k < slab.end; k++) {
        upres->plane_sums[k] = 0;
        for (int j = 0; j < cells->n[1]; j++) {
            const float *row = upres->smoke + j * cells->strides[1] + k * cells->strides[2];
            for (int i = 0; i < cells->n[0]; i++)
                upres->plane_sums[k] += (double)row[i];
        }
    }
}

double upres_sum(const BillowUpres *upres, int planes)
{
    const BillowExchange *exchange = &upres->exchange;
    if (exchange->ranks > 1)
        exchange->gather(exchange->context, upres->plane_sums, upres->offsets[planes]);
    return sum_planes(upres->plane_sums, planes == OF_FINE ? upres->fine[2] : upres->cells.n[2]);
}

static double sum_mass(Task *task)
{
    team_run(task->upres->threads, sum_plane_masses, task);
    return upres_sum(task->upres, OF_CELLS);
}

/* Sharpens the density, and returns the factor that gives it the mass of before. */
static float sharpen(Task *task)
{
    BillowUpres *upres = task->upres;
    double before = task->mass = sum_mass(task);
    for (int pass = 0; pass < upres->def.sharpening; pass++) {
        fill_ghosts(&upres->cells, upres->smoke);
        team_run(upres->threads, sharpen_planes, task);
        float *sharper = upres->sharper;
        upres->sharper = upres->smoke;
        upres->smoke = sharper;
    }
    double after = sum_mass(task);
    return after > 0 ? (float)(before / after) : 1;
}

static void divide_planes(void *context, Team team)
{
    const Task *task = context;
    const BillowUpres *upres = task->upres;
    const Lattice *cells = &upres->cells;
    const Slab slab = upres_slab(team, cells->planes);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < cells->n[1]; j++)
            for (int i = 0; i < cells->n[0]; i++) {
                ptrdiff_t at = i + j * cells->strides[1] + k * cells->strides[2];
                upres->depth[at] = upres->soft[at] / fmaxf(upres->depth[at], FAINT);
            }
}

/* Computes how deep each cell is in the smoke: its blurred density as a share of the largest within
 * two cells, 0.5 on a flat edge and 1 a cell and a half inside. Only ratios count, so that thin
 * smoke has edges too. Overwrites upres->sharper. */
static void measure_depth(Task *task)
{
    const BillowUpres *upres = task->upres;
    float *soft = upres->soft, *depth = upres->depth, *spare = upres->sharper;
    filter_field(task, false, upres->scalars[0], soft, depth);
    filter_field(task, false, depth, depth, soft);
    filter_field(task, true, soft, spare, depth);
    filter_field(task, true, depth, depth, spare);
    filter_field(task, false, spare, spare, depth);
    team_run(upres->threads, divide_planes, task);
    fill_ghosts(&upres->cells, upres->depth);
}

/* Marks the bricks that have smoke or fuel, and their neighbours. */
static void mark_bricks(BillowUpres *upres, const BillowView *view)
{
    const int *b = upres->bricks;
    ViewScalar scalars[VIEW_SCALARS_MAX];
    int count = scalars_of_view(view, scalars);
    memset(upres->busy, 0, (size_t)b[0] * (size_t)b[1] * (size_t)b[2]);
    for (int k = upres->cells.planes.begin; k < upres->cells.planes.end; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                ptrdiff_t at = i + j * view->stride_y + k * view->stride_z;
                bool seen = false;
                for (int n = 0; n < count && !seen; n++)
                    seen = scalars[n].seen && (*scalars[n].values)[at] > FAINT;
                if (!seen)
                    continue;
                for (int n = 0; n < 27; n++) {
                    const int brick[3] = {i / BRICK + n % 3 - 1, j / BRICK + n / 3 % 3 - 1,
                                          k / BRICK + n / 9 - 1};
                    if (brick[0] >= 0 && brick[0] < b[0] && brick[1] >= 0 && brick[1] < b[1] &&
                        brick[2] >= 0 && brick[2] < b[2])
                        upres->busy[brick[0] + b[0] * (brick[1] + b[1] * brick[2])] = 1;
                }
                i = (i / BRICK + 1) * BRICK - 1; /* on to the next brick */
            }
}

void upres_prepare(Task *task)
{
    BillowUpres *upres = task->upres;
    mark_bricks(upres, task->view);
    team_run(upres->threads, copy_cells, task);
    task->scale = sharpen(task);
    if (upres->def.erosion > 0)
        measure_depth(task);
    fill_ghosts(&upres->cells, upres->smoke);
    fill_ghosts(&upres->cells, upres->reach);
    for (int n = 0; n < upres->scalar_count; n++)
        fill_ghosts(&upres->cells, upres->scalars[n]);
    for (int field = 0; field < TEXTURE_FIELDS && upres->textures[0] != NULL; field++) {
        if (field == TEXTURES)
            team_run(upres->threads, stretch_planes, task);
        fill_ghosts(&upres->cells, upres->textures[field]);
    }
}
