/* SPDX-License-Identifier: MIT
 * Takes one step, with the effects of the brush, the timeline and a video. */
#include "sim_thread_parts.h"

#include "clock.h"
#include <math.h>
#include <string.h>

/* Most steps' worth of smoke that the brush releases in one step. More would be one dense lump. */
#define BRUSH_STEPS_MAX 10.0

static float within(float value, float limit)
{
    return fmaxf(-limit, fminf(value, limit));
}

/* The emitter with its rates multiplied by `share`, within the ranges of an emitter. */
static BillowEmitter diluted(const BillowEmitter *emitter, float share)
{
    BillowEmitter part = *emitter;
    part.smoke = within(part.smoke * share, 1e6f);
    part.heat = within(part.heat * share, 1e6f);
    part.fuel = within(part.fuel * share, 1e6f);
    part.expansion = within(part.expansion * share, 1e3f);
    return part;
}

/* Steps' worth of smoke that the brush is to release in one step. The brush releases by the clock:
 * where the simulation is slower than the clock, each step releases more. */
static double brush_steps(const SimThread *self)
{
    const SimSnapshot *now = &self->now;
    return self->pace.ticking ? fmin(fmax(now->speed / now->pace, 1), BRUSH_STEPS_MAX) : 1;
}

/* Applies the commands that adapt the simulation to a slow machine: first fewer cycles, then more
 * smoke in a step. Single steps have all cycles. A replay contains the brush's rate, and, where it
 * was recorded from a simulation, the cycles. */
static void follow_clock(SimThread *self)
{
    const SimBrush *brush = &self->brush;
    bool brushing = brush->stroke_count > 0 || brush->pressed;
    bool hurried = self->pace.ticking && !self->exact;
    int cycles = hurried ? self->budget.cap : self->budget.most;
    if (self->replay != NULL && self->replay->paced)
        return;
    if (cycles != self->cycles)
        sim_apply(self, &(SimCommand){SIM_CYCLES, .count = cycles});
    if (self->replay == NULL && brushing && brush_steps(self) != brush->steps)
        sim_apply(self, &(SimCommand){SIM_BRUSH_STEPS, .value = brush_steps(self)});
}

/* A box without open faces refuses expansion; there the emitter releases the rest. */
static void emit(SimThread *self, BillowEmitter emitter)
{
    if (!billow_emit(self->sim, &emitter)) {
        emitter.expansion = 0;
        billow_emit(self->sim, &emitter);
    }
}

static void emit_brush(SimThread *self)
{
    SimBrush *brush = &self->brush;
    float steps = (float)brush->steps;
    for (int i = 0; i < brush->stroke_count; i++) {
        emit(self, diluted(&brush->stroke[i], steps / (float)brush->stroke_count));
        brush->last = brush->stroke[i];
    }
    if (brush->stroke_count == 0 && brush->pressed)
        emit(self, diluted(&brush->last, steps));
    if (brush->pushing || brush->pushed)
        billow_push(self->sim, &brush->force);
    brush->stroke_count = 0;
    brush->pushed = false;
}

static void emit_detonations(SimThread *self)
{
    int count = 0;
    for (int i = 0; i < self->detonation_count; i++) {
        Detonation *detonation = &self->detonations[i];
        double share = fmin(1.0, detonation->left / self->step);
        BillowEmitter part = diluted(&detonation->emitter, (float)share);
        part.grip *= (float)share;
        if (share > 0)
            emit(self, part);
        detonation->left -= self->step;
        if (detonation->left > 1e-9 * self->step)
            self->detonations[count++] = *detonation;
    }
    self->detonation_count = count;
}

static void limit_cycles(SimThread *self)
{
    BillowParams params = budget_params(&self->def.params, self->cycles);
    if (self->cycles != self->now.cycles_cap && billow_set_params(self->sim, &params, NULL))
        self->now.cycles_cap = self->cycles;
}

/* The timeline sets the parameters without a limit on cycles; limit_cycles limits them again. */
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
        self->now.cycles_cap = 0;
    }
}

static void follow_video(SimVideo *video)
{
    if (video->interval > 0 && --video->left == 0)
        video->frame++;
}

static void follow_recording(SimThread *self)
{
    SimRecording *recording = self->recording;
    if (recording != NULL && !recording->ended)
        recording->steps = self->now.steps - self->recorded_from;
}

void sim_step_take(SimThread *self)
{
    follow_timeline(self);
    follow_clock(self);
    emit_brush(self);
    emit_detonations(self);
    grip_move(&self->grip, self->sim, &self->def, self->step, &self->brush.grasp);
    limit_cycles(self);
    double time = billow_stats(self->sim).time, start = clock_seconds();
    billow_step(self->sim, self->step);
    double end = clock_seconds();
    if (self->pace.ticking)
        self->pace.before.simulated += billow_stats(self->sim).time - time;
    self->now.step_ms = (end - start) * 1e3;
    self->now.steps++;
    sim_clock_measure_pace(self, end);
    sim_past_follow(self);
    follow_video(&self->video);
    follow_recording(self);
    sim_publish(self);
    BudgetStep step = {.ms = (clock_seconds() - start) * 1e3,
                       .pressure_ms = billow_profile(self->sim).ms[BILLOW_STAGE_PROJECT],
                       .cycles = billow_stats(self->sim).cycles};
    if (self->pace.ticking && !self->exact)
        budget_observe(&self->budget, &step);
}
