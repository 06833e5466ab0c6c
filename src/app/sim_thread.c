/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* setpriority */
#include "sim_thread_parts.h"

#include "fail.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

static void set_state(SimThread *self, SimThreadState state)
{
    SDL_LockMutex(self->mutex);
    self->state = state;
    SDL_CondBroadcast(self->wake);
    SDL_UnlockMutex(self->mutex);
}

static bool create(SimThread *self)
{
    BillowError error = {{0}};
    Snapshots *snapshots = NULL;
    self->sim = billow_create(&self->def, &error);
    if (self->sim != NULL && (self->first == NULL ||
                              billow_load_state(self->sim, self->first, self->first_bytes, &error)))
        snapshots = snapshots_create(&self->def, &error);
    free(self->first);
    self->first = NULL;
    SDL_LockMutex(self->mutex);
    self->snapshots = snapshots;
    self->error = error;
    if (self->sim != NULL)
        self->threads = billow_threads(self->sim);
    SDL_UnlockMutex(self->mutex);
    return snapshots != NULL;
}

static void report(SimThread *self, bool taken, const BillowError *refusal)
{
    SDL_LockMutex(self->mutex);
    self->settled.serial = self->settings.serial;
    if (taken)
        self->settled.taken = self->settings.serial;
    self->settled.refusal = *refusal;
    SDL_UnlockMutex(self->mutex);
}

/* The definition's other members stay: other threads read them. */
static void keep_settings(SimThread *self)
{
    const BillowDef *given = &self->settings.def;
    if (self->grip.grasp.holds || self->grip.gliding)
        sim_settings_merge(&self->def.solids[self->grip.grasp.solid],
                           &given->solids[self->grip.grasp.solid], &self->grip.before);
    self->def.params = given->params;
    self->def.emitter_count = given->emitter_count;
    self->def.force_count = given->force_count;
    memcpy(self->def.emitters, given->emitters, sizeof given->emitters);
    memcpy(self->def.forces, given->forces, sizeof given->forces);
    memcpy(self->def.solids, given->solids, sizeof given->solids);
    self->play = self->settings.play;
    self->scene_step = self->settings.step;
}

static void settle(SimThread *self)
{
    BillowError refusal = {{0}};
    const BillowParams before = self->def.params, *now = &self->settings.def.params;
    bool taken = sim_settings_take(self->sim, &self->def, &self->settings.def, &refusal);
    if (taken) {
        if (before.pressure != now->pressure || before.cycles != now->cycles ||
            before.sweeps != now->sweeps)
            self->budget = budget_start(now, self->step * 1e3 / self->speed);
        keep_settings(self);
        sim_film_choose_step(self);
        self->cap = self->budget.most;
    }
    report(self, taken, &refusal);
}

static void keep(SimThread *self)
{
    SimKept kept = {.bytes = billow_state_bytes(self->sim),
                    .settings = self->settled.taken,
                    .finite = billow_stats(self->sim).nonfinite == 0};
    kept.state = malloc(kept.bytes);
    if (kept.state != NULL)
        billow_save_state(self->sim, kept.state);
    scene_checkpoint_describe(self->sim, &kept.run);
    SDL_LockMutex(self->mutex);
    if (self->has_kept)
        free(self->kept.state);
    self->kept = kept;
    self->has_kept = true;
    SDL_UnlockMutex(self->mutex);
}

static void obey(SimThread *self, const Orders *orders)
{
    if (orders->settle)
        settle(self);
    if (orders->reset) {
        billow_reset(self->sim);
        self->detonation_count = 0;
        self->grip = (Grip){0};
        self->resets++;
        rewind_forget(self->rewind);
        sim_past_follow(self);
    }
    if (orders->past)
        sim_past_renew(self);
    if (orders->film) {
        self->film_left = 0;
        sim_film_choose_step(self);
    }
    if (orders->back)
        sim_past_go_back(self);
    else if (orders->seek != 0)
        sim_past_seek(self, orders->seek);
    if (orders->reset || orders->show || orders->settle || orders->past || orders->back ||
        orders->film || orders->seek != 0)
        sim_publish(self);
    if (orders->keep)
        keep(self);
    if (orders->step)
        sim_step_take(self, orders);
}

