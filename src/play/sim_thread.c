/* SPDX-License-Identifier: MIT
 * The simulation's thread: the clock it follows, a step, another grid, the loop, and the functions
 * that other threads call. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "play/sim_apply.h"
#include "play/sound_feed.h"

#include "base/clock.h"
#include "base/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -- the clock --------------------------------------------------------------------------------- */

/* Largest number of steps that may be owed; more time is dropped. Two steps make up for a short
 * delay. On a slow machine the owed time does not grow without limit. */
#define STEPS_BEHIND_MAX 2
/* Time over which the actual speed is measured, s. */
#define PACE_WINDOW 0.5

/* Returns how much of the clock's time is simulated, owed or dropped so far. */
static SimClock clock_sum(const SimThread *self)
{
    SimClock sum = self->pace.before;
    sum.clock += (self->pace.clock - self->pace.run_start) * self->pace.run_speed;
    sum.owed = self->pace.owed;
    return sum;
}

static void start_clock(SimThread *self, double now)
{
    SimPace *pace = &self->pace;
    pace->before = clock_sum(self);
    pace->before.dropped += pace->owed - self->shared.step;
    pace->owed = self->shared.step;
    pace->clock = pace->run_start = pace->measured_from = now;
    pace->run_speed = self->now.speed;
    pace->measured_simulated = 0;
    pace->ticking = true;
}

/* Returns the time until the next step is due, s; 0 or less: it is due now. */
static double clock_until_due(SimThread *self)
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

/* Measures the actual speed of the simulation after a step that ended at `now`, s. */
static void measure_pace(SimThread *self, double now)
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

/* -- snapshots --------------------------------------------------------------------------------- */

/* Publishes the present state to snapshots of its grid. */
static void publish_to(SimThread *self, Snapshots *snapshots)
{
    BillowView view = billow_view(self->shared.driver.sim);
    SimSnapshot *now = &self->now;
    const Rewind *rewind = self->past.rewind;
    now->stats = billow_stats(self->shared.driver.sim);
    now->profile = billow_profile(self->shared.driver.sim);
    now->clock = clock_sum(self);
    now->back_to = rewind_count(rewind) > 0 ? rewind_time(rewind, 0) : now->stats.time;
    now->cycles_most = self->budget.most;
    now->cut = now->cycles_cap < now->cycles_most && now->stats.cycles >= now->cycles_cap &&
               now->stats.residual_relative > (double)self->shared.def.params.tolerance;
    now->changes = self->shared.changes;
    now->replaying = self->replay.recording != NULL;
    snprintf(now->growth.text, sizeof now->growth.text, "%s",
             billow_growth_notice(self->shared.driver.sim));
    now->solid_count = self->shared.def.solid_count;
    for (int s = 0; s < now->solid_count; s++)
        now->solids[s] = *billow_solid(self->shared.driver.sim, s);
    snapshots_publish(snapshots, &view, now);
}

/* Creates snapshots for the present box of a simulation of the thread's definition. */
static Snapshots *create_snapshots(const SimThread *self, const BillowSim *sim, BillowError *error)
{
    const BillowView view = billow_view(sim);
    BillowDef def = self->shared.def;
    def.nx = view.nx / def.refine;
    def.ny = view.ny / def.refine;
    def.nz = view.nz / def.refine;
    return snapshots_create(&def, error);
}

/* The window may still read the newest of the old snapshots, so they live until it asks for the
 * next. If it has not yet asked since an earlier exchange, it has never seen the present ones, and
 * still reads those that wait. */
static void exchange_snapshots(SimThread *self, Snapshots *snapshots)
{
    pthread_mutex_lock(&self->mutex);
    Snapshots *before = self->snapshots;
    self->snapshots = snapshots;
    if (self->retired == NULL) {
        self->retired = before;
        before = NULL;
    }
    pthread_mutex_unlock(&self->mutex);
    snapshots_destroy(before);
}

/* Publishes the present state. A box that has changed its size needs other snapshots; without
 * memory for them the thread ends. */
static void publish(SimThread *self)
{
    const BillowView view = billow_view(self->shared.driver.sim);
    BillowError error = {{0}};
    if (snapshots_fit(self->snapshots, &view)) {
        publish_to(self, self->snapshots);
        return;
    }
    Snapshots *other = create_snapshots(self, self->shared.driver.sim, &error);
    if (other != NULL) {
        publish_to(self, other);
        exchange_snapshots(self, other);
        return;
    }
    pthread_mutex_lock(&self->mutex);
    self->error = error;
    pthread_mutex_unlock(&self->mutex);
    self->starved = self->quit = true;
}

