/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "lanes.h"
#include "loops.h"
#include "packing.h"
#include "prefetch.h"

#include <billow/billow.h>

/* One row of a plane, its neighbours found. */
typedef struct Row {
    float *x;
    const float *left, *right, *south, *north, *below, *above, *rhs;
    const float *diagonal, *inverse, *low_x, *high_x;
    float low_y, high_y, low_z, high_z;
    int first, count; /* cells i = 2m + first */
} Row;

static inline Row row_of(const StencilPlane *p, int j)
{
    int first = (p->parity + j) & 1;
    ptrdiff_t at = j * p->stride;
    ptrdiff_t table = (stencil_place(j, p->ny) * 2 + first) * p->stride;
    return (Row){
        .x = p->x + at,
        .left = p->other + at - 1 + first,
        .right = p->other + at + first,
        .south = p->other + at - p->stride,
        .north = p->other + at + p->stride,
        .below = p->below + at,
        .above = p->above + at,
        .rhs = p->rhs + at,
        .diagonal = p->diagonal + table,
        .inverse = p->inverse + table,
        .low_x = p->low_x[first],
        .high_x = p->high_x[first],
        .low_y = p->low_y[j],
        .high_y = p->high_y[j],
        .low_z = p->low_z,
        .high_z = p->high_z,
        .first = first,
        .count = (p->nx - first + 1) / 2,
    };
}

/* What a pass over plane k meets for the first time. Worth 10 to 20 % of a solve; asking for x as
 * well costs more than it brings. */
PREFETCHING void prefetch_rows(const StencilPlane *p, int j)
{
    enum { AHEAD = 8 };
    ptrdiff_t at = (j + AHEAD) * p->stride;
    prefetch_row(p->above + at, p->nx / 2);
    prefetch_row(p->rhs + at, p->nx / 2);
}

/* Whether a row is coupled unevenly is known where these are called from: one loop for each kind.
 */
static inline float sum_around(const Row *r, bool coupled, int m)
{
    if (!coupled)
        return (r->left[m] + r->right[m]) + (r->south[m] + r->north[m]) +
               (r->below[m] + r->above[m]);
    return (r->low_x[m] * r->left[m] + r->high_x[m] * r->right[m]) +
           (r->low_y * r->south[m] + r->high_y * r->north[m]) +
           (r->low_z * r->below[m] + r->high_z * r->above[m]);
}

static inline void relax_row(Row r, bool coupled, float weight, float omega)
{
    float *restrict x = r.x;
    INDEPENDENT
    for (int m = 0; m < r.count; m++)
        x[m] += omega * ((r.rhs[m] + weight * sum_around(&r, coupled, m)) * r.inverse[m] - x[m]);
}

/* omega 1: the old value is not asked for. */
static inline void replace_coupled(Row r, float weight)
{
    float *restrict x = r.x;
    INDEPENDENT
    for (int m = 0; m < r.count; m++)
        x[m] = (r.rhs[m] + weight * sum_around(&r, true, m)) * r.inverse[m];
}

static inline Lanes replaced(const Row *r, float weight, int m, Lanes left, Lanes right)
{
    Lanes sum = (left + right) + (lanes_load(r->south + m) + lanes_load(r->north + m)) +
                (lanes_load(r->below + m) + lanes_load(r->above + m));
    return (lanes_load(r->rhs + m) + weight * sum) * lanes_load(r->inverse + m);
}

/* The block at m; `last`, `here` and `next` are parts of the row that holds both its neighbours
 * along x. */
static inline Lanes replaced_block(const Row *r, bool first, float weight, int m, Lanes last,
                                   Lanes here, Lanes next)
{
    return first ? replaced(r, weight, m, here, lanes_after(r->left + m, here, next))
                 : replaced(r, weight, m, lanes_before(r->right + m, last, here), here);
}

static inline void replace_shifted(const Row *r, bool first, float weight)
{
    const float *beside = first ? r->left : r->right;
    Lanes last = lanes_all(beside[-1]), here = lanes_load(beside), next;
    int m = 0;
    for (; m + LANES_WIDTH <= r->count; m += LANES_WIDTH, last = here, here = next) {
        next = lanes_load(beside + m + LANES_WIDTH);
        lanes_store(r->x + m, replaced_block(r, first, weight, m, last, here, next));
    }
    if (m < r->count) {
        next = lanes_load(beside + m + LANES_WIDTH);
        lanes_store_wanted(r->x + m, replaced_block(r, first, weight, m, last, here, next),
                           r->count - m);
    }
}

