/* SPDX-License-Identifier: MIT
 * Time: the clock that the simulation keeps up with, and the way back to kept states. */
#include "sim_thread_parts.h"

#include "clock.h"
#include "scene_difference.h"
#include <math.h>
#include <string.h>

/* -- the clock --------------------------------------------------------------------------------- */

/* Steps that may be owed before the rest is dropped: enough to ride over a hiccup, too few for a
 * slow machine to pile up work. */
#define STEPS_BEHIND_MAX 2
/* Time over which the pace is measured, s. */
#define PACE_WINDOW 0.5

SimClock sim_clock_account(const SimThread *self)
{
    SimClock account = self->pace.account;
    account.clock += (self->pace.clock - self->pace.run_start) * self->pace.run_speed;
    account.owed = self->pace.owed;
    return account;
}

static void start_clock(SimThread *self, double now)
{
    self->pace.account = sim_clock_account(self);
    self->pace.account.dropped += self->pace.owed - self->step;
    self->pace.owed = self->step;
    self->pace.clock = self->pace.run_start = now;
    self->pace.run_speed = self->pace.speed;
    self->pace.ticking = true;
}

double sim_clock_until_due(SimThread *self)
{
    double now = clock_seconds();
    if (!self->pace.ticking) {
        start_clock(self, now);
        self->pace.pace_start = now;
        self->pace.pace_simulated = 0;
    } else {
        self->pace.owed +=
            fmax(now - self->pace.clock, 0) * self->pace.speed; /* 0 where the clock was set back */
    }
    self->pace.clock = now;
    double most = STEPS_BEHIND_MAX * self->step;
    if (self->pace.owed > most) {
        self->pace.account.dropped += self->pace.owed - most;
        self->pace.owed = most;
    }
    return (self->step - self->pace.owed) / self->pace.speed;
}

void sim_clock_change_speed(SimThread *self, double speed)
{
    if (speed == self->pace.speed)
        return;
    self->pace.speed = self->pace.pace = speed;
    self->budget.limit_ms = 1e3 * self->step / speed;
    self->pace.ticking = false;
}

void sim_clock_measure_pace(SimThread *self, double now)
{
    if (!self->pace.ticking)
        return;
    self->pace.pace_simulated += self->step;
    if (now - self->pace.pace_start < PACE_WINDOW)
        return;
    self->pace.pace = self->pace.pace_simulated / (now - self->pace.pace_start);
    self->pace.pace_start = now;
    self->pace.pace_simulated = 0;
}

/* -- going back -------------------------------------------------------------------------------- */

static SimExtras extras_of(const SimThread *self)
{
    SimExtras extras = {.detonation_count = self->detonation_count, .grip = self->grip};
    memcpy(extras.detonations, self->detonations, sizeof extras.detonations);
    memcpy(extras.defined, self->def.solids, sizeof extras.defined);
    return extras;
}

/* Applies changes of the solids' definition since the state was kept to that state. */
static void merge_solids(SimThread *self, const SimExtras *then)
{
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    for (int s = 0; s < self->def.solid_count; s++) {
        solids[s] = *billow_solid(self->sim, s);
        scene_running_merge(&then->defined[s], &self->def.solids[s], &solids[s]);
    }
    if (self->def.solid_count > 0)
        billow_set_solids(self->sim, solids, self->def.solid_count, NULL);
}

static void go_to(SimThread *self, int index)
{
    SimExtras then;
    if (index == rewind_at(self->past.rewind) ||
        !rewind_to(self->past.rewind, index, self->sim, &then))
        return;
    merge_solids(self, &then);
    self->detonation_count = then.detonation_count;
    memcpy(self->detonations, then.detonations, sizeof self->detonations);
    self->grip = then.grip;
    self->past.count++;
    self->resets++;
    if (self->recording != NULL)
        self->recording->ended = true;
    self->replay = NULL;
}

static void stand(SimThread *self)
{
    SimExtras now = extras_of(self);
    rewind_stand(self->past.rewind, self->sim, &now);
}

void sim_past_seek(SimThread *self, int states)
{
    stand(self);
    int index = rewind_at(self->past.rewind) + states, last = rewind_count(self->past.rewind) - 1;
    go_to(self, index < 0 ? 0 : index > last ? last : index);
}

/* The simulated time to be at: it goes back as fast as it goes forth, and no slower than the clock.
 */
static double back_target(const SimThread *self, double now)
{
    return self->past.time - (now - self->past.clock) * fmax(self->pace.speed, 1);
}

void sim_past_go_back(SimThread *self)
{
    if (self->past.going) {
        int index = rewind_before(self->past.rewind, back_target(self, clock_seconds()));
        go_to(self, index < rewind_at(self->past.rewind) ? index : rewind_at(self->past.rewind));
        return;
    }
    self->past.going = true;
    sim_past_seek(self, -1);
    self->past.time = billow_view(self->sim).time;
    self->past.clock = clock_seconds();
}

double sim_past_until_due(SimThread *self)
{
    int at = rewind_at(self->past.rewind);
    self->pace.ticking = false;
    if (!self->past.going)
        return 0;
    if (at <= 0)
        return 1; /* the oldest: there is nothing to go back to, until the key comes up */
    return back_target(self, clock_seconds()) - rewind_time(self->past.rewind, at - 1);
}

void sim_past_follow(SimThread *self)
{
    SimExtras now = extras_of(self);
    rewind_follow(self->past.rewind, self->sim, &now);
}

void sim_past_resize(SimThread *self, double bytes)
{
    rewind_destroy(self->past.rewind);
    self->past.rewind = rewind_create(self->sim, bytes, sizeof(SimExtras));
    sim_past_follow(self);
}
