/* SPDX-License-Identifier: MIT
 * Picks a solid with the cursor, and moves a grabbed solid in the simulation. */
#include "play/grab.h"

#include "base/vec3.h"
#include "play/camera_control.h"
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
