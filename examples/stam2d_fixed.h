/* SPDX-License-Identifier: MIT
 *
 * The solver of stam2d.c in fixed-point arithmetic: 32-bit integers, 64-bit products, no floats.
 * stam2d_fixed.c says how numbers are stored and how far the results may be from those of floats.
 */
#ifndef STAM2D_FIXED_H
#define STAM2D_FIXED_H

#include <stddef.h>
#include <stdint.h>

/* -- what both solvers share ------------------------------------------------------------------- */

enum { SWEEPS = 20 }; /* of (3) */

/* What a field is to the walls: (6) treats each differently. */
typedef enum Kind { SCALAR, U, V } Kind;

/* Index of cell i, j of a grid of n x n cells, 1 to n; 0 and n + 1 are walls. */
static inline size_t at(int n, int i, int j)
{
    return (size_t)i + ((size_t)n + 2) * (size_t)j;
}

/* Number of cells with walls. */
static inline size_t cells(int n)
{
    return ((size_t)n + 2) * ((size_t)n + 2);
}

/* -- integers ---------------------------------------------------------------------------------- */

typedef int32_t fixed;

enum {
    GRID_MOST = 512, /* cells along an axis */
    VELOCITY_BITS = 22,
    DENSITY_BITS = 24,
    PLACE_BITS = 21,
    WEIGHT_BITS = 30,
    TIME_BITS = 27,
    FIXED_TIME_STEP = 13421773, /* the float 0.1f */
    VELOCITY_LIMIT = 16 << VELOCITY_BITS,
    DENSITY_LIMIT = 100 << DENSITY_BITS
};

/* The numbered parts of a step. They take what their twins in stam2d.c take, with two exceptions:
 * dt is FIXED_TIME_STEP, and the weight of a neighbour in (2), a / (1 + 4 a), replaces the
 * coefficient of diffusion. It must be 0 to 1/4. */
/* Limits x and the source to least and most. */
void fixed_add_source(int n, fixed *x, fixed *s, fixed least, fixed most);
void fixed_set_bnd(int n, Kind kind, fixed *x);
void fixed_diffuse(int n, Kind kind, fixed *x, const fixed *x0, fixed weight);
void fixed_advect(int n, Kind kind, fixed *d, const fixed *d0, const fixed *u, const fixed *v);
void fixed_project(int n, fixed *u, fixed *v, fixed *p, fixed *div);

/* The two steps. The sources in x0, u0 and v0 may be any integers; those out of range take the
 * nearest end of it. */
void fixed_dens_step(int n, fixed *x, fixed *x0, const fixed *u, const fixed *v, fixed weight);
void fixed_vel_step(int n, fixed *u, fixed *v, fixed *u0, fixed *v0, fixed weight);

#endif
