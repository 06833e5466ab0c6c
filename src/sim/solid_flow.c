/* SPDX-License-Identifier: MIT
 * What solids do to the velocity and to its projection. */
#include "sim.h"

#include <string.h>

typedef void FaceTask(BillowSim *sim, int axis, int i, int j, int k, float open);

/* The faces along an axis at the low sides of row (j, k), and the last ones' high sides. What
 * passes the box's closed sides is settled there. */
static void for_cut_row(BillowSim *sim, int axis, int j, int k, FaceTask *task)
{
    const Level *level = &sim->multigrid.levels[0];
    const int cells[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
    for (int i = 0; i < cells[0] + (axis == 0); i++) {
        const int at[3] = {i, j, k};
        bool low = at[axis] == 0, high = at[axis] == cells[axis];
        float open = *opening_at(level, axis, i, j, k);
        BillowFace face = sim->def.faces[2 * axis + high];
        bool closed = (low || high) && face != BILLOW_OPEN && face != BILLOW_PERIODIC;
        if (open < 1.0f && !closed)
            task(sim, axis, i, j, k, open);
    }
}

/* Every face of the slab that solids cut. */
static void for_cut_faces(BillowSim *sim, Slab slab, FaceTask *task)
{
    const Level *level = &sim->multigrid.levels[0];
    const int ny = sim->grid.ny, nz = sim->grid.nz;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < ny; j++) {
            if (!level_row_is_cut(level, j, k))
                continue;
            for (int axis = 0; axis < 3; axis++)
                for_cut_row(sim, axis, j, k, task);
            if (j == ny - 1)
                for_cut_row(sim, 1, ny, k, task);
            if (k == nz - 1)
                for_cut_row(sim, 2, j, nz, task);
        }
}

static void mix(BillowSim *sim, int axis, int i, int j, int k, float open)
{
    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
    float *face = sim->velocity[axis] + at;
    sim->next[axis][at] = *face;
    *face = open * *face + (1 - open) * solids_velocity(sim, axis, i, j, k);
}

void solids_mix(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, mix);
}

static void unmix(BillowSim *sim, int axis, int i, int j, int k, float open)
{
    (void)open;
    ptrdiff_t at = grid_row(&sim->grid, j, k) + i;
    sim->velocity[axis][at] = sim->next[axis][at];
}

void solids_unmix(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, unmix);
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

/* Whether the face lies inside a solid, rather than on its surface. */
static bool is_inside(const BillowSim *sim, int axis, int i, int j, int k)
{
    const ptrdiff_t steps[3] = {1, sim->grid.stride_y, sim->grid.stride_z};
    const unsigned char *fluid = sim->solids->fluid + grid_row(&sim->grid, j, k) + i;
    return !fluid[0] && !fluid[-steps[axis]];
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

static void impose(BillowSim *sim, int axis, int i, int j, int k, float open)
{
    if (open > 0.0f)
        return;
    float mean;
    bool slides = is_inside(sim, axis, i, j, k) && beside(sim, axis, i, j, k, &mean) &&
                  !solids_stick(sim, axis, i, j, k);
    sim->velocity[axis][grid_row(&sim->grid, j, k) + i] =
        slides ? mean : solids_velocity(sim, axis, i, j, k);
}

void solids_impose(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, impose);
}
