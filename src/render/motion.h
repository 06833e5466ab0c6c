/* SPDX-License-Identifier: MIT
 *
 * Where the smoke goes, coarsely: what tells a picture where that which it shows was before. */
#ifndef RENDER_MOTION_H
#define RENDER_MOTION_H

#include <billow/billow.h>

/* Cells along an axis, at most: an eddy that it misses is only a few pixels wide. */
#define MOTION_EDGE 32

typedef struct Motion {
    int n[3];            /* cells that span the box; 0: nothing is known */
    const float *values; /* m/s; x, y and z of each, without padding, x innermost */
} Motion;

/* Cells along each axis for a grid of so many; returns the floats that they need. */
size_t motion_size(const int grid[3], int n[3]);

/* Into values, which has room for them. A view without velocity: n is 0. */
Motion motion_fill(const BillowView *view, float *values);

#endif
