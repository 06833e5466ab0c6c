/* SPDX-License-Identifier: MIT
 *
 * The cursor as a thing in the volume: where its ray meets the smoke, and what it releases there.
 *
 * Hovering finds the depth at which the smoke along the ray is seen; pressing keeps that depth, so
 * that a stroke moves in the plane through it that faces the camera and follows the hand evenly. */
#ifndef APP_BRUSH_H
#define APP_BRUSH_H

#include "scene.h"

enum { BRUSH_TOUCHES_MAX = 8 };

typedef struct Brush {
    BillowEmitter kind;    /* the scene's brush */
    float low[3], high[3]; /* m; corners of the box */
    float extinction;      /* 1/m per density */
    bool over;             /* the cursor's ray meets the box: place is meaningful */
    float place[3];
    float forward[3]; /* normal of the stroke's plane */
    float velocity[3];
    double time; /* s; when place was found */
} Brush;

/* The cursor's ray, and the camera it comes from. */
typedef struct BrushRay {
    float origin[3], direction[3];
    const LookCamera *camera;
} BrushRay;

Brush brush_for(const Scene *scene);

/* Where the ray enters and leaves the box; false where it misses the box or that lies behind. */
bool brush_clip(const Brush *brush, const BrushRay *ray, float *enter, float *leave);
/* How far along the ray it meets the plane through a point with that normal. */
float brush_plane_depth(const BrushRay *ray, const float through[3], const float forward[3]);

/* view may be NULL, before there is any state: the plane through the camera's target then. */
void brush_hover(Brush *brush, const BrushRay *ray, const BillowView *view);
void brush_leave(Brush *brush); /* the cursor is elsewhere, or does something else */

/* Begins a stroke, which stays in the plane of the last hover. */
void brush_press(Brush *brush, const BrushRay *ray, double time);
/* Moves the pressed brush to where the ray is now and fills touches with what it releases on its
 * way there, evenly spaced; returns how many, 0 where it is outside the box. */
int brush_stroke(Brush *brush, const BrushRay *ray, double time,
                 BillowEmitter touches[BRUSH_TOUCHES_MAX]);

/* What the brush releases where it is, with the cursor's velocity. */
BillowEmitter brush_emitter(const Brush *brush);

#endif
