/* SPDX-License-Identifier: MIT
 *
 * What an up-resolution needs of each cell: the sharpened density, and how far and by which noise
 * the smoke is displaced. The noise itself. */
#include "sim/upres/upres_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Age of the folds, s: strain needs about this time to displace smoke by `turbulence`. */
#define FOLD_SECONDS 0.5f

/* -- passes ------------------------------------------------------------------------------------ */

typedef struct Passing {
    const Task *task;
    Slab planes;
    int rows;
    RowPass *pass;
} Passing;

static void pass_planes(void *context, Team team)
{
    const Passing *passing = context;
    const Slab slab = upres_slab(team, passing->planes);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < passing->rows; j++)
            passing->pass(passing->task, j, k);
}

void upres_rows(const Task *task, Slab planes, int rows, RowPass *pass)
{
    team_run(task->upres->threads, pass_planes, &(Passing){task, planes, rows, pass});
}

/* Runs a pass on all rows of cells that have values. */
static void pass_cells(const Task *task, RowPass *pass)
{
    const Lattice *cells = &task->upres->cells;
    upres_rows(task, cells->planes, cells->n[1], pass);
}

/* Where row (j, k) of cells begins in a field. */
static ptrdiff_t row_at(const Lattice *cells, int j, int k)
{
    return j * cells->strides[1] + k * cells->strides[2];
}

/* -- fields of cells --------------------------------------------------------------------------- */

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

/* Velocity at the centre of a cell of the wind, m/s. at: offset of the cell in the view. */
static float centre_velocity(const BillowView *wind, int axis, ptrdiff_t at)
{
    const float *faces[3] = {wind->u, wind->v, wind->w};
    const ptrdiff_t next[3] = {1, wind->stride_y, wind->stride_z};
    return 0.5f * (faces[axis][at] + faces[axis][at + next[axis]]);
}

/* Magnitude of the strain rate in a cell of the wind, sqrt(2 Sij Sij), 1/s; at the faces of the
 * box, of the cell inside. */
static float strain_rate(const BillowView *wind, const int cell[3])
{
    const ptrdiff_t strides[3] = {1, wind->stride_y, wind->stride_z};
    const int n[3] = {wind->nx, wind->ny, wind->nz};
    ptrdiff_t at = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (n[axis] < 3)
            return 0;
        at += least(most(cell[axis], 1), n[axis] - 2) * strides[axis];
    }
    float slopes[3][3], sum = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            slopes[a][b] = centre_velocity(wind, a, at + strides[b]) -
                           centre_velocity(wind, a, at - strides[b]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            float s = 0.25f * (slopes[a][b] + slopes[b][a]) / wind->cell_size;
            sum += 2 * s * s;
        }
    return sqrtf(sum);
}

/* The cells of the wind around the centre of a cell of the view. */
typedef struct Winds {
    int cell[3];    /* the one at the low corner */
    int step[3];    /* from it to the next along each axis: 0 or 1 */
    float share[3]; /* of the way to the next */
} Winds;

static Winds winds_around(const BillowView *wind, int refine, const int cell[3])
{
    const int n[3] = {wind->nx, wind->ny, wind->nz};
    Winds winds = {.step = {0}};
    for (int axis = 0; axis < 3; axis++) {
        const int low = upres_cell_before(refine, cell[axis], &winds.share[axis]);
        winds.cell[axis] = most(low, 0);
        winds.step[axis] =
            winds.share[axis] > 0.0f ? least(low + 1, n[axis] - 1) - winds.cell[axis] : 0;
    }
    return winds;
}

/* Interpolates a field of the wind's cells. */
static float wind_value(const BillowView *wind, const Winds *winds, const float *field)
{
    const ptrdiff_t strides[3] = {1, wind->stride_y, wind->stride_z};
    ptrdiff_t at = 0, step[3];
    for (int axis = 0; axis < 3; axis++) {
        at += winds->cell[axis] * strides[axis];
        step[axis] = winds->step[axis] * strides[axis];
    }
    return upres_between(field + at, step, winds->share);
}

