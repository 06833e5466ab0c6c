/* SPDX-License-Identifier: MIT
 * The clock that the simulation keeps up with: what it owes, and how fast it goes. */
#include "sim_thread_parts.h"

#include "clock.h"
#include <math.h>

/* Steps the clock may be behind before it is set back: enough to ride over a hiccup, too few for a
 * slow machine to pile up work. */
#define STEPS_BEHIND_MAX 2
/* Seconds over which the pace is measured. */
#define PACE_WINDOW 0.5

SimClock sim_clock_account(const SimThread *self)
{
    SimClock account = self->account;
    account.clock += (self->clock - self->run_start) * self->run_speed;
    account.owed = self->owed;
    return account;
}

static void start_clock(SimThread *self, double now)
{
    self->account = sim_clock_account(self);
    self->account.dropped += self->owed - self->step;
    self->owed = self->step;
    self->clock = self->run_start = now;
    self->run_speed = self->speed;
    self->ticking = true;
}

double sim_clock_until_due(SimThread *self)
{
    double now = clock_seconds();
    if (!self->ticking) {
        start_clock(self, now);
        self->pace_start = now;
        self->pace_simulated = 0;
    } else {
        self->owed += fmax(now - self->clock, 0) * self->speed; /* 0: it was set back */
    }
    self->clock = now;
    double most = STEPS_BEHIND_MAX * self->step;
    if (self->owed > most) {
        self->account.dropped += self->owed - most;
        self->owed = most;
    }
    return (self->step - self->owed) / self->speed;
}

void sim_clock_change_speed(SimThread *self, double speed)
{
    if (speed == self->speed)
        return;
    self->speed = self->pace = speed;
    self->budget.limit_ms = 1e3 * self->step / speed;
    self->ticking = false;
}

void sim_clock_measure_pace(SimThread *self, double now)
{
    if (!self->ticking)
        return;
    self->pace_simulated += self->step;
    if (now - self->pace_start < PACE_WINDOW)
        return;
    self->pace = self->pace_simulated / (now - self->pace_start);
    self->pace_start = now;
    self->pace_simulated = 0;
}
