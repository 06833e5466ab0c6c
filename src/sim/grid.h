/* SPDX-License-Identifier: MIT
 *
 * How fields lie in memory.
 *
 * Every field holds nx * ny * nz cells and one ghost layer around them, x innermost:
 *
 *     pointer -> cell (0, 0, 0), 64-byte aligned
 *     [i + j*stride_y + k*stride_z],  -1 <= i <= nx and so on
 *
 * Rows are padded to stride_y = a multiple of 16 floats >= nx + 3; beyond the ghost right of a row
 * and before the ghost left of the next there is at least one more. Faces use the same layout: u[i]
 * is the face between cells i-1 and i, so u[nx] stands in the ghost column; v[ny], w[nz] likewise.
 *
 * Invariant that spares most copying of ghosts: in a box of closed and open faces alone, every
 * ghost of a cell field is 0 and never written; of a face field the same beyond the last face.
 * Walls and open faces are expressed in the stencils' coefficients and in the samplers' limits
 * instead. Other faces have ghosts that are filled right before samplers read them (boundary.h),
 * and that mean nothing at other times; beyond a component's last face all is 0 even there.
 *
 * Packed fields, for the red-black relaxation, hold the cells of each colour (i+j+k) & 1 in an
 * array of its own, half as wide: cell i of row (j, k) is element i >> 1 of colour (i+j+k) & 1.
 * Within a half-sweep a worker then writes one array and reads only the other, at unit stride.
 */
#ifndef SIM_GRID_H
#define SIM_GRID_H

#include "constants.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Grid {
    int nx, ny, nz;
    ptrdiff_t stride_y, stride_z; /* of a field */
    ptrdiff_t packed_y, packed_z; /* of one colour of a packed field */
    size_t field_floats;          /* one field or one packed field, ghosts included */
} Grid;

static inline Grid grid_make(int nx, int ny, int nz)
{
    Grid grid = {.nx = nx, .ny = ny, .nz = nz};
    grid.stride_y = (nx + 3 + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    grid.stride_z = grid.stride_y * (ny + 2);
    grid.packed_y = grid.stride_y / 2;
    grid.packed_z = grid.stride_z / 2;
    grid.field_floats = (size_t)grid.stride_z * (size_t)(nz + 2);
    return grid;
}

/* A grid of half as many cells along every axis. An odd last cell stays by itself. */
static inline Grid grid_coarser(const Grid *grid)
{
    return grid_make((grid->nx + 1) / 2, (grid->ny + 1) / 2, (grid->nz + 1) / 2);
}

static inline bool grid_is_one_cell(const Grid *grid)
{
    return grid->nx == 1 && grid->ny == 1 && grid->nz == 1;
}

/* Most scalars that the flow can carry. */
enum { SCALARS_MAX = 12 };

/* Both colours of a packed field; each points to its element (0, 0, 0). */
typedef struct Packed {
    float *color[2];
} Packed;

static inline ptrdiff_t grid_row(const Grid *grid, int j, int k)
{
    return j * grid->stride_y + k * grid->stride_z;
}

static inline ptrdiff_t packed_row(const Grid *grid, int j, int k)
{
    return j * grid->packed_y + k * grid->packed_z;
}

/* The packed view of a field's memory. That memory starts one ghost plane and one ghost row before
 * cell (0, 0, 0). Each colour gets half of it, with a plane and a row of ghosts of its own. */
static inline Packed grid_packed(const Grid *grid, float *field)
{
    float *start = field - grid->stride_z - grid->stride_y;
    ptrdiff_t lead = grid->packed_z + grid->packed_y;
    return (Packed){{start + lead, start + grid->field_floats / 2 + lead}};
}

#endif
