/* SPDX-License-Identifier: MIT
 *
 * Where a file that is dropped on the picture joins the scene. */
#ifndef PLAY_SPOT_H
#define PLAY_SPOT_H

#include "play/world.h"
#include "scene/scene_join.h"

/* Returns the place that a ray meets: on the first solid, on the floor, or else in the plane
 * through the middle of the box that faces the camera. snapshot: NULL: there is none. scene: that
 * will be changed. solids: receives those of its solids upon which another can be put. */
SceneSpot spot_met(const World *world, const SimSnapshot *snapshot, const Scene *scene,
                   const BrushRay *ray, BillowSolid solids[BILLOW_SOLIDS_MAX]);

#endif
