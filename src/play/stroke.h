/* SPDX-License-Identifier: MIT
 *
 * A press of the pointer in the volume, until it is released: it drags the solid below it, or
 * strokes with the brush. The commands go to the world's simulation, which must exist. The window
 * and the page use it alike. */
#ifndef PLAY_STROKE_H
#define PLAY_STROKE_H

#include "play/grab.h"
#include "play/world.h"

typedef enum StrokeKind { STROKE_NONE, STROKE_BRUSH, STROKE_SOLID } StrokeKind;

typedef struct Stroke {
    StrokeKind kind;
    Grab grab;          /* the solid of STROKE_SOLID */
    float detonated[3]; /* position of the last detonation of this stroke, m */
} Stroke;

/* Starts a stroke on the ray at a time in s. snapshot: the newest; NULL: none. Returns the index of
 * a solid that would be dragged, if the scene's timeline did not set its position: the brush then
 * strokes on it. Otherwise returns -1. */
int stroke_press(Stroke *stroke, World *world, const SimSnapshot *snapshot, const BrushRay *ray,
                 double time);
/* Continues the stroke on the ray. Call it every frame, even if the pointer rests. */
void stroke_drag(Stroke *stroke, World *world, const BrushRay *ray, double time);
/* Moves the solid or the brush along the ray, by notches of the wheel, positive away from the
 * camera. */
void stroke_deepen(Stroke *stroke, World *world, const BrushRay *ray, float notches);
void stroke_release(Stroke *stroke, World *world);

/* Places the brush on the ray while nothing is pressed, in front of the solid there. */
void stroke_hover(World *world, const SimSnapshot *snapshot, const BrushRay *ray);
/* Detonates at the brush. */
void stroke_detonate(Stroke *stroke, World *world);

#endif
