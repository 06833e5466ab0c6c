/* SPDX-License-Identifier: MIT */
#include "grid.h"

#include "constants.h"

Grid grid_make(int nx, int ny, int nz)
{
    Grid grid = {.nx = nx, .ny = ny, .nz = nz};
    grid.stride_y = (nx + 3 + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    grid.stride_z = grid.stride_y * (ny + 2);
    grid.packed_y = grid.stride_y / 2;
    grid.packed_z = grid.stride_z / 2;
    grid.field_floats = (size_t)grid.stride_z * (size_t)(nz + 2);
    return grid;
}

Grid grid_coarser(const Grid *grid)
{
    return grid_make((grid->nx + 1) / 2, (grid->ny + 1) / 2, (grid->nz + 1) / 2);
}

bool grid_is_one_cell(const Grid *grid)
{
    return grid->nx == 1 && grid->ny == 1 && grid->nz == 1;
}

Packed grid_packed(const Grid *grid, float *field)
{
    /* The field's memory starts one ghost plane and one ghost row before its cell (0, 0, 0); each
     * colour gets half of it, with a plane and a row of ghosts of its own. */
    float *start = field - grid->stride_z - grid->stride_y;
    ptrdiff_t lead = grid->packed_z + grid->packed_y;
    return (Packed){{start + lead, start + grid->field_floats / 2 + lead}};
}
