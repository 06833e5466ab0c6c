/* SPDX-License-Identifier: MIT
 *
 * How fields lie in memory.
 *
 * A field holds nx * ny * nz cells and one ghost layer around them, x innermost:
 *
 *     pointer -> cell (0, 0, 0), 32-byte aligned
 *     [i + j*stride_y + k*stride_z],  -1 <= i <= nx and so on
 *
 * Rows are padded: stride_y is a multiple of 8 or 16 floats and at least nx + 5, so that at least
 * three floats lie between the last ghost of a row and the first ghost of the next. Faces use the
 * same layout: u[i] is the face between cells i-1 and i. u[nx] therefore stands in the ghost
 * column, and v[ny] and w[nz] likewise.
 *
 * An invariant makes most copying of ghosts unnecessary. In a box of closed and open faces alone
 * every ghost of a field of cells is 0 and is never written; so is every ghost of a velocity
 * component beyond its last face. The coefficients of the stencils and the bounds of the samplers
 * express walls and open faces. Other faces have ghosts, which are filled right before samplers
 * read them (boundary.h) and are not valid at other times. Even then everything beyond the last
 * face of a component is 0.
 *
 * Packed fields serve red-black relaxation. They hold the cells of each colour (i+j+k) & 1 in an
 * array of its own, half as wide: cell i of row (j, k) is element i >> 1 of its colour's array. In
 * a half-sweep a worker then writes one array and reads only the other, at unit stride. */
#ifndef SIM_GRID_H
#define SIM_GRID_H

#include "sim/fields/constants.h"

#include <billow/billow.h>
#include <stdbool.h>
#include <stddef.h>

/* Cells low <= i < high along each axis. */
typedef struct Region {
    int low[3], high[3];
} Region;

typedef BillowSpan Span;

typedef struct Grid {
    int nx, ny, nz;
    int cells[3];                 /* nx, ny, nz */
    ptrdiff_t stride_y, stride_z; /* distance between rows and between planes of a field, floats */
    ptrdiff_t strides[3];         /* 1, stride_y, stride_z */
    ptrdiff_t packed_y, packed_z; /* distance between rows and between planes of one colour of a
                                     packed field, floats */
    size_t field_floats; /* size of a field, or of a packed field with both colours, with ghosts */
} Grid;

static inline bool region_is_empty(Region region)
{
    return region.low[0] >= region.high[0] || region.low[1] >= region.high[1] ||
           region.low[2] >= region.high[2];
}

/* The smallest region that contains both. */
static inline Region region_hull(Region a, Region b)
{
    if (region_is_empty(a) || region_is_empty(b))
        return region_is_empty(a) ? b : a;
    for (int axis = 0; axis < 3; axis++) {
        a.low[axis] = a.low[axis] < b.low[axis] ? a.low[axis] : b.low[axis];
        a.high[axis] = a.high[axis] > b.high[axis] ? a.high[axis] : b.high[axis];
    }
    return a;
}

static inline Grid grid_make(int nx, int ny, int nz)
{
    /* a whole number of cache lines per field, so that fields follow each other without a gap */
    int step = ny % 2 != 0 && nz % 2 != 0 ? ROW_ALIGNMENT : ROW_PADDING;
    ptrdiff_t stride_y = (nx + 5 + step - 1) / step * step, stride_z = stride_y * (ny + 2);
    return (Grid){.nx = nx,
                  .ny = ny,
                  .nz = nz,
                  .cells = {nx, ny, nz},
                  .stride_y = stride_y,
                  .stride_z = stride_z,
                  .strides = {1, stride_y, stride_z},
                  .packed_y = stride_y / 2,
                  .packed_z = stride_z / 2,
                  .field_floats = (size_t)stride_z * (size_t)(nz + 2)};
}

/* The memory of a field, which begins with a ghost plane and a ghost row. */
static inline float *grid_memory(const Grid *grid, float *field)
{
    return field - grid->stride_z - grid->stride_y;
}

/* The field that lies in `memory`: the pointer to its cell (0, 0, 0). */
static inline float *grid_field(const Grid *grid, float *memory)
{
    return memory + grid->stride_z + grid->stride_y;
}

/* A grid of half as many cells along every axis, rounded up. */
static inline Grid grid_coarser(const Grid *grid)
{
    return grid_make((grid->nx + 1) / 2, (grid->ny + 1) / 2, (grid->nz + 1) / 2);
}

static inline bool grid_is_one_cell(const Grid *grid)
{
    return grid->nx == 1 && grid->ny == 1 && grid->nz == 1;
}

/* Largest number of scalars that the flow can advect. */
enum { SCALARS_MAX = 16 };

/* Both colours of a packed field. Each pointer is that of element (0, 0, 0). */
typedef struct Packed {
    float *color[2];
} Packed;

static inline ptrdiff_t grid_row(const Grid *grid, int j, int k)
{
    return j * grid->stride_y + k * grid->stride_z;
}

static inline float grid_mix(float a, float b, float share)
{
    return a + share * (b - a);
}

/* Interpolates between eight elements. `low`, `high`: offsets of the two along each axis. */
static inline float grid_trilinear(const float *field, const ptrdiff_t low[3],
                                   const ptrdiff_t high[3], const float share[3])
{
    float planes[2];
    for (int p = 0; p < 2; p++) {
        const float *plane = field + (p == 0 ? low[2] : high[2]), *a = plane + low[1],
                    *b = plane + high[1];
        planes[p] = grid_mix(grid_mix(a[low[0]], a[high[0]], share[0]),
                             grid_mix(b[low[0]], b[high[0]], share[0]), share[1]);
    }
    return grid_mix(planes[0], planes[1], share[2]);
}

static inline ptrdiff_t packed_row(const Grid *grid, int j, int k)
{
    return j * grid->packed_y + k * grid->packed_z;
}

/* Cell (i, j, k) of a packed field. */
static inline float *packed_cell(const Grid *grid, Packed packed, int i, int j, int k)
{
    return packed.color[(i + j + k) & 1] + packed_row(grid, j, k) + (i >> 1);
}

/* The packed view of a field's memory. The memory starts one ghost plane and one ghost row before
 * the first cell. Each colour takes half of it, with a ghost plane and a ghost row of its own. */
static inline Packed grid_packed(const Grid *grid, float *field)
{
    float *start = grid_memory(grid, field);
    ptrdiff_t lead = grid->packed_z + grid->packed_y;
    return (Packed){{start + lead, start + grid->field_floats / 2 + lead}};
}

#endif
