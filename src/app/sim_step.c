/* SPDX-License-Identifier: MIT
 * One step, with what the hand, the timeline and a video do to it. */
#include "sim_thread_parts.h"

#include "clock.h"
#include <math.h>
#include <string.h>

/* Most steps' worth of smoke that the brush releases in one: more would pile up to a lump. */
#define HAND_STEPS_MAX 10.0

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

/* Steps' worth of smoke that the brush is to release in one step. It releases by the hand's clock:
 * where the simulation is slower than that, a step takes what the hand released since the last
 * one. */
static double hand_steps(const SimThread *self)
{
    const SimPace *pace = &self->pace;
    return pace->ticking ? fmin(fmax(pace->speed / pace->pace, 1), HAND_STEPS_MAX) : 1;
}

/* Sends the thread's own commands, which a replay has instead. Fewer cycles come before fewer
 * steps; single steps have all of them. */
static void follow_clock(SimThread *self)
{
    const SimHand *hand = &self->hand;
    bool brushing = hand->stroke_count > 0 || hand->held;
    bool hurried = self->pace.ticking && !self->exact;
    int cycles = hurried ? self->budget.cap : self->budget.most;
    if (self->replay != NULL)
        return;
    if (cycles != self->cycles)
        sim_apply(self, &(SimCommand){SIM_CYCLES, .count = cycles});
    if (brushing && hand_steps(self) != hand->releases)
        sim_apply(self, &(SimCommand){SIM_HAND_STEPS, .value = hand_steps(self)});
}

/* In a box that is closed all round nothing can expand: the emitter releases the rest there. */
static void emit(SimThread *self, BillowEmitter emitter)
{
    if (!billow_emit(self->sim, &emitter)) {
        emitter.expansion = 0;
        billow_emit(self->sim, &emitter);
    }
}

static void emit_brush(SimThread *self)
{
    SimHand *hand = &self->hand;
    float steps = (float)hand->releases;
    for (int i = 0; i < hand->stroke_count; i++) {
        emit(self, diluted(&hand->stroke[i], steps / (float)hand->stroke_count));
        hand->last = hand->stroke[i];
    }
    if (hand->stroke_count == 0 && hand->held)
        emit(self, diluted(&hand->last, steps));
    if (hand->pushing || hand->pushed)
        billow_push(self->sim, &hand->force);
    hand->stroke_count = 0;
    hand->pushed = false;
}

static void emit_detonations(SimThread *self)
{
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

static void limit_cycles(SimThread *self)
{
    BillowParams params = budget_params(&self->def.params, self->cycles);
    if (self->cycles != self->cap && billow_set_params(self->sim, &params, NULL))
        self->cap = self->cycles;
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
        self->cap = 0;
    }
}

/* -- videos ------------------------------------------------------------------------------------ */

bool sim_video_waits(SimThread *self)
{
    SimVideo *video = &self->video;
    if (video->interval <= 0 || video->left > 0)
        return false;
    if (video->taken < video->frame)
        return true;
    video->left = video->steps;
    return false;
}

void sim_video_choose_step(SimThread *self)
{
    SimVideo *video = &self->video;
    double step = self->scene_step;
    if (video->interval > 0) {
        video->steps = (int)ceil(video->interval / step - 1e-6);
        video->left = video->left < video->steps ? video->left : video->steps;
        step = video->interval / video->steps;
    }
    if (step == self->step)
        return;
    self->step = step;
    self->budget.limit_ms = 1e3 * step / self->pace.speed;
    self->pace.ticking = false;
}

static void follow_video(SimVideo *video)
{
    if (video->interval > 0 && --video->left == 0)
        video->frame++;
}

/* -- the step ---------------------------------------------------------------------------------- */

/* The recording's last step. */
static void follow_recording(SimThread *self)
{
    SimRecording *recording = self->recording;
    if (recording != NULL && !recording->ended)
        recording->steps = self->steps - self->recorded_from;
}

void sim_step_take(SimThread *self)
{
    follow_timeline(self);
    follow_clock(self);
    emit_brush(self);
    emit_detonations(self);
    grip_move(&self->grip, self->sim, &self->def, self->step, &self->hand.grasp);
    limit_cycles(self);
    double time = billow_stats(self->sim).time, start = clock_seconds();
    billow_step(self->sim, self->step);
    double end = clock_seconds();
    if (self->pace.ticking)
        self->pace.account.simulated += billow_stats(self->sim).time - time;
    self->step_ms = (end - start) * 1e3;
    self->steps++;
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
