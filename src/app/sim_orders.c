/* SPDX-License-Identifier: MIT
 * What is to be done next: taken out of the mailbox, or given by the clock. */
#include "sim_thread_parts.h"

#include <math.h>
#include <string.h>

/* Whether there is something to do; sleeps for up to a step where there is not. Mutex held. */
static bool work_ready(SimThread *self)
{
    Mailbox *mailbox = &self->mailbox;
    if (mailbox->quit || mailbox->reset || mailbox->slice_asked || mailbox->settings_given ||
        mailbox->past_asked || mailbox->film_asked || mailbox->keep || mailbox->seeks != 0)
        return true;
    sim_clock_change_speed(self, mailbox->speed);
    self->going_back = self->going_back && mailbox->rewinding;
    if (mailbox->rewinding)
        return sim_past_ready(self);
    if (sim_film_waits(self)) {
        SDL_CondWait(self->wake, self->mutex);
        return false;
    }
    if (mailbox->paused) {
        self->ticking = false;
        if (mailbox->steps > 0)
            return true;
        SDL_CondWait(self->wake, self->mutex);
        return false;
    }
    double wait = sim_clock_until_due(self);
    if (wait <= 0)
        return true;
    double ms = ceil(wait * 1e3);
    SDL_CondWaitTimeout(self->wake, self->mutex, ms < 1e6 ? (Uint32)ms : 1000000u);
    return false;
}

static void take_touches(SimThread *self, Orders *orders)
{
    Mailbox *mailbox = &self->mailbox;
    orders->stroke_count = mailbox->stroke_count;
    memcpy(orders->stroke, mailbox->stroke,
           (size_t)mailbox->stroke_count * sizeof mailbox->stroke[0]);
    mailbox->stroke_count = 0;
    self->touching = mailbox->brush_held;
    orders->pushing = mailbox->pushing || mailbox->pushed;
    orders->force = mailbox->force;
    mailbox->pushed = false;
    orders->grasp = mailbox->grasp;
    orders->detonation_count = mailbox->detonation_count;
    memcpy(orders->detonations, mailbox->detonations,
           (size_t)mailbox->detonation_count * sizeof mailbox->detonations[0]);
    mailbox->detonation_count = 0;
}

/* What has to do with where the simulation stands in time. */
static void take_time(SimThread *self, Orders *orders)
{
    Mailbox *mailbox = &self->mailbox;
    orders->past = mailbox->past_asked;
    self->past_bytes = mailbox->past_bytes;
    mailbox->past_asked = false;
    orders->seek = mailbox->seeks;
    mailbox->seeks = 0;
    orders->back = mailbox->rewinding;
}

bool sim_orders_take(SimThread *self, Orders *orders)
{
    *orders = (Orders){0};
    SDL_LockMutex(self->mutex);
    while (!work_ready(self)) {
    }
    Mailbox *mailbox = &self->mailbox;
    bool go_on = !mailbox->quit;
    take_time(self, orders);
    if (mailbox->settings_given) {
        orders->settle = true;
        self->settings = mailbox->settings;
        mailbox->settings_given = false;
    }
    if (mailbox->slice_asked) {
        orders->show = true;
        self->sliced = mailbox->sliced;
        self->slice = mailbox->slice;
        self->slices++;
        mailbox->slice_asked = false;
    }
    if (mailbox->film_asked) {
        orders->film = true;
        self->film_interval = mailbox->film_interval;
        self->film = mailbox->film_taken + 1;
        mailbox->film_asked = false;
    }
    orders->keep = mailbox->keep;
    mailbox->keep = false;
    if (mailbox->reset) {
        orders->reset = true;
        mailbox->reset = false;
        self->ticking = false;
    } else if (go_on && !orders->show && !orders->settle && !orders->past && !orders->back &&
               !orders->film && !orders->keep && orders->seek == 0) {
        orders->step = true;
        orders->exact = mailbox->exact;
        if (mailbox->paused)
            mailbox->steps--;
        else
            self->owed -= self->step;
        take_touches(self, orders);
    }
    SDL_UnlockMutex(self->mutex);
    return go_on;
}