/* Lets the picture go first where they share cores: a software renderer's threads wait for each
 * other, so that a frame is as slow as the one the simulation is in the way of. Not the lowest
 * priority, at which a busy machine would stop the simulation. OpenMP's threads inherit it. */
static void step_back(void)
{
#ifdef __linux__
    setpriority(PRIO_PROCESS, 0, 5); /* 0: on Linux the calling thread, not the process */
#endif
}

static int run(void *data)
{
    SimThread *self = data;
    step_back();
    if (!create(self)) {
        set_state(self, SIM_THREAD_FAILED);
        return 0;
    }
    sim_publish(self);
    set_state(self, SIM_THREAD_RUNNING);
    Orders orders;
    while (sim_orders_take(self, &orders))
        obey(self, &orders);
    set_state(self, SIM_THREAD_ENDED);
    return 0;
}

SimThread *sim_thread_start(const BillowDef *def, ScenePlay *play, double step, BillowError *error)
{
    return sim_thread_start_from(def, play, step, NULL, 0, error);
}

SimThread *sim_thread_start_from(const BillowDef *def, ScenePlay *play, double step, void *state,
                                 size_t bytes, BillowError *error)
{
    assert(step > 0);
    SimThread *self = calloc(1, sizeof *self);
    if (self == NULL) {
        fail(error, "memory is too short to start the simulation's thread");
        return NULL;
    }
    self->def = *def;
    self->play = play;
    self->step = self->scene_step = step;
    self->first = state;
    self->first_bytes = bytes;
    self->pace = self->speed = self->mailbox.speed = 1;
    self->budget = budget_start(&def->params, step * 1e3);
    self->cap = self->budget.most;
    self->mutex = SDL_CreateMutex();
    self->wake = SDL_CreateCond();
    if (self->mutex != NULL && self->wake != NULL)
        self->handle = SDL_CreateThread(run, "simulation", self);
    if (self->handle == NULL) {
        self->first = NULL; /* still the caller's */
        fail(error, "the simulation's thread cannot be started: %s", SDL_GetError());
        sim_thread_destroy(self);
        return NULL;
    }
    return self;
}

SimThreadState sim_thread_state(SimThread *self, BillowError *error)
{
    SDL_LockMutex(self->mutex);
    SimThreadState state = self->state;
    if (state == SIM_THREAD_FAILED && error != NULL)
        *error = self->error;
    SDL_UnlockMutex(self->mutex);
    return state;
}

SimThreadState sim_thread_wait(SimThread *self, BillowError *error)
{
    SDL_LockMutex(self->mutex);
    while (self->state == SIM_THREAD_STARTING)
        SDL_CondWait(self->wake, self->mutex);
    SDL_UnlockMutex(self->mutex);
    return sim_thread_state(self, error);
}

void sim_thread_destroy(SimThread *self)
{
    if (self == NULL)
        return;
    if (self->handle != NULL) {
        sim_thread_quit(self);
        SDL_WaitThread(self->handle, NULL);
    }
    rewind_destroy(self->rewind);
    if (self->has_kept)
        free(self->kept.state);
    free(self->first);
    billow_destroy(self->sim);
    snapshots_destroy(self->snapshots);
    SDL_DestroyCond(self->wake);
    SDL_DestroyMutex(self->mutex);
    free(self);
}

const SimSnapshot *sim_thread_snapshot(SimThread *self)
{
    SDL_LockMutex(self->mutex);
    Snapshots *snapshots = self->snapshots;
    SDL_UnlockMutex(self->mutex);
    return snapshots != NULL ? snapshots_newest(snapshots) : NULL;
}

int sim_thread_threads(SimThread *self)
{
    SDL_LockMutex(self->mutex);
    int threads = self->threads;
    SDL_UnlockMutex(self->mutex);
    return threads;
}

bool sim_thread_kept(SimThread *self, SimKept *kept)
{
    SDL_LockMutex(self->mutex);
    bool has = self->has_kept;
    if (has)
        *kept = self->kept;
    self->has_kept = false;
    SDL_UnlockMutex(self->mutex);
    return has;
}
