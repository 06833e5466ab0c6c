/* SPDX-License-Identifier: MIT */
#include "render/light/bricks.h"
#include "base/fail.h"
#include "render/light/light_volume.h"
#include "render/view_spans.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bricks_destroy(Bricks *bricks)
{
    free(bricks->density); /* the temperatures are a slice of this allocation */
    free(bricks->rows);
    *bricks = (Bricks){0};
}

static bool resize(Bricks *bricks, const int cells[3], BillowError *error)
{
    int n[3];
    for (int a = 0; a < 3; a++)
        n[a] = (cells[a] + BRICKS_EDGE - 1) / BRICKS_EDGE;
    if (bricks->density != NULL && memcmp(n, bricks->n, sizeof n) == 0)
        return true;
    free(bricks->density);
    free(bricks->rows);
    size_t count = cells_count(n);
    bricks->density = malloc(2 * count * sizeof *bricks->density);
    bricks->rows = malloc((size_t)n[0] * (size_t)n[2] * BRICKS_EDGE * sizeof *bricks->rows);
    if (bricks->density == NULL || bricks->rows == NULL) {
        bricks_destroy(bricks);
        return fail(error, "picture: no memory for the occupancy of %dx%dx%d cells", cells[0],
                    cells[1], cells[2]);
    }
    bricks->temperature = bricks->density + count;
    memcpy(bricks->n, n, sizeof n);
    return true;
}

/* First cell, and one past the last cell, that a brick's maximum covers along an axis. */
static void brick_range(const Bricks *bricks, int brick, int cells, int *first, int *last)
{
    *first = brick > 0 ? brick * BRICKS_EDGE - 1 - bricks->margin : 0;
    *last = (brick + 1) * BRICKS_EDGE + 1 + bricks->margin;
    *last = *last < cells ? *last : cells;
}

/* row[i] = largest value of cells (i, j, k) over the j and k that a row of bricks covers. Each
 * layer bk has a row of its own, so that threads do not share it. */
static const float *column_maxima(const Bricks *bricks, const float *field, const BillowView *view,
                                  int bj, int bk)
{
    int j0, j1, k0, k1;
    float *row = bricks->rows + (ptrdiff_t)bricks->n[0] * BRICKS_EDGE * bk;
    brick_range(bricks, bj, view->ny, &j0, &j1);
    brick_range(bricks, bk, view->nz, &k0, &k1);
    int nx = view->nx;
    memset(row, 0, (size_t)nx * sizeof *row);
    for (int k = k0; k < k1; k++)
        for (int j = j0; j < j1; j++) {
            const float *cells = field + j * view->stride_y + k * view->stride_z;
            const BillowSpan span = view_span(view, j, k);
            for (int i = span.begin; i < span.end; i++)
                row[i] = cells[i] > row[i] ? cells[i] : row[i];
        }
    return row;
}

static float span_maximum(const Bricks *bricks, const float *row, int brick, int cells)
{
    int first, last;
    brick_range(bricks, brick, cells, &first, &last);
    float most = 0;
    for (int i = first; i < last; i++)
        most = row[i] > most ? row[i] : most;
    return most;
}

/* Finds the largest temperature of each brick of a layer that contains smoke. Most boxes have few.
 * Returns the largest of the layer. */
static float find_temperatures(const Bricks *bricks, const BillowView *view, int k)
{
    const ptrdiff_t layer = (ptrdiff_t)bricks->n[0] * bricks->n[1] * k;
    const float *density = bricks->density + layer;
    float *temperature = bricks->temperature + layer, most = 0;
    for (int j = 0; j < bricks->n[1]; j++, density += bricks->n[0], temperature += bricks->n[0]) {
        const float *row = NULL;
        for (int i = 0; i < bricks->n[0]; i++) {
            if (!(density[i] > 0))
                continue;
            if (row == NULL)
                row = column_maxima(bricks, view->temperature, view, j, k);
            temperature[i] = span_maximum(bricks, row, i, view->nx);
            most = temperature[i] > most ? temperature[i] : most;
        }
    }
    return most;
}

/* For each brick of layer k: adds factor * max(0, the field's largest value in the brick) to its
 * density. */
static void add_layer(Bricks *bricks, const float *field, const BillowView *view, float factor,
                      int k)
{
    float *out = bricks->density + (ptrdiff_t)bricks->n[0] * bricks->n[1] * k;
    for (int j = 0; j < bricks->n[1]; j++) {
        const float *row = column_maxima(bricks, field, view, j, k);
        for (int i = 0; i < bricks->n[0]; i++)
            *out++ += factor * span_maximum(bricks, row, i, view->nx);
    }
}

