/* SPDX-License-Identifier: MIT
 * The clock that the simulation keeps up with. */
#include "sim_thread_parts.h"

#include "clock.h"
#include <math.h>

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
