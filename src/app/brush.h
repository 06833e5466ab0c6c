/* SPDX-License-Identifier: MIT
 *
 * The brush: the cursor as a ball in the volume, where its ray meets the smoke. While it hovers, it
 * is at the depth at which smoke on the ray is visible. A stroke stays in the plane through that
 * point that faces the camera. The wheel moves the brush along the ray. */
#ifndef APP_BRUSH_H
#define APP_BRUSH_H

#include "scene.h"

typedef enum BrushTool {
    BRUSH_PUSH,     /* pushes the smoke in the direction of the stroke */
    BRUSH_SMOKE,    /* releases what the scene's brush defines; the default */
    BRUSH_HEAT,     /* releases heat, which rises */
    BRUSH_FUEL,     /* releases fuel that is hot enough to burn */
    BRUSH_COLOR,    /* releases smoke in a colour of the palette */
    BRUSH_SUCK,     /* removes air together with its smoke */
    BRUSH_VORTEX,   /* rotates the smoke around the view direction */
    BRUSH_DETONATE, /* detonates like key E, at each press and along the stroke */
    BRUSH_TOOLS
} BrushTool;

enum { BRUSH_COLORS = 8 };

/* The user's choices. They are retained when the scene changes. */
typedef struct BrushHand {
    BrushTool tool;
    float size;     /* factor on the radius of the scene's brush, 0.25 to 4 */
    float strength; /* factor on the amounts released and on the force, 1/8 to 8 */
    int color;      /* index in the palette */
} BrushHand;

BrushHand brush_default_hand(void);

/* Properties of the scene that decide which tools work. */
typedef struct BrushMedium {
    bool fire, color;
    bool vented;    /* some face is open; from a closed box no fluid can be removed */
    float length;   /* longest edge of the box, m */
    float ignition; /* temperature at which fuel burns, K above ambient */
} BrushMedium;

const char *brush_color_name(int color); /* "crimson" */
void brush_color(int color, float rgb[3]);
/* The reason why a tool does not work in a scene; NULL if it works. */
const char *brush_tool_missing(const BrushMedium *medium, BrushTool tool);

enum { BRUSH_TOUCHES_MAX = 8 };

typedef struct Brush {
    BillowEmitter kind; /* the scene's brush */
    BrushHand hand;     /* the user's choices */
    BrushMedium medium;
    float pressure; /* pressure of a pen or finger, a factor on the strength; 1 for a mouse */
    float low[3], high[3]; /* corners of the box, m */
    float extinction;      /* 1/m per density */
    bool over;             /* the cursor's ray meets the box, so `place` is valid */
    float place[3];        /* m */
    float deeper;          /* distance behind the point where the ray meets smoke or a solid, m */
    float forward[3];      /* normal of the stroke's plane */
    float velocity[3];     /* velocity of the stroke, m/s */
    double time;           /* time at which `place` was computed, s */
} Brush;

/* The cursor's ray and its camera. */
typedef struct BrushRay {
    float origin[3], direction[3];
    const RenderCamera *camera;
} BrushRay;

Brush brush_for(const Scene *scene);
/* The brush for the next scene. The user's choices are retained, except a tool that does not work
 * there. If `before` is zero, this is brush_for. */
Brush brush_for_next(const Brush *before, const Scene *scene);

float brush_radius(const Brush *brush); /* m */
float brush_notch(const Brush *brush);  /* movement per notch of the wheel, m */
/* Describes the brush, such as "brush: vortex, radius 0.1 m, strength 1". */
void brush_words(const Brush *brush, char *text, size_t size);
/* Describes what a drag does in this scene, such as "bring in smoke and push it". */
const char *brush_does(const Brush *brush);

/* Distances at which the ray enters and leaves the box. Returns false if it misses the box or the
 * box is behind it. */
bool brush_clip(const Brush *brush, const BrushRay *ray, float *enter, float *leave);
/* Density of the cell at a position, or of the nearest cell. */
float brush_density(const BillowView *view, const float place[3]);
/* Distance along the ray to the plane through a point with the given normal. */
float brush_plane_depth(const BrushRay *ray, const float through[3], const float forward[3]);

/* Places the brush in the smoke on the ray; without a view, in the plane through the camera's
 * target. stop: distance at which the ray meets a solid; INFINITY: none. */
void brush_hover(Brush *brush, const BrushRay *ray, const BillowView *view, float stop);
void brush_leave(Brush *brush); /* the cursor is outside the picture or used otherwise */

/* Moves the brush along the ray by notches of the wheel, also during a stroke. */
void brush_deepen(Brush *brush, const BrushRay *ray, float notches);

/* Starts a stroke in the plane of the last hover. */
void brush_press(Brush *brush, const BrushRay *ray, double time);
/* Moves the stroke to the ray and fills `touches` with evenly spaced releases on the way. Returns
 * their number; 0 if the brush is outside the box or releases nothing. */
int brush_stroke(Brush *brush, const BrushRay *ray, double time,
                 BillowEmitter touches[BRUSH_TOUCHES_MAX]);

/* The brush's emitter at its position, with the stroke's velocity. Returns false if it releases
 * nothing. */
bool brush_emitter(const Brush *brush, BillowEmitter *emitter);
/* The brush's force at its position. Returns false if there is none. */
bool brush_force(const Brush *brush, BillowForce *force);
BillowEmitter brush_detonation(const Brush *brush, const BillowEmitter *detonation);

#endif
