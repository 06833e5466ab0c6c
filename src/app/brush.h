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
    BRUSH_PUSH,     /* moves the smoke with the hand */
    BRUSH_SMOKE,    /* releases what the scene's brush does; the first choice */
    BRUSH_HEAT,     /* releases heat, which rises */
    BRUSH_FUEL,     /* releases fuel that is hot enough to burn */
    BRUSH_COLOR,    /* releases smoke in a colour of the palette */
    BRUSH_SUCK,     /* takes air away, and the smoke with it */
    BRUSH_VORTEX,   /* turns the smoke around the line of sight */
    BRUSH_DETONATE, /* detonates like the key E, at each press and along the stroke */
    BRUSH_TOOLS
} BrushTool;

enum { BRUSH_COLORS = 8 };

/* The person's choices, which stay when the scene changes. */
typedef struct BrushHand {
    BrushTool tool;
    float size;     /* factor on the radius of the scene's brush, 0.25 to 4 */
    float strength; /* factor on what it releases and how hard it pushes, 1/8 to 8 */
    int color;      /* index in the palette */
} BrushHand;

BrushHand brush_default_hand(void);

/* Properties of the scene that decide which tools work. */
typedef struct BrushMedium {
    bool fire, color;
    bool vented;    /* some face is open; in a closed box no fluid can be taken away */
    float length;   /* m; the box's longest edge */
    float ignition; /* temperature at which fuel burns, K above ambient */
} BrushMedium;

BrushMedium brush_medium(const Scene *scene);

const char *brush_tool_name(BrushTool tool); /* "vortex" */
const char *brush_tool_does(BrushTool tool); /* "turn the smoke around": what a drag does */
const char *brush_color_name(int color);     /* "crimson" */
void brush_color(int color, float rgb[3]);
/* Why a tool does not work in a scene; NULL: it does. */
const char *brush_tool_missing(const BrushMedium *medium, BrushTool tool);

/* What a tool releases: the scene's brush with the hand's size and strength, without place and
 * velocity. */
BillowEmitter brush_tool_emitter(const BrushHand *hand, const BrushMedium *medium,
                                 const BillowEmitter *kind);
/* Whether a tool releases anything or drags the fluid along. */
bool brush_tool_releases(BrushTool tool);
/* The force of a tool at a place, seen along `forward`. False: the tool has none. */
bool brush_tool_force(const BrushHand *hand, const BrushMedium *medium, const BillowEmitter *kind,
                      const float place[3], const float forward[3], BillowForce *force);
/* The scene's detonation with the hand's size and strength. */
BillowEmitter brush_tool_detonation(const BrushHand *hand, const BillowEmitter *detonation);

enum { BRUSH_TOUCHES_MAX = 8 };

typedef struct Brush {
    BillowEmitter kind; /* the scene's brush */
    BrushHand hand;     /* the person's choices */
    BrushMedium medium;
    float pressure;        /* of a pen or a finger, a factor on the strength; 1 for a mouse */
    float low[3], high[3]; /* corners of the box, m */
    float extinction;      /* 1/m per density */
    bool over;             /* the cursor's ray meets the box, so that place is valid */
    float place[3];        /* m */
    float deeper;          /* distance beyond the point where the ray meets something, m */
    float forward[3];      /* normal of the stroke's plane */
    float velocity[3];     /* of the stroke, m/s */
    double time;           /* when place was found, s */
} Brush;

/* The cursor's ray and the camera that it starts from. */
typedef struct BrushRay {
    float origin[3], direction[3];
    const RenderCamera *camera;
} BrushRay;

Brush brush_for(const Scene *scene);
/* The brush for the next scene. It keeps the person's choices, but takes another tool where the
 * chosen one does not work. For a brush of zeros this is brush_for. */
Brush brush_for_next(const Brush *before, const Scene *scene);

float brush_radius(const Brush *brush); /* m */
float brush_notch(const Brush *brush);  /* movement by a notch of the wheel, m */
/* "brush: vortex, radius 0.1 m, strength 1" */
void brush_words(const Brush *brush, char *text, size_t size);
/* What a drag does in this scene: "bring in smoke and push it". */
const char *brush_does(const Brush *brush);

/* Where the ray enters and leaves the box. False: it misses the box, or the box is behind it. */
bool brush_clip(const Brush *brush, const BrushRay *ray, float *enter, float *leave);
/* Density of the cell at a place, or of the nearest cell. */
float brush_density(const BillowView *view, const float place[3]);
/* Distance along the ray to the plane through a point with that normal. */
float brush_plane_depth(const BrushRay *ray, const float through[3], const float forward[3]);

/* Places the brush in the smoke on the ray; without a view, in the plane through the camera's
 * target. stop: distance at which the ray meets a solid; INFINITY: it meets none. */
void brush_hover(Brush *brush, const BrushRay *ray, const BillowView *view, float stop);
void brush_leave(Brush *brush); /* the cursor is elsewhere, or does something else */

/* Moves the brush along the ray by notches of the wheel, also during a stroke. */
void brush_deepen(Brush *brush, const BrushRay *ray, float notches);

/* Begins a stroke in the plane of the last hover. */
void brush_press(Brush *brush, const BrushRay *ray, double time);
/* Moves the stroke to the ray and fills touches with what it releases on the way, evenly spaced.
 * Returns their number; 0: it is outside the box or releases nothing. */
int brush_stroke(Brush *brush, const BrushRay *ray, double time,
                 BillowEmitter touches[BRUSH_TOUCHES_MAX]);

/* What the brush releases at its place, with the stroke's velocity. False: nothing. */
bool brush_emitter(const Brush *brush, BillowEmitter *emitter);
/* The force with which the brush pushes at its place. False: there is none. */
bool brush_force(const Brush *brush, BillowForce *force);
BillowEmitter brush_detonation(const Brush *brush, const BillowEmitter *detonation);

#endif
