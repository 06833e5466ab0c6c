/* SPDX-License-Identifier: MIT
 * The brushes, the detonations and the grips of all hands. */
#include "play/sim_hands.h"

#include "base/mathematics.h"
#include "play/brush.h"
#include "scene/scene_write.h"
#include <math.h>
#include <string.h>

/* -- a grip on a solid ----------------------------------------------------------------------------
 */

/* Longest movement of a grabbed solid in one step, cells. */
#define CELLS_MAX 20.0
/* Time constant with which a thrown solid slows down, s. */
#define GLIDE_SECONDS 0.3
/* Speed below which a thrown solid stops gliding, cells / step. */
#define REST_CELLS 0.01

static float within(double value, double limit)
{
    return (float)fmax(-limit, fmin(value, limit));
}

/* Sets the velocity that moves the solid to its place in one step, by at most CELLS_MAX. */
static void pull(Grip *grip, const BillowDef *def, double step, const Grasp *grasp,
                 BillowSolid *solid)
{
    double displacement[3], square = 0, cell = (double)def->cell_size;
    for (int axis = 0; axis < 3; axis++) {
        displacement[axis] = (double)grasp->center[axis] - (double)solid->center[axis];
        square += displacement[axis] * displacement[axis];
    }
    double length = sqrt(square), most = CELLS_MAX * cell;
    double share = length > most ? most / length : length > 1e-4 * cell ? 1 : 0;
    for (int axis = 0; axis < 3; axis++)
        solid->velocity[axis] = within(displacement[axis] * share / step, 5e3);
    solid->motion = BILLOW_DRIVEN;
    memcpy(grip->pulled[grip->steps++ % GRIP_MEMORY], solid->velocity, sizeof solid->velocity);
}

/* Throws the solid with its mean velocity over the last GRIP_MEMORY steps. The mouse may not have
 * moved during a single step. */
static void let_go(Grip *grip, BillowSolid *solid)
{
    int steps = grip->steps < GRIP_MEMORY ? grip->steps : GRIP_MEMORY;
    for (int axis = 0; axis < 3; axis++) {
        float sum = 0;
        for (int s = 0; s < steps; s++)
            sum += grip->pulled[s][axis];
        grip->thrown[axis] = steps > 0 ? sum / (float)steps : 0;
    }
    solid->motion = grip->before.motion;
    memcpy(solid->velocity, grip->thrown, sizeof solid->velocity);
    grip->gliding = solid->motion != BILLOW_FALLING;
}

/* Moves a thrown solid, and slows it down. Its centre stays within the box. */
static void glide(Grip *grip, const BillowDef *def, double step, BillowSolid *solid)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    double square = 0, cell = (double)def->cell_size;
    for (int axis = 0; axis < 3; axis++) {
        double low = (double)def->origin[axis], high = low + cells[axis] * cell;
        double next = (double)solid->center[axis] + (double)grip->thrown[axis] * step;
        if (next < low || next > high)
            grip->thrown[axis] = 0;
        solid->velocity[axis] = grip->thrown[axis];
        square += (double)grip->thrown[axis] * (double)grip->thrown[axis];
        grip->thrown[axis] *= (float)math_exp(-step / GLIDE_SECONDS);
    }
    if (sqrt(square) * step > REST_CELLS * cell)
        return;
    memcpy(solid->velocity, grip->before.velocity, sizeof solid->velocity);
    grip->gliding = false;
}

/* Restores the velocity of a gliding solid. */
static void rest(Grip *grip, BillowSolid *solids)
{
    if (grip->gliding)
        memcpy(solids[grip->grasp.solid].velocity, grip->before.velocity,
               sizeof grip->before.velocity);
    grip->gliding = false;
}

static void get_solids(const BillowSim *sim, const BillowDef *def, BillowSolid *solids)
{
    for (int s = 0; s < def->solid_count; s++)
        solids[s] = *billow_solid(sim, s);
}

void grip_stop(Grip *grip, BillowSim *sim, const BillowDef *def)
{
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    get_solids(sim, def, solids);
    rest(grip, solids);
    billow_set_solids(sim, solids, def->solid_count, NULL);
}

void grip_move(Grip *grip, BillowSim *sim, const BillowDef *def, double step, const Grasp *grasp)
{
    const Grasp last = grip->grasp;
    bool same = last.holds && grasp->holds && last.solid == grasp->solid;
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    if (!last.holds && !grasp->holds && !grip->gliding)
        return;
    get_solids(sim, def, solids);
    if (last.holds && !same)
        let_go(grip, &solids[last.solid]);
    if (grasp->holds && !same) {
        rest(grip, solids); /* it may be another solid than the grabbed one */
        grip->before = solids[grasp->solid];
        grip->steps = 0;
    }
    if (grasp->holds)
        pull(grip, def, step, grasp, &solids[grasp->solid]);
    else if (grip->gliding)
        glide(grip, def, step, &solids[last.solid]);
    grip->grasp = *grasp;
    if (!grasp->holds)
        grip->grasp.solid = last.solid;
    billow_set_solids(sim, solids, def->solid_count, NULL);
}

/* -- commands ---------------------------------------------------------------------------------- */

void hands_reset(Hands *hands)
{
    *hands = (Hands){.steps = hands->steps};
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
    HandsPast *past = &hands->past;
    const BillowEmitter *emitter = &command->emitter;
    switch (command->kind) {
    case SIM_BRUSH:
        brush->stroke_count += brush->stroke_count < STROKE_MAX;
        brush->stroke[brush->stroke_count - 1] = *emitter;
        brush->pressed = true;
        return true;
    case SIM_PUSH:
        brush->force = command->force;
        brush->pushing = brush->pushed = true;
        return true;
    case SIM_BRUSH_END:
        brush->pressed = brush->pushing = false;
        return true;
    case SIM_DETONATE:
        if (past->detonation_count < DETONATIONS_MAX)
            past->detonations[past->detonation_count++] =
                (Detonation){.emitter = *emitter, .left = emitter->end - emitter->start};
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

static int stroking(const Hands *hands)
{
    int count = 0;
    for (int h = 0; h < SIM_HANDS_MAX; h++)
        count += hands->brushes[h].stroke_count > 0 || hands->brushes[h].pressed;
    return count;
}

bool hands_brush(const Hands *hands)
{
    return stroking(hands) > 0;
}

/* -- before a step ----------------------------------------------------------------------------- */

/* Returns the emitter with its rates multiplied by `share`. */
static BillowEmitter diluted(const BillowEmitter *emitter, float share)
{
    BillowEmitter part = *emitter;
    brush_scale_rates(&part, share);
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
    /* A step takes BILLOW_EMITTERS_MAX emitters. The hands share those that no detonation may need,
     * so that none is left without. */
    int count = stroking(hands), room = BILLOW_EMITTERS_MAX - DETONATIONS_MAX;
    for (int h = 0; h < SIM_HANDS_MAX; h++)
        emit_stroke(&hands->brushes[h], sim, (float)hands->steps, count > 0 ? room / count : 0);
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
