/* SPDX-License-Identifier: MIT */
#include "bricks.h"
#include "fail.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bricks_destroy(Bricks *bricks)
{
    free(bricks->density);
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
    int margin = bricks->margin;
    bricks_destroy(bricks);
    bricks->margin = margin;
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    bricks->density = malloc(count * sizeof *bricks->density);
    bricks->rows = malloc((size_t)n[0] * (size_t)n[2] * BRICKS_EDGE * sizeof *bricks->rows);
    if (bricks->density == NULL || bricks->rows == NULL) {
        bricks_destroy(bricks);
        return fail(error, "picture: no memory for the occupancy of %dx%dx%d cells", cells[0],
                    cells[1], cells[2]);
    }
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
            for (int i = 0; i < nx; i++)
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

/* Largest value of a field in those bricks of a layer that contain smoke. */
static float layer_maximum(const Bricks *bricks, const float *field, const BillowView *view, int k)
{
    const float *density = bricks->density + (ptrdiff_t)bricks->n[0] * bricks->n[1] * k;
    float most = 0;
    for (int j = 0; j < bricks->n[1]; j++, density += bricks->n[0]) {
        const float *row = NULL;
        for (int i = 0; i < bricks->n[0]; i++) {
            if (!(density[i] > 0))
                continue;
            if (row == NULL)
                row = column_maxima(bricks, field, view, j, k);
            float own = span_maximum(bricks, row, i, view->nx);
            most = own > most ? own : most;
        }
    }
    return most;
}

/* Finds the largest temperature of bricks with smoke. Most boxes have few such bricks. */
static void find_temperature(Bricks *bricks, const BillowView *view)
{
    bricks->temperature_max = 0;
    if (view->temperature == NULL)
        return;
    /* Each layer stores its result in the first element of its row, which is no longer needed. */
    ptrdiff_t pitch = (ptrdiff_t)bricks->n[0] * BRICKS_EDGE;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < bricks->n[2]; k++)
        bricks->rows[pitch * k] = layer_maximum(bricks, view->temperature, view, k);
    for (int k = 0; k < bricks->n[2]; k++)
        bricks->temperature_max = fmaxf(bricks->temperature_max, bricks->rows[pitch * k]);
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
    memset(bricks->density, 0, count * sizeof *bricks->density);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < bricks->n[2]; k++)
        add_layer(bricks, view->density, view, 1, k);
    bricks->density_max = 0;
    for (size_t i = 0; i < count; i++)
        bricks->density_max = fmaxf(bricks->density_max, bricks->density[i]);
        /* The sum of the largest flame and the largest density is an upper bound of their sum. */
#pragma omp parallel for schedule(static) if (view->flame != NULL && flame > 0)
    for (int k = 0; k < bricks->n[2]; k++)
        if (view->flame != NULL && flame > 0)
            add_layer(bricks, view->flame, view, flame, k);
    find_temperature(bricks, view);
    return true;
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
