/* SPDX-License-Identifier: MIT */
#include "brush_tool.h"

#include "vector.h"
#include <math.h>
#include <string.h>

/* For scenes whose own brush has none of it: rates of 1/s, K/s, 1/s. */
#define SMOKE_RATE 8.0f
#define HEAT_RATE  600.0f
#define FUEL_RATE  6.0f
#define GRIP       20.0f
/* 1/s; volume that goes away per volume of the brush. */
#define SUCTION 25.0f
/* Box lengths per second squared, of a vortex at its radius. */
#define SWIRL 12.0f
/* Seconds in which fuel gets hot enough to burn. */
#define IGNITION_SECONDS 0.1f

static const char *const names[BRUSH_TOOLS] = {"push",   "smoke", "heat",   "fuel",
                                               "colour", "suck",  "vortex", "detonate"};

static const char *const deeds[BRUSH_TOOLS] = {
    "push the smoke",
    "bring in smoke and push it",
    "heat the air and push it",
    "bring in fuel that burns, and push it",
    "bring in coloured smoke and push it",
    "suck the smoke away",
    "turn the smoke around",
    "detonate, at the press and on the way",
};

typedef struct PaletteColor {
    const char *name;
    float rgb[3];
} PaletteColor;

static const PaletteColor palette[BRUSH_COLORS] = {
    {"crimson", {0.86f, 0.08f, 0.16f}}, {"orange", {0.95f, 0.4f, 0.05f}},
    {"yellow", {0.95f, 0.8f, 0.1f}},    {"green", {0.15f, 0.65f, 0.2f}},
    {"cyan", {0.1f, 0.7f, 0.85f}},      {"blue", {0.12f, 0.25f, 0.9f}},
    {"violet", {0.55f, 0.15f, 0.8f}},   {"white", {1, 1, 1}},
};

BrushHand brush_default_hand(void)
{
    return (BrushHand){.tool = BRUSH_SMOKE, .size = 1, .strength = 1};
}

BrushMedium brush_medium(const Scene *scene)
{
    BillowDef def = scene_def(scene);
    int cells = def.nx > def.ny ? def.nx : def.ny;
    BrushMedium medium = {.fire = scene->fire,
                          .color = scene->color,
                          .length = (float)(cells > def.nz ? cells : def.nz) * def.cell_size,
                          .ignition = scene->params.ignition};
    for (int side = 0; side < BILLOW_SIDES; side++)
        medium.vented = medium.vented || scene->domain.faces[side] == BILLOW_OPEN;
    return medium;
}

const char *brush_tool_name(BrushTool tool)
{
    return names[tool];
}

const char *brush_tool_does(BrushTool tool)
{
    return deeds[tool];
}

const char *brush_color_name(int color)
{
    return palette[color].name;
}

void brush_color(int color, float rgb[3])
{
    memcpy(rgb, palette[color].rgb, sizeof palette[color].rgb);
}

const char *brush_tool_missing(const BrushMedium *medium, BrushTool tool)
{
    if (tool == BRUSH_FUEL && !medium->fire)
        return "nothing burns in this scene";
    if (tool == BRUSH_COLOR && !medium->color)
        return "smoke has one colour in this scene";
    if (tool == BRUSH_SUCK && !medium->vented)
        return "all faces are closed: no air can go away";
    return NULL;
}

bool brush_tool_releases(BrushTool tool)
{
    return tool != BRUSH_VORTEX && tool != BRUSH_DETONATE;
}

static float larger(float rate, float least)
{
    return rate > 0 ? rate : least;
}

/* Nothing but a shape and its grip. */
static BillowEmitter bare(const BillowEmitter *kind)
{
    BillowEmitter emitter = *kind;
    emitter.smoke = emitter.heat = emitter.fuel = emitter.expansion = emitter.tracers = 0;
    emitter.burst = 0;
    emitter.grip = larger(kind->grip, GRIP);
    return emitter;
}

static void fill(BillowEmitter *emitter, const BrushHand *hand, const BrushMedium *medium,
                 const BillowEmitter *kind)
{
    switch (hand->tool) {
    case BRUSH_SMOKE:
        *emitter = *kind;
        emitter->smoke = kind->smoke > 0 || kind->fuel > 0 ? kind->smoke : SMOKE_RATE;
        break;
    case BRUSH_HEAT:
        emitter->heat = fmaxf(kind->heat, HEAT_RATE);
        break;
    case BRUSH_FUEL:
        emitter->fuel = larger(kind->fuel, FUEL_RATE);
        emitter->heat = fmaxf(kind->heat, medium->ignition / IGNITION_SECONDS);
        break;
    case BRUSH_COLOR:
        emitter->smoke = larger(kind->smoke, SMOKE_RATE);
        memcpy(emitter->color, palette[hand->color].rgb, sizeof emitter->color);
        break;
    case BRUSH_SUCK:
        emitter->expansion = -SUCTION;
        emitter->noise = 0;
        emitter->grip = 0;
        break;
    default:
        break;
    }
}

static float within(float value, float most)
{
    return vector_clamp(value, -most, most);
}

static void scale(BillowEmitter *emitter, const BrushHand *hand)
{
    for (int i = 0; i < 3; i++)
        emitter->size[i] = fminf(emitter->size[i] * hand->size, 1e4f);
    emitter->smoke = within(emitter->smoke * hand->strength, 1e6f);
    emitter->heat = within(emitter->heat * hand->strength, 1e6f);
    emitter->fuel = within(emitter->fuel * hand->strength, 1e6f);
    emitter->expansion = within(emitter->expansion * hand->strength, 1e3f);
}

BillowEmitter brush_tool_emitter(const BrushHand *hand, const BrushMedium *medium,
                                 const BillowEmitter *kind)
{
    BillowEmitter emitter = bare(kind);
    fill(&emitter, hand, medium, kind);
    scale(&emitter, hand);
    return emitter;
}

bool brush_tool_force(const BrushHand *hand, const BrushMedium *medium, const BillowEmitter *kind,
                      const float place[3], const float forward[3], BillowForce *force)
{
    if (hand->tool != BRUSH_VORTEX)
        return false;
    *force = billow_default_force();
    force->kind = BILLOW_VORTEX;
    force->radius = kind->size[0] * hand->size;
    force->strength = within(SWIRL * medium->length * hand->strength, 1e4f);
    for (int i = 0; i < 3; i++) {
        force->center[i] = place[i];
        force->velocity[i] = -forward[i];
    }
    return true;
}

BillowEmitter brush_tool_detonation(const BrushHand *hand, const BillowEmitter *detonation)
{
    BillowEmitter emitter = *detonation;
    scale(&emitter, hand);
    emitter.burst = within(emitter.burst * hand->strength, 1e4f);
    return emitter;
}
