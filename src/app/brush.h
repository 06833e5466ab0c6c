/* SPDX-License-Identifier: MIT
 *
 * The cursor as a thing in the volume: where its ray meets the smoke, and what it releases there.
 *
 * While it hovers, it is at the depth at which the smoke along the ray is seen. A stroke keeps that
 * depth: it moves in the plane through it that faces the camera, so that it follows the hand
 * evenly. The wheel moves it from there along the ray. */
#ifndef APP_BRUSH_H
#define APP_BRUSH_H

#include "scene.h"

typedef enum BrushTool {
    BRUSH_PUSH,     /* the smoke goes with the hand */
    BRUSH_SMOKE,    /* what the scene's brush releases; as it starts */
    BRUSH_HEAT,     /* which rises */
    BRUSH_FUEL,     /* hot enough to burn */
    BRUSH_COLOR,    /* smoke of a colour of the palette */
    BRUSH_SUCK,     /* the air goes away there, and the smoke with it */
    BRUSH_VORTEX,   /* it turns around the line of sight */
    BRUSH_DETONATE, /* what the key E sets off, at each press and on the way */
    BRUSH_TOOLS
} BrushTool;

enum { BRUSH_COLORS = 8 };

/* The person's choices, which outlast the scene. */
typedef struct BrushHand {
    BrushTool tool;
    float size;     /* factors on the scene's brush: its radius, 0.25..4, */
    float strength; /* and what it releases and how it pushes, 1/8..8 */
    int color;      /* of the palette */
} BrushHand;

BrushHand brush_default_hand(void);

/* What a simulation can make of the tools. */
typedef struct BrushMedium {
    bool fire, color;
    bool vented;  /* some face is open, or fluid could not be taken away */
    float length; /* m; the box's longest edge */
    float ignition;
} BrushMedium;

BrushMedium brush_medium(const Scene *scene);

const char *brush_tool_name(BrushTool tool); /* "vortex" */
const char *brush_tool_does(BrushTool tool); /* "turn the smoke around": a drag with it */
const char *brush_color_name(int color);     /* "crimson" */
void brush_color(int color, float rgb[3]);
/* Why a scene has no use for a tool; NULL where it has. */
const char *brush_tool_missing(const BrushMedium *medium, BrushTool tool);

/* What a tool releases, from the scene's brush, before it has a place and a speed: scaled to the
 * hand's size and strength. */
BillowEmitter brush_tool_emitter(const BrushHand *hand, const BrushMedium *medium,
                                 const BillowEmitter *kind);
/* Whether it releases anything or drags the fluid along, */
bool brush_tool_releases(BrushTool tool);
/* and whether it pushes by a force: at a place, seen along `forward`. */
bool brush_tool_force(const BrushHand *hand, const BrushMedium *medium, const BillowEmitter *kind,
                      const float place[3], const float forward[3], BillowForce *force);
/* The scene's detonation at the hand's size and strength. */
BillowEmitter brush_tool_detonation(const BrushHand *hand, const BillowEmitter *detonation);

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
