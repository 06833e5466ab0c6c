/* SPDX-License-Identifier: MIT
 * The clock that the simulation follows, the frames of a video, and going back to stored states. */
#include "play/sim_thread_parts.h"

#include "base/clock.h"
#include "scene/scene_write.h"
#include <math.h>
#include <string.h>

/* -- the clock --------------------------------------------------------------------------------- */

/* Largest number of steps that may be owed; more time is dropped. Two steps make up for a short
 * delay. On a slow machine the owed time does not grow without limit. */
#define STEPS_BEHIND_MAX 2
/* Time over which the actual speed is measured, s. */
#define PACE_WINDOW 0.5

SimClock sim_clock_sum(const SimThread *self)
{
    SimClock sum = self->pace.before;
    sum.clock += (self->pace.clock - self->pace.run_start) * self->pace.run_speed;
    sum.owed = self->pace.owed;
    return sum;
}

static void start_clock(SimThread *self, double now)
{
    SimPace *pace = &self->pace;
    pace->before = sim_clock_sum(self);
    pace->before.dropped += pace->owed - self->shared.step;
    pace->owed = self->shared.step;
    pace->clock = pace->run_start = pace->measured_from = now;
    pace->run_speed = self->now.speed;
    pace->measured_simulated = 0;
    pace->ticking = true;
}

double sim_clock_until_due(SimThread *self)
{
    SimPace *pace = &self->pace;
    double now = clock_seconds();
    if (!pace->ticking)
        start_clock(self, now);
    else
        pace->owed += fmax(now - pace->clock, 0) * self->now.speed; /* 0: the clock was set back */
    pace->clock = now;
    double most = STEPS_BEHIND_MAX * self->shared.step;
    if (pace->owed > most) {
        pace->before.dropped += pace->owed - most;
        pace->owed = most;
    }
    return (self->shared.step - pace->owed) / self->now.speed;
}

void sim_clock_change_speed(SimThread *self, double speed)
{
    if (speed == self->now.speed)
        return;
    self->now.speed = self->now.pace = speed;
    self->budget.limit_ms = 1e3 * self->shared.step / speed;
    self->pace.ticking = false;
}

void sim_clock_measure_pace(SimThread *self, double now)
{
    SimPace *pace = &self->pace;
    if (!pace->ticking)
        return;
    pace->measured_simulated += self->shared.step;
    if (now - pace->measured_from < PACE_WINDOW)
        return;
    self->now.pace = pace->measured_simulated / (now - pace->measured_from);
    pace->measured_from = now;
    pace->measured_simulated = 0;
}

/* -- videos ------------------------------------------------------------------------------------ */

bool sim_video_waits(SimThread *self)
{
    SharedVideo *video = &self->shared.video;
    if (video->interval <= 0 || video->left > 0)
        return false;
    if (video->taken < video->frame &&
        self->replay.recording == NULL) /* a replay has no frames to record */
        return true;
    video->left = video->steps;
    return false;
}

/* -- going back -------------------------------------------------------------------------------- */

static SimExtras extras_of(const SimThread *self)
{
    SimExtras extras = {.hands = self->shared.hands.past};
    memcpy(extras.defined, self->shared.def.solids, sizeof extras.defined);
    return extras;
}

/* Applies to the solids what has changed in their definition since the state was stored. */
static void merge_solids(SimThread *self, const SimExtras *then)
{
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    for (int s = 0; s < self->shared.def.solid_count; s++) {
        solids[s] = *billow_solid(self->shared.driver.sim, s);
        scene_running_merge(&then->defined[s], &self->shared.def.solids[s], &solids[s]);
    }
    if (self->shared.def.solid_count > 0)
        billow_set_solids(self->shared.driver.sim, solids, self->shared.def.solid_count, NULL);
}

static void go_to(SimThread *self, int index)
{
    SimExtras then;
    if (index == rewind_at(self->past.rewind) ||
        !rewind_to(self->past.rewind, index, self->shared.driver.sim, &then))
        return;
    merge_solids(self, &then);
    self->shared.hands.past = then.hands;
    self->now.went_back++;
    self->sharing.stale = true;
    self->now.resets++;
    sim_recording_stop(self, "time went back");
    self->replay.recording = NULL;
}

void sim_past_seek(SimThread *self, int states)
{
    SimExtras now = extras_of(self);
    rewind_stand(self->past.rewind, self->shared.driver.sim, &now);
    int index = rewind_at(self->past.rewind) + states, last = rewind_count(self->past.rewind) - 1;
    go_to(self, index < 0 ? 0 : index > last ? last : index);
}

/* Returns the simulated time at which the simulation should be now while going back, s. It goes
 * back at its own speed, but at least as fast as the clock. */
static double back_target(const SimThread *self, double now)
{
    return self->past.time - (now - self->past.clock) * fmax(self->now.speed, 1);
}

void sim_past_go_back(SimThread *self)
{
    SimPast *past = &self->past;
    if (past->going) {
        int index = rewind_before(past->rewind, back_target(self, clock_seconds()));
        int at = rewind_at(past->rewind);
        go_to(self, index < at ? index : at);
        return;
    }
    past->going = true;
    sim_past_seek(self, -1);
    past->time = billow_view(self->shared.driver.sim).time;
    past->clock = clock_seconds();
}

double sim_past_until_due(SimThread *self)
{
    int at = rewind_at(self->past.rewind);
    self->pace.ticking = false;
    if (!self->past.going)
        return 0;
    if (at <= 0)
        return 1; /* this is the oldest state: check again in a second */
    return back_target(self, clock_seconds()) - rewind_time(self->past.rewind, at - 1);
}

void sim_past_follow(SimThread *self)
{
    SimExtras now = extras_of(self);
    rewind_follow(self->past.rewind, self->shared.driver.sim, &now);
}

void sim_past_resize(SimThread *self, double bytes)
{
    rewind_destroy(self->past.rewind);
    self->past.bytes = bytes;
    self->past.rewind = rewind_create(self->shared.driver.sim, bytes, sizeof(SimExtras));
    sim_past_follow(self);
}
