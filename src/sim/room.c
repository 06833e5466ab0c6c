/* SPDX-License-Identifier: MIT
 *
 * Room for what expands, before conservative advection: with s = dt/h, flow that leaves a cell by
 * expansion e takes up a volume of s e beyond the cell's, so that a cell's content begins as
 *
 *     V = 1 + s (e_burn + e_emitters),    q' = q / (1 + s e_burn)
 *
 * and when the flow has passed on what it passes, V is 1. What burns spreads the smoke and fuel
 * that it held (combustion.c), none is made; a box closed all round draws them together elsewhere.
 * What emitters blow in has the density of its place: they make V q' - q of it. What is hot stays
 * as hot. */
#include "sim.h"

#include "boundary.h"
#include "constants.h"

#include <string.h>

bool room_needed(const BillowSim *sim)
{
    for (int k = 0; k < sim->grid.nz; k++)
        if (sources_expand(sim, k))
            return true;
    return false;
}

/* h * expansion by burning alone, in work[2]. */
static void load_burning(BillowSim *sim, int k)
{
    const Grid *grid = &sim->grid;
    float *plane = sim->work[2] + grid_row(grid, 0, k);
    for (int j = 0; j < grid->ny; j++)
        memset(plane + grid_row(grid, j, 0), 0, (size_t)grid->nx * sizeof *plane);
    if (combustion_expands(sim, k))
        combustion_expand(sim, k, plane);
}

/* Rows of volumes, and of what burning leaves of what was in them; room holds the expansion by
 * burning alone. */
static void load_volumes(const BillowSim *sim, float scale, ptrdiff_t at, const float *expansion,
                         float *room, float *thinned)
{
    int n = sim->grid.nx;
    for (int i = 0; i < n; i++) {
        float burnt = 1 + scale * room[i], all = 1 + scale * expansion[i];
        thinned[i] = 1 / (burnt > LEAST_VOLUME ? burnt : LEAST_VOLUME);
        room[i] = all > LEAST_VOLUME ? all : LEAST_VOLUME;
    }
    for (int i = 0; i < n && sim->solids != NULL; i++)
        if (!sim->solids->fluid[at + i])
            room[i] = thinned[i] = 1;
}

static bool any_of(const float *a, const float *b, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++)
        any |= (a[i] != 0.0f) | (b[i] != 0.0f);
    return any;
}

/* Makes room in a row; the mass that emitters make of it. */
static double row_room(BillowSim *sim, const Scalar *list, int count, float scale, ptrdiff_t at,
                       const float *expansion)
{
    int n = sim->grid.nx;
    float thinned[BILLOW_GRID_MAX], *room = sim->work[2] + at;
    double made = 0;
    if (!any_of(expansion, room, n)) {
        for (int i = 0; i < n; i++)
            room[i] = 1;
        return 0;
    }
    load_volumes(sim, scale, at, expansion, room, thinned);
    for (int i = 0; i < n; i++)
        made += ((double)room[i] * (double)thinned[i] - 1) * (double)sim->density[at + i];
    for (int s = 0; s < count; s++)
        for (int i = 0; i < n && list[s].kind != FIELD_TEMPERATURE; i++)
            (*list[s].field)[at + i] *= thinned[i];
    return made;
}

void room_make(BillowSim *sim, const Scalar *list, int count, float scale, Slab slab)
{
    const Grid *grid = &sim->grid;
    for (int k = slab.begin; k < slab.end; k++) {
        ptrdiff_t stride;
        load_burning(sim, k);
        const float *expansion = sources_expansion(sim, k, sim->scalar_next, &stride);
        for (int j = 0; j < grid->ny; j++)
            sim->plane_budgets[k].released +=
                row_room(sim, list, count, scale, grid_row(grid, j, k), expansion + j * stride);
    }
}
