/* SPDX-License-Identifier: MIT */
#include "render/light/sweep.h"
#include <math.h>

Sweep sweep_plan(const int n[3], const float to[3])
{
    const ptrdiff_t strides[3] = {1, n[0], (ptrdiff_t)n[0] * n[1]};
    int a = 0;
    for (int axis = 1; axis < 3; axis++)
        a = fabsf(to[axis]) > fabsf(to[a]) ? axis : a;
    int u = a == 0 ? 1 : 0, v = a == 2 ? 1 : 2;
    float steep = fabsf(to[a]);
    float shift_u = to[u] / steep, shift_v = to[v] / steep;
    Sweep sweep = {.axis = a,
                   .axis_u = u,
                   .axis_v = v,
                   .planes = n[a],
                   .nu = n[u],
                   .nv = n[v],
                   .step = to[a] > 0 ? -strides[a] : strides[a],
                   .first = to[a] > 0 ? (n[a] - 1) * strides[a] : 0,
                   .step_u = strides[u],
                   .step_v = strides[v],
                   .offset_u = shift_u < 0 ? -1 : 0,
                   .offset_v = shift_v < 0 ? -1 : 0,
                   .path = 1 / steep};
    sweep.weight_u = shift_u - (float)sweep.offset_u;
    sweep.weight_v = shift_v - (float)sweep.offset_v;
    return sweep;
}
