/* SPDX-License-Identifier: MIT
 *
 * Parallel light through a grid, plane by plane: each plane looks at the one before it, moved along
 * the light and interpolated bilinearly. */
#ifndef RENDER_SWEEP_H
#define RENDER_SWEEP_H

#include <stddef.h>

/* Over planes across the axis in which the light comes in most steeply; u and v are the other two
 * axes. */
typedef struct Sweep {
    int axis, axis_u, axis_v;
    int planes, nu, nv;
    ptrdiff_t first, step, step_u, step_v; /* into a packed volume, x fastest */
    int offset_u, offset_v;                /* the neighbour towards the light: its lower corner */
    float weight_u, weight_v;              /* and the place between that corner and the next */
    float path;                            /* between planes, in cells */
} Sweep;

/* n: cells per axis. to: unit vector towards the light. */
Sweep sweep_plan(const int n[3], const float to[3]);

#endif