/* -- another grid ------------------------------------------------------------------------------ */

/* A thread of its own creates the new simulation, so that the smoke does not stop meanwhile; the
 * state is resampled between two steps. */
static void build(void *data)
{
    SimRegrid *regrid = data;
    thread_give_way(19);
    regrid->sim = billow_create(&regrid->def, NULL);
    if (regrid->sim != NULL)
        regrid->snapshots = snapshots_create(&regrid->def, NULL);
    atomic_store(&regrid->done, true);
}

static void answer(SimThread *self, SimGridResult result)
{
    self->now.grid = self->regrid.serial;
    self->now.grid_result = result;
}

/* Waits for the builder, and drops what was not used. */
static void clear(SimRegrid *regrid)
{
    thread_join(regrid->builder);
    billow_destroy(regrid->sim);
    snapshots_destroy(regrid->snapshots);
    regrid->builder = NULL;
    regrid->sim = NULL;
    regrid->snapshots = NULL;
}

void sim_grid_drop(SimThread *self)
{
    if (self->regrid.builder == NULL)
        return;
    clear(&self->regrid);
    answer(self, SIM_GRID_DROPPED);
}

void sim_grid_ask(SimThread *self, const struct SimGrid *grid)
{
    SimRegrid *regrid = &self->regrid;
    sim_grid_drop(self);
    regrid->serial = grid->serial;
    regrid->def = self->shared.def;
    regrid->rung = grid->rung;
    grid_rung_apply(&regrid->rung, &regrid->def);
    atomic_store(&regrid->done, false);
    if (self->recording == NULL)
        regrid->builder = thread_start(build, "grid", regrid, NULL);
    if (regrid->builder == NULL)
        answer(self, SIM_GRID_DROPPED);
}

/* Moves to the new simulation. Stored states have the old grid and are dropped. */
static void move_to(SimThread *self, SimRegrid *regrid)
{
    BillowSim *before = self->shared.driver.sim;
    self->shared.driver.sim = regrid->sim;
    grid_rung_apply(&regrid->rung, &self->shared.def);
    self->budget = budget_start(&self->shared.def.params, self->budget.limit_ms);
    self->pace.ticking = false;
    self->sharing.stale = true;
    sim_past_resize(self, self->past.bytes);
    answer(self, SIM_GRID_DONE);
    publish_to(self, regrid->snapshots);
    exchange_snapshots(self, regrid->snapshots);
    regrid->sim = before; /* clear() destroys it */
    regrid->snapshots = NULL;
}

/* Replaces the snapshots if the new box had to grow. */
static bool fit_snapshots(const SimThread *self, SimRegrid *regrid)
{
    const BillowView view = billow_view(regrid->sim);
    if (snapshots_fit(regrid->snapshots, &view))
        return true;
    snapshots_destroy(regrid->snapshots);
    regrid->snapshots = create_snapshots(self, regrid->sim, NULL);
    return regrid->snapshots != NULL;
}

/* Continues on the new grid if it has been created; not while time goes back or is paused, so that
 * the stored states stay. Call it between two steps. */
static void follow_grid(SimThread *self)
{
    SimRegrid *regrid = &self->regrid;
    if (regrid->builder == NULL || !atomic_load(&regrid->done) || self->past.asked || self->paused)
        return;
    if (regrid->snapshots != NULL && billow_resample(regrid->sim, self->shared.driver.sim, NULL) &&
        fit_snapshots(self, regrid))
        move_to(self, regrid);
    else
        answer(self, SIM_GRID_REFUSED);
    clear(regrid);
}

/* -- a step ------------------------------------------------------------------------------------ */

/* Largest number of steps for which the brush releases smoke in one step. More smoke would be one
 * dense lump. */
#define BRUSH_STEPS_MAX 10.0

/* Returns the number of steps for which the brush should release smoke in one step. The brush's
 * rate follows the clock. If the simulation is slower than the clock, each step therefore releases
 * more. */
static double brush_steps(const SimThread *self)
{
    const SimSnapshot *now = &self->now;
    return self->pace.ticking ? fmin(fmax(now->speed / now->pace, 1), BRUSH_STEPS_MAX) : 1;
}

