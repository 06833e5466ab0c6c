/* SPDX-License-Identifier: MIT
 *
 * Indices and weights for parallel light that passes through a grid plane by plane. Each plane
 * reads the previous plane, displaced along the light and interpolated bilinearly. */
#ifndef RENDER_SWEEP_H
#define RENDER_SWEEP_H

#include <stddef.h>

/* A sweep over planes normal to `axis`, the axis closest to the light's direction. u and v are the
 * other two axes. */
typedef struct Sweep {
    int axis, axis_u, axis_v;
    int planes, nu, nv;
    ptrdiff_t first, step, step_u, step_v; /* indices in a packed volume, x fastest */
    int offset_u, offset_v;   /* to the lower of the cells that are interpolated, cells */
    float weight_u, weight_v; /* share of the upper of these cells */
    float path;               /* length of the light's path between two planes, cells */
} Sweep;

/* n: cells per axis. to: unit vector towards the light. */
Sweep sweep_plan(const int n[3], const float to[3]);

#endif
