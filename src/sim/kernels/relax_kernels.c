/* SPDX-License-Identifier: MIT
 *
 * Kernels of the linear solvers: A x on the rows of a plane (level.h), relaxation, residuals, and
 * the transfer between fine and coarse grids. */
#include "sim/kernels/kernels.h"

#include "sim/kernels/lanes.h"
#include "sim/kernels/loops.h"

#include <billow/billow.h>

/* How the cells of a row are coupled. Callers pass it as a constant, so that the compiler makes a
 * separate loop for each kind. */
typedef enum Coupling {
    EVEN,   /* all 1 */
    UNEVEN, /* the cells have unequal widths */
    CUT     /* couplings are multiplied by face fractions */
} Coupling;

/* Calls a function with the kind as a constant, so that the compiler makes a loop for each kind. */
#define CALL_FOR_KIND(function, kind, ...)                                                         \
    ((kind) == EVEN     ? function(EVEN, __VA_ARGS__)                                              \
     : (kind) == UNEVEN ? function(UNEVEN, __VA_ARGS__)                                            \
                        : function(CUT, __VA_ARGS__))

/* The two neighbours along an axis, at one element. */
typedef struct Pair {
    float low, high;
} Pair;

/* A row of a plane with its neighbours. */
typedef struct Row {
    float *x;
    const float *left, *right, *south, *north, *below, *above, *rhs;
    const float *diagonal, *inverse, *low_x, *high_x;
    float low_y, high_y, low_z, high_z, base, weight;
    const float *open_left, *open_right, *open_south, *open_north, *open_below, *open_above;
    int first, count; /* cells i = 2m + first */
} Row;

/* Number of cells of this colour in row j. */
static inline int row_count(const StencilPlane *p, int j)
{
    int first = (p->parity + j) & 1;
    return (p->nx - first + 1) / 2;
}

static inline Row row_of(const StencilPlane *p, int j)
{
    int first = (p->parity + j) & 1;
    ptrdiff_t at = j * p->stride;
    ptrdiff_t table = (stencil_place(j, p->ny) * 2 + first) * p->coefficient_stride;
    return (Row){
        .x = p->x + at,
        .left = p->other + at - 1 + first,
        .right = p->other + at + first,
        .south = j > 0 ? p->other + at - p->stride : p->before,
        .north = j + 1 < p->ny ? p->other + at + p->stride : p->after,
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
        .base = p->base,
        .weight = p->weight,
        .first = first,
        .count = row_count(p, j),
    };
}

/* `row_of` for a row that solids cut. */
static inline Row cut_row_of(const StencilPlane *p, int j)
{
    Row row = row_of(p, j);
    ptrdiff_t at = j * p->stride;
    row.open_left = p->open[0] + at;
    row.open_right = p->open_beyond[0] + at + row.first;
    row.open_south = p->open[1] + at;
    row.open_north = p->open_beyond[1] + at + p->stride;
    row.open_below = p->open[2] + at;
    row.open_above = p->open_beyond[2] + at;
    return row;
}

static inline Coupling coupling_of(const StencilPlane *p, int j)
{
    return p->cut != NULL && p->cut[j] ? CUT : p->uniform ? EVEN : UNEVEN;
}

static inline Row row_coupled(const StencilPlane *p, int j, Coupling kind)
{
    return kind == CUT ? cut_row_of(p, j) : row_of(p, j);
}

static inline Pair along_x(const Row *r, Coupling kind, int m)
{
    Pair c = {r->low_x[m], r->high_x[m]};
    if (kind == CUT)
        c = (Pair){c.low * r->open_left[m], c.high * r->open_right[m]};
    return c;
}

static inline Pair along_y(const Row *r, Coupling kind, int m)
{
    Pair c = {r->low_y, r->high_y};
    if (kind == CUT)
        c = (Pair){c.low * r->open_south[m], c.high * r->open_north[m]};
    return c;
}

static inline Pair along_z(const Row *r, Coupling kind, int m)
{
    Pair c = {r->low_z, r->high_z};
    if (kind == CUT)
        c = (Pair){c.low * r->open_below[m], c.high * r->open_above[m]};
    return c;
}

static inline float sum_around(const Row *r, Coupling kind, int m)
{
    if (kind == EVEN)
        return (r->left[m] + r->right[m]) + (r->south[m] + r->north[m]) +
               (r->below[m] + r->above[m]);
    Pair x = along_x(r, kind, m), y = along_y(r, kind, m), z = along_z(r, kind, m);
    return (x.low * r->left[m] + x.high * r->right[m]) +
           (y.low * r->south[m] + y.high * r->north[m]) +
           (z.low * r->below[m] + z.high * r->above[m]);
}

