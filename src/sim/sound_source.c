/* SPDX-License-Identifier: MIT */
#include "sim/sound_source.h"

#include <assert.h>
#include <math.h>

/* Every second cell along each axis gives its vorticity. */
enum { SHEAR_STRIDE = 2 };

static void sum_expansion(const BillowSim *sim, const float *plane, ptrdiff_t stride,
                          PlaneSound *sums)
{
    for (int j = 0; j < sim->grid.ny; j++) {
        double row = 0, along = 0, square = 0;
        for (int i = 0; i < sim->grid.nx; i++) {
            const double rate = fabs((double)plane[j * stride + i]);
            row += rate;
            along += rate * i;
            square += rate * i * i;
        }
        sums->expands += row;
        sums->expands_at[0] += along;
        sums->expands_at[1] += row * j;
        sums->expands_square += square + row * j * j;
    }
}

/* The components of the vorticity lie on the edges that meet at a cell's low corner. */
static void sum_shear(const BillowSim *sim, int j, int k, PlaneSound *sums)
{
    const Grid *grid = &sim->grid;
    const ptrdiff_t y = grid->stride_y, z = grid->stride_z;
    const float *u = sim->velocity[0] + grid_row(grid, j, k),
                *v = sim->velocity[1] + grid_row(grid, j, k),
                *w = sim->velocity[2] + grid_row(grid, j, k);
    double row = 0, along = 0, energy = 0;
    for (int i = 1; i < grid->nx; i += SHEAR_STRIDE) {
        const float about[3] = {w[i] - w[i - y] - v[i] + v[i - z],
                                u[i] - u[i - z] - w[i] + w[i - 1],
                                v[i] - v[i - 1] - u[i] + u[i - y]};
        const float speed2 = u[i] * u[i] + v[i] * v[i] + w[i] * w[i];
        const float size = sqrtf(about[0] * about[0] + about[1] * about[1] + about[2] * about[2]);
        row += (double)size;
        along += (double)size * i;
        energy += (double)size * (double)speed2;
    }
    sums->shear += row;
    sums->shear_at[0] += along;
    sums->shear_at[1] += row * j;
    sums->shear_energy += energy;
}

PlaneSound sound_source_plane(const BillowSim *sim, int k, const float *expansion, ptrdiff_t stride)
{
    PlaneSound sums = {0};
    if (stride != 0)
        sum_expansion(sim, expansion, stride, &sums);
    for (int j = 1; j < sim->grid.ny && k % SHEAR_STRIDE == 1; j += SHEAR_STRIDE)
        sum_shear(sim, j, k, &sums);
    return sums;
}

/* Place of a mean of cells, m; the middle of the box if the weight is 0. */
static void place(const BillowSim *sim, const double cells[3], double weight, double at[3])
{
    const int n[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
    for (int axis = 0; axis < 3; axis++) {
        const double cell = weight > 0 ? cells[axis] / weight + 0.5 : 0.5 * n[axis];
        at[axis] = (double)sim->def.origin[axis] + cell * (double)sim->def.cell_size;
    }
}

void sound_source_update(BillowSim *sim)
{
    if (!sim->listens)
        return;
    PlaneSound sums = {0};
    double expands_z = 0, square_z = 0, shear_z = 0;
    const double h = (double)sim->def.cell_size;
    exchange_entries(sim_alone(sim), sim->plane_sounds, sizeof sums, sim->grid.nz);
    for (int k = 0; k < sim->grid.nz; k++) {
        const PlaneSound *part = &sim->plane_sounds[k];
        sums.expands += part->expands;
        expands_z += part->expands * k;
        square_z += part->expands * k * k;
        sums.expands_square += part->expands_square;
        sums.shear += part->shear;
        shear_z += part->shear * k;
        sums.shear_energy += part->shear_energy;
        for (int axis = 0; axis < 2; axis++) {
            sums.expands_at[axis] += part->expands_at[axis];
            sums.shear_at[axis] += part->shear_at[axis];
        }
    }
    const double expands[3] = {sums.expands_at[0], sums.expands_at[1], expands_z};
    const double shear[3] = {sums.shear_at[0], sums.shear_at[1], shear_z};
    double square = sums.expands > 0 ? (sums.expands_square + square_z) / sums.expands : 0;
    for (int axis = 0; axis < 3 && sums.expands > 0; axis++)
        square -= expands[axis] / sums.expands * (expands[axis] / sums.expands);
    const double sampled = SHEAR_STRIDE * SHEAR_STRIDE * SHEAR_STRIDE;
    sim->sound = (BillowSound){
        .time = sim->time,
        .expansion = sim->stats.expansion,
        .extent = sqrt(fmax(square, 0)) * h,
        .shear = sampled * sums.shear * h * h,
        .shear_speed = sums.shear > 0 ? sqrt(sums.shear_energy / sums.shear) : 0,
    };
    place(sim, expands, sums.expands, sim->sound.center);
    place(sim, shear, sums.shear, sim->sound.shear_center);
}

void billow_listen(BillowSim *sim, bool on)
{
    assert(sim != NULL);
    sim->listens = on;
}

BillowSound billow_sound(const BillowSim *sim)
{
    assert(sim != NULL);
    return sim->sound;
}