/* Adapts the simulation to a slow machine: projections get fewer cycles, and the brush releases
 * more in a step. Single steps use all cycles. In a replay the brush's rate comes from the
 * recording; so does the number of cycles if the recording is `paced`. */
static void follow_clock(SimThread *self)
{
    if (sim_share_follows(self))
        return;
    bool hurried = self->pace.ticking && !self->exact;
    int cycles = hurried ? self->budget.cap : self->budget.most;
    const SimRecording *replay = self->replay.recording;
    if (replay != NULL && replay->paced)
        return;
    if (cycles != self->shared.cycles)
        sim_apply(self, &(SimCommand){SIM_CYCLES, .count = cycles});
    if (replay == NULL && hands_brush(&self->shared.hands) &&
        brush_steps(self) != self->shared.hands.steps)
        sim_apply(self, &(SimCommand){SIM_BRUSH_STEPS, .value = brush_steps(self)});
}

uint64_t sim_step_hash(SimThread *self)
{
    if (!self->hashed)
        self->hash = billow_state_hash(self->shared.driver.sim);
    self->hashed = true;
    return self->hash;
}

static void step(SimThread *self)
{
    follow_clock(self);
    double time = billow_stats(self->shared.driver.sim).time, start = clock_seconds();
    SoundFeed *sound = atomic_load(&self->sound);
    billow_listen(self->shared.driver.sim, sound != NULL);
    shared_step(&self->shared);
    self->hashed = false;
    double end = clock_seconds();
    if (sound != NULL) {
        const BillowSound heard = billow_sound(self->shared.driver.sim);
        sound_feed_step(sound, &heard, self->shared.step, end);
    }
    if (self->pace.ticking)
        self->pace.before.simulated += billow_stats(self->shared.driver.sim).time - time;
    self->now.step_ms = (end - start) * 1e3;
    self->now.steps++;
    self->now.cycles_cap = self->shared.cycles;
    measure_pace(self, end);
    sim_past_follow(self);
    sim_recording_follow(self);
    sim_replay_check(self);
    sim_share_stepped(self);
    publish(self);
    BudgetStep taken = {.ms = (clock_seconds() - start) * 1e3,
                        .pressure_ms =
                            billow_profile(self->shared.driver.sim).ms[BILLOW_STAGE_PROJECT],
                        .cycles = billow_stats(self->shared.driver.sim).cycles};
    self->now.work_ms = taken.ms;
    if (self->pace.ticking && !self->exact)
        budget_observe(&self->budget, &taken);
}

/* -- creation ---------------------------------------------------------------------------------- */

static void set_state(SimThread *self, SimThreadState state)
{
    pthread_mutex_lock(&self->mutex);
    self->state = state;
    pthread_cond_broadcast(&self->wake);
    pthread_mutex_unlock(&self->mutex);
}

static bool create(SimThread *self)
{
    BillowError error = {{0}};
    Snapshots *snapshots = NULL;
    SceneDriver *driver = &self->shared.driver;
    if (scene_driver_start(driver, driver->play, &self->shared.def, NULL, &error) &&
        (self->first == NULL ||
         billow_load_state(driver->sim, self->first, self->first_bytes, &error)))
        snapshots = create_snapshots(self, driver->sim, &error);
    free(self->first);
    self->first = NULL;
    pthread_mutex_lock(&self->mutex);
    self->snapshots = snapshots;
    self->error = error;
    if (self->shared.driver.sim != NULL)
        self->threads = billow_threads(self->shared.driver.sim);
    pthread_mutex_unlock(&self->mutex);
    return snapshots != NULL;
}

/* -- the loop ---------------------------------------------------------------------------------- */

typedef enum Duty { DUTY_STEP, DUTY_GO_BACK, DUTY_WAIT } Duty;

#define UNTIL_COMMAND 1e6 /* a wait of this length ends only when a command arrives, s */

/* Chooses what the thread does now. wait: time until the next choice, s. */
static Duty next_duty(SimThread *self, double *wait)
{
    *wait = UNTIL_COMMAND;
    self->past.going = self->past.going && self->past.asked;
    if (sim_share_follows(self)) {
        self->pace.ticking = false;
        return self->sharing.due ? DUTY_STEP : DUTY_WAIT;
    }
    if (self->past.asked) {
        *wait = sim_past_until_due(self);
        return *wait <= 0 ? DUTY_GO_BACK : DUTY_WAIT;
    }
    if (self->paused) {
        self->pace.ticking = false;
        return self->single_steps > 0 ? DUTY_STEP : DUTY_WAIT;
    }
    *wait = clock_until_due(self);
    return *wait <= 0 ? DUTY_STEP : DUTY_WAIT;
}

