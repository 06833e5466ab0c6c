/* SPDX-License-Identifier: MIT
 *
 * The cursor as a thing in the volume: where its ray meets the smoke, and what it releases there.
 *
 * Hovering finds the depth at which the smoke along the ray is seen; pressing keeps that depth, so
 * that a stroke moves in the plane through it that faces the camera and follows the hand evenly.
 * The wheel moves the place on from there, along the ray. */
#ifndef APP_BRUSH_H
#define APP_BRUSH_H

#include "brush_tool.h"
#include "scene.h"

enum { BRUSH_TOUCHES_MAX = 8 };

typedef struct Brush {
    BillowEmitter kind; /* the scene's brush */
    BrushHand hand;     /* what the person makes of it */
    BrushMedium medium;
    float pressure;        /* of a pen or a finger, a factor on the strength; 1 of a mouse */
    float low[3], high[3]; /* m; corners of the box */
    float extinction;      /* 1/m per density */
    bool over;             /* the cursor's ray meets the box: place is meaningful */
    float place[3];
    float deeper;     /* m beyond where the ray meets something */
    float forward[3]; /* normal of the stroke's plane */
    float velocity[3];
    double time; /* s; when place was found */
} Brush;

/* The cursor's ray, and the camera it comes from. */
typedef struct BrushRay {
    float origin[3], direction[3];
    const RenderCamera *camera;
} BrushRay;

Brush brush_for(const Scene *scene);
/* In the same hand as before, as far as the new scene has use for its tool; of a brush that is all
 * zeros brush_for. */
Brush brush_for_next(const Brush *before, const Scene *scene);

float brush_radius(const Brush *brush); /* m */
float brush_notch(const Brush *brush);  /* m; how far a notch of the wheel takes it */
/* "brush: vortex, radius 0.1 m, strength 1" */
void brush_words(const Brush *brush, char *text, size_t size);
/* "bring in smoke and push it": what a drag with it does in this scene. */
const char *brush_does(const Brush *brush);

/* Where the ray enters and leaves the box; false where it misses the box or that lies behind. */
bool brush_clip(const Brush *brush, const BrushRay *ray, float *enter, float *leave);
/* Of the cell at a place, or of the nearest. */
float brush_density(const BillowView *view, const float place[3]);
/* How far along the ray it meets the plane through a point with that normal. */
float brush_plane_depth(const BrushRay *ray, const float through[3], const float forward[3]);

/* view may be NULL, before there is any state: the plane through the camera's target then. The ray
 * goes no farther than `stop`, where it meets something solid; INFINITY where it does not. */
void brush_hover(Brush *brush, const BrushRay *ray, const BillowView *view, float stop);
void brush_leave(Brush *brush); /* the cursor is elsewhere, or does something else */

/* Takes the brush along the ray, also in the midst of a stroke, by a small part of the box a notch.
 */
void brush_deepen(Brush *brush, const BrushRay *ray, float notches);

/* Begins a stroke, which stays in the plane of the last hover. */
void brush_press(Brush *brush, const BrushRay *ray, double time);
/* Moves the pressed brush to where the ray is now and fills touches with what it releases on its
 * way there, evenly spaced; returns how many, 0 where it is outside the box or releases nothing. */
int brush_stroke(Brush *brush, const BrushRay *ray, double time,
                 BillowEmitter touches[BRUSH_TOUCHES_MAX]);

/* What the brush releases where it is, with the cursor's velocity; false: nothing. */
bool brush_emitter(const Brush *brush, BillowEmitter *emitter);
/* How it pushes there; false: by no force. */
bool brush_force(const Brush *brush, BillowForce *force);
BillowEmitter brush_detonation(const Brush *brush, const BillowEmitter *detonation);

#endif
