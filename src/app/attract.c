/* SPDX-License-Identifier: MIT */
#include "attract.h"

#include <math.h>
#include <stddef.h>

#define TWO_PI 6.283185307179586

/* A scene that is not on after so long is given up. */
#define PATIENCE_SECONDS 30.0
/* The hand's strokes, and the pauses between them. */
#define STROKE_SECONDS 4.2
#define PAUSE_SECONDS  2.6
/* Once round its way from left to right, and from top to bottom. */
#define WIDE_SECONDS 4.7
#define HIGH_SECONDS 3.1

static const BrushTool smoke[ATTRACT_TOOLS] = {BRUSH_SMOKE, BRUSH_SMOKE, BRUSH_PUSH};
static const BrushTool push[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_PUSH, BRUSH_PUSH};
static const BrushTool swirl[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_VORTEX, BRUSH_SUCK};
static const BrushTool fuel[ATTRACT_TOOLS] = {BRUSH_PUSH, BRUSH_FUEL, BRUSH_FUEL};
static const BrushTool colors[ATTRACT_TOOLS] = {BRUSH_COLOR, BRUSH_PUSH, BRUSH_COLOR};

/* Bright next to calm, fire next to water. Where a scene lives by an order that a hand would
 * disturb, it only looks on. */
static const AttractAct acts[] = {
    {"plume", 26, 4, 50, 0.22f, 0.2f, {20}, smoke},
    {"explosion", 22, 10, 40, 0.16f, 0.1f, {12, 17}, push},
    {"ink", 24, 9, 24, 0.3f, 0.1f, {0}, colors},
    {"fire", 24, 5, 40, 0.16f, 0.16f, {19}, fuel},
    {"gases", 24, 8, 50, 0.2f, 0.14f, {19}, colors},
    {"falling-ball", 22, 9, 40, 0.24f, 0.1f, {0}, push},
    {"rings", 20, 0, 40, 0, 0, {16}, push},
    {"mushroom", 24, 12, 40, 0.14f, 0.1f, {0}, swirl},
    {"clouds", 28, 10, 30, 0.3f, 0.08f, {0}, swirl},
    {"jets", 22, 8, 30, 0.26f, 0.08f, {17}, swirl},
    {"rolling-ball", 22, 12, 30, 0.24f, 0.08f, {0}, push},
    {"sphere", 22, 8, 40, 0.26f, 0.1f, {0}, smoke},
    {"shear", 22, 0, 16, 0, 0, {0}, push},
    {"text", 20, 6, 24, 0.28f, 0.12f, {15}, swirl},
    {"plates", 24, 0, 50, 0, 0, {0}, push},
};

static const int built_in = sizeof acts / sizeof acts[0];

int attract_act_count(const char *own)
{
    return built_in + (own != NULL);
}

AttractAct attract_act(const char *own, int number)
{
    int at = number % attract_act_count(own) - (own != NULL);
    return at < 0 ? (AttractAct){own, 26, 8, 40, 0.2f, 0.14f, {0}, smoke} : acts[at];
}

/* 0 to 1, at rest at both ends. */
static float ease(double share)
{
    return share <= 0 ? 0 : share >= 1 ? 1 : (float)(share * share * (3 - 2 * share));
}

AttractHand attract_hand(const AttractAct *act, double time)
{
    double at = time - act->from;
    if (act->from <= 0 || at < -2 || time > act->seconds)
        return (AttractHand){.tool = act->tools[0]};
    float reach = ease((at + 2) / 2); /* from the middle out to its way */
    double period = STROKE_SECONDS + PAUSE_SECONDS, strokes = fmax(at, 0) / period;
    return (AttractHand){
        .x = reach * act->wide * (float)sin(TWO_PI * at / WIDE_SECONDS),
        .y = reach * act->high * (float)cos(TWO_PI * at / HIGH_SECONDS),
        .pressed = at >= 0 && strokes - floor(strokes) < STROKE_SECONDS / period,
        .tool = act->tools[(int)strokes % ATTRACT_TOOLS],
    };
}

float attract_turn(const AttractAct *act, double time)
{
    double share = fmin(fmax(time / act->seconds, 0), 1);
    return act->turn * 0.5f * (float)(1 - cos(TWO_PI * share));
}

bool attract_blast(const AttractAct *act, double after, double until)
{
    for (int i = 0; i < ATTRACT_BLASTS_MAX; i++)
        if (act->blasts[i] > after && act->blasts[i] <= until)
            return true;
    return false;
}

Attract attract_start(double idle, const char *own, bool at_once, double now)
{
    return (Attract){.idle = idle, .own = own, .last = at_once ? now - idle : now};
}

static AttractStep go_on(Attract *attract, double now, int acts_on)
{
    attract->act += acts_on;
    attract->asked = now;
    attract->on = attract->lost = false;
    return ATTRACT_NEXT;
}

static AttractStep end_by_itself(Attract *attract, double now)
{
    attract->playing = false;
    attract->last = now;
    attract->failed = 0;
    return ATTRACT_STOP;
}

static bool begins(Attract *attract, double now, bool can, bool may)
{
    if (!can || !may)
        attract->last = now;
    bool due = attract->idle > 0 && now - attract->last >= attract->idle;
    if (!can || !(due || attract->wanted))
        return false;
    attract->wanted = false;
    return true;
}

AttractStep attract_poll(Attract *attract, double now, bool can, bool may)
{
    if (!attract->playing) {
        attract->playing = begins(attract, now, can, may);
        return attract->playing ? go_on(attract, now, 0) : ATTRACT_REST;
    }
    if (!attract->on && !attract->lost && now - attract->asked >= PATIENCE_SECONDS)
        attract_lost(attract);
    if (attract->lost && attract->failed >= attract_act_count(attract->own))
        return end_by_itself(attract, now);
    if (attract->lost)
        return go_on(attract, now, 1);
    if (!attract->on)
        return ATTRACT_WAIT;
    AttractAct act = attract_act(attract->own, attract->act);
    return now - attract->since < act.seconds ? ATTRACT_PLAY : go_on(attract, now, 1);
}

bool attract_input(Attract *attract, double now)
{
    bool ended = attract->playing;
    attract->act += ended; /* next time with another one */
    attract->last = now;
    attract->playing = false;
    attract->failed = 0;
    return ended;
}

void attract_on(Attract *attract, double now)
{
    attract->on = true;
    attract->since = now;
    attract->failed = 0;
}

void attract_lost(Attract *attract)
{
    attract->lost = true;
    attract->failed++;
}
