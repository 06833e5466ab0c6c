/* SPDX-License-Identifier: MIT
 *
 * Occupancy: an upper bound of the density in each brick of 8 x 8 x 8 cells, so that rays can skip
 * empty bricks. A brick also covers the cells next to it, because trilinear interpolation extends
 * half a cell past its faces. Cubic interpolation extends one cell further. */
#ifndef RENDER_BRICKS_H
#define RENDER_BRICKS_H

#include "render/light/slab.h"
#include <billow/billow.h>

#define BRICKS_EDGE 8

typedef struct Bricks {
    int n[3];
    float *density;     /* upper bound of each brick, at least 0; x fastest, then y, then z */
    float *temperature; /* largest temperature in each brick that has smoke, at least 0; 0 in
                           the others */
    float *rows;        /* scratch: for each layer of bricks, one value per column of cells */
    int margin; /* cells beyond a brick that count as its own, besides the one next to it; 0 unless
                  set before building */
    const RenderSlab *slab; /* planes that the view holds; NULL: all. Set before building */
    float temperature_max;  /* largest temperature of all bricks */
} Bricks;

/* Computes the bounds. flame: density that a unit of view->flame counts as. view->temperature and
 * view->flame may be NULL. Memory is reused from call to call. Fails if memory is short. */
bool bricks_build(Bricks *bricks, const BillowView *view, float flame, BillowError *error);
/* Largest temperature of the bricks that contain the cells low <= i < high along each axis. */
float bricks_temperature(const Bricks *bricks, const int low[3], const int high[3]);
/* Completes the bounds with those of the other ranks. Called by all ranks, where there are any. */
void bricks_share(Bricks *bricks);
void bricks_destroy(Bricks *bricks);

/* Density so small that a diagonal of the whole box filled with it changes no 8-bit picture. */
float bricks_negligible(const int cells[3], float cell_size, float extinction);

/* Bounds, in cells, of the bricks whose density exceeds the threshold. Returns false if there are
 * none. */
bool bricks_bounds(const Bricks *bricks, float threshold, const int cells[3], float low[3],
                   float high[3]);

/* -- smoke that moves -------------------------------------------------------------------------- */

/* What bounds smoke that has moved for a while: the velocities in each brick, and the density in
 * blocks of 2 x 2 x 2 cells. */
typedef struct BrickMotion {
    int n[3], blocks[3];
    float *range;   /* per brick, in its order: least and largest velocity along each axis, m/s;
                       NULL: not built */
    float *density; /* upper bound of each block, at least 0 */
} BrickMotion;

/* Computes velocities and blocks. view, flame: those of the bricks. velocities: on a coarse grid of
 * n cells that spans the same box. Fails if memory is short. */
bool brick_motion_build(BrickMotion *motion, const Bricks *bricks, const BillowView *view,
                        float flame, const int n[3], const float *velocities, BillowError *error);
void brick_motion_destroy(BrickMotion *motion);

/* Computes the bounds of smoke that has moved: in each brick, the largest bound of the blocks from
 * which the midpoint rule can have brought smoke. scale: time over the edge of a cell, s/m. out: as
 * large as bricks->density. */
void brick_motion_bounds(const BrickMotion *motion, const Bricks *bricks, float scale, float *out);

#endif