bool bricks_build(Bricks *bricks, const BillowView *view, float flame, BillowError *error)
{
    if (!resize(bricks, (const int[3]){view->nx, view->ny, view->nz}, error))
        return false;
    size_t plane = (size_t)bricks->n[0] * (size_t)bricks->n[1],
           count = plane * (size_t)bricks->n[2];
    int layers[2];
    slab_layers(bricks->slab, bricks->n[2], BRICKS_EDGE, layers);
    memset(bricks->density, 0, 2 * count * sizeof *bricks->density);
#pragma omp parallel for schedule(static)
    for (int k = layers[0]; k < layers[1]; k++) {
        add_layer(bricks, view->density, view, 1, k);
        /* The sum of the largest flame and the largest density is an upper bound of their sum. */
        if (view->flame != NULL && flame > 0)
            add_layer(bricks, view->flame, view, flame, k);
    }
    float hottest = 0;
#pragma omp parallel for schedule(static) reduction(max : hottest)
    for (int k = layers[0]; k < layers[1]; k++)
        if (view->temperature != NULL)
            hottest = fmaxf(hottest, find_temperatures(bricks, view, k));
    bricks->temperature_max = hottest;
    return true;
}

float bricks_temperature(const Bricks *bricks, const int low[3], const int high[3])
{
    float most = 0;
    for (int k = low[2] / BRICKS_EDGE; k <= (high[2] - 1) / BRICKS_EDGE; k++)
        for (int j = low[1] / BRICKS_EDGE; j <= (high[1] - 1) / BRICKS_EDGE; j++)
            for (int i = low[0] / BRICKS_EDGE; i <= (high[0] - 1) / BRICKS_EDGE; i++)
                most = fmaxf(most, bricks->temperature[cells_index(bricks->n, i, j, k)]);
    return most;
}

void bricks_share(Bricks *bricks)
{
    const size_t layer = (size_t)bricks->n[0] * (size_t)bricks->n[1] * sizeof *bricks->density;
    slab_share(bricks->slab, bricks->density, bricks->n[2], BRICKS_EDGE, layer);
    slab_share(bricks->slab, bricks->temperature, bricks->n[2], BRICKS_EDGE, layer);
    bricks->temperature_max = slab_most(bricks->slab, bricks->temperature_max);
}

float bricks_negligible(const int cells[3], float cell_size, float extinction)
{
    const float depth = 1.0f / 2048.0f;
    float squares = 0;
    for (int a = 0; a < 3; a++)
        squares += (float)cells[a] * (float)cells[a];
    return depth / (extinction * cell_size * sqrtf(squares));
}

bool bricks_bounds(const Bricks *bricks, float threshold, const int cells[3], float low[3],
                   float high[3])
{
    int least[3] = {bricks->n[0], bricks->n[1], bricks->n[2]};
    int most[3] = {-1, -1, -1};
    const float *value = bricks->density;
    for (int k = 0; k < bricks->n[2]; k++)
        for (int j = 0; j < bricks->n[1]; j++)
            for (int i = 0; i < bricks->n[0]; i++) {
                if (*value++ <= threshold)
                    continue;
                const int at[3] = {i, j, k};
                for (int a = 0; a < 3; a++) {
                    least[a] = at[a] < least[a] ? at[a] : least[a];
                    most[a] = at[a] > most[a] ? at[a] : most[a];
                }
            }
    if (most[0] < 0)
        return false;
    for (int a = 0; a < 3; a++) {
        int end = (most[a] + 1) * BRICKS_EDGE;
        low[a] = (float)(least[a] * BRICKS_EDGE);
        high[a] = (float)(end < cells[a] ? end : cells[a]);
    }
    return true;
}

/* -- smoke that moves -------------------------------------------------------------------------- */

enum { BLOCK = 2 }; /* cells along the edge of a block */

/* A box of bricks, blocks or coarse cells, from `low` up to but not including `high`. */
typedef struct Span {
    int low[3], high[3];
} Span;

static int clamped(float at, int least, int most)
{
    return at > (float)least ? at < (float)most ? (int)at : most : least;
}

static void place_of(const int n[3], int index, int place[3])
{
    place[0] = index % n[0];
    place[1] = index / n[0] % n[1];
    place[2] = index / n[0] / n[1];
}

/* Widens a range by another one, whose least and largest values are `step` apart. */
static void join(float range[6], const float *low, const float *high, int step)
{
    for (int axis = 0; axis < 3; axis++) {
        range[2 * axis] = fminf(range[2 * axis], low[axis * step]);
        range[2 * axis + 1] = fmaxf(range[2 * axis + 1], high[axis * step]);
    }
}

/* Range of the velocities that trilinear interpolation between coarse cells uses in a brick and a
 * cell around it, because samples next to each other share a displacement. */
static void find_range(const int brick[3], const int cells[3], const int n[3],
                       const float *velocities, float range[6])
{
    Span span;
    for (int axis = 0; axis < 3; axis++) {
        float share = (float)n[axis] / (float)cells[axis];
        float first = share * (float)(brick[axis] * BRICKS_EDGE - 1) - 0.5f;
        float last = share * (float)((brick[axis] + 1) * BRICKS_EDGE + 1) - 0.5f;
        span.low[axis] = clamped(floorf(first), 0, n[axis] - 1);
        span.high[axis] = clamped(ceilf(last), 0, n[axis] - 1) + 1;
        range[2 * axis] = INFINITY;
        range[2 * axis + 1] = -INFINITY;
    }
    for (int k = span.low[2]; k < span.high[2]; k++)
        for (int j = span.low[1]; j < span.high[1]; j++)
            for (int i = span.low[0]; i < span.high[0]; i++) {
                const float *cell = velocities + 3 * cells_index(n, i, j, k);
                join(range, cell, cell, 1);
            }
}

