/* SPDX-License-Identifier: MIT
 * What the window asks for, until the simulation sees it. */
#include "sim_thread_parts.h"

/* Opens the mailbox for a change; close_mailbox lets the thread see it. */
static Mailbox *open_mailbox(SimThread *self)
{
    SDL_LockMutex(self->mutex);
    return &self->mailbox;
}

static void close_mailbox(SimThread *self)
{
    SDL_CondBroadcast(self->wake);
    SDL_UnlockMutex(self->mutex);
}

void sim_thread_pause(SimThread *self, bool paused)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->paused = paused;
    if (!paused)
        mailbox->steps = 0;
    close_mailbox(self);
}

bool sim_thread_paused(SimThread *self)
{
    SDL_LockMutex(self->mutex);
    bool paused = self->mailbox.paused;
    SDL_UnlockMutex(self->mutex);
    return paused;
}

void sim_thread_step(SimThread *self)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->paused = true;
    mailbox->steps++;
    close_mailbox(self);
}

void sim_thread_speed(SimThread *self, double speed)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->speed = speed;
    close_mailbox(self);
}

void sim_thread_remember(SimThread *self, double bytes)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->past_asked = true;
    mailbox->past_bytes = bytes;
    close_mailbox(self);
}

void sim_thread_rewind(SimThread *self, bool rewinding)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->rewinding = rewinding;
    close_mailbox(self);
}

void sim_thread_seek(SimThread *self, int states)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->paused = true;
    mailbox->steps = 0;
    mailbox->seeks += states;
    close_mailbox(self);
}

void sim_thread_exact(SimThread *self, bool exact)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->exact = exact;
    close_mailbox(self);
}

void sim_thread_reset(SimThread *self)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->reset = true;
    mailbox->steps = 0;
    mailbox->stroke_count = 0;
    mailbox->brush_held = mailbox->pushing = mailbox->pushed = false;
    mailbox->grasp.holds = false;
    mailbox->detonation_count = 0;
    close_mailbox(self);
}

void sim_thread_brush(SimThread *self, const BillowEmitter *emitter)
{
    Mailbox *mailbox = open_mailbox(self);
    int place = mailbox->stroke_count < STROKE_MAX ? mailbox->stroke_count++ : STROKE_MAX - 1;
    mailbox->stroke[place] = *emitter;
    mailbox->brush_held = true;
    close_mailbox(self);
}

void sim_thread_push(SimThread *self, const BillowForce *force)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->force = *force;
    mailbox->pushing = mailbox->pushed = true;
    close_mailbox(self);
}

void sim_thread_brush_end(SimThread *self)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->brush_held = mailbox->pushing = false;
    close_mailbox(self);
}

void sim_thread_detonate(SimThread *self, const BillowEmitter *emitter)
{
    Mailbox *mailbox = open_mailbox(self);
    if (mailbox->detonation_count < DETONATIONS_MAX)
        mailbox->detonations[mailbox->detonation_count++] = *emitter;
    close_mailbox(self);
}

void sim_thread_grab(SimThread *self, int solid, const float center[3])
{
    if (solid < 0 || solid >= self->def.solid_count)
        return;
    Mailbox *mailbox = open_mailbox(self);
    mailbox->grasp = (Grasp){true, solid, {center[0], center[1], center[2]}};
    close_mailbox(self);
}

void sim_thread_let_go(SimThread *self)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->grasp.holds = false;
    close_mailbox(self);
}

ScenePlay *sim_thread_settings(SimThread *self, const SimSettings *settings)
{
    Mailbox *mailbox = open_mailbox(self);
    ScenePlay *unseen = mailbox->settings_given ? mailbox->settings.play : NULL;
    mailbox->settings_given = true;
    mailbox->settings = *settings;
    close_mailbox(self);
    return unseen;
}

SimSettled sim_thread_settled(SimThread *self)
{
    SDL_LockMutex(self->mutex);
    SimSettled settled = self->settled;
    SDL_UnlockMutex(self->mutex);
    return settled;
}

void sim_thread_slice(SimThread *self, const FieldSlice *slice)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->slice_asked = true;
    mailbox->sliced = slice != NULL;
    if (slice != NULL)
        mailbox->slice = *slice;
    close_mailbox(self);
}

void sim_thread_film(SimThread *self, double interval, uint64_t number)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->film_asked = true;
    mailbox->film_interval = interval;
    mailbox->film_taken = number > 0 ? number - 1 : 0;
    close_mailbox(self);
}

void sim_thread_filmed(SimThread *self, uint64_t number)
{
    Mailbox *mailbox = open_mailbox(self);
    if (number > mailbox->film_taken)
        mailbox->film_taken = number;
    close_mailbox(self);
}

void sim_thread_keep(SimThread *self)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->keep = true;
    close_mailbox(self);
}

void sim_thread_quit(SimThread *self)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->quit = true;
    close_mailbox(self);
}
