/* SPDX-License-Identifier: MIT
 * The brushes, the detonations and the grips of all hands. */
#include "play/sim_hands.h"

#include "scene/scene_write.h"
#include <math.h>

/* -- commands ---------------------------------------------------------------------------------- */

void hands_reset(Hands *hands)
{
    *hands = (Hands){.steps = hands->steps};
}

static void touch(HandBrush *brush, const BillowEmitter *emitter)
{
    int place = brush->stroke_count < STROKE_MAX ? brush->stroke_count++ : STROKE_MAX - 1;
    brush->stroke[place] = *emitter;
    brush->pressed = true;
}

static void push(HandBrush *brush, const BillowForce *force)
{
    brush->force = *force;
    brush->pushing = brush->pushed = true;
}

static void detonate(HandsPast *past, const BillowEmitter *emitter)
{
    if (past->detonation_count < DETONATIONS_MAX)
        past->detonations[past->detonation_count++] =
            (Detonation){.emitter = *emitter, .left = emitter->end - emitter->start};
}

/* Whether another hand holds the solid, or held it in the last step. */
static bool held_by_another(const Hands *hands, int hand, int solid)
{
    for (int h = 0; h < SIM_HANDS_MAX; h++) {
        const Grasp *now = &hands->brushes[h].grasp, *last = &hands->past.grips[h].grasp;
        if (h != hand &&
            ((now->holds && now->solid == solid) || (last->holds && last->solid == solid)))
            return true;
    }
    return false;
}

static void grab(Hands *hands, const BillowDef *def, int hand, const struct SimGrab *grab)
{
    const float *center = grab->center;
    if (grab->solid >= 0 && grab->solid < def->solid_count &&
        !held_by_another(hands, hand, grab->solid))
        hands->brushes[hand].grasp = (Grasp){true, grab->solid, {center[0], center[1], center[2]}};
}

bool hands_apply(Hands *hands, const BillowDef *def, const SimCommand *command)
{
    HandBrush *brush = &hands->brushes[command->hand];
    switch (command->kind) {
    case SIM_BRUSH:
        touch(brush, &command->emitter);
        return true;
    case SIM_PUSH:
        push(brush, &command->force);
        return true;
    case SIM_BRUSH_END:
        brush->pressed = brush->pushing = false;
        return true;
    case SIM_DETONATE:
        detonate(&hands->past, &command->emitter);
        return true;
    case SIM_GRAB:
        grab(hands, def, command->hand, &command->grab);
        return true;
    case SIM_LET_GO:
        brush->grasp.holds = false;
        return true;
    case SIM_BRUSH_STEPS:
        hands->steps = command->value;
        return true;
    default:
        return false;
    }
}

static bool strokes(const HandBrush *brush)
{
    return brush->stroke_count > 0 || brush->pressed;
}

static int stroking(const Hands *hands)
{
    int count = 0;
    for (int h = 0; h < SIM_HANDS_MAX; h++)
        count += strokes(&hands->brushes[h]);
    return count;
}

bool hands_brush(const Hands *hands)
{
    return stroking(hands) > 0;
}

/* -- before a step ----------------------------------------------------------------------------- */

static float within(float value, float limit)
{
    return fmaxf(-limit, fminf(value, limit));
}

/* Returns the emitter with its rates multiplied by `share`, clamped to the valid range of rates. */
static BillowEmitter diluted(const BillowEmitter *emitter, float share)
{
    BillowEmitter part = *emitter;
    part.smoke = within(part.smoke * share, 1e6f);
    part.heat = within(part.heat * share, 1e6f);
    part.fuel = within(part.fuel * share, 1e6f);
    part.expansion = within(part.expansion * share, 1e3f);
    return part;
}

/* Releases from an emitter. A box without open faces refuses emitters with expansion. The emitter
 * then releases without expansion. */
static void emit(BillowSim *sim, BillowEmitter emitter)
{
    if (!billow_emit(sim, &emitter)) {
        emitter.expansion = 0;
        billow_emit(sim, &emitter);
    }
}

/* Releases at no more than `most` positions of the stroke, the last one among them. */
static void emit_stroke(HandBrush *brush, BillowSim *sim, float steps, int most)
{
    int count = brush->stroke_count < most ? brush->stroke_count : most;
    for (int i = 0; i < count; i++) {
        const BillowEmitter *place = &brush->stroke[(i + 1) * brush->stroke_count / count - 1];
        emit(sim, diluted(place, steps / (float)count));
        brush->last = *place;
    }
    if (brush->stroke_count == 0 && brush->pressed)
        emit(sim, diluted(&brush->last, steps));
    if (brush->pushing || brush->pushed)
        billow_push(sim, &brush->force);
    brush->stroke_count = 0;
    brush->pushed = false;
}

/* A step takes BILLOW_EMITTERS_MAX emitters. The hands share those that no detonation may need, so
 * that none is left without. */
static void emit_strokes(Hands *hands, BillowSim *sim)
{
    int count = stroking(hands), room = BILLOW_EMITTERS_MAX - DETONATIONS_MAX;
    for (int h = 0; h < SIM_HANDS_MAX; h++)
        emit_stroke(&hands->brushes[h], sim, (float)hands->steps, count > 0 ? room / count : 0);
}

static void emit_detonations(HandsPast *past, BillowSim *sim, double step)
{
    int count = 0;
    for (int i = 0; i < past->detonation_count; i++) {
        Detonation *detonation = &past->detonations[i];
        double share = fmin(1.0, detonation->left / step);
        BillowEmitter part = diluted(&detonation->emitter, (float)share);
        part.grip *= (float)share;
        if (share > 0)
            emit(sim, part);
        detonation->left -= step;
        if (detonation->left > 1e-9 * step)
            past->detonations[count++] = *detonation;
    }
    past->detonation_count = count;
}

/* A solid that is grabbed no longer glides from an earlier throw by another hand. */
static void catch_thrown(Hands *hands, int hand, BillowSim *sim, const BillowDef *def)
{
    const Grasp *grasp = &hands->brushes[hand].grasp;
    for (int h = 0; h < SIM_HANDS_MAX; h++) {
        Grip *grip = &hands->past.grips[h];
        if (h != hand && grasp->holds && grip->gliding && grip->grasp.solid == grasp->solid)
            grip_stop(grip, sim, def);
    }
}

static void move_solids(Hands *hands, BillowSim *sim, const BillowDef *def, double step)
{
    for (int h = 0; h < SIM_HANDS_MAX; h++)
        catch_thrown(hands, h, sim, def);
    for (int holds = 0; holds < 2; holds++) /* what is let go first: another hand may hold it now */
        for (int h = 0; h < SIM_HANDS_MAX; h++) {
            const Grasp *grasp = &hands->brushes[h].grasp;
            if (grasp->holds == (holds == 1))
                grip_move(&hands->past.grips[h], sim, def, step, grasp);
        }
}

void hands_act(Hands *hands, BillowSim *sim, const BillowDef *def, double step)
{
    emit_strokes(hands, sim);
    emit_detonations(&hands->past, sim, step);
    move_solids(hands, sim, def, step);
}

void hands_follow(Hands *hands, const BillowDef *before, const BillowDef *after)
{
    for (int h = 0; h < SIM_HANDS_MAX; h++) {
        Grip *grip = &hands->past.grips[h];
        int solid = grip->grasp.solid;
        if (grip->grasp.holds || grip->gliding)
            scene_running_merge(&before->solids[solid], &after->solids[solid], &grip->before);
    }
}
