/* SPDX-License-Identifier: MIT
 *
 * A x and its parts on the rows of a plane (level.h), for the loops over them. */
#ifndef KERNELS_STENCIL_H
#define KERNELS_STENCIL_H

#include "kernels.h"

/* How the cells of a row are coupled. Callers pass a constant, so that each kind gets its own
 * loop. */
typedef enum Coupling {
    EVEN,   /* all 1 */
    UNEVEN, /* cells of unequal widths */
    CUT     /* multiplied by face fractions */
} Coupling;

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

static inline Row row_of(const StencilPlane *p, int j)
{
    int first = (p->parity + j) & 1;
    ptrdiff_t at = j * p->stride;
    ptrdiff_t table = (stencil_place(j, p->ny) * 2 + first) * p->stride;
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
        .count = (p->nx - first + 1) / 2,
    };
}

/* The same for a row that solids cut. */
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

/* 0 where no neighbour counts, as inside a solid; x is 0 there. */
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

/* A x. In an evenly coupled row the couplings to ghosts may be given as 1. */
static inline float applied_at(const Row *r, Coupling kind, int m)
{
    return diagonal_at(r, kind, m) * r->x[m] - r->weight * sum_around(r, kind, m);
}

#endif
