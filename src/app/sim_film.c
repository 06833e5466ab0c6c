/* SPDX-License-Identifier: MIT
 * Frames at even distances, each of which the simulation waits at until it is taken. */
#include "sim_thread_parts.h"

#include <math.h>

bool sim_film_waits(SimThread *self)
{
    if (self->film_interval <= 0 || self->film_left > 0)
        return false;
    if (self->mailbox.film_taken < self->film)
        return true;
    self->film_left = self->film_steps;
    return false;
}

void sim_film_choose_step(SimThread *self)
{
    double step = self->scene_step;
    if (self->film_interval > 0) {
        self->film_steps = (int)ceil(self->film_interval / step - 1e-6);
        self->film_left = self->film_left < self->film_steps ? self->film_left : self->film_steps;
        step = self->film_interval / self->film_steps;
    }
    if (step == self->step)
        return;
    self->step = step;
    self->budget.limit_ms = 1e3 * step / self->speed;
    self->ticking = false;
}

void sim_film_follow(SimThread *self)
{
    if (self->film_interval > 0 && --self->film_left == 0)
        self->film++;
}
