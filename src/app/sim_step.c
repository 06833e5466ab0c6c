/* SPDX-License-Identifier: MIT
 * One step, with what hands and the timeline do to it. */
#include "sim_thread_parts.h"

#include "clock.h"
#include <math.h>
#include <string.h>

/* Steps' worth of smoke the brush may put into one: more would pile up to a lump. */
#define HAND_STEPS_MAX 10.0

static float within(float value, float limit)
{
    return fmaxf(-limit, fminf(value, limit));
}

/* An emitter that releases `share` of the rates of this one, up to what an emitter may. */
static BillowEmitter diluted(const BillowEmitter *emitter, float share)
{
    BillowEmitter part = *emitter;
    part.smoke = within(part.smoke * share, 1e6f);
    part.heat = within(part.heat * share, 1e6f);
    part.fuel = within(part.fuel * share, 1e6f);
    part.expansion = within(part.expansion * share, 1e3f);
    return part;
}

/* The brush releases by the hand's clock: where the simulation is slower than was asked for, a step
 * takes what the hand released since the last one. */
static float hand_steps(const SimThread *self)
{
    return self->ticking ? (float)fmin(fmax(self->speed / self->pace, 1), HAND_STEPS_MAX) : 1.0f;
}

/* Where there is no room for expansion, in a box closed all round, the rest of it. */
static void emit(SimThread *self, BillowEmitter emitter)
{
    if (!billow_emit(self->sim, &emitter)) {
        emitter.expansion = 0;
        billow_emit(self->sim, &emitter);
    }
}

static void emit_brush(SimThread *self, const Orders *orders)
{
    float steps = hand_steps(self);
    for (int i = 0; i < orders->stroke_count; i++) {
        emit(self, diluted(&orders->stroke[i], steps / (float)orders->stroke_count));
        self->last_touch = orders->stroke[i];
    }
    if (orders->stroke_count == 0 && self->touching)
        emit(self, diluted(&self->last_touch, steps));
    if (orders->pushing)
        billow_push(self->sim, &orders->force);
}

static void emit_detonations(SimThread *self, const Orders *orders)
{
    for (int i = 0; i < orders->detonation_count && self->detonation_count < DETONATIONS_MAX; i++) {
        const BillowEmitter *emitter = &orders->detonations[i];
        self->detonations[self->detonation_count++] =
            (Detonation){.emitter = *emitter, .left = emitter->end - emitter->start};
    }
    int kept = 0;
    for (int i = 0; i < self->detonation_count; i++) {
        Detonation *detonation = &self->detonations[i];
        double share = fmin(1.0, detonation->left / self->step);
        BillowEmitter part = diluted(&detonation->emitter, (float)share);
        part.grip *= (float)share;
        if (share > 0)
            emit(self, part);
        detonation->left -= self->step;
        if (detonation->left > 1e-9 * self->step)
            self->detonations[kept++] = *detonation;
    }
    self->detonation_count = kept;
}

/* Fewer cycles before fewer steps; all of them where nobody waits. */
static void choose_cap(SimThread *self, bool exact)
{
    int cap = self->ticking && !exact ? self->budget.cap : self->budget.most;
    BillowParams params = budget_params(&self->def.params, cap);
    if (cap != self->cap && billow_set_params(self->sim, &params, NULL))
        self->cap = cap;
}

/* The timeline sets parameters without the cap on cycles: choose_cap sets it anew. */
static void follow_timeline(SimThread *self)
{
    if (self->play == NULL)
        return;
    if (!scene_play_prepare(self->play, self->sim, self->step, NULL)) {
        self->play = NULL;
        return;
    }
    BillowParams params = scene_play_params(self->play);
    if (memcmp(&params, &self->def.params, sizeof params) != 0) {
        self->def.params = params;
        self->cap = 0;
    }
}

void sim_step_take(SimThread *self, const Orders *orders)
{
    follow_timeline(self);
    emit_brush(self, orders);
    emit_detonations(self, orders);
    grip_move(&self->grip, self->sim, &self->def, self->step, &orders->grasp);
    choose_cap(self, orders->exact);
    double time = billow_stats(self->sim).time, start = clock_seconds();
    billow_step(self->sim, self->step);
    double end = clock_seconds();
    if (self->ticking)
        self->account.simulated += billow_stats(self->sim).time - time;
    self->step_ms = (end - start) * 1e3;
    self->steps++;
    sim_clock_measure_pace(self, end);
    sim_past_follow(self);
    sim_film_follow(self);
    sim_publish(self);
    BudgetStep step = {.ms = (clock_seconds() - start) * 1e3,
                       .pressure_ms = billow_profile(self->sim).ms[BILLOW_STAGE_PROJECT],
                       .cycles = billow_stats(self->sim).cycles};
    if (self->ticking && !orders->exact)
        budget_observe(&self->budget, &step);
}