static inline float diagonal_at(const Row *r, Coupling kind, int m)
{
    if (kind != CUT)
        return r->diagonal[m];
    Pair x = along_x(r, kind, m), y = along_y(r, kind, m), z = along_z(r, kind, m);
    return r->base + r->weight * ((x.low + x.high) + (y.low + y.high) + (z.low + z.high));
}

/* Inverse of the diagonal. 0 if the diagonal is 0, as it is inside a solid; x is 0 there too. */
static inline float inverse_at(const Row *r, Coupling kind, int m)
{
    if (kind != CUT)
        return r->inverse[m];
    float diagonal = diagonal_at(r, kind, m);
    return diagonal > 0.0f ? 1.0f / diagonal : 0.0f;
}

/* rhs - A x */
static inline float residual_at(const Row *r, Coupling kind, int m)
{
    return (r->rhs[m] + r->weight * sum_around(r, kind, m)) - diagonal_at(r, kind, m) * r->x[m];
}

/* A x */
static inline float applied_at(const Row *r, Coupling kind, int m)
{
    return diagonal_at(r, kind, m) * r->x[m] - r->weight * sum_around(r, kind, m);
}

/* Prefetches what a pass over plane k reads for the first time. This makes a solve 10 to 20 %
 * faster. Prefetching x as well takes more time than it saves. */
PREFETCHING void prefetch_rows(const StencilPlane *p, int j)
{
    enum { AHEAD = 8 };
    ptrdiff_t at = (j + AHEAD) * p->stride;
    prefetch_row(p->above + at, p->nx / 2);
    prefetch_row(p->rhs + at, p->nx / 2);
}

FOR_EACH_KIND void relax_row(Row r, Coupling kind, float omega)
{
    float *restrict x = r.x;
    INDEPENDENT
    for (int m = 0; m < r.count; m++)
        x[m] += omega *
                ((r.rhs[m] + r.weight * sum_around(&r, kind, m)) * inverse_at(&r, kind, m) - x[m]);
}

/* Relaxes with omega = 1. The old value is not read. */
FOR_EACH_KIND void replace_any(Row r, Coupling kind)
{
    float *restrict x = r.x;
    INDEPENDENT
    for (int m = 0; m < r.count; m++)
        x[m] = (r.rhs[m] + r.weight * sum_around(&r, kind, m)) * inverse_at(&r, kind, m);
}

static inline Lanes replaced(const Row *r, int m, Lanes left, Lanes right)
{
    Lanes sum = (left + right) + (lanes_load(r->south + m) + lanes_load(r->north + m)) +
                (lanes_load(r->below + m) + lanes_load(r->above + m));
    return (lanes_load(r->rhs + m) + r->weight * sum) * lanes_load(r->inverse + m);
}

/* New values of the block at element m. `last`, `here` and `next` are consecutive vectors of the
 * row with the neighbours along x. */
static inline Lanes replaced_block(const Row *r, bool first, int m, Lanes last, Lanes here,
                                   Lanes next)
{
    return first ? replaced(r, m, here, lanes_after(r->left + m, here, next))
                 : replaced(r, m, lanes_before(r->right + m, last, here), here);
}

static inline void replace_shifted(const Row *r, bool first)
{
    const float *beside = first ? r->left : r->right;
    Lanes last = lanes_all(beside[-1]), here = lanes_load(beside), next;
    int m = 0;
    for (; m + LANES_WIDTH <= r->count; m += LANES_WIDTH, last = here, here = next) {
        next = lanes_load(beside + m + LANES_WIDTH);
        lanes_store(r->x + m, replaced_block(r, first, m, last, here, next));
    }
    if (m < r->count) {
        next = lanes_load(beside + m + LANES_WIDTH);
        lanes_store_wanted(r->x + m, replaced_block(r, first, m, last, here, next), r->count - m);
    }
}

/* Relaxes a row with omega = 1 and all couplings 1. Most of the time of a solve is spent here. */
static inline void replace_row(Row r)
{
    if (r.first)
        replace_shifted(&r, true);
    else
        replace_shifted(&r, false);
}

static void replace_plane(const StencilPlane *plane)
{
    const StencilPlane p = *plane; /* stores cannot alias a copy, so that it stays in registers */
    for (int j = 0; j < p.ny; j++) {
        prefetch_rows(&p, j);
        replace_row(row_of(&p, j));
    }
}

static void relax_any(const StencilPlane *p, int j, Coupling kind, float omega)
{
    if (kind == EVEN)
        relax_row(row_of(p, j), EVEN, omega);
    else if (kind == UNEVEN)
        relax_row(row_of(p, j), UNEVEN, omega);
    else
        relax_row(cut_row_of(p, j), CUT, omega);
}

