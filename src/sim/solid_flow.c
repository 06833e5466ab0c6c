/* SPDX-License-Identifier: MIT
 * What solids do to the velocity and to its projection. */
#include "sim.h"

#include <string.h>

typedef void FaceTask(BillowSim *sim, int axis, int i, int j, int k);

/* Those of the faces at the low sides of row (j, k) that are of the kind, CUT_SEEN or CUT_SHUT. */
static void for_cut_row(BillowSim *sim, unsigned kind, int j, int k, FaceTask *task)
{
    const Region *region = &sim->solids->region;
    const unsigned char *cuts = sim->solids->cuts + grid_row(&sim->grid, j, k);
    const unsigned any = kind | kind << 1 | kind << 2;
    for (int i = region->low[0]; i <= region->high[0]; i++)
        for (int axis = 0; (cuts[i] & any) != 0 && axis < 3; axis++)
            if (cuts[i] & kind << axis)
                task(sim, axis, i, j, k);
}

/* Every such face of the slab. */
static void for_cut_faces(BillowSim *sim, Slab slab, unsigned kind, FaceTask *task)
{
    const Level *level = &sim->multigrid.levels[0];
    const int ny = sim->grid.ny, nz = sim->grid.nz;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < ny && level->openings.planes[k]; j++) {
            if (!level_row_is_cut(level, j, k))
                continue;
            for_cut_row(sim, kind, j, k, task);
            if (j == ny - 1)
                for_cut_row(sim, kind, ny, k, task);
            if (k == nz - 1)
                for_cut_row(sim, kind, j, nz, task);
        }
}

static void mix(BillowSim *sim, int axis, int i, int j, int k)
{
    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
    float open = *opening_at(&sim->multigrid.levels[0], axis, i, j, k);
    float *face = sim->velocity[axis] + at;
    sim->next[axis][at] = *face;
    *face = open * *face + (1 - open) * solids_velocity(sim, axis, i, j, k);
}

void solids_mix(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, CUT_SEEN, mix);
}

static void unmix(BillowSim *sim, int axis, int i, int j, int k)
{
    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
    sim->velocity[axis][at] = sim->next[axis][at];
}

void solids_unmix(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, CUT_SEEN, unmix);
}

void solids_empty(BillowSim *sim, int k)
{
    const Level *level = &sim->multigrid.levels[0];
    if (sim->solids == NULL || !level->openings.planes[k])
        return;
    for (int j = 0; j < sim->grid.ny; j++) {
        if (!level_row_is_cut(level, j, k))
            continue;
        const unsigned char *fluid = sim->solids->fluid + grid_row(&sim->grid, j, k);
        for (int i = 0; i < sim->grid.nx; i++)
            if (!fluid[i]) {
                float *rhs =
                    level->rhs.color[(i + j + k) & 1] + packed_row(&level->grid, j, k) + (i >> 1);
                sim->plane_squares[k] -= (double)*rhs * (double)*rhs;
                sim->plane_sums[k] -= (double)*rhs;
                *rhs = 0;
            }
    }
    if (sim->plane_squares[k] < 0) /* rounding of what is gone */
        sim->plane_squares[k] = 0;
}

float solids_rough_distance(const BillowSim *sim, ptrdiff_t cell)
{
    const ptrdiff_t sy = sim->grid.stride_y, sz = sim->grid.stride_z;
    const float *d = sim->solids->distance + cell;
    return 0.125f * (((d[0] + d[1]) + (d[sy] + d[sy + 1])) +
                     ((d[sz] + d[sz + 1]) + (d[sz + sy] + d[sz + sy + 1])));
}

/* Omega is taken over the cells beside, and its slope over those beside them, half a cell more than
 * which is two and a half. */
#define CALM_CELLS 2.5f

void solids_calm_row(const BillowSim *sim, int j, int k, RowsOut force)
{
    const Region *region = &sim->solids->region;
    if (sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] > CALM_CELLS)
        return;
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    for (int i = region->low[0]; i < region->high[0]; i++)
        if (solids_rough_distance(sim, row + i) < CALM_CELLS)
            force.x[i] = force.y[i] = force.z[i] = 0;
}

/* The mean of the open faces beside, along the surface. */
static bool beside(const BillowSim *sim, int axis, int i, int j, int k, float *mean)
{
    const Grid *grid = &sim->grid;
    const Level *level = &sim->multigrid.levels[0];
    const int cells[3] = {grid->nx, grid->ny, grid->nz};
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++)
        for (int step = -1; step <= 1; step += 2) {
            int at[3] = {i, j, k};
            at[a] += step;
            if (a == axis || at[a] < 0 || at[a] >= cells[a] ||
                *opening_at(level, axis, at[0], at[1], at[2]) == 0.0f)
                continue;
            sum += sim->velocity[axis][grid_row(grid, at[1], at[2]) + at[0]];
            count++;
        }
    *mean = count > 0 ? sum / (float)count : 0;
    return count > 0;
}

static void impose(BillowSim *sim, int axis, int i, int j, int k)
{
    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
    float mean;
    bool inside = (sim->solids->cuts[at] & CUT_SEEN << axis) == 0; /* not on the surface */
    bool slides = inside && beside(sim, axis, i, j, k, &mean) && !solids_stick(sim, axis, i, j, k);
    sim->velocity[axis][at] = slides ? mean : solids_velocity(sim, axis, i, j, k);
}

void solids_impose(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, CUT_SHUT, impose);
}
