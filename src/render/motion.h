/* SPDX-License-Identifier: MIT
 *
 * The smoke's velocity on a coarse grid, by which the history is displaced. */
#ifndef RENDER_MOTION_H
#define RENDER_MOTION_H

#include <billow/billow.h>

/* Most cells along an axis. An eddy that such a grid misses is only a few pixels wide. */
#define MOTION_EDGE 32

typedef struct Motion {
    int n[3];            /* cells that span the box; 0: nothing is known */
    const float *values; /* m/s; three components a cell, without padding, x fastest */
} Motion;

/* Cells along each axis for a grid; returns the number of floats that they need. */
size_t motion_size(const int grid[3], int n[3]);

/* Fills values, which have motion_size floats. n is 0 where the view has no velocity. */
Motion motion_fill(const BillowView *view, float *values);

#endif
