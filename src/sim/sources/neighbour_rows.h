/* SPDX-License-Identifier: MIT
 *
 * Rows of a field around a row of cells, for kernels that take differences. */
#ifndef SIM_NEIGHBOUR_ROWS_H
#define SIM_NEIGHBOUR_ROWS_H

#include "sim/fields/boundary.h"
#include "sim/sim.h"

/* Offsets of a row and its neighbours. Beyond a wall the row itself replaces the missing neighbour;
 * beyond a periodic face the row at the other end does. */
typedef struct Around {
    ptrdiff_t here, south, north, below, above;
} Around;

static inline void rows_around(const float *field, const Around *at, const float *rows[5])
{
    rows[0] = field + at->here;
    rows[1] = field + at->south;
    rows[2] = field + at->north;
    rows[3] = field + at->below;
    rows[4] = field + at->above;
}

/* Offsets around row j of a plane; below, here and above are the offsets of three planes. */
static inline Around around(const BillowSim *sim, int j, ptrdiff_t below, ptrdiff_t here,
                            ptrdiff_t above)
{
    const Grid *grid = &sim->grid;
    ptrdiff_t row = j * grid->stride_y;
    ptrdiff_t turn = boundary_wraps(&sim->def, 1) ? (grid->ny - 1) * grid->stride_y : 0;
    ptrdiff_t south = j > 0 ? -grid->stride_y : turn;
    ptrdiff_t north = j + 1 < grid->ny ? grid->stride_y : -turn;
    return (Around){here + row, here + row + south, here + row + north, below + row, above + row};
}

/* Offsets around row j of plane k in a field. */
static inline Around around_in_field(const BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    bool wraps = boundary_wraps(&sim->def, 2);
    int below = k > 0 ? k - 1 : wraps ? grid->nz - 1 : 0;
    int above = k + 1 < grid->nz ? k + 1 : wraps ? 0 : k;
    return around(sim, j, grid_row(grid, 0, below), grid_row(grid, 0, k), grid_row(grid, 0, above));
}

/* Rows of faces around a row of cells; v_up and w_up are those on the high sides of v and w. */
typedef struct FaceRows {
    const float *u[5], *v[5], *v_up[5], *w[5], *w_up[5];
} FaceRows;

/* Lets the rows begin at their element `begin`. */
static inline void face_rows_skip(FaceRows *rows, int begin)
{
    for (int r = 0; r < 5; r++) {
        rows->u[r] += begin;
        rows->v[r] += begin;
        rows->v_up[r] += begin;
        rows->w[r] += begin;
        rows->w_up[r] += begin;
    }
}

static inline FaceRows face_rows(const BillowSim *sim, const Around *at)
{
    FaceRows rows;
    rows_around(sim->velocity[0], at, rows.u);
    rows_around(sim->velocity[1], at, rows.v);
    rows_around(sim->velocity[1] + sim->grid.stride_y, at, rows.v_up);
    rows_around(sim->velocity[2], at, rows.w);
    rows_around(sim->velocity[2] + sim->grid.stride_z, at, rows.w_up);
    return rows;
}

#endif
