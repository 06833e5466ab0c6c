/* SPDX-License-Identifier: MIT
 * The loop of the simulation's thread, and the functions that other threads call. */
#define _DEFAULT_SOURCE /* setpriority */
#include "sim_thread_parts.h"

#include "fail.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
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

/* -- the loop ---------------------------------------------------------------------------------- */

typedef enum Duty { DUTY_STEP, DUTY_GO_BACK, DUTY_WAIT } Duty;

#define UNTIL_COMMAND 1e6 /* wait, s, that only a command ends */

/* Chooses what to do now. wait: seconds until there may be something to do. */
static Duty next_duty(SimThread *self, double *wait)
{
    *wait = UNTIL_COMMAND;
    self->past.going = self->past.going && self->past.asked;
    if (self->past.asked) {
        *wait = sim_past_until_due(self);
        return *wait <= 0 ? DUTY_GO_BACK : DUTY_WAIT;
    }
    if (sim_video_waits(self))
        return DUTY_WAIT;
    if (self->paused) {
        self->pace.ticking = false;
        return self->single_steps > 0 ? DUTY_STEP : DUTY_WAIT;
    }
    *wait = sim_clock_until_due(self);
    return *wait <= 0 ? DUTY_STEP : DUTY_WAIT;
}

static void take_step(SimThread *self)
{
    if (self->paused)
        self->single_steps--;
    else
        self->pace.owed -= self->step;
    sim_step_take(self);
}

/* Sleeps until a command comes, at most for so many seconds. */
static void sleep_for(SimThread *self, double seconds)
{
    SDL_LockMutex(self->mutex);
    if (self->queue.count == 0 && seconds >= UNTIL_COMMAND)
        SDL_CondWait(self->wake, self->mutex);
    else if (self->queue.count == 0)
        SDL_CondWaitTimeout(self->wake, self->mutex, (Uint32)fmin(ceil(seconds * 1e3), 1e6));
    SDL_UnlockMutex(self->mutex);
}

/* Applies the commands, then does what is due. */
static void turn(SimThread *self)
{
    double wait;
    sim_apply_all(self);
    if (self->quit)
        return;
    switch (next_duty(self, &wait)) {
    case DUTY_STEP:
        take_step(self);
        break;
    case DUTY_GO_BACK:
        sim_past_go_back(self);
        sim_publish(self);
        break;
    case DUTY_WAIT:
        sleep_for(self, wait);
        break;
    }
}

/* Lowers the priority of this thread and of its OpenMP threads, which inherit it. A software
 * renderer, whose threads wait for each other, then draws first. The lowest priority would stop the
 * simulation on a busy machine. */
static void lower_priority(void)
{
#ifdef __linux__
    setpriority(PRIO_PROCESS, 0, 5); /* 0: on Linux the calling thread, not the process */
#endif
}

static int run(void *data)
{
    SimThread *self = data;
    lower_priority();
    if (!create(self)) {
        set_state(self, SIM_THREAD_FAILED);
        return 0;
    }
    sim_publish(self);
    set_state(self, SIM_THREAD_RUNNING);
    while (!self->quit)
        turn(self);
    set_state(self, SIM_THREAD_ENDED);
    return 0;
}

SimThread *sim_thread_start(const BillowDef *def, ScenePlay *play, double step, void *state,
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
    self->now.pace = self->now.speed = self->brush.steps = 1;
    self->budget = budget_start(&def->params, step * 1e3);
    self->now.cycles_cap = self->cycles = self->budget.most;
    self->mutex = SDL_CreateMutex();
    self->wake = SDL_CreateCond();
    if (self->mutex != NULL && self->wake != NULL)
        self->handle = SDL_CreateThread(run, "simulation", self);
    if (self->handle == NULL) {
        self->first = NULL; /* the caller frees it */
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
        sim_thread_send(self, &(SimCommand){.kind = SIM_QUIT});
        SDL_WaitThread(self->handle, NULL);
    }
    rewind_destroy(self->past.rewind);
    if (self->has_saved)
        free(self->saved.state);
    free(self->first);
    billow_destroy(self->sim);
    for (int p = 0; p < self->own_play_count; p++)
        scene_play_destroy(self->own_plays[p]);
    free(self->own_plays);
    sim_queue_free(&self->queue);
    sim_queue_free(&self->batch);
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

bool sim_thread_saved(SimThread *self, SimSaved *saved)
{
    SDL_LockMutex(self->mutex);
    bool has = self->has_saved;
    if (has)
        *saved = self->saved;
    self->has_saved = false;
    SDL_UnlockMutex(self->mutex);
    return has;
}

bool sim_thread_send(SimThread *self, const SimCommand *command)
{
    SDL_LockMutex(self->mutex);
    bool replaced = sim_queue_push(&self->queue, command);
    if (command->kind == SIM_PAUSE)
        self->will_pause = command->on;
    else if (command->kind == SIM_STEP || command->kind == SIM_SEEK)
        self->will_pause = true;
    SDL_CondBroadcast(self->wake);
    SDL_UnlockMutex(self->mutex);
    return replaced;
}

bool sim_thread_paused(SimThread *self)
{
    SDL_LockMutex(self->mutex);
    bool paused = self->will_pause;
    SDL_UnlockMutex(self->mutex);
    return paused;
}
