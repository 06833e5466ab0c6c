/* SPDX-License-Identifier: MIT
 *
 * The solver of stam2d.c in fixed-point arithmetic: 32-bit integers, 64-bit products, no floats.
 * stam2d_fixed.c says how numbers are stored and how far the results may be from those of floats.
 */
#ifndef STAM2D_FIXED_H
#define STAM2D_FIXED_H

#include "stam2d.h"

#include <stdint.h>

typedef int32_t fixed;

enum {
    GRID_MOST = 512, /* cells along an axis */
    VELOCITY_BITS = 22,
    DENSITY_BITS = 24,
    PLACE_BITS = 21,
    WEIGHT_BITS = 30,
    TIME_BITS = 27,
    FIXED_TIME_STEP = 13421773, /* 0.1f * 2^TIME_BITS */
    VELOCITY_LIMIT = 16 << VELOCITY_BITS,
    DENSITY_LIMIT = 100 << DENSITY_BITS
};

/* The parts of a step, with the numbers of their equations in stam2d.c. Relaxation, (3), is inside
 * of (2) and (5). The time step is FIXED_TIME_STEP. */

/* (1) Also limits x and the source s to least and most. */
void fixed_add_source(int n, fixed *x, fixed *s, fixed least, fixed most);

/* (6) */
void fixed_set_bnd(int n, Kind kind, fixed *x);

/* (2) The weight of a neighbour, a / (1 + 4 a) in units of 2^-WEIGHT_BITS, replaces the coefficient
 * of diffusion. It must be 0 to 1/4. */
void fixed_diffuse(int n, Kind kind, fixed *x, const fixed *x0, fixed weight);

/* (4) */
void fixed_advect(int n, Kind kind, fixed *d, const fixed *d0, const fixed *u, const fixed *v);

/* (5) p and div are scratch memory. */
void fixed_project(int n, fixed *u, fixed *v, fixed *p, fixed *div);

/* The two steps. The sources in x0, u0 and v0 may be any integers; those out of range take the
 * nearest end of it. A source of density is 0 to 100: unlike in the paper, it removes no smoke. */
void fixed_dens_step(int n, fixed *x, fixed *x0, const fixed *u, const fixed *v, fixed weight);
void fixed_vel_step(int n, fixed *u, fixed *v, fixed *u0, fixed *v0, fixed weight);

#endif