/* The same with couplings of 1, where nearly all time goes. */
static inline void replace_row(Row r, float weight)
{
    if (r.first)
        replace_shifted(&r, true, weight);
    else
        replace_shifted(&r, false, weight);
}

static void replace_plane(const StencilPlane *plane)
{
    const StencilPlane p = *plane; /* stores cannot touch a copy: it stays in registers */
    for (int j = 0; j < p.ny; j++) {
        prefetch_rows(&p, j);
        replace_row(row_of(&p, j), p.weight);
    }
}

/* One loop for each kind, so that each keeps only its own pointers at hand. */
static void relax(const StencilPlane *plane, float omega)
{
    const StencilPlane p = *plane;
    if (p.uniform && omega == 1.0f)
        replace_plane(plane);
    else if (p.uniform)
        for (int j = 0; j < p.ny; j++) {
            prefetch_rows(&p, j);
            relax_row(row_of(&p, j), false, p.weight, omega);
        }
    else if (omega == 1.0f)
        for (int j = 0; j < p.ny; j++)
            replace_coupled(row_of(&p, j), p.weight);
    else
        for (int j = 0; j < p.ny; j++)
            relax_row(row_of(&p, j), true, p.weight, omega);
}

/* The lower plane's row j-1 needs of the upper one row j-1 alone, and the upper one's row j is the
 * last to need the lower one's: so both colours meet in the innermost cache. */
static void relax_woven(const StencilPlane *upper, const StencilPlane *lower)
{
    const StencilPlane u = *upper, l = *lower;
    prefetch_rows(&u, 0);
    replace_row(row_of(&u, 0), u.weight);
    for (int j = 1; j < u.ny; j++) {
        prefetch_rows(&u, j);
        replace_row(row_of(&u, j), u.weight);
        replace_row(row_of(&l, j - 1), l.weight);
    }
    replace_row(row_of(&l, l.ny - 1), l.weight);
}

static void relax_alone(const StencilPlane *plane)
{
    for (int j = 0; j < plane->ny; j++) {
        Row r = row_of(plane, j);
        float *restrict x = r.x;
        for (int m = 0; m < r.count; m++)
            x[m] = r.rhs[m] * r.inverse[m];
    }
}

/* r = rhs - A x at one element. */
static inline float residual_at(const Row *r, bool coupled, float weight, int m)
{
    return (r->rhs[m] + weight * sum_around(r, coupled, m)) - r->diagonal[m] * r->x[m];
}

/* A x at one element. Where couplings are all 1 but lead to ghosts, 0 times a ghost is the same. */
static inline float applied(const Row *r, float weight, int m)
{
    return r->diagonal[m] * r->x[m] - weight * sum_around(r, true, m);
}

static void residual_part(Row r, bool uniform, float weight, int begin, int count,
                          float *restrict out)
{
    if (uniform)
        for (int m = begin; m < begin + count; m++)
            out[m - begin] = residual_at(&r, false, weight, m);
    else
        for (int m = begin; m < begin + count; m++)
            out[m - begin] = residual_at(&r, true, weight, m);
}

static double dot(const float *a, const float *b, int n)
{
    double lanes[LANES] = {0};
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (int i = whole; i < n; i++)
        lanes[i - whole] += (double)a[i] * (double)b[i];
    return add_lanes(lanes);
}

#define CHUNK 256

static double residual(const StencilPlane *plane)
{
    double squares = 0;
    for (int j = 0; j < plane->ny; j++) {
        Row row = row_of(plane, j);
        for (int begin = 0; begin < row.count; begin += CHUNK) {
            float r[CHUNK];
            int count = row.count - begin < CHUNK ? row.count - begin : CHUNK;
            residual_part(row, plane->uniform, plane->weight, begin, count, r);
            squares += dot(r, r, count);
        }
    }
    return squares;
}

