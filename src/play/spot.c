/* SPDX-License-Identifier: MIT */
#include "play/spot.h"

#include "play/stroke.h"

#include <math.h>

/* Where the scene's solids start, upon which a new one is put. Shapes that move are left out.
 * Returns their number. */
static int standing_solids(const SimSnapshot *snapshot, const Scene *scene,
                           BillowSolid solids[BILLOW_SOLIDS_MAX])
{
    int count = 0;
    for (int s = 0; s < scene->def.solid_count; s++) {
        BillowSolid solid = scene->def.solids[s];
        if (solid.shape == BILLOW_VOLUME)
            solid.volume = snapshot != NULL && snapshot->solid_count == scene->def.solid_count
                               ? snapshot->solids[s].volume
                               : NULL;
        if (solid.shape != BILLOW_VOLUME || (solid.volume != NULL && solid.volume->next == NULL))
            solids[count++] = solid;
    }
    return count;
}

/* Finds where the ray meets the floor of the box. */
static bool meet_floor(const Brush *brush, const BrushRay *ray, float *distance)
{
    *distance = (brush->low[1] - ray->origin[1]) / ray->direction[1];
    if (!(ray->direction[1] < 0) || *distance <= 0)
        return false;
    for (int a = 0; a < 3; a += 2) {
        float at = ray->origin[a] + *distance * ray->direction[a];
        if (at < brush->low[a] || at > brush->high[a])
            return false;
    }
    return true;
}

SceneSpot spot_met(const World *world, const SimSnapshot *snapshot, const Scene *scene,
                   const BrushRay *ray, BillowSolid solids[BILLOW_SOLIDS_MAX])
{
    const Brush *brush = &world->brush;
    SceneSpot spot = {.solids = solids, .solid_count = standing_solids(snapshot, scene, solids)};
    float on_solid, on_floor, middle[3], forward[3];
    int solid;
    spot.on_solid = snapshot != NULL && grab_meet(brush, ray, snapshot->solids,
                                                  snapshot->solid_count, &solid, &on_solid);
    const bool floor = meet_floor(brush, ray, &on_floor);
    spot.on_solid = spot.on_solid && !(floor && on_floor < on_solid);
    for (int a = 0; a < 3; a++)
        middle[a] = 0.5f * (brush->low[a] + brush->high[a]);
    camera_control_forward(ray->camera, forward);
    const float depth = spot.on_solid ? on_solid
                        : floor       ? on_floor
                                      : fmaxf(brush_plane_depth(ray, middle, forward), 0);
    for (int a = 0; a < 3; a++)
        spot.point[a] = ray->origin[a] + depth * ray->direction[a];
    return spot;
}
