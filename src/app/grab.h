/* SPDX-License-Identifier: MIT
 *
 * A solid in the person's hand: which one the cursor points at, and where a drag wants it. It moves
 * in the plane through the place where it was taken that faces the camera. */
#ifndef APP_GRAB_H
#define APP_GRAB_H

#include "brush.h"

typedef struct Grab {
    int solid;
    float taken[3];   /* m; the place on its surface, */
    float offset[3];  /* from there to its centre */
    float forward[3]; /* normal of the plane */
} Grab;

/* Whether the ray meets a solid in the box, which and how far along. */
bool grab_meet(const Brush *brush, const BrushRay *ray, const BillowSolid *solids, int count,
               int *solid, float *distance);

/* Whether the ray meets a solid in the box, before it meets a plane, which nobody can take. */
bool grab_pick(Grab *grab, const Brush *brush, const BrushRay *ray, const BillowSolid *solids,
               int count);

/* Takes the plane of the drag away from the camera, by as much a notch as the brush goes. */
void grab_deepen(Grab *grab, const Brush *brush, float notches);

/* Where its centre is to go, within the box; false where the ray leads away from the plane. */
bool grab_follow(const Grab *grab, const Brush *brush, const BrushRay *ray, float center[3]);

#endif
