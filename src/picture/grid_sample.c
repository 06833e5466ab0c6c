/* SPDX-License-Identifier: MIT */
#include "grid_sample.h"

/* Weights of the cells low - 1 .. low + 2 a share t of the way from low to low + 1, and where those
 * cells' values are: beyond the outermost ones, as there. */
static void axis_of(const GridSample *grid, int axis, float place, float weight[4],
                    ptrdiff_t offset[4])
{
    float x = place * (float)grid->n[axis] - 0.5f, low = floorf(x), t = x - low, s = 1 - t;
    weight[0] = s * s * s / 6;
    weight[1] = (4 - 3 * t * t * (2 - t)) / 6;
    weight[3] = t * t * t / 6;
    weight[2] = 1 - weight[0] - weight[1] - weight[3];
    for (int tap = 0; tap < 4; tap++) {
        float cell = fminf(fmaxf(low + (float)(tap - 1), 0), (float)(grid->n[axis] - 1));
        offset[tap] = (ptrdiff_t)cell * grid->strides[axis];
    }
}

float grid_sample_cubic(const GridSample *grid, Vec3 place, int component)
{
    const float at[3] = {place.x, place.y, place.z};
    float weight[3][4], sum = 0;
    ptrdiff_t offset[3][4];
    for (int axis = 0; axis < 3; axis++)
        axis_of(grid, axis, at[axis], weight[axis], offset[axis]);
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++) {
            const float *row = grid->values + component + offset[2][k] + offset[1][j];
            float along = 0;
            for (int i = 0; i < 4; i++)
                along += weight[0][i] * row[offset[0][i]];
            sum += weight[2][k] * weight[1][j] * along;
        }
    return sum;
}
