/* SPDX-License-Identifier: MIT
 *
 * How solids change the velocity, before and after the projection. */
#include "sim/fields/parallel.h"
#include "sim/sim.h"

#include <string.h>

typedef void FaceTask(BillowSim *sim, int axis, int i, int j, int k);

/* Runs the task on those low faces of the cells in row (j, k) that have the bit `kind`: CUT_SEEN or
 * CUT_SHUT. */
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

/* Runs the task on all faces of the slab that have the bit `kind`. */
static void for_cut_faces(BillowSim *sim, Slab slab, unsigned kind, FaceTask *task)
{
    const Level *level = &sim->multigrid.levels[0];
    const int ny = sim->grid.ny, nz = sim->grid.nz;
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < ny && level->fractions.planes[k]; j++) {
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
    float open = *face_fraction(&sim->multigrid.levels[0], axis, i, j, k);
    float *face = sim->velocity[axis] + at;
    scratch_use(&sim->scratch, SCRATCH_FLUID_VELOCITY)[axis][at] = *face;
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
    sim->velocity[axis][at] = scratch_use(&sim->scratch, SCRATCH_FLUID_VELOCITY)[axis][at];
}

void solids_unmix(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, CUT_SEEN, unmix);
}

void solids_empty(BillowSim *sim, int k)
{
    const Level *level = &sim->multigrid.levels[0];
    if (sim->solids == NULL || !level->fractions.planes[k])
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
    if (sim->plane_squares[k] < 0) /* a rounding error of the subtractions */
        sim->plane_squares[k] = 0;
}

float solids_rough_distance(const BillowSim *sim, ptrdiff_t cell)
{
    const ptrdiff_t sy = sim->grid.stride_y, sz = sim->grid.stride_z;
    const float *d = sim->solids->distance + cell;
    return 0.125f * (((d[0] + d[1]) + (d[sy] + d[sy + 1])) +
                     ((d[sz] + d[sz + 1]) + (d[sz + sy] + d[sz + sy + 1])));
}

/* Distance from a surface within which the confinement's force is removed, cells. The vorticity of
 * a cell depends on the cell's neighbours, and the gradient of vorticity on their neighbours. That
 * is 2 cells; 0.5 is added. */
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

/* Computes the mean velocity of the open faces next to a face, along the two axes other than
 * `axis`. Returns false if there are none. */
static bool beside(const BillowSim *sim, int axis, int i, int j, int k, float *mean)
{
    const Grid *grid = &sim->grid;
    const Level *level = &sim->multigrid.levels[0];
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++)
        for (int step = -1; step <= 1; step += 2) {
            int at[3] = {i, j, k};
            at[a] += step;
            if (a == axis || at[a] < 0 || at[a] >= grid->cells[a] ||
                *face_fraction(level, axis, at[0], at[1], at[2]) == 0.0f)
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
    bool inside = (sim->solids->cuts[at] & CUT_SEEN << axis) == 0; /* no fluid on either side */
    bool slides = inside && beside(sim, axis, i, j, k, &mean) && !solids_stick(sim, axis, i, j, k);
    sim->velocity[axis][at] = slides ? mean : solids_velocity(sim, axis, i, j, k);
}

void solids_impose(BillowSim *sim, Slab slab)
{
    if (sim->solids != NULL)
        for_cut_faces(sim, slab, CUT_SHUT, impose);
}

/* -- drag -------------------------------------------------------------------------------------- */

/* Viscous drag at sticky surfaces.
 *
 * The diffusion of velocity (diffuse.c) ignores solids. It couples a face outside a solid to a
 * neighbour inside as if the surface were a whole cell away. The surface is only theta cells away,
 * and its drag is 1 / theta times as large (Shortley & Weller 1938; Gibou, Fedkiw, Cheng & Kang
 * 2002). solids_drag applies the difference implicitly. Faces whose middle is inside the solid get
 * the solid's velocity. Without this drag a surface acts as if it were up to a cell deeper: eddies
 * left a sticky cylinder of 8 cells almost as fast as a slippery one. */

/* Distance from the middle of a face to the surface, in cells. */
static float face_distance(const BillowSim *sim, int axis, ptrdiff_t at)
{
    const float *distance = sim->solids->distance + at;
    ptrdiff_t b = sim->grid.strides[(axis + 1) % 3], c = sim->grid.strides[(axis + 2) % 3];
    return 0.25f * ((distance[0] + distance[b]) + (distance[c] + distance[b + c]));
}

/* Difference between the drag of the surface and the drag that diffusion applies, in units of nu /
 * h2, for a face `outside` cells away from the surface. */
static float missing_drag(const BillowSim *sim, int axis, const int at[3], float outside)
{
    const float nearest = 0.01f;
    ptrdiff_t here = grid_row(&sim->grid, at[1], at[2]) + at[0];
    float missing = 0;
    for (int a = 0; a < 3; a++)
        for (int step = -1; step <= 1; step += 2) {
            if (at[a] + step < 0 || at[a] + step >= sim->grid.cells[a])
                continue;
            float beside = face_distance(sim, axis, here + step * sim->grid.strides[a]);
            float theta = beside < 0.0f ? outside / (outside - beside) : 1;
            missing += 1 / (theta > nearest ? theta : nearest) - 1;
        }
    return missing;
}

static void drag_row(BillowSim *sim, int axis, int j, int k)
{
    const Region *region = &sim->solids->region;
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    int last = region->high[0] < sim->grid.nx ? region->high[0] : sim->grid.nx - 1;
    for (int i = region->low[0]; i <= last; i++) {
        const float near =
            3; /* cells, from a low corner; faces farther away have no neighbour inside */
        if (sim->solids->distance[row + i] > near)
            continue;
        float outside = face_distance(sim, axis, row + i), *face = sim->velocity[axis] + row + i;
        float missing = outside > 0.0f ? missing_drag(sim, axis, (int[3]){i, j, k}, outside) : 0;
        if ((outside > 0.0f && missing == 0.0f) || !solids_stick(sim, axis, i, j, k))
            continue;
        float solid = solids_velocity(sim, axis, i, j, k);
        float left = outside > 0.0f ? 1 / (1 + sim->solids->drag * missing) : 0;
        *face = solid + left * (*face - solid);
    }
}

static void drag_task(void *context, Team team)
{
    BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < sim->grid.ny; j++) {
            const float near = 3;
            bool beside = sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] <= near;
            for (int axis = 0; axis < 3 && beside; axis++)
                drag_row(sim, axis, j, k);
        }
}

void solids_drag(BillowSim *sim, double dt)
{
    double h = (double)sim->def.cell_size;
    bool sticky = false;
    for (int s = 0; s < sim->def.solid_count; s++)
        sticky = sticky || sim->def.solids[s].sticky;
    if (!sticky || !(sim->def.params.viscosity > 0.0f))
        return;
    sim->solids->drag = (float)((double)sim->def.params.viscosity * dt / (h * h));
    sim_run(sim, drag_task, sim);
}
