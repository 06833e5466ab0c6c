/* SPDX-License-Identifier: MIT
 *
 * What the brush can do: its tools, by name, with what each releases and how it pushes. */
#ifndef APP_BRUSH_TOOL_H
#define APP_BRUSH_TOOL_H

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

#endif
