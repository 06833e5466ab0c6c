/* SPDX-License-Identifier: MIT */
#include "motion.h"

size_t motion_size(const int grid[3], int n[3])
{
    size_t floats = 3;
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = grid[axis] < MOTION_EDGE ? grid[axis] : MOTION_EDGE;
        floats *= (size_t)n[axis];
    }
    return floats;
}

/* Mean over the two or one cells in the middle of a coarse one, along each axis; of each cell, of
 * its two faces. */
static float mean_of_faces(const float *field, ptrdiff_t across, const BillowView *view,
                           const int from[3], const int to[3])
{
    double sum = 0;
    int count = 0;
    for (int k = from[2]; k < to[2]; k++)
        for (int j = from[1]; j < to[1]; j++)
            for (int i = from[0]; i < to[0]; i++, count++) {
                const float *face = field + i + j * view->stride_y + k * view->stride_z;
                sum += 0.5 * ((double)face[0] + (double)face[across]);
            }
    return (float)(sum / count);
}

Motion motion_fill(const BillowView *view, float *values)
{
    Motion motion = {.values = values};
    if (view->u == NULL || view->v == NULL || view->w == NULL)
        return motion;
    const int grid[3] = {view->nx, view->ny, view->nz};
    const float *const field[3] = {view->u, view->v, view->w};
    const ptrdiff_t across[3] = {1, view->stride_y, view->stride_z};
    motion_size(grid, motion.n);
    int at[3];
    for (at[2] = 0; at[2] < motion.n[2]; at[2]++)
        for (at[1] = 0; at[1] < motion.n[1]; at[1]++)
            for (at[0] = 0; at[0] < motion.n[0]; at[0]++) {
                int from[3], to[3];
                for (int a = 0; a < 3; a++) {
                    int middle = (int)((2 * (long)at[a] + 1) * grid[a] / (2 * motion.n[a]));
                    from[a] = grid[a] > motion.n[a] && middle > 0 ? middle - 1 : middle;
                    to[a] = middle + 1;
                }
                for (int a = 0; a < 3; a++)
                    *values++ = mean_of_faces(field[a], across[a], view, from, to);
            }
    return motion;
}