static double product(const StencilPlane *plane, const float *y)
{
    double sum = 0;
    for (int j = 0; j < plane->ny; j++) {
        Row row = row_of(plane, j);
        for (int begin = 0; begin < row.count; begin += CHUNK) {
            float ax[CHUNK];
            int count = row.count - begin < CHUNK ? row.count - begin : CHUNK;
            for (int c = 0; c < count; c++)
                ax[c] = applied(&row, plane->weight, begin + c);
            sum += dot(y + j * plane->stride + begin, ax, count);
        }
    }
    return sum;
}

static void subtract_product(const StencilPlane *plane, float alpha, float *rhs)
{
    for (int j = 0; j < plane->ny; j++) {
        Row row = row_of(plane, j);
        float *restrict out = rhs + j * plane->stride;
        for (int m = 0; m < row.count; m++)
            out[m] -= alpha * applied(&row, plane->weight, m);
    }
}

/* Of the four rows, the first and the last begin with an even cell, the others with an odd one. */
static inline float gathered(const float r[4], const float *weight, float even, float odd)
{
    return even * (weight[0] * r[0] + weight[3] * r[3]) +
           odd * (weight[1] * r[1] + weight[2] * r[2]);
}

static void gather(const StencilPlane planes[2], int j, const TransferX *x, const float weight[4],
                   float *restrict coarse)
{
    int beside = j + 1 < planes[0].ny ? j + 1 : j; /* of weight 0 where there is none */
    const Row a = row_of(&planes[0], j), b = row_of(&planes[0], beside);
    const Row c = row_of(&planes[1], j), d = row_of(&planes[1], beside);
    const float w = planes[0].weight;
    const float *even = x->share[0], *odd = x->share[1];
    int pairs = planes[0].nx / 2;
    if (planes[0].uniform)
        for (int m = 0; m < pairs; m++) {
            const float r[4] = {residual_at(&a, false, w, m), residual_at(&b, false, w, m),
                                residual_at(&c, false, w, m), residual_at(&d, false, w, m)};
            coarse[m] = gathered(r, weight, even[m], odd[m]);
        }
    else
        for (int m = 0; m < pairs; m++) {
            const float r[4] = {residual_at(&a, true, w, m), residual_at(&b, true, w, m),
                                residual_at(&c, true, w, m), residual_at(&d, true, w, m)};
            coarse[m] = gathered(r, weight, even[m], odd[m]);
        }
    if (planes[0].nx & 1) {
        const float r[4] = {residual_at(&a, true, w, pairs), 0, 0,
                            weight[3] != 0.0f ? residual_at(&d, true, w, pairs) : 0};
        coarse[pairs] = gathered(r, weight, even[pairs], 0);
    }
}

static void spread(const TransferX *x, const float *const coarse[4], const float weight[4], int n,
                   float *restrict even, float *restrict odd)
{
    _Alignas(64) float memory[BILLOW_GRID_MAX / 2 + 2 * LANES];
    float *restrict t = memory + LANES;
    const float *a = coarse[0], *b = coarse[1], *c = coarse[2], *d = coarse[3];
    float wa = weight[0], wb = weight[1], wc = weight[2], wd = weight[3];
    int evens = (n + 1) / 2, odds = n / 2;
    for (int m = 0; m < evens; m++)
        t[m] = (wa * a[m] + wb * b[m]) + (wc * c[m] + wd * d[m]);
    t[-1] = t[evens] = 0; /* far is 0 there */
    for (int m = 0; m < evens; m++)
        even[m] += x->near[0][m] * t[m] + x->far[0][m] * t[m - 1];
    for (int m = 0; m < odds; m++)
        odd[m] += x->near[1][m] * t[m] + x->far[1][m] * t[m + 1];
}

static void add(const float *a, float factor, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] += factor * a[i];
}

static void scale(float factor, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] *= factor;
}

const RelaxKernels KERNELS(relax) = {
    .pack = pack,
    .unpack = unpack,
    .relax = relax,
    .relax_woven = relax_woven,
    .relax_alone = relax_alone,
    .residual = residual,
    .product = product,
    .subtract_product = subtract_product,
    .dot = dot,
    .add = add,
    .gather = gather,
    .spread = spread,
    .scale = scale,
};
