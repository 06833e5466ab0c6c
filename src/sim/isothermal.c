/* SPDX-License-Identifier: MIT */
#include "isothermal.h"

#include <math.h>

/* Cells from a row's corners to a surface that its cells, or their neighbours, may feel. */
#define NEAR 1.5f
/* The least theta counted with: nearer surfaces are as good as there. */
#define THETA_LEAST 0.01f
/* Of a cell of fluid whose own centre lies inside: what is left of it is no deeper than half a
 * cell.
 */
#define THETA_INSIDE 0.25f

bool isothermal_any(const BillowSim *sim)
{
    for (int s = 0; s < sim->def.solid_count; s++)
        if (sim->def.solids[s].isothermal)
            return true;
    return false;
}

static bool in_region(const BillowSim *sim, const int at[3])
{
    const Region *region = &sim->solids->region;
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < region->low[axis] || at[axis] >= region->high[axis])
            return false;
    return true;
}

static bool is_noted(const BillowSim *sim, int j, int k)
{
    const Region *region = &sim->solids->region;
    return j >= region->low[1] && j < region->high[1] && k >= region->low[2] &&
           k < region->high[2] && sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] <= NEAR;
}

void isothermal_note_row(BillowSim *sim, int j, int k)
{
    if (!is_noted(sim, j, k))
        return;
    const Region *region = &sim->solids->region;
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    float *held = sim->work[1] + row, *distance = sim->scalar_next + row;
    for (int i = region->low[0]; i < region->high[0]; i++) {
        distance[i] = solids_rough_distance(sim, row + i);
        held[i] = 0;
        if (fabsf(distance[i]) > 2)
            continue;
        int solid = 0;
        distance[i] = solids_distance(sim, i, j, k, &solid);
        if (distance[i] <= 0.0f && sim->def.solids[solid].isothermal)
            held[i] = (float)(solid + 1);
    }
}

/* The held solid that the centre of a cell lies in; NULL where it lies in none. */
static const BillowSolid *holder(const BillowSim *sim, const int at[3])
{
    if (!in_region(sim, at) || !is_noted(sim, at[1], at[2]))
        return NULL;
    float held = sim->work[1][grid_row(&sim->grid, at[1], at[2]) + at[0]];
    return held > 0.0f ? &sim->def.solids[(int)held - 1] : NULL;
}

static float noted_distance(const BillowSim *sim, const int at[3])
{
    return sim->scalar_next[grid_row(&sim->grid, at[1], at[2]) + at[0]];
}

static float *unknown(const Level *level, const int at[3])
{
    return level->x.color[(at[0] + at[1] + at[2]) & 1] + packed_row(&level->grid, at[1], at[2]) +
           (at[0] >> 1);
}

/* The equation of one cell: sum and diagonal over its neighbours. */
typedef struct Balance {
    float sum, diagonal;
    bool feels; /* a held surface */
} Balance;

/* What comes over the face to a neighbour, as it would if no surface were held. */
static void add_neighbour(const Level *level, const int at[3], int axis, int step, Balance *balance)
{
    int n = level->cells[axis], to[3] = {at[0], at[1], at[2]}, face[3] = {at[0], at[1], at[2]};
    to[axis] += step;
    face[axis] += step > 0;
    float coupling = (step < 0 ? level->low : level->high)[axis][at[axis]] *
                     *opening_at(level, axis, face[0], face[1], face[2]);
    if (level->wraps[axis])
        to[axis] = (to[axis] + n) % n;
    balance->diagonal += coupling;
    if (to[axis] >= 0 && to[axis] < n)
        balance->sum += coupling * *unknown(level, to);
}

static void add_surface(const BillowSolid *solid, float theta, Balance *balance)
{
    balance->sum += solid->temperature / theta;
    balance->diagonal += 1 / theta;
    balance->feels = true;
}

static Balance balance_of(const BillowSim *sim, const Level *level, const int at[3])
{
    Balance balance = {0, 0, false};
    const BillowSolid *around = holder(sim, at);
    float distance = noted_distance(sim, at);
    if (around != NULL)
        add_surface(around, THETA_INSIDE, &balance);
    else if (!(distance > 0.0f))
        return balance; /* inside one that is not held */
    for (int side = 0; side < BILLOW_SIDES; side++) {
        int axis = side / 2, step = side % 2 == 0 ? -1 : 1, to[3] = {at[0], at[1], at[2]};
        to[axis] += step;
        const BillowSolid *solid = around == NULL ? holder(sim, to) : NULL;
        if (solid != NULL)
            add_surface(solid, fmaxf(distance / (distance - noted_distance(sim, to)), THETA_LEAST),
                        &balance);
        else
            add_neighbour(level, at, axis, step, &balance);
    }
    return balance;
}

static void relax_cell(const BillowSim *sim, const Level *level, const int at[3])
{
    Balance balance = balance_of(sim, level, at);
    if (!balance.feels)
        return;
    float rhs = level->rhs.color[(at[0] + at[1] + at[2]) & 1]
                                [packed_row(&level->grid, at[1], at[2]) + (at[0] >> 1)];
    *unknown(level, at) =
        (rhs + level->weight * balance.sum) / (level->base + level->weight * balance.diagonal);
}

void isothermal_relax(const BillowSim *sim, const Level *level, int color, int k)
{
    const Region *region = &sim->solids->region;
    for (int j = region->low[1]; j < region->high[1]; j++) {
        if (!is_noted(sim, j, k))
            continue;
        ptrdiff_t row = grid_row(&sim->grid, j, k);
        int first = region->low[0] + ((region->low[0] + j + k + color) & 1);
        for (int i = first; i < region->high[0]; i += 2)
            if (fabsf(sim->scalar_next[row + i]) <= 1 && sim->solids->fluid[row + i] != SOLID)
                relax_cell(sim, level, (const int[3]){i, j, k});
    }
    level_wrap(level, k);
}
