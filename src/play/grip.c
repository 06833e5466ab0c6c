/* SPDX-License-Identifier: MIT
 * Moves a grabbed or thrown solid in the simulation. */
#include "play/grip.h"

#include "base/mathematics.h"

#include <math.h>
#include <string.h>

/* Longest movement of a grabbed solid in one step, cells. */
#define CELLS_MAX 20.0
/* Time constant with which a thrown solid slows down, s. */
#define GLIDE_SECONDS 0.3
/* Speed below which a thrown solid stops gliding, cells / step. */
#define REST_CELLS 0.01

static float within(double value, double limit)
{
    return (float)fmax(-limit, fmin(value, limit));
}

/* Sets the velocity that moves the solid to the wanted position in one step, by at most CELLS_MAX.
 */
static void pull(Grip *grip, const BillowDef *def, double step, const Grasp *grasp,
                 BillowSolid *solid)
{
    double displacement[3], square = 0, cell = (double)def->cell_size;
    for (int axis = 0; axis < 3; axis++) {
        displacement[axis] = (double)grasp->center[axis] - (double)solid->center[axis];
        square += displacement[axis] * displacement[axis];
    }
    double length = sqrt(square), most = CELLS_MAX * cell;
    double share = length > most ? most / length : length > 1e-4 * cell ? 1 : 0;
    for (int axis = 0; axis < 3; axis++)
        solid->velocity[axis] = within(displacement[axis] * share / step, 5e3);
    solid->motion = BILLOW_DRIVEN;
    memcpy(grip->pulled[grip->steps++ % GRIP_MEMORY], solid->velocity, sizeof solid->velocity);
}

/* Throws the solid with its mean velocity over the last GRIP_MEMORY steps. The mouse may not have
 * moved during a single step. */
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

/* Moves a thrown solid, and slows it down. Its centre stays within the box. */
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
        grip->thrown[axis] *= (float)math_exp(-step / GLIDE_SECONDS);
    }
    if (sqrt(square) * step > REST_CELLS * cell)
        return;
    memcpy(solid->velocity, grip->before.velocity, sizeof solid->velocity);
    grip->gliding = false;
}

/* Restores the velocity of a gliding solid. */
static void rest(Grip *grip, BillowSolid *solids)
{
    if (grip->gliding)
        memcpy(solids[grip->grasp.solid].velocity, grip->before.velocity,
               sizeof grip->before.velocity);
    grip->gliding = false;
}

static void take_solid(Grip *grip, const Grasp *grasp, BillowSolid *solids)
{
    rest(grip, solids); /* it may be another solid than the grabbed one */
    grip->before = solids[grasp->solid];
    grip->steps = 0;
}

static void get_solids(const BillowSim *sim, const BillowDef *def, BillowSolid *solids)
{
    for (int s = 0; s < def->solid_count; s++)
        solids[s] = *billow_solid(sim, s);
}

void grip_stop(Grip *grip, BillowSim *sim, const BillowDef *def)
{
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    get_solids(sim, def, solids);
    rest(grip, solids);
    billow_set_solids(sim, solids, def->solid_count, NULL);
}

void grip_move(Grip *grip, BillowSim *sim, const BillowDef *def, double step, const Grasp *grasp)
{
    const Grasp last = grip->grasp;
    bool same = last.holds && grasp->holds && last.solid == grasp->solid;
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    if (!last.holds && !grasp->holds && !grip->gliding)
        return;
    get_solids(sim, def, solids);
    if (last.holds && !same)
        let_go(grip, &solids[last.solid]);
    if (grasp->holds && !same)
        take_solid(grip, grasp, solids);
    if (grasp->holds)
        pull(grip, def, step, grasp, &solids[grasp->solid]);
    else if (grip->gliding)
        glide(grip, def, step, &solids[last.solid]);
    grip->grasp = *grasp;
    if (!grasp->holds)
        grip->grasp.solid = last.solid;
    billow_set_solids(sim, solids, def->solid_count, NULL);
}
