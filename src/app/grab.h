/* SPDX-License-Identifier: MIT
 *
 * Dragging a solid: which one the cursor points at, and where the drag wants it. It moves in a
 * plane that faces the camera, through the point where the cursor took it. */
#ifndef APP_GRAB_H
#define APP_GRAB_H

#include "brush.h"

typedef struct Grab {
    int solid;
    float taken[3];   /* point on its surface where it was taken, m */
    float offset[3];  /* from that point to its centre, m */
    float forward[3]; /* normal of the plane */
} Grab;

/* Whether the ray meets a solid in the box; which one, and at what distance. */
bool grab_meet(const Brush *brush, const BrushRay *ray, const BillowSolid *solids, int count,
               int *solid, float *distance);

/* Takes the first solid on the ray. False: there is none, or it is a plane, which cannot be moved.
 */
bool grab_pick(Grab *grab, const Brush *brush, const BrushRay *ray, const BillowSolid *solids,
               int count);

/* Moves the plane away from the camera, by brush_notch for each notch of the wheel. */
void grab_deepen(Grab *grab, const Brush *brush, float notches);

/* Where the solid's centre is to go, within the box. False: the ray does not meet the plane. */
bool grab_follow(const Grab *grab, const Brush *brush, const BrushRay *ray, float center[3]);

#endif