static void relax(const StencilPlane *plane, float omega)
{
    const StencilPlane p = *plane;
    if (omega != 1.0f)
        for (int j = 0; j < p.ny; j++) {
            prefetch_rows(&p, j);
            relax_any(&p, j, coupling_of(&p, j), omega);
        }
    else if (p.uniform && p.cut == NULL)
        replace_plane(plane);
    else
        for (int j = 0; j < p.ny; j++) {
            Coupling kind = coupling_of(&p, j);
            prefetch_rows(&p, j);
            if (kind == EVEN)
                replace_row(row_of(&p, j));
            else if (kind == UNEVEN)
                replace_any(row_of(&p, j), UNEVEN);
            else
                replace_any(cut_row_of(&p, j), CUT);
        }
}

/* Relaxes row j of the upper plane, then row j-1 of the lower plane, and so on. Row j-1 of the
 * lower plane reads row j-1 of the upper plane, which has just been relaxed and is still in the
 * innermost cache. */
static void relax_fused(const StencilPlane *upper, const StencilPlane *lower)
{
    const StencilPlane u = *upper, l = *lower;
    prefetch_rows(&u, 0);
    replace_row(row_of(&u, 0));
    for (int j = 1; j < u.ny; j++) {
        prefetch_rows(&u, j);
        replace_row(row_of(&u, j));
        replace_row(row_of(&l, j - 1));
    }
    replace_row(row_of(&l, l.ny - 1));
}

static void relax_alone(const StencilPlane *plane)
{
    for (int j = 0; j < plane->ny; j++) {
        bool cut = coupling_of(plane, j) == CUT;
        Row r = row_coupled(plane, j, cut ? CUT : EVEN);
        float *restrict x = r.x;
        if (cut)
            for (int m = 0; m < r.count; m++)
                x[m] = r.rhs[m] * inverse_at(&r, CUT, m);
        else
            for (int m = 0; m < r.count; m++)
                x[m] = r.rhs[m] * r.inverse[m];
    }
}

static void residual_part(const StencilPlane *p, int j, int begin, int count, float *restrict out)
{
    Coupling kind = coupling_of(p, j);
    const Row r = row_coupled(p, j, kind);
    if (kind == EVEN)
        for (int m = begin; m < begin + count; m++)
            out[m - begin] = residual_at(&r, EVEN, m);
    else if (kind == UNEVEN)
        for (int m = begin; m < begin + count; m++)
            out[m - begin] = residual_at(&r, UNEVEN, m);
    else
        for (int m = begin; m < begin + count; m++)
            out[m - begin] = residual_at(&r, CUT, m);
}

FOR_EACH_KIND void applied_part(Coupling kind, const StencilPlane *p, int j, int begin, int count,
                                float *restrict out)
{
    const Row r = row_coupled(p, j, kind);
    for (int m = begin; m < begin + count; m++)
        out[m - begin] = applied_at(&r, kind == CUT ? CUT : UNEVEN, m);
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
        int end = row_count(plane, j);
        for (int begin = 0; begin < end; begin += CHUNK) {
            float r[CHUNK];
            int count = end - begin < CHUNK ? end - begin : CHUNK;
            residual_part(plane, j, begin, count, r);
            squares += dot(r, r, count);
        }
    }
    return squares;
}

static double product(const StencilPlane *plane, const float *y)
{
    double sum = 0;
    for (int j = 0; j < plane->ny; j++) {
        int end = row_count(plane, j);
        for (int begin = 0; begin < end; begin += CHUNK) {
            float ax[CHUNK];
            int count = end - begin < CHUNK ? end - begin : CHUNK;
            CALL_FOR_KIND(applied_part, coupling_of(plane, j), plane, j, begin, count, ax);
            sum += dot(y + j * plane->stride + begin, ax, count);
        }
    }
    return sum;
}

static void subtract_product(const StencilPlane *plane, float alpha, float *rhs)
{
    for (int j = 0; j < plane->ny; j++) {
        float *restrict out = rhs + j * plane->stride;
        float ax[BILLOW_GRID_MAX / 2 + 1];
        int count = row_count(plane, j);
        CALL_FOR_KIND(applied_part, coupling_of(plane, j), plane, j, 0, count, ax);
        for (int m = 0; m < count; m++)
            out[m] -= alpha * ax[m];
    }
}

/* The restricted value of one coarse cell. Of its four fine rows the first and the last start with
 * an even cell, the others with an odd cell. */
static inline float restricted(const float r[4], const float *weight, float even, float odd)
{
    return even * (weight[0] * r[0] + weight[3] * r[3]) +
           odd * (weight[1] * r[1] + weight[2] * r[2]);
}

