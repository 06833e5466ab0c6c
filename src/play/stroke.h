/* SPDX-License-Identifier: MIT
 *
 * The pointer in the volume, in the window and in the page: it hovers, and from a press to its
 * release it strokes with the brush, drags the solid below it, or turns or moves the view. Commands
 * go to the world's simulation; without one, strokes do nothing.
 *
 * A solid is dragged in the plane through the picked point that faces the camera. In the simulation
 * it follows the cursor. When it is let go, it moves on. */
#ifndef PLAY_STROKE_H
#define PLAY_STROKE_H

#include "play/world.h"

/* -- dragging a solid -------------------------------------------------------------------------- */

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

/* Computes the position to which the solid's centre is dragged, within the box. Returns false if
 * the ray does not meet the plane. */
bool grab_follow(const Grab *grab, const Brush *brush, const BrushRay *ray, float center[3]);

/* -- the pointer ------------------------------------------------------------------------------- */

/* What a press does until its release. The caller sets DRAG_GIZMO, DRAG_ORBIT and DRAG_PAN. */
typedef enum Drag {
    DRAG_NONE,
    DRAG_BRUSH,
    DRAG_SOLID,
    DRAG_GIZMO, /* a handle of the window, which moves it itself */
    DRAG_ORBIT, /* turns the view */
    DRAG_PAN    /* moves the view */
} Drag;

typedef struct Stroke {
    Drag drag;
    Grab grab;          /* the solid of DRAG_SOLID */
    float detonated[3]; /* position of the last detonation of this stroke, m */
} Stroke;

/* Starts DRAG_BRUSH or DRAG_SOLID on the ray at a time in s. snapshot: the newest; NULL: none.
 * Returns the index of a solid that would be dragged, if the scene's timeline did not set its
 * position: the brush then strokes on it. Otherwise returns -1. */
int stroke_press(Stroke *stroke, World *world, const SimSnapshot *snapshot, const BrushRay *ray,
                 double time);
/* Continues DRAG_BRUSH or DRAG_SOLID on the ray. Call it every frame, even if the pointer rests.
 * Without a press, places the brush on the ray, in front of the solid there. All other drags take
 * the brush out of the volume. */
void stroke_follow(Stroke *stroke, World *world, const SimSnapshot *snapshot, const BrushRay *ray,
                   double time);
/* Turns or moves the view. dx, dy: movement of the pointer, heights of the picture. Returns whether
 * the drag is DRAG_ORBIT or DRAG_PAN. */
bool stroke_turn(const Stroke *stroke, World *world, float dx, float dy);
/* Whether the drag is DRAG_BRUSH or DRAG_SOLID, which the wheel moves along the ray. */
bool stroke_works(const Stroke *stroke);
/* Moves the solid or the brush along the ray, by notches of the wheel, positive away from the
 * camera. */
void stroke_deepen(Stroke *stroke, World *world, const BrushRay *ray, float notches);
void stroke_release(Stroke *stroke, World *world);
/* Detonates at the brush. */
void stroke_detonate(Stroke *stroke, World *world);

#endif