/* The strain rate, interpolated. */
static float strain_at(const BillowView *wind, const Winds *winds)
{
    const ptrdiff_t step[3] = {winds->step[0], 2 * winds->step[1], 4 * winds->step[2]};
    float corners[8];
    for (int c = 0; c < 8; c++) {
        const int side[3] = {c & 1, c >> 1 & 1, c >> 2};
        int cell[3];
        bool used = true;
        for (int axis = 0; axis < 3; axis++) {
            used = used && side[axis] <= winds->step[axis];
            cell[axis] = winds->cell[axis] + side[axis];
        }
        corners[c] = used ? strain_rate(wind, cell) : 0;
    }
    return upres_between(corners, step, winds->share);
}

/* Copies the fields, and estimates how far eddies too small for the grid have displaced the smoke:
 * their speed, 0.24 times cell size times strain rate along each axis (Yoshizawa 1986), over the
 * age of a fold, but no further than a cell, about which they turn. */
static void copy_row(const Task *task, int j, int k)
{
    const BillowUpres *upres = task->upres;
    const BillowView *view = task->view, wind = billow_wind_view(view);
    const size_t bytes = (size_t)view->nx * sizeof(float);
    const int refine = view->nx / wind.nx;
    ptrdiff_t from = j * view->stride_y + k * view->stride_z, to = row_at(&upres->cells, j, k);
    const unsigned char *busy =
        upres->busy + upres->bricks[0] * (j / BRICK + upres->bricks[1] * (k / BRICK));
    ViewScalar scalars[VIEW_SCALARS_MAX];
    scalars_of_view(view, scalars);
    for (int n = 0; n < upres->scalar_count; n++)
        memcpy(upres->scalars[n] + to, *scalars[n].values + from, bytes);
    for (int i = 0; i < view->nx; i++) {
        const Winds winds = winds_around(&wind, refine, (const int[3]){i, j, k});
        float rate = view->u != NULL && busy[i / BRICK] ? strain_at(&wind, &winds) : 0;
        float turns = 0.24f * FOLD_SECONDS * rate;
        upres->smoke[to + i] = fmaxf(view->density[from + i], 0);
        upres->reach[to + i] = upres->def.turbulence * turns / (0.25f + turns);
        for (int field = 0; field < TEXTURES && upres->textures[0] != NULL; field++)
            upres->textures[field][to + i] =
                -wind_value(&wind, &winds, view->texture[field / 3][field % 3]) / view->cell_size;
    }
}

/* Value of a field of cells a given way from a cell, linearly interpolated. way: up to a cell along
 * each axis. */
