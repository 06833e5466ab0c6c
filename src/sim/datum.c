/* SPDX-License-Identifier: MIT
 *
 * Fluid that no open face can be reached from has a pressure but for a constant. Nothing in the
 * equations holds that constant: what a cycle finds left to do has, by rounding, a mean, which the
 * coarser levels magnify. In a box closed all round those are balanced (multigrid.c); what solids
 * seal off within has no such levels of its own, and there the constant would grow from one step's
 * pressure to the next's start until the gradient drowned in it. So it is taken off every few
 * steps, whatever it came from: each such part's mean becomes 0.
 */
#include "sim.h"

#include "constants.h"

/* Cells of a region that `fluid` holds these values for. */
typedef struct Part {
    Region region;
    unsigned char least, most;
} Part;

typedef struct Sum {
    double value, cells;
} Sum;

static bool belongs(const BillowSim *sim, const Part *part, int i, int j, int k)
{
    if (sim->solids == NULL)
        return true;
    unsigned char fluid = sim->solids->fluid[grid_row(&sim->grid, j, k) + i];
    return fluid >= part->least && fluid <= part->most;
}

static Sum plane_sum(const BillowSim *sim, const Part *part, int k)
{
    const Level *level = &sim->multigrid.levels[0];
    float row[BILLOW_GRID_MAX];
    Sum sum = {0, 0};
    for (int j = part->region.low[1]; j < part->region.high[1]; j++) {
        level_unpack_row(level, level->x, j, k, row);
        for (int i = part->region.low[0]; i < part->region.high[0]; i++) {
            bool counts = belongs(sim, part, i, j, k);
            sum.value += counts ? (double)row[i] : 0;
            sum.cells += counts ? 1 : 0;
        }
    }
    return sum;
}

static void lower_plane(const BillowSim *sim, const Part *part, int k, float mean)
{
    const Level *level = &sim->multigrid.levels[0];
    float row[BILLOW_GRID_MAX];
    for (int j = part->region.low[1]; j < part->region.high[1]; j++) {
        level_unpack_row(level, level->x, j, k, row);
        for (int i = part->region.low[0]; i < part->region.high[0]; i++)
            row[i] -= belongs(sim, part, i, j, k) ? mean : 0;
        level_pack_row(level, row, j, k, level->x);
    }
    level_wrap(level, k);
}

/* All that is no compartment, by all workers. */
static void lower_main(BillowSim *sim, Team team)
{
    const Grid *grid = &sim->grid;
    const Part part = {{{0, 0, 0}, {grid->nx, grid->ny, grid->nz}}, FLUID, OVERRUN};
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        Sum sum = plane_sum(sim, &part, k);
        sim->plane_sums[k] = sum.value;
        sim->plane_squares[k] = sum.cells;
    }
    team_barrier(team);
    double value = sum_planes(sim->plane_sums, grid->nz);
    double cells = sum_planes(sim->plane_squares, grid->nz);
    for (int k = slab.begin; k < slab.end && cells > 0; k++)
        lower_plane(sim, &part, k, (float)(value / cells));
}

static void lower_compartment(BillowSim *sim, int c)
{
    unsigned char own = (unsigned char)(COMPARTMENT + c);
    const Part part = {sim->solids->compartments[c].region, own, own};
    Sum all = {0, 0};
    for (int k = part.region.low[2]; k < part.region.high[2]; k++) {
        Sum sum = plane_sum(sim, &part, k);
        all.value += sum.value;
        all.cells += sum.cells;
    }
    for (int k = part.region.low[2]; k < part.region.high[2] && all.cells > 0; k++)
        lower_plane(sim, &part, k, (float)(all.value / all.cells));
}

void datum_keep(BillowSim *sim, Team team)
{
    const Solids *solids = sim->solids;
    if (sim->stats.substeps % DATUM_STEPS != 0)
        return;
    if (balance_closed(&sim->def))
        lower_main(sim, team);
    team_barrier(team);
    for (int c = 0; team.index == 0 && solids != NULL && c < solids->compartment_count; c++)
        if (c != solids->main_part)
            lower_compartment(sim, c);
    team_barrier(team);
}
