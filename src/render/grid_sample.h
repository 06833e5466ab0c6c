/* SPDX-License-Identifier: MIT
 *
 * Trilinear interpolation between cell centres, as a 3D texture does it. Beyond the outermost
 * centres their values hold. */
#ifndef RENDER_GRID_SAMPLE_H
#define RENDER_GRID_SAMPLE_H

#include "vec3.h"

#include <stddef.h>

typedef struct GridSample {
    const float *values; /* NULL: there is none */
    int n[3];
    ptrdiff_t strides[3]; /* in floats, between neighbours along each axis */
} GridSample;

static inline float grid_sample_lerp(float a, float b, float t)
{
    return a + t * (b - a);
}

/* The value at a place that runs from 0 to 1 along each axis. component: index of the float in a
 * cell. */
static inline float grid_sample(const GridSample *grid, Vec3 place, int component)
{
    const float at[3] = {place.x, place.y, place.z};
    ptrdiff_t low = component, step[3];
    float t[3];
    for (int axis = 0; axis < 3; axis++) {
        float last = (float)(grid->n[axis] - 1);
        float x = fminf(fmaxf(at[axis] * (float)grid->n[axis] - 0.5f, 0), last);
        int cell = (int)x;
        t[axis] = x - (float)cell;
        step[axis] = cell + 1 < grid->n[axis] ? grid->strides[axis] : 0;
        low += cell * grid->strides[axis];
    }
    const float *v = grid->values + low, *w = v + step[2];
    float near_low = grid_sample_lerp(v[0], v[step[0]], t[0]);
    float near_high = grid_sample_lerp(v[step[1]], v[step[1] + step[0]], t[0]);
    float far_low = grid_sample_lerp(w[0], w[step[0]], t[0]);
    float far_high = grid_sample_lerp(w[step[1]], w[step[1] + step[0]], t[0]);
    return grid_sample_lerp(grid_sample_lerp(near_low, near_high, t[1]),
                            grid_sample_lerp(far_low, far_high, t[1]), t[2]);
}

#endif
