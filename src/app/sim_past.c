/* SPDX-License-Identifier: MIT
 * Back in time, and forth again. */
#include "sim_thread_parts.h"

#include "clock.h"
#include <math.h>
#include <string.h>

static Beside beside_of(const SimThread *self)
{
    Beside beside = {.detonation_count = self->detonation_count, .grip = self->grip};
    memcpy(beside.detonations, self->detonations, sizeof beside.detonations);
    memcpy(beside.defined, self->def.solids, sizeof beside.defined);
    return beside;
}

/* What of the solids' definition has changed since goes for the state as well. */
static void merge_solids(SimThread *self, const Beside *then)
{
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    for (int s = 0; s < self->def.solid_count; s++) {
        solids[s] = *billow_solid(self->sim, s);
        sim_settings_merge(&then->defined[s], &self->def.solids[s], &solids[s]);
    }
    if (self->def.solid_count > 0)
        billow_set_solids(self->sim, solids, self->def.solid_count, NULL);
}

static void go_to(SimThread *self, int index)
{
    Beside then;
    if (index == rewind_at(self->rewind) || !rewind_to(self->rewind, index, self->sim, &then))
        return;
    merge_solids(self, &then);
    self->detonation_count = then.detonation_count;
    memcpy(self->detonations, then.detonations, sizeof self->detonations);
    self->grip = then.grip;
    self->went_back++;
    self->resets++;
}

static void stand(SimThread *self)
{
    Beside now = beside_of(self);
    rewind_stand(self->rewind, self->sim, &now);
}

void sim_past_seek(SimThread *self, int states)
{
    stand(self);
    int index = rewind_at(self->rewind) + states, last = rewind_count(self->rewind) - 1;
    go_to(self, index < 0 ? 0 : index > last ? last : index);
}

/* As fast as it goes forth, but not slower than the clock. */
static double back_target(const SimThread *self, double now)
{
    return self->back_time - (now - self->back_clock) * fmax(self->speed, 1);
}

void sim_past_go_back(SimThread *self)
{
    if (self->going_back) {
        int index = rewind_before(self->rewind, back_target(self, clock_seconds()));
        go_to(self, index < rewind_at(self->rewind) ? index : rewind_at(self->rewind));
        return;
    }
    self->going_back = true;
    sim_past_seek(self, -1);
    self->back_time = billow_view(self->sim).time;
    self->back_clock = clock_seconds();
}

bool sim_past_ready(SimThread *self)
{
    int at = rewind_at(self->rewind);
    self->ticking = false;
    if (!self->going_back)
        return true;
    double early =
        at > 0 ? back_target(self, clock_seconds()) - rewind_time(self->rewind, at - 1) : 1;
    if (early <= 0)
        return true;
    SDL_CondWaitTimeout(self->wake, self->mutex, (Uint32)fmin(ceil(early * 1e3), 1e3));
    return false;
}

void sim_past_follow(SimThread *self)
{
    Beside now = beside_of(self);
    rewind_follow(self->rewind, self->sim, &now);
}

void sim_past_renew(SimThread *self)
{
    rewind_destroy(self->rewind);
    self->rewind = rewind_create(self->sim, self->past_bytes, sizeof(Beside));
    sim_past_follow(self);
}
