/* SPDX-License-Identifier: MIT
 *
 * Occupancy: the grid in bricks of 8 x 8 x 8 cells, and how much each holds at most, so that rays
 * can step over what is empty. The cells one beyond a brick count as well, because trilinear
 * interpolation reaches half a cell across its faces; cubic reaches one more. */
#ifndef RENDER_BRICKS_H
#define RENDER_BRICKS_H

#include <billow/billow.h>

#define BRICKS_EDGE 8

typedef struct Bricks {
    int n[3];
    float
        *density; /* at least the largest of each brick, never below 0; x fastest, then y, then z */
    float *rows;  /* scratch: of each layer of bricks, one value per column of cells */
    int reach; /* cells beyond a brick that count as its own, besides the one next to it; 0 unless
                  set before building */
    float density_max;
    float temperature_max; /* over the bricks that hold any smoke; 0 where there is none */
} Bricks;

/* flame: what counts as density per unit of view->flame. Keeps its memory from call to call; fails
 * where there is none. view->temperature and flame may be NULL. */
bool bricks_build(Bricks *bricks, const BillowView *view, float flame, BillowError *error);
void bricks_destroy(Bricks *bricks);

/* Density so small that a whole diagonal of it changes no 8-bit picture. */
float bricks_negligible(const int cells[3], float cell_size, float extinction);

/* Bounds, in cells, of the bricks with more than threshold; false when there are none. */
bool bricks_bounds(const Bricks *bricks, float threshold, const int cells[3], float low[3],
                   float high[3]);

#endif
