/* SPDX-License-Identifier: MIT
 *
 * Dragging a solid. The cursor picks a solid, and drags it in the plane through the picked point
 * that faces the camera. In the simulation the solid follows the cursor. When it is let go, it
 * moves on. */
#ifndef PLAY_GRAB_H
#define PLAY_GRAB_H

#include "play/brush.h"

/* -- the cursor -------------------------------------------------------------------------------- */

typedef struct Grab {
    int solid;
    float taken[3];   /* picked point on the surface, m */
    float offset[3];  /* displacement from `taken` to the solid's centre, m */
    float forward[3]; /* normal of the plane in which the solid is dragged */
} Grab;

/* Finds the first solid that the ray meets within the box. distance: receives the distance along
 * the ray, m. Returns false if the ray meets no solid. */
bool grab_meet(const Brush *brush, const BrushRay *ray, const BillowSolid *solids, int count,
               int *solid, float *distance);

/* Picks the first solid on the ray. Returns false if there is none, or if it is a plane, which
 * cannot be moved. */
bool grab_pick(Grab *grab, const Brush *brush, const BrushRay *ray, const BillowSolid *solids,
               int count);

/* Moves the plane away from the camera, by brush_notch for each notch of the wheel. */
void grab_deepen(Grab *grab, const Brush *brush, float notches);

/* Computes the position to which the solid's centre is dragged, within the box. Returns false if
 * the ray does not meet the plane. */
bool grab_follow(const Grab *grab, const Brush *brush, const BrushRay *ray, float center[3]);

#endif
