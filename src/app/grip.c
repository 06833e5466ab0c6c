/* SPDX-License-Identifier: MIT */
#include "grip.h"

#include <math.h>
#include <string.h>

/* Most cells that a hand may move a solid in one step. */
#define CELLS_MAX 20.0
/* Time in which a thrown solid loses most of its speed, s, and the speed at which it rests, cells
 * per step. */
#define GLIDE_SECONDS 0.3
#define REST_CELLS    0.01

static float within(double value, double limit)
{
    return (float)fmax(-limit, fmin(value, limit));
}

/* Sets the velocity that takes the solid towards the hand, within the limit of a step. */
static void pull(Grip *grip, const BillowDef *def, double step, const Grasp *grasp,
                 BillowSolid *solid)
{
    double way[3], square = 0, cell = (double)def->cell_size;
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (double)grasp->center[axis] - (double)solid->center[axis];
        square += way[axis] * way[axis];
    }
    double length = sqrt(square), most = CELLS_MAX * cell;
    double share = length > most ? most / length : length > 1e-4 * cell ? 1 : 0;
    for (int axis = 0; axis < 3; axis++)
        solid->velocity[axis] = within(way[axis] * share / step, 5e3);
    solid->motion = BILLOW_DRIVEN;
    memcpy(grip->pulled[grip->steps++ % GRIP_MEMORY], solid->velocity, sizeof solid->velocity);
}

/* The hand's speed is a mean over some steps: in a single one the mouse may not have been read. */
static void let_go(Grip *grip, BillowSolid *solid)
{
    int steps = grip->steps < GRIP_MEMORY ? grip->steps : GRIP_MEMORY;
    for (int axis = 0; axis < 3; axis++) {
        float sum = 0;
        for (int s = 0; s < steps; s++)
            sum += grip->pulled[s][axis];
        grip->thrown[axis] = steps > 0 ? sum / (float)steps : 0;
    }
    solid->motion = grip->before.motion;
    memcpy(solid->velocity, grip->thrown, sizeof solid->velocity);
    grip->gliding = solid->motion != BILLOW_FALLING;
}

/* Keeps the solid's centre in the box. */
static void glide(Grip *grip, const BillowDef *def, double step, BillowSolid *solid)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    double square = 0, cell = (double)def->cell_size;
    for (int axis = 0; axis < 3; axis++) {
        double low = (double)def->origin[axis], high = low + cells[axis] * cell;
        double next = (double)solid->center[axis] + (double)grip->thrown[axis] * step;
        if (next < low || next > high)
            grip->thrown[axis] = 0;
        solid->velocity[axis] = grip->thrown[axis];
        square += (double)grip->thrown[axis] * (double)grip->thrown[axis];
        grip->thrown[axis] *= (float)exp(-step / GLIDE_SECONDS);
    }
    if (sqrt(square) * step > REST_CELLS * cell)
        return;
    memcpy(solid->velocity, grip->before.velocity, sizeof solid->velocity);
    grip->gliding = false;
}

static void take(Grip *grip, const Grasp *grasp, BillowSolid *solids)
{
    if (grip->gliding) /* in the air, or another solid */
        memcpy(solids[grip->grasp.solid].velocity, grip->before.velocity,
               sizeof grip->before.velocity);
    grip->gliding = false;
    grip->before = solids[grasp->solid];
    grip->steps = 0;
}

void grip_move(Grip *grip, BillowSim *sim, const BillowDef *def, double step, const Grasp *grasp)
{
    const Grasp last = grip->grasp;
    bool same = last.holds && grasp->holds && last.solid == grasp->solid;
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    if (!last.holds && !grasp->holds && !grip->gliding)
        return;
    for (int s = 0; s < def->solid_count; s++)
        solids[s] = *billow_solid(sim, s);
    if (last.holds && !same)
        let_go(grip, &solids[last.solid]);
    if (grasp->holds && !same)
        take(grip, grasp, solids);
    if (grasp->holds)
        pull(grip, def, step, grasp, &solids[grasp->solid]);
    else if (grip->gliding)
        glide(grip, def, step, &solids[last.solid]);
    grip->grasp = *grasp;
    if (!grasp->holds)
        grip->grasp.solid = last.solid;
    billow_set_solids(sim, solids, def->solid_count, NULL);
}
