/* SPDX-License-Identifier: MIT
 *
 * Viscosity between the fluid and surfaces that it sticks to.
 *
 * Diffusion (diffuse.c) knows no solids: a face outside is dragged by a neighbour inside as by any
 * other, a whole cell away. The surface between the two is nearer, theta cells, so that the drag
 * is 1 / theta times that (Shortley & Weller 1938; Gibou, Fedkiw, Cheng & Kang 2002). What is
 * missing is taken here, implicitly, and faces whose middle is inside get the solid's velocity.
 * Without this a surface acts as if it lay up to a cell deeper: eddies left a cylinder of 8 cells
 * almost as fast as one that is slippery. */
#include "parallel.h"
#include "sim.h"

/* From the middle of a face to the surface, in cells. */
static float face_distance(const BillowSim *sim, int axis, ptrdiff_t at)
{
    const ptrdiff_t steps[3] = {1, sim->grid.stride_y, sim->grid.stride_z};
    const float *distance = sim->solids->distance + at;
    ptrdiff_t b = steps[(axis + 1) % 3], c = steps[(axis + 2) % 3];
    return 0.25f * ((distance[0] + distance[b]) + (distance[c] + distance[b + c]));
}

/* In units of nu / h2, of a face that far outside. */
static float missing_drag(const BillowSim *sim, int axis, const int at[3], float outside)
{
    const ptrdiff_t steps[3] = {1, sim->grid.stride_y, sim->grid.stride_z};
    const int cells[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
    const float nearest = 0.01f;
    ptrdiff_t here = grid_row(&sim->grid, at[1], at[2]) + at[0];
    float missing = 0;
    for (int a = 0; a < 3; a++)
        for (int step = -1; step <= 1; step += 2) {
            if (at[a] + step < 0 || at[a] + step >= cells[a])
                continue;
            float beside = face_distance(sim, axis, here + step * steps[a]);
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
        const float near = 3; /* from a low corner; farther faces have no neighbour inside */
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
    team_run(sim->threads, drag_task, sim);
}
