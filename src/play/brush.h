/* SPDX-License-Identifier: MIT
 *
 * The brush: a ball in the volume, on the cursor's ray. While the brush hovers, it is at the depth
 * at which the smoke on the ray is visible. During a stroke it stays in the plane through the
 * stroke's first position that faces the camera. The wheel moves the brush along the ray. */
#ifndef PLAY_BRUSH_H
#define PLAY_BRUSH_H

#include "scene/scene.h"

/* What the brush does. The rows of brush.c say all about each tool, and key B goes through them in
 * this order. No file holds these numbers. */
typedef enum BrushTool {
    BRUSH_PUSH,
    BRUSH_SMOKE, /* the default */
    BRUSH_HEAT,
    BRUSH_FUEL,
    BRUSH_COLOR,
    BRUSH_SUCK,
    BRUSH_VORTEX,
    BRUSH_DETONATE,
    BRUSH_TOOLS
} BrushTool;

enum { BRUSH_COLORS = 9 };

/* The user's choices. They are retained when the scene changes. */
typedef struct BrushHand {
    BrushTool tool;
    float size;     /* factor on the radius of the scene's brush, 0.25 to 4 */
    float strength; /* factor on the released amounts and on the force, 1/8 to 8 */
    int color;      /* index in the palette */
} BrushHand;

BrushHand brush_default_hand(void);

/* Properties of the scene that decide which tools work. */
typedef struct BrushMedium {
    bool fire, color;
    bool vented;    /* at least one face is open, through which fluid leaves the box */
    float length;   /* longest edge of the box, m */
    float ignition; /* temperature at which fuel ignites, K above ambient */
} BrushMedium;

const char *brush_tool_name(BrushTool tool);    /* "smoke" */
const char *brush_color_name(int color);        /* "crimson" */
void brush_list_tools(char *text, size_t size); /* "push, smoke, heat" and so on */
/* The colour of the brush in the window, display values from 0 to 1. */
void brush_mark_color(const BrushHand *hand, float color[3]);
/* Returns the reason why a tool does not work in a scene; NULL if it works. */
const char *brush_tool_missing(const BrushMedium *medium, BrushTool tool);

enum { BRUSH_TOUCHES_MAX = 8 };

typedef struct Brush {
    BillowEmitter kind; /* the scene's brush */
    BrushHand hand;     /* the user's choices */
    BrushMedium medium;
    float pressure;        /* factor on the strength: pressure of a pen or finger; 1: a mouse */
    float low[3], high[3]; /* corners of the box, m */
    float extinction;      /* extinction per unit of density, 1/m */
    bool over;             /* the cursor's ray meets the box, so `place` is valid */
    float place[3];        /* position of the brush, m */
    float deeper;     /* distance by which the wheel has moved the brush along the ray, m; negative:
                         towards the camera */
    float forward[3]; /* normal of the stroke's plane: the direction of view */
    float velocity[3]; /* running average of the stroke's velocity, m/s */
    double time;       /* time at which `place` was computed, s */
} Brush;

/* The cursor's ray and its camera. */
typedef struct BrushRay {
    float origin[3], direction[3];
    const RenderCamera *camera;
} BrushRay;

/* Returns the ray through a position in a picture, pixels from the top left. */
BrushRay brush_ray(const RenderCamera *camera, int width, int height, float x, float y);

Brush brush_for(const Scene *scene);
/* Returns the brush for the next scene, with the choices of `before`. A tool that does not work in
 * the new scene is replaced by BRUSH_SMOKE. If the box is the same, the position stays too. If
 * `before` is all zero, the result is that of brush_for. */
Brush brush_for_next(const Brush *before, const Scene *scene);

float brush_radius(const Brush *brush); /* m */
float brush_notch(const Brush *brush);  /* movement per notch of the wheel, m */
/* Writes a description of the brush, such as "brush: vortex, radius 0.1 m, strength 1". */
void brush_words(const Brush *brush, char *text, size_t size);
/* The next tool, or the one before if steps is -1, that works in this scene. refused: receives
 * "; no fuel: nothing burns in this scene" for each tool that was skipped, or the empty text. */
void brush_next_tool(Brush *brush, int steps, char *refused, size_t size);
/* Chooses BRUSH_COLOR, or its next colour if it is chosen. Returns why it does not work; NULL if it
 * does. */
const char *brush_next_color(Brush *brush, int steps);
/* Change the size, 0.25 to 4, and the strength, 1/8 to 8. Four steps double the size, two the
 * strength. */
void brush_resize(Brush *brush, int steps);
void brush_strengthen(Brush *brush, int steps);
/* Returns what a drag does in this scene, such as "add smoke and push it". */
const char *brush_does(const Brush *brush);

/* Computes the distances along the ray at which it enters and leaves the box. `enter` is 0 if the
 * ray starts in the box. Returns false if the ray misses the box, or if the box is behind it. */
bool brush_clip(const Brush *brush, const BrushRay *ray, float *enter, float *leave);
/* Returns the density of the cell that contains a position. Outside the grid, it is the density of
 * the nearest cell. */
float brush_density(const BillowView *view, const float place[3]);
/* Returns the distance along the ray to the plane through `through` with the normal `forward`;
 * negative: the plane is behind the ray's start. */
float brush_plane_depth(const BrushRay *ray, const float through[3], const float forward[3]);

/* Places the brush on the ray, at the mean depth at which the smoke absorbs the ray's light.
 * Without a view, or with too little smoke, the brush is placed in the plane through the camera's
 * target. stop: distance at which the ray meets a solid, which limits this depth; INFINITY: none.
 * `deeper` is added to the depth. */
void brush_hover(Brush *brush, const BrushRay *ray, const BillowView *view, float stop);
/* Call this if the cursor leaves the picture or is used for something else. */
void brush_leave(Brush *brush);

/* Moves the brush along the ray by notches of the wheel, positive away from the camera. It also
 * works during a stroke. */
void brush_deepen(Brush *brush, const BrushRay *ray, float notches);

/* Starts a stroke in the plane through the brush that faces the camera. */
void brush_press(Brush *brush, const BrushRay *ray, double time);
/* Moves the brush to the ray. Fills `touches` with evenly spaced emitters between the brush's last
 * position and the new one. Returns their number; 0 if the brush is not over the box, or if the
 * tool has no emitter. */
int brush_stroke(Brush *brush, const BrushRay *ray, double time,
                 BillowEmitter touches[BRUSH_TOUCHES_MAX]);

/* Computes the brush's emitter at its position, with the stroke's velocity. Returns false if the
 * tool has no emitter. */
bool brush_emitter(const Brush *brush, BillowEmitter *emitter);
/* Computes the brush's force at its position. Returns false if the tool has no force, or if the
 * brush is not over the box. */
bool brush_force(const Brush *brush, BillowForce *force);
/* Multiplies what an emitter releases, and keeps it in the valid ranges. */
void brush_scale_rates(BillowEmitter *emitter, float factor);
/* Whether the tool detonates at each press and along the stroke. */
bool brush_detonates(const Brush *brush);
/* Returns the scene's detonation at the brush, scaled by the user's size and strength. */
BillowEmitter brush_detonation(const Brush *brush, const BillowEmitter *detonation);

#endif