/* Largest value of a field, or 0, in a block. */
static float block_maximum(const BillowView *view, const float *field, const int block[3])
{
    float most = 0;
    for (int k = BLOCK * block[2]; k < BLOCK * (block[2] + 1) && k < view->nz; k++)
        for (int j = BLOCK * block[1]; j < BLOCK * (block[1] + 1) && j < view->ny; j++)
            for (int i = BLOCK * block[0]; i < BLOCK * (block[0] + 1) && i < view->nx; i++)
                most = fmaxf(most, field[i + j * view->stride_y + k * view->stride_z]);
    return most;
}

bool brick_motion_build(BrickMotion *motion, const Bricks *bricks, const BillowView *view,
                        float flame, const int n[3], const float *velocities, BillowError *error)
{
    const int cells[3] = {view->nx, view->ny, view->nz};
    brick_motion_destroy(motion);
    for (int axis = 0; axis < 3; axis++) {
        motion->n[axis] = bricks->n[axis];
        motion->blocks[axis] = (cells[axis] + BLOCK - 1) / BLOCK;
    }
    const int count = (int)cells_count(motion->n), blocks = (int)cells_count(motion->blocks);
    motion->range = malloc(6 * (size_t)count * sizeof *motion->range);
    motion->density = malloc((size_t)blocks * sizeof *motion->density);
    if (motion->range == NULL || motion->density == NULL) {
        brick_motion_destroy(motion);
        return fail(error, "picture: no memory for the motion of %dx%dx%d cells", cells[0],
                    cells[1], cells[2]);
    }
#pragma omp parallel for schedule(static)
    for (int b = 0; b < count; b++) {
        int brick[3];
        place_of(motion->n, b, brick);
        find_range(brick, cells, n, velocities, motion->range + 6 * (ptrdiff_t)b);
    }
#pragma omp parallel for schedule(static)
    for (int b = 0; b < blocks; b++) {
        int block[3];
        place_of(motion->blocks, b, block);
        motion->density[b] = block_maximum(view, view->density, block);
        if (view->flame != NULL && flame > 0)
            motion->density[b] += flame * block_maximum(view, view->flame, block);
    }
    return true;
}

void brick_motion_destroy(BrickMotion *motion)
{
    free(motion->range);
    free(motion->density);
    *motion = (BrickMotion){.range = NULL};
}

/* Blocks or bricks, of `edge` cells, from which smoke comes to a brick if it moves by scale times a
 * velocity of the range. margin: cells around the brick that interpolation uses. */
static Span origins(const int n[3], int edge, const int brick[3], int margin, const float range[6],
                    float scale)
{
    Span span;
    for (int axis = 0; axis < 3; axis++) {
        float a = scale * range[2 * axis], b = scale * range[2 * axis + 1];
        float first = (float)(brick[axis] * BRICKS_EDGE - margin) - fmaxf(a, b);
        float last = (float)((brick[axis] + 1) * BRICKS_EDGE - 1 + margin) - fminf(a, b);
        span.low[axis] = clamped(floorf(first / (float)edge), 0, n[axis] - 1);
        span.high[axis] = clamped(floorf(ceilf(last) / (float)edge), 0, n[axis] - 1) + 1;
    }
    return span;
}

/* Bound of the smoke that comes to a brick. */
static float bound_at(const BrickMotion *motion, const Bricks *bricks, const int brick[3],
                      float scale)
{
    float range[6], most = 0;
    const float *own = motion->range + 6 * cells_index(motion->n, brick[0], brick[1], brick[2]);
    memcpy(range, own, sizeof range);
    /* The midpoint rule reads the velocity half of the way back. */
    Span half = origins(motion->n, BRICKS_EDGE, brick, 0, own, 0.5f * scale);
    for (int k = half.low[2]; k < half.high[2]; k++)
        for (int j = half.low[1]; j < half.high[1]; j++)
            for (int i = half.low[0]; i < half.high[0]; i++) {
                const float *other = motion->range + 6 * cells_index(motion->n, i, j, k);
                join(range, other, other + 1, 2);
            }
    Span from = origins(motion->blocks, BLOCK, brick, 1 + bricks->margin, range, scale);
    for (int k = from.low[2]; k < from.high[2]; k++)
        for (int j = from.low[1]; j < from.high[1]; j++)
            for (int i = from.low[0]; i < from.high[0]; i++)
                most = fmaxf(most, motion->density[cells_index(motion->blocks, i, j, k)]);
    return most;
}

void brick_motion_bounds(const BrickMotion *motion, const Bricks *bricks, float scale, float *out)
{
    const int count = (int)cells_count(motion->n);
#pragma omp parallel for schedule(static)
    for (int b = 0; b < count; b++) {
        int brick[3];
        place_of(motion->n, b, brick);
        out[b] = bound_at(motion, bricks, brick, scale);
    }
}