/* Sleeps until a command comes, or for `seconds`. */
static void sleep_for(SimThread *self, double seconds)
{
    pthread_mutex_lock(&self->mutex);
    const bool idle = self->queue.count == 0 && !self->nudged;
    if (idle && seconds >= UNTIL_COMMAND) {
        pthread_cond_wait(&self->wake, &self->mutex);
    } else if (idle) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        double end = (double)until.tv_sec + 1e-9 * (double)until.tv_nsec + fmin(seconds, 1e3);
        until.tv_sec = (time_t)end;
        until.tv_nsec = (long)(1e9 * (end - (double)until.tv_sec));
        pthread_cond_timedwait(&self->wake, &self->mutex, &until);
    }
    pthread_mutex_unlock(&self->mutex);
}

double sim_turn(SimThread *self)
{
    double wait;
    bool shown = sim_apply_all(self);
    if (self->quit)
        return 0;
    follow_grid(self);
    if (shown)
        publish(self);
    const Duty duty = next_duty(self, &wait);
    if (duty == DUTY_WAIT)
        return wait;
    if (duty == DUTY_STEP) {
        if (self->sharing.due)
            self->sharing.due = false;
        else if (self->paused)
            self->single_steps--;
        else
            self->pace.owed -= self->shared.step;
        step(self);
    } else {
        sim_past_go_back(self);
        publish(self);
    }
    return 0;
}

bool sim_begin(SimThread *self)
{
    bool good = create(self);
    if (good)
        publish(self);
    set_state(self, good ? SIM_THREAD_RUNNING : SIM_THREAD_FAILED);
    return good;
}

static void run(void *data)
{
    SimThread *self = data;
    /* The threads of a software renderer, which wait for each other, run before this one and its
     * OpenMP threads. At the lowest priority the simulation would stop on a busy machine. */
    thread_give_way(5);
    if (!sim_begin(self))
        return;
    while (!self->quit) {
        double wait = sim_turn(self);
        if (wait > 0)
            sleep_for(self, wait);
    }
    sim_recording_end(self);
    set_state(self, self->starved ? SIM_THREAD_FAILED : SIM_THREAD_ENDED);
}

/* -- for other threads ------------------------------------------------------------------------- */

static SimThread *no_memory(BillowError *error)
{
    fail(error, "not enough memory to start the simulation's thread");
    return NULL;
}

/* Starts the thread of what `shared` holds, which it then owns, as it owns `state`. If that fails,
 * the caller owns both. */
static SimThread *launch(Shared *shared, void *state, size_t bytes, uint64_t steps, bool paused,
                         const SimShare *share, BillowError *error)
{
    SimThread *self = calloc(1, sizeof *self);
    if (self == NULL)
        return no_memory(error);
    self->shared = *shared;
    self->sharing.share = share;
    self->first = state;
    self->first_bytes = bytes;
    self->now.pace = self->now.speed = 1;
    self->now.steps = steps;
    self->paused = self->will_pause = paused;
    self->budget = budget_start(&shared->def.params, shared->step * 1e3);
    if (shared->cycles == 0)
        self->shared.cycles = self->budget.most;
    self->now.cycles_cap = self->budget.most;
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->wake, NULL);
    if (sim_queue_reserve(&self->queue) && sim_queue_reserve(&self->batch))
        self->handle = thread_start(run, "simulation", self, error);
    else
        no_memory(error);
    if (self->handle != NULL) {
        *shared = (Shared){.driver = {.sim = NULL}};
        return self;
    }
    self->first = NULL;
    self->shared = (Shared){.driver = {.sim = NULL}};
    sim_thread_destroy(self);
    return NULL;
}

SimThread *sim_thread_start(const BillowDef *def, ScenePlay *play, const Scene *scene, double step,
                            void *state, size_t bytes, BillowError *error)
{
    Shared shared;
    assert(step > 0);
    if (!shared_open(&shared, def, play, scene, step))
        return no_memory(error);
    SimThread *self = launch(&shared, state, bytes, 0, false, NULL, error);
    shared_close(&shared);
    return self;
}

