/* SPDX-License-Identifier: MIT
 *
 * Amounts around moving solids, in conservative advection.
 *
 * Cells that a surface cuts count as whole. One that a solid moves into lets go of its fluid by its
 * open faces alone, so that its volume comes to V < 1 and begins the next step as 1 again: that
 * makes q (1 - V), and when it is covered, q is lost. Over the time it takes to be covered V falls
 * short by 1 in all, and behind the solid the other way round: made and lost agree but for how q
 * changes meanwhile. What they differ by is given back in proportion to what there is around the
 * surfaces (a mass fixer, as Bermejo & Conde 2002): no more than GIVEN_MOST of it a step, the rest
 * later. Without, a ball that falls through a cloud and bounces lost 1 % of it. */
#include "sim.h"

#include "boundary.h"
#include "constants.h"

#include <math.h>
#include <string.h>

bool solids_owe(const BillowSim *sim)
{
    return sim->solids != NULL && !sim->solids->still;
}

static bool gives(const Scalar *scalar)
{
    return scalar->kind != FIELD_TEMPERATURE;
}

static bool is_around(const BillowSim *sim, ptrdiff_t at)
{
    return sim->solids->fluid[at] != SOLID && sim->solids->distance[at] < GIVEN_REACH;
}

static void count_row(BillowSim *sim, const Scalar *list, int count, int j, int k)
{
    PlaneBudget *budget = &sim->plane_budgets[k];
    Region region = sim->solids->region;
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    for (int i = region.low[0]; i < region.high[0]; i++) {
        if (!is_around(sim, row + i))
            continue;
        double less = 1 - (double)sim->work[2][row + i];
        for (int s = 0; s < count; s++) {
            double value = (double)(*list[s].field)[row + i];
            budget->made[s] += value * less;
            budget->held[s] += value;
        }
    }
}

static Slab planes_around(const BillowSim *sim, Slab slab)
{
    Region region = sim->solids->region;
    slab.begin = slab.begin > region.low[2] ? slab.begin : region.low[2];
    slab.end = slab.end < region.high[2] ? slab.end : region.high[2];
    return slab;
}

static bool row_is_around(const BillowSim *sim, int j, int k)
{
    return sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] < GIVEN_REACH;
}

void solids_count_made(BillowSim *sim, const Scalar *list, int count, Slab slab)
{
    Region region = sim->solids->region;
    slab = planes_around(sim, slab);
    for (int k = slab.begin; k < slab.end; k++) {
        memset(sim->plane_budgets[k].held, 0, sizeof sim->plane_budgets[k].held);
        for (int j = region.low[1]; j < region.high[1]; j++)
            if (row_is_around(sim, j, k))
                count_row(sim, list, count, j, k);
    }
}

/* What is to be multiplied by; by one worker, which takes that off what is owed. */
static float part_to_give(BillowSim *sim, int s)
{
    Region region = sim->solids->region;
    double held = 0, *owed = &sim->solids->owed[s];
    for (int k = region.low[2]; k < region.high[2]; k++) {
        *owed -= sim->plane_budgets[k].made[s];
        held += sim->plane_budgets[k].held[s];
    }
    double given = held > 0 ? fmin(fmax(*owed / held, -GIVEN_MOST), GIVEN_MOST) : 0;
    *owed -= given * held;
    return (float)given;
}

void solids_give_back(BillowSim *sim, const Scalar *list, int count, Slab slab, Team team)
{
    Region region = sim->solids->region;
    for (int s = 0; s < count && team.index == 0; s++)
        sim->solids->given[s] = gives(&list[s]) ? part_to_give(sim, s) : 0;
    team_barrier(team);
    slab = planes_around(sim, slab);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = region.low[1]; j < region.high[1]; j++) {
            ptrdiff_t row = grid_row(&sim->grid, j, k);
            for (int i = region.low[0]; i < region.high[0] && row_is_around(sim, j, k); i++)
                for (int s = 0; s < count && is_around(sim, row + i); s++)
                    (*list[s].field)[row + i] *= 1 + sim->solids->given[s];
        }
}
