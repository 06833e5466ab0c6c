/* SPDX-License-Identifier: MIT
 * Picks a solid with the cursor, and moves a grabbed solid in the simulation. */
#include "grab.h"

#include "camera_control.h"
#include "vector.h"
#include <math.h>
#include <string.h>

/* -- the cursor -------------------------------------------------------------------------------- */

/* Share of the distance to the nearest surface by which one step along the ray advances. It is
 * below 1, because the distance in a volume may be slightly too large. */
#define STEP_SHARE 0.8f
/* TOUCH: distance from a surface at which the ray counts as meeting it, as a share of the box's
 * longest edge. PLACES_MAX: largest number of steps along the ray. */
#define TOUCH      1e-4f
#define PLACES_MAX 1000

static float nearest(const BillowSolid *solids, int count, const float place[3], int *solid)
{
    const double point[3] = {(double)place[0], (double)place[1], (double)place[2]};
    double least = HUGE_VAL;
    for (int s = 0; s < count; s++) {
        if (solids[s].shape == BILLOW_VOLUME && solids[s].volume->next != NULL)
            continue; /* the simulation changes its samples meanwhile, and files move it */
        double distance = billow_solid_distance(&solids[s], point);
        if (distance < least) {
            least = distance;
            *solid = s;
        }
    }
    return (float)least;
}

bool grab_meet(const Brush *brush, const BrushRay *ray, const BillowSolid *solids, int count,
               int *solid, float *distance)
{
    float enter, leave, longest = 0;
    if (count == 0 || !brush_clip(brush, ray, &enter, &leave))
        return false;
    for (int i = 0; i < 3; i++)
        longest = fmaxf(longest, brush->high[i] - brush->low[i]);
    float t = enter;
    for (int step = 0; step < PLACES_MAX && t <= leave; step++) {
        float place[3];
        vector_add_scaled(ray->origin, t, ray->direction, place);
        float gap = nearest(solids, count, place, solid);
        *distance = t;
        if (gap <= TOUCH * longest)
            return true;
        t += STEP_SHARE * gap;
    }
    return false;
}

bool grab_pick(Grab *grab, const Brush *brush, const BrushRay *ray, const BillowSolid *solids,
               int count)
{
    float distance;
    if (!grab_meet(brush, ray, solids, count, &grab->solid, &distance))
        return false;
    const BillowSolid *solid = &solids[grab->solid];
    vector_add_scaled(ray->origin, distance, ray->direction, grab->taken);
    vector_add_scaled(solid->center, -1, grab->taken, grab->offset);
    camera_control_forward(ray->camera, grab->forward);
    return solid->shape != BILLOW_PLANE;
}

void grab_deepen(Grab *grab, const Brush *brush, float notches)
{
    vector_add_scaled(grab->taken, brush_notch(brush) * notches, grab->forward, grab->taken);
}

bool grab_follow(const Grab *grab, const Brush *brush, const BrushRay *ray, float center[3])
{
    float depth = brush_plane_depth(ray, grab->taken, grab->forward);
    if (depth <= 0)
        return false;
    vector_add_scaled(ray->origin, depth, ray->direction, center);
    for (int i = 0; i < 3; i++)
        center[i] = vector_clamp(center[i] + grab->offset[i], brush->low[i], brush->high[i]);
    return true;
}

/* -- the simulation ---------------------------------------------------------------------------- */

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
        grip->thrown[axis] *= (float)exp(-step / GLIDE_SECONDS);
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