SimThread *sim_thread_join(SimJoin *join, int threads, const SimShare *share, BillowError *error)
{
    join->shared.def.threads = threads;
    SimThread *self = launch(&join->shared, join->state, join->bytes, join->steps,
                             share == NULL || !share->watches, share, error);
    if (self != NULL)
        join->state = NULL;
    return self;
}

SimThreadState sim_thread_state(SimThread *self, BillowError *error)
{
    pthread_mutex_lock(&self->mutex);
    SimThreadState state = self->state;
    if (state == SIM_THREAD_FAILED && error != NULL)
        *error = self->error;
    pthread_mutex_unlock(&self->mutex);
    return state;
}

SimThreadState sim_thread_wait(SimThread *self, BillowError *error)
{
    pthread_mutex_lock(&self->mutex);
    while (self->state == SIM_THREAD_STARTING)
        pthread_cond_wait(&self->wake, &self->mutex);
    pthread_mutex_unlock(&self->mutex);
    return sim_thread_state(self, error);
}

void sim_thread_destroy(SimThread *self)
{
    if (self == NULL)
        return;
    if (self->handle != NULL) {
        sim_thread_send(self, &(SimCommand){.kind = SIM_QUIT});
        thread_join(self->handle);
    }
    sim_grid_drop(self);
    rewind_destroy(self->past.rewind);
    if (self->has_saved)
        free(self->saved.state);
    free(self->first);
    shared_close(&self->shared);
    sim_recording_free(&self->sharing.turn);
    sim_queue_free(&self->queue);
    sim_queue_free(&self->batch);
    snapshots_destroy(self->snapshots);
    snapshots_destroy(self->retired);
    pthread_cond_destroy(&self->wake);
    pthread_mutex_destroy(&self->mutex);
    free(self);
}

const SimSnapshot *sim_thread_snapshot(SimThread *self)
{
    pthread_mutex_lock(&self->mutex);
    Snapshots *snapshots = self->snapshots, *retired = self->retired;
    self->retired = NULL;
    pthread_mutex_unlock(&self->mutex);
    snapshots_destroy(retired);
    const SimSnapshot *newest = snapshots != NULL ? snapshots_newest(snapshots) : NULL;
    if (newest != NULL)
        atomic_store(&self->seen, newest->changes);
    return newest;
}

void sim_thread_want_velocity(SimThread *self, bool wanted)
{
    pthread_mutex_lock(&self->mutex);
    if (self->snapshots != NULL)
        snapshots_want_velocity(self->snapshots, wanted);
    pthread_mutex_unlock(&self->mutex);
}

void sim_thread_sound(SimThread *self, SoundFeed *feed)
{
    atomic_store(&self->sound, feed);
}

int sim_thread_threads(SimThread *self)
{
    pthread_mutex_lock(&self->mutex);
    int threads = self->threads;
    pthread_mutex_unlock(&self->mutex);
    return threads;
}

bool sim_thread_saved(SimThread *self, SimSaved *saved)
{
    pthread_mutex_lock(&self->mutex);
    bool has = self->has_saved;
    if (has)
        *saved = self->saved;
    self->has_saved = false;
    pthread_mutex_unlock(&self->mutex);
    return has;
}

SimSent sim_thread_send(SimThread *self, const SimCommand *command)
{
    pthread_mutex_lock(&self->mutex);
    SimSent sent = sim_queue_push(&self->queue, command);
    if (sent == SIM_NOT_SENT)
        self->lost = true;
    else if (command->kind == SIM_PAUSE)
        self->will_pause = command->on;
    else if (command->kind == SIM_STEP || command->kind == SIM_SEEK)
        self->will_pause = true;
    pthread_cond_broadcast(&self->wake);
    pthread_mutex_unlock(&self->mutex);
    return sent;
}

void sim_thread_nudge(SimThread *self)
{
    pthread_mutex_lock(&self->mutex);
    self->nudged = true;
    pthread_cond_broadcast(&self->wake);
    pthread_mutex_unlock(&self->mutex);
}

bool sim_thread_lost(SimThread *self)
{
    pthread_mutex_lock(&self->mutex);
    bool lost = self->lost;
    self->lost = false;
    pthread_mutex_unlock(&self->mutex);
    return lost;
}

bool sim_thread_paused(SimThread *self)
{
    pthread_mutex_lock(&self->mutex);
    bool paused = self->will_pause;
    pthread_mutex_unlock(&self->mutex);
    return paused;
}