static float smoke_beside(const Lattice *lattice, const float *cell, const float way[3])
{
    float share[3];
    ptrdiff_t step[3];
    for (int axis = 0; axis < 3; axis++) {
        step[axis] = way[axis] < 0 ? -lattice->strides[axis] : lattice->strides[axis];
        share[axis] = fabsf(way[axis]);
    }
    return upres_between(cell, step, share);
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

static void sharpen_row(const Task *task, int j, int k)
{
    const Lattice *cells = &task->upres->cells;
    ptrdiff_t at = row_at(cells, j, k);
    for (int i = 0; i < cells->n[0]; i++)
        task->upres->sharper[at + i] = sharpened(cells, task->upres->smoke + at + i);
}

/* The largest, or the weighted mean with weights 1, 2, 1, of a cell and its neighbours along an
 * axis. */
static void filter_row(const Task *task, int j, int k)
{
    const Lattice *cells = &task->upres->cells;
    const ptrdiff_t step = cells->strides[task->axis], row = row_at(cells, j, k);
    const float *from = task->from + row;
    float *to = task->to + row;
    for (int i = 0; i < cells->n[0]; i++)
        to[i] = task->largest ? fmaxf(fmaxf(from[i - step], from[i + step]), from[i])
                              : 0.25f * (from[i - step] + from[i + step]) + 0.5f * from[i];
}

/* Filters `from` along the three axes. The result is in `to`; `spare` is overwritten. */
static void filter_field(Task *task, bool largest, float *from, float *spare, float *to)
{
    float *const order[4] = {from, to, spare, to};
    task->largest = largest;
    for (task->axis = 0; task->axis < 3; task->axis++) {
        task->from = order[task->axis];
        task->to = order[task->axis + 1];
        fill_ghosts(&task->upres->cells, order[task->axis]);
        pass_cells(task, filter_row);
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

static void stretch_row(const Task *task, int j, int k)
{
    const Lattice *cells = &task->upres->cells;
    ptrdiff_t at = row_at(cells, j, k);
    for (int i = 0; i < cells->n[0]; i++)
        for (int set = 0; set < 2; set++)
            task->upres->textures[TEXTURES + set][at + i] = stretch(task->upres, set, at + i);
}

static void sum_row(const Task *task, int j, int k)
{
    const Lattice *cells = &task->upres->cells;
    upres_sum_row(task, task->upres->smoke + row_at(cells, j, k), cells->n[0], j, k);
}

double upres_sum(const BillowUpres *upres, int planes)
{
    const BillowExchange *exchange = &upres->exchange;
    if (exchange->ranks > 1)
        exchange->gather(exchange->context, upres->plane_sums, upres->offsets[planes]);
    return sum_planes(upres->plane_sums, planes == OF_FINE ? upres->fine[2] : upres->cells.n[2]);
}

static double sum_mass(const Task *task)
{
    upres_rows(task, task->upres->own, task->upres->cells.n[1], sum_row);
    return upres_sum(task->upres, OF_CELLS);
}

/* Sharpens the density, and returns the factor that gives it the mass of before. */
static float sharpen(Task *task)
{
    BillowUpres *upres = task->upres;
    double before = task->mass = sum_mass(task);
    for (int pass = 0; pass < upres->def.sharpening; pass++) {
        fill_ghosts(&upres->cells, upres->smoke);
        pass_cells(task, sharpen_row);
        float *sharper = upres->sharper;
        upres->sharper = upres->smoke;
        upres->smoke = sharper;
    }
    double after = sum_mass(task);
    return after > 0 ? (float)(before / after) : 1;
}

static void divide_row(const Task *task, int j, int k)
{
    const BillowUpres *upres = task->upres;
    ptrdiff_t at = row_at(&upres->cells, j, k), end = at + upres->cells.n[0];
    for (; at < end; at++)
        upres->depth[at] = upres->soft[at] / fmaxf(upres->depth[at], FAINT);
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
    pass_cells(task, divide_row);
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
    pass_cells(task, copy_row);
    task->scale = sharpen(task);
    if (upres->def.erosion > 0)
        measure_depth(task);
    fill_ghosts(&upres->cells, upres->smoke);
    fill_ghosts(&upres->cells, upres->reach);
    for (int n = 0; n < upres->scalar_count; n++)
        fill_ghosts(&upres->cells, upres->scalars[n]);
    for (int field = 0; field < TEXTURE_FIELDS && upres->textures[0] != NULL; field++) {
        if (field == TEXTURES)
            pass_cells(task, stretch_row);
        fill_ghosts(&upres->cells, upres->textures[field]);
    }
}

/* -- noise ------------------------------------------------------------------------------------- */

float upres_random(uint32_t x, uint32_t y, uint32_t z, uint32_t seed)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ z * 0xc2b2ae3du ^ seed * 0x27d4eb2fu;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    h ^= h >> 16;
    return (float)(h >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

/* Weights of a cubic B-spline at a place between the second and the third of four points. */
static void spline_weights(float t, float weight[4])
{
    float s = 1 - t;
    weight[0] = s * s * s / 6;
    weight[1] = (4 - 3 * t * t * (2 - t)) / 6;
    weight[2] = (4 - 3 * s * s * (2 - s)) / 6;
    weight[3] = t * t * t / 6;
}

/* Most lattice points of an octave along the tile's edge. */
enum { POINTS_MAX = 20 };

/* An octave: random values at lattice points, `points` along the tile's edge, which B-splines
 * interpolate. For each texel along an axis: the first of the four points, and their weights. */
typedef struct Octave {
    int points;
    float values[POINTS_MAX][POINTS_MAX][POINTS_MAX]; /* [z][y][x] */
    int low[TILE];
    float weight[TILE][4];
} Octave;

static void octave_start(Octave *octave, int points, uint32_t seed)
{
    octave->points = points;
    for (int z = 0; z < points; z++)
        for (int y = 0; y < points; y++)
            for (int x = 0; x < points; x++)
                octave->values[z][y][x] = upres_random((uint32_t)x, (uint32_t)y, (uint32_t)z, seed);
    for (int i = 0; i < TILE; i++) {
        float x = (float)(i * points) / TILE;
        octave->low[i] = (int)floorf(x) + points - 1;
        spline_weights(x - floorf(x), octave->weight[i]);
    }
}

static float octave_at(const Octave *octave, int x, int y, int z)
{
    const float *wx = octave->weight[x], *wy = octave->weight[y], *wz = octave->weight[z];
    const int n = octave->points;
    float sum = 0;
    int at[4];
    for (int i = 0; i < 4; i++)
        at[i] = (octave->low[x] + i) % n;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++) {
            const float *row = octave->values[(octave->low[z] + k) % n][(octave->low[y] + j) % n];
            for (int i = 0; i < 4; i++)
                sum += wx[i] * wy[j] * wz[k] * row[at[i]];
        }
    return sum;
}

static size_t texel(int i, int j, int k)
{
    const int mask = TILE - 1;
    return (size_t)(i & mask) + TILE * ((size_t)(j & mask) + TILE * (size_t)(k & mask));
}

/* A random vector potential of three octaves, of 3.2, 1.6 and 0.8 cells. An octave's displacement
 * is proportional to its size, so that folds look the same at all sizes. */
static void fill_potential(float *potential, Octave *octave)
{
    for (size_t n = 0; n < TILE_FLOATS; n++)
        potential[n] = 0;
    for (int axis = 0; axis < 3; axis++) {
        float size = 1;
        for (int o = 0; o < 3; o++, size *= 0.25f) {
            octave_start(octave, 5 << o, (uint32_t)(axis + 3 * o));
            for (int k = 0; k < TILE; k++)
                for (int j = 0; j < TILE; j++)
                    for (int i = 0; i < TILE; i++)
                        potential[TEXEL * texel(i, j, k) + (size_t)axis] +=
                            size * octave_at(octave, i, j, k);
        }
    }
}

/* Central difference of a component of the potential along an axis. */
static float slope(const float *potential, int i, int j, int k, int axis, int component)
{
    const int a = axis == 0, b = axis == 1, c = axis == 2;
    return potential[TEXEL * texel(i + a, j + b, k + c) + (size_t)component] -
           potential[TEXEL * texel(i - a, j - b, k - c) + (size_t)component];
}

/* The curl of the potential: it has no divergence, so that displaced smoke keeps its volume. */
bool upres_make_tile(float *tile)
{
    const size_t floats = TILE_FLOATS;
    float *potential = malloc(floats * sizeof(float));
    Octave *octave = malloc(sizeof *octave);
    if (potential == NULL || octave == NULL) {
        free(potential);
        free(octave);
        return false;
    }
    fill_potential(potential, octave);
    free(octave);
    double squares = 0;
    for (int k = 0; k < TILE; k++)
        for (int j = 0; j < TILE; j++)
            for (int i = 0; i < TILE; i++) {
                tile[TEXEL * texel(i, j, k) + 3] = 0;
                for (int a = 0; a < 3; a++) {
                    const int b = (a + 1) % 3, c = (a + 2) % 3;
                    float curl = slope(potential, i, j, k, b, c) - slope(potential, i, j, k, c, b);
                    tile[TEXEL * texel(i, j, k) + (size_t)a] = curl;
                    squares += (double)curl * (double)curl;
                }
            }
    float scale = (float)(1 / sqrt(squares / (3.0 * TILE * TILE * TILE)));
    for (size_t n = 0; n < floats; n++)
        tile[n] *= scale;
    free(potential);
    return true;
}

void upres_add_noise(const float *tile, const float place[3], float weight, float out[3])
{
    static const size_t steps[3] = {TEXEL, TEXEL * TILE, TEXEL * TILE * TILE};
    const int mask = TILE - 1;
    size_t at[3][2];
    float share[3][2], sum[TEXEL] = {0};
    for (int axis = 0; axis < 3; axis++) {
        const float x = place[axis] * ((float)TILE / TILE_CELLS);
        const int low = (int)x - (x < (float)(int)x); /* floorf is slow without SSE 4.1 */
        at[axis][0] = (size_t)(low & mask) * steps[axis];
        at[axis][1] = (size_t)((low + 1) & mask) * steps[axis];
        share[axis][1] = x - (float)low;
        share[axis][0] = 1 - share[axis][1];
    }
    for (int edge = 0; edge < 4; edge++) {
        const int j = edge & 1, k = edge >> 1;
        const float *row = tile + at[1][j] + at[2][k];
        const float *a = row + at[0][0], *b = row + at[0][1];
        const float across = weight * share[1][j] * share[2][k];
        for (int c = 0; c < TEXEL; c++)
            sum[c] += across * (share[0][0] * a[c] + share[0][1] * b[c]);
    }
    for (int c = 0; c < 3; c++)
        out[c] += sum[c];
}
