/* SPDX-License-Identifier: MIT */
#include "reach.h"

#include "boundary.h"

#include <math.h>

Reach reach_of_cells(const BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    Reach reach = {
        .stride_y = (int)grid->stride_y,
        .stride_z = (int)grid->stride_z,
        .low = {1, 1, 1},
        .high = {(float)grid->nx, (float)grid->ny, (float)grid->nz},
    };
    for (int axis = 0; axis < 3; axis++)
        if (boundary_wraps(&sim->def, axis)) {
            reach.wraps = true;
            reach.turn[axis] = reach.high[axis];
        }
    return reach;
}

Reach reach_of_faces(const BillowSim *sim, int axis)
{
    Reach reach = reach_of_cells(sim);
    reach.high[axis] += 1; /* its last face */
    return reach;
}

Reach reach_well_inside(Reach reach)
{
    for (int axis = 0; axis < 3; axis++)
        reach.high[axis] = nextafterf(reach.high[axis], 0);
    return reach;
}

Reach reach_into_mirrors(const BillowSim *sim, Reach reach, int axis)
{
    for (int side = 0; side < BILLOW_SIDES; side++) {
        float way = sim->def.faces[side] == BILLOW_CLOSED && side / 2 != axis ? 1 : 0;
        if (side % 2 == 0)
            reach.low[side / 2] -= way;
        else
            reach.high[side / 2] += way;
    }
    return reach;
}

Reach reach_into_given(const BillowSim *sim, Reach reach, int field)
{
    for (int side = 0; side < BILLOW_SIDES; side++) {
        BillowFace face = sim->def.faces[side];
        bool sticks = face == BILLOW_NO_SLIP && field < 3;
        float way = face == BILLOW_INFLOW ? 1.0f : sticks ? 0.5f : 0.0f;
        if (field == side / 2 || way == 0.0f)
            continue;
        if (side % 2 == 0)
            reach.low[side / 2] -= way;
        else
            reach.high[side / 2] += way;
    }
    return reach;
}

Reach reach_into_open(const BillowSim *sim, Reach reach)
{
    for (int axis = 0; axis < 3; axis++) {
        reach.low[axis] -= sim->def.faces[2 * axis] == BILLOW_OPEN ? 1 : 0;
        reach.high[axis] += sim->def.faces[2 * axis + 1] == BILLOW_OPEN ? 1 : 0;
    }
    return reach;
}

Reach reach_short_of_next(Reach reach, int axis)
{
    reach.high[axis] = nextafterf(reach.high[axis], 0);
    return reach;
}