/* Restricts four fine rows: rows j and `beside` of two planes. */
FOR_EACH_KIND void restrict_rows(Coupling kind, const StencilPlane planes[2], int j, int beside,
                                 const TransferX *x, const float weight[4], int pairs,
                                 float *restrict coarse)
{
    const Row a = row_coupled(&planes[0], j, kind);
    const Row b = row_coupled(&planes[0], beside, kind);
    const Row c = row_coupled(&planes[1], j, kind);
    const Row d = row_coupled(&planes[1], beside, kind);
    const float *even = x->share[0], *odd = x->share[1];
    INDEPENDENT
    for (int m = 0; m < pairs; m++) {
        const float r[4] = {residual_at(&a, kind, m), residual_at(&b, kind, m),
                            residual_at(&c, kind, m), residual_at(&d, kind, m)};
        coarse[m] = restricted(r, weight, even[m], odd[m]);
    }
}

static void restrict_row(const StencilPlane planes[2], int j, const TransferX *x,
                         const float weight[4], float *restrict coarse)
{
    int beside = j + 1 < planes[0].ny ? j + 1 : j; /* with weight 0 if there is no row j + 1 */
    int pairs = planes[0].nx / 2;
    Coupling kind = planes[0].uniform ? EVEN : UNEVEN;
    for (int q = 0; q < 4; q++)
        kind = coupling_of(&planes[q / 2], q % 2 == 0 ? j : beside) == CUT ? CUT : kind;
    CALL_FOR_KIND(restrict_rows, kind, planes, j, beside, x, weight, pairs, coarse);
    if (planes[0].nx % 2 == 0)
        return;
    float r[4] = {0}; /* the last coarse cell covers one cell of each fine row instead of two */
    for (int q = 0; q < 4; q += 3) {
        int row = q == 0 ? j : beside;
        if (weight[q] != 0.0f)
            residual_part(&planes[q / 2], row, pairs, 1, &r[q]);
    }
    coarse[pairs] = restricted(r, weight, x->share[0][pairs], 0);
}

static void prolong_row(const TransferX *x, const float *const coarse[4], const float weight[4],
                        int n, float *restrict even, float *restrict odd)
{
    _Alignas(64) float memory[BILLOW_GRID_MAX / 2 + 2 * LANES];
    float *restrict t = memory + LANES;
    const float *a = coarse[0], *b = coarse[1], *c = coarse[2], *d = coarse[3];
    float wa = weight[0], wb = weight[1], wc = weight[2], wd = weight[3];
    int evens = (n + 1) / 2, odds = n / 2;
    for (int m = 0; m < evens; m++)
        t[m] = (wa * a[m] + wb * b[m]) + (wc * c[m] + wd * d[m]);
    t[-1] = x->wraps ? t[evens - 1] : 0;
    t[evens] = x->wraps ? t[0] : 0;
    for (int m = 0; m < evens; m++)
        even[m] += x->near[0][m] * t[m] + x->far[0][m] * t[m - 1];
    for (int m = 0; m < odds; m++)
        odd[m] += x->near[1][m] * t[m] + x->far[1][m] * t[m + 1];
}

/* Prolongs to the even or the odd cells. c_x is the coarse cell before the cell's own one (even),
 * or after it (odd). */
static inline void prolong_cut_half(const TransferX *x, int odd, const float *const coarse[3],
                                    float own, const float far[2], Rows open, int n, int last,
                                    float *restrict out)
{
    const float *near_x = x->near[odd], *far_x = x->far[odd];
    for (int m = 0; m < n; m++) {
        int beside = odd ? m + 1 : m - 1;
        int end = x->wraps ? (beside < 0 ? last : 0) : m;
        float c = coarse[0][m], c_x = coarse[0][beside < 0 || beside > last ? end : beside];
        out[m] +=
            own * (near_x[m] + far_x[m]) * c + far_x[m] * open.x[m] * (c_x - c) +
            (far[0] * open.y[m] * (coarse[1][m] - c) + far[1] * open.z[m] * (coarse[2][m] - c));
    }
}

static void prolong_cut(const TransferX *x, const float *const coarse[3], float own,
                        const float far[2], const Rows open[2], int n, float *even, float *odd)
{
    int evens = (n + 1) / 2, last = evens - 1;
    prolong_cut_half(x, 0, coarse, own, far, open[0], evens, last, even);
    prolong_cut_half(x, 1, coarse, own, far, open[1], n / 2, last, odd);
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
    .relax_fused = relax_fused,
    .relax_alone = relax_alone,
    .residual = residual,
    .product = product,
    .subtract_product = subtract_product,
    .dot = dot,
    .add = add,
    .restrict_row = restrict_row,
    .prolong_row = prolong_row,
    .prolong_cut = prolong_cut,
    .scale = scale,
};
