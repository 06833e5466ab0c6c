/* SPDX-License-Identifier: MIT */
#include "bricks.h"
#include "fail.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bricks_destroy(Bricks *bricks)
{
    free(bricks->density);
    free(bricks->row);
    *bricks = (Bricks){0};
}

static bool resize(Bricks *bricks, const int cells[3], BillowError *error)
{
    int n[3];
    for (int a = 0; a < 3; a++)
        n[a] = (cells[a] + BRICKS_EDGE - 1) / BRICKS_EDGE;
    if (bricks->density != NULL && memcmp(n, bricks->n, sizeof n) == 0)
        return true;
    int more = bricks->reach;
    bricks_destroy(bricks);
    bricks->reach = more;
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    bricks->density = malloc(count * sizeof *bricks->density);
    bricks->row = malloc((size_t)n[0] * BRICKS_EDGE * sizeof *bricks->row);
    if (bricks->density == NULL || bricks->row == NULL) {
        bricks_destroy(bricks);
        return fail(error, "picture: no memory for the occupancy of %dx%dx%d cells", cells[0],
                    cells[1], cells[2]);
    }
    memcpy(bricks->n, n, sizeof n);
    return true;
}

/* First and one past last cell a brick looks at along an axis. */
static void reach(const Bricks *bricks, int brick, int cells, int *first, int *last)
{
    *first = brick > 0 ? brick * BRICKS_EDGE - 1 - bricks->reach : 0;
    *last = (brick + 1) * BRICKS_EDGE + 1 + bricks->reach;
    *last = *last < cells ? *last : cells;
}

/* row[i] = largest value of cells (i, j, k) over the j and k a row of bricks looks at. */
static void column_maxima(Bricks *bricks, const float *field, const BillowView *view, int bj,
                          int bk)
{
    int j0, j1, k0, k1;
    float *row = bricks->row;
    reach(bricks, bj, view->ny, &j0, &j1);
    reach(bricks, bk, view->nz, &k0, &k1);
    int nx = view->nx;
    memset(row, 0, (size_t)nx * sizeof *row);
    for (int k = k0; k < k1; k++)
        for (int j = j0; j < j1; j++) {
            const float *cells = field + j * view->stride_y + k * view->stride_z;
            for (int i = 0; i < nx; i++)
                row[i] = cells[i] > row[i] ? cells[i] : row[i];
        }
}

static float span_maximum(const Bricks *bricks, int brick, int cells)
{
    int first, last;
    const float *row = bricks->row;
    reach(bricks, brick, cells, &first, &last);
    float most = 0;
    for (int i = first; i < last; i++)
        most = row[i] > most ? row[i] : most;
    return most;
}

/* Only where there is something that can shine, which in most boxes is not much of them. */
static void find_temperature(Bricks *bricks, const BillowView *view)
{
    const float *density = bricks->density;
    bricks->temperature_max = 0;
    if (view->temperature == NULL)
        return;
    for (int k = 0; k < bricks->n[2]; k++)
        for (int j = 0; j < bricks->n[1]; j++, density += bricks->n[0]) {
            bool known = false;
            for (int i = 0; i < bricks->n[0]; i++) {
                if (!(density[i] > 0))
                    continue;
                if (!known)
                    column_maxima(bricks, view->temperature, view, j, k);
                known = true;
                bricks->temperature_max =
                    fmaxf(bricks->temperature_max, span_maximum(bricks, i, view->nx));
            }
        }
}

/* Adds the largest flames to the largest densities: their sums are no larger. */
static void add_flame(Bricks *bricks, const BillowView *view, float flame)
{
    float *out = bricks->density;
    for (int k = 0; k < bricks->n[2]; k++)
        for (int j = 0; j < bricks->n[1]; j++) {
            column_maxima(bricks, view->flame, view, j, k);
            for (int i = 0; i < bricks->n[0]; i++)
                *out++ += flame * span_maximum(bricks, i, view->nx);
        }
}

bool bricks_build(Bricks *bricks, const BillowView *view, float flame, BillowError *error)
{
    if (!resize(bricks, (const int[3]){view->nx, view->ny, view->nz}, error))
        return false;
    float *out = bricks->density;
    bricks->density_max = 0;
    for (int k = 0; k < bricks->n[2]; k++)
        for (int j = 0; j < bricks->n[1]; j++) {
            column_maxima(bricks, view->density, view, j, k);
            for (int i = 0; i < bricks->n[0]; i++) {
                float most = span_maximum(bricks, i, view->nx);
                bricks->density_max = most > bricks->density_max ? most : bricks->density_max;
                *out++ = most;
            }
        }
    if (view->flame != NULL && flame > 0)
        add_flame(bricks, view, flame);
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
