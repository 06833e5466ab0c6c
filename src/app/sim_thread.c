/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* setpriority */
#include "sim_thread.h"

#include "budget.h"
#include "clock.h"
#include "fail.h"
#include "grip.h"
#include "rewind.h"
#include <assert.h>
#include <math.h>
#include <SDL.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

/* Steps the clock may be behind before it is set back: enough to ride over a hiccup, too few for a
 * slow machine to pile up work. */
#define STEPS_BEHIND_MAX 2
#define STROKE_MAX       16
#define DETONATIONS_MAX  8
/* Steps' worth of smoke the brush may put into one: more would pile up to a lump. */
#define HAND_STEPS_MAX 10.0
/* Seconds over which the pace is measured. */
#define PACE_WINDOW 0.5

typedef struct Detonation {
    BillowEmitter emitter;
    double left; /* s of simulated time */
} Detonation;

/* What of a state lies outside the simulation. */
typedef struct Beside {
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grip;
    BillowSolid defined[BILLOW_SOLIDS_MAX]; /* as the definition had them then */
} Beside;

/* What the window has asked for and the simulation has not yet seen. */
typedef struct Mailbox {
    bool quit, reset, paused, exact;
    int steps;
    double speed;    /* simulated seconds per second of the clock that are wanted */
    bool rewinding;  /* as long as it says so */
    int seeks;       /* states to go forth, or back */
    bool past_asked; /* for so much memory for the past: */
    double past_bytes;
    BillowEmitter stroke[STROKE_MAX];
    int stroke_count;
    bool brush_held;
    BillowForce force;    /* of the brush, where it is pushing, */
    bool pushing, pushed; /* or has been since the last step */
    BillowEmitter detonations[DETONATIONS_MAX];
    int detonation_count;
    Grasp grasp;
    bool settings_given; /* and not yet seen */
    SimSettings settings;
    bool slice_asked; /* anew */
    bool sliced;
    FieldSlice slice;
    bool film_asked; /* anew */
    double film_interval;
    uint64_t film_taken;
} Mailbox;

/* What the simulation does next, taken out of the mailbox whole. */
typedef struct Orders {
    bool reset, step, exact;
    bool settle; /* self->settings are new */
    bool past;   /* its memory is */
    bool back;   /* as time goes back, */
    int seek;    /* or by so many states */
    bool show;   /* the same state with another slice */
    bool film;   /* a film begins, or ends */
    BillowEmitter stroke[STROKE_MAX];
    int stroke_count;
    BillowForce force;
    bool pushing;
    BillowEmitter detonations[DETONATIONS_MAX];
    int detonation_count;
    Grasp grasp;
} Orders;

struct SimThread {
    SDL_Thread *handle;
    SDL_mutex *mutex; /* guards the mailbox, state, error, snapshots' creation and threads */
    SDL_cond *wake;   /* the mailbox or the state changed */
    Mailbox mailbox;
    SimThreadState state;
    BillowError error;
    SimSettled settled;
    Snapshots *snapshots;
    int threads;

    /* The rest belongs to the thread itself. */
    BillowDef def;
    ScenePlay *play;      /* NULL: no timeline, or one that asked for what cannot be */
    double step;          /* s, as long as steps are now, */
    double scene_step;    /* and as the scene has it */
    SimSettings settings; /* given last, */
    BillowSim *sim;
    bool ticking;                /* the clock below runs: not paused */
    double clock;                /* when the time owed was last brought up to date */
    double owed;                 /* s of real time not yet simulated */
    double run_start, run_speed; /* when it began to run last, and how fast */
    SimClock account;            /* without that run's time, and what is owed */
    BillowEmitter last_touch;
    bool touching;
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grip;      /* of the solid in the hand, or thrown by it */
    Rewind *rewind; /* NULL: there is no way back */
    double past_bytes;
    bool going_back;
    double back_time, back_clock; /* the time it left, and the clock then */
    double speed;                 /* as in the mailbox */
    double pace, pace_start, pace_simulated;
    Budget budget;
    int cap; /* that the simulation runs under */
    double step_ms;
    uint64_t steps, resets, went_back;
    bool sliced;
    FieldSlice slice; /* without its numbers */
    uint64_t slices;
    double film_interval;      /* s; 0: there is no film */
    int film_steps, film_left; /* of a frame, and until the next one */
    uint64_t film;             /* number of the frame that it stood at last */
};

static void set_state(SimThread *self, SimThreadState state)
{
    SDL_LockMutex(self->mutex);
    self->state = state;
    SDL_CondBroadcast(self->wake);
    SDL_UnlockMutex(self->mutex);
}

/* Whether the last projection could have done better with the cycles the scene allows. */
static bool was_cut(const SimThread *self, const BillowStats *stats)
{
    return self->cap < self->budget.most && stats->cycles >= self->cap &&
           stats->residual_relative > (double)self->def.params.tolerance;
}

static SimClock clock_account(const SimThread *self)
{
    SimClock account = self->account;
    account.clock += (self->clock - self->run_start) * self->run_speed;
    account.owed = self->owed;
    return account;
}

static void start_clock(SimThread *self, double now)
{
    self->account = clock_account(self);
    self->account.dropped += self->owed - self->step;
    self->owed = self->step;
    self->clock = self->run_start = now;
    self->run_speed = self->speed;
    self->ticking = true;
}

static void publish(SimThread *self)
{
    BillowView view = billow_view(self->sim);
    BillowStats stats = billow_stats(self->sim);
    SimSnapshot fields = {
        .stats = stats,
        .profile = billow_profile(self->sim),
        .step_ms = self->step_ms,
        .pace = self->pace,
        .speed = self->speed,
        .clock = clock_account(self),
        .back_to = rewind_count(self->rewind) > 0 ? rewind_time(self->rewind, 0) : stats.time,
        .went_back = self->went_back,
        .cycles_cap = self->cap,
        .cycles_most = self->budget.most,
        .cut = was_cut(self, &stats),
        .steps = self->steps,
        .resets = self->resets,
        .settings = self->settled.taken,
        .sliced = self->sliced,
        .slice = self->slice,
        .slices = self->slices,
        .film = self->film_interval > 0 ? self->film : 0,
    };
    fields.solid_count = self->def.solid_count;
    for (int s = 0; s < fields.solid_count; s++)
        fields.solids[s] = *billow_solid(self->sim, s);
    snapshots_publish(self->snapshots, &view, &fields);
}

static bool create(SimThread *self)
{
    BillowError error = {{0}};
    Snapshots *snapshots = NULL;
    self->sim = billow_create(&self->def, &error);
    if (self->sim != NULL)
        snapshots = snapshots_create(&self->def, &error);
    SDL_LockMutex(self->mutex);
    self->snapshots = snapshots;
    self->error = error;
    if (self->sim != NULL)
        self->threads = billow_threads(self->sim);
    SDL_UnlockMutex(self->mutex);
    return snapshots != NULL;
}

/* Seconds until the next step is due, 0 or less when it is due now. */
static double seconds_until_due(SimThread *self)
{
    double now = clock_seconds();
    if (!self->ticking) {
        start_clock(self, now);
        self->pace_start = now;
        self->pace_simulated = 0;
    } else {
        self->owed += (now - self->clock) * self->speed;
    }
    self->clock = now;
    double most = STEPS_BEHIND_MAX * self->step;
    if (self->owed > most) {
        self->account.dropped += self->owed - most;
        self->owed = most;
    }
    return (self->step - self->owed) / self->speed;
}

/* -- the past ---------------------------------------------------------------------------------- */

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

static void seek(SimThread *self, int states)
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

/* At once to the state before the present; from there on by the clock. */
static void go_back(SimThread *self)
{
    if (self->going_back) {
        int index = rewind_before(self->rewind, back_target(self, clock_seconds()));
        go_to(self, index < rewind_at(self->rewind) ? index : rewind_at(self->rewind));
        return;
    }
    self->going_back = true;
    seek(self, -1);
    self->back_time = billow_view(self->sim).time;
    self->back_clock = clock_seconds();
}

/* Whether the state before is due; sleeps for a while where it is not. Mutex held. */
static bool back_ready(SimThread *self)
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

static void follow_past(SimThread *self)
{
    Beside now = beside_of(self);
    rewind_follow(self->rewind, self->sim, &now);
}

static void renew_past(SimThread *self)
{
    rewind_destroy(self->rewind);
    self->rewind = rewind_create(self->sim, self->past_bytes, sizeof(Beside));
    follow_past(self);
}

/* What is behind at the old speed is not made up for at the new one. */
static void change_speed(SimThread *self, double speed)
{
    if (speed == self->speed)
        return;
    self->speed = self->pace = speed;
    self->budget.limit_ms = 1e3 * self->step / speed;
    self->ticking = false;
}

/* Whether it stands at a frame that is not taken yet. Mutex held. */
static bool film_waits(SimThread *self)
{
    if (self->film_interval <= 0 || self->film_left > 0)
        return false;
    if (self->mailbox.film_taken < self->film)
        return true;
    self->film_left = self->film_steps;
    return false;
}

/* Whether there is something to do; sleeps for up to a step where there is not. Mutex held. */
static bool work_ready(SimThread *self)
{
    Mailbox *mailbox = &self->mailbox;
    if (mailbox->quit || mailbox->reset || mailbox->slice_asked || mailbox->settings_given ||
        mailbox->past_asked || mailbox->film_asked || mailbox->seeks != 0)
        return true;
    change_speed(self, mailbox->speed);
    self->going_back = self->going_back && mailbox->rewinding;
    if (mailbox->rewinding)
        return back_ready(self);
    if (film_waits(self)) {
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
    double wait = seconds_until_due(self);
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

/* Sleeps until there is something to do, and takes it. False: quit. */
static bool take_orders(SimThread *self, Orders *orders)
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
    if (mailbox->reset) {
        orders->reset = true;
        mailbox->reset = false;
        self->ticking = false;
    } else if (go_on && !orders->show && !orders->settle && !orders->past && !orders->back &&
               !orders->film && orders->seek == 0) {
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

static float within(float value, float limit)
{
    return fmaxf(-limit, fminf(value, limit));
}

/* An emitter that releases `share` of the rates of this one, up to what an emitter may. */
static BillowEmitter diluted(const BillowEmitter *emitter, float share)
{
    BillowEmitter part = *emitter;
    part.smoke = within(part.smoke * share, 1e6f);
    part.heat = within(part.heat * share, 1e6f);
    part.fuel = within(part.fuel * share, 1e6f);
    part.expansion = within(part.expansion * share, 1e3f);
    return part;
}

/* The brush releases by the hand's clock: where the simulation is slower than was asked for, a step
 * takes what the hand released since the last one. */
static float hand_steps(const SimThread *self)
{
    return self->ticking ? (float)fmin(fmax(self->speed / self->pace, 1), HAND_STEPS_MAX) : 1.0f;
}

/* Where there is no room for expansion, in a box closed all round, the rest of it. */
static void emit(SimThread *self, BillowEmitter emitter)
{
    if (!billow_emit(self->sim, &emitter)) {
        emitter.expansion = 0;
        billow_emit(self->sim, &emitter);
    }
}

static void emit_brush(SimThread *self, const Orders *orders)
{
    float steps = hand_steps(self);
    for (int i = 0; i < orders->stroke_count; i++) {
        emit(self, diluted(&orders->stroke[i], steps / (float)orders->stroke_count));
        self->last_touch = orders->stroke[i];
    }
    if (orders->stroke_count == 0 && self->touching)
        emit(self, diluted(&self->last_touch, steps));
    if (orders->pushing)
        billow_push(self->sim, &orders->force);
}

static void emit_detonations(SimThread *self, const Orders *orders)
{
    for (int i = 0; i < orders->detonation_count && self->detonation_count < DETONATIONS_MAX; i++) {
        const BillowEmitter *emitter = &orders->detonations[i];
        self->detonations[self->detonation_count++] =
            (Detonation){.emitter = *emitter, .left = emitter->end - emitter->start};
    }
    int kept = 0;
    for (int i = 0; i < self->detonation_count; i++) {
        Detonation *detonation = &self->detonations[i];
        double share = fmin(1.0, detonation->left / self->step);
        BillowEmitter part = diluted(&detonation->emitter, (float)share);
        part.grip *= (float)share;
        if (share > 0)
            emit(self, part);
        detonation->left -= self->step;
        if (detonation->left > 1e-9 * self->step)
            self->detonations[kept++] = *detonation;
    }
    self->detonation_count = kept;
}

static void measure_pace(SimThread *self, double now)
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

/* Fewer cycles before fewer steps; all of them where nobody waits. */
static void choose_cap(SimThread *self, bool exact)
{
    int cap = self->ticking && !exact ? self->budget.cap : self->budget.most;
    BillowParams params = budget_params(&self->def.params, cap);
    if (cap != self->cap && billow_set_params(self->sim, &params, NULL))
        self->cap = cap;
}

/* The timeline sets parameters without the cap on cycles: choose_cap sets it anew. */
static void follow_timeline(SimThread *self)
{
    if (self->play == NULL)
        return;
    if (!scene_play_prepare(self->play, self->sim, self->step, NULL)) {
        self->play = NULL;
        return;
    }
    BillowParams params = scene_play_params(self->play);
    if (memcmp(&params, &self->def.params, sizeof params) != 0) {
        self->def.params = params;
        self->cap = 0;
    }
}

/* Where a film is made, as many to a frame as take it there, none longer than the scene's. */
static void choose_step(SimThread *self)
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

static void follow_film(SimThread *self)
{
    if (self->film_interval > 0 && --self->film_left == 0)
        self->film++;
}

static void take_step(SimThread *self, const Orders *orders)
{
    follow_timeline(self);
    emit_brush(self, orders);
    emit_detonations(self, orders);
    grip_move(&self->grip, self->sim, &self->def, self->step, &orders->grasp);
    choose_cap(self, orders->exact);
    double time = billow_stats(self->sim).time, start = clock_seconds();
    billow_step(self->sim, self->step);
    double end = clock_seconds();
    if (self->ticking)
        self->account.simulated += billow_stats(self->sim).time - time;
    self->step_ms = (end - start) * 1e3;
    self->steps++;
    measure_pace(self, end);
    follow_past(self);
    follow_film(self);
    publish(self);
    BudgetStep step = {.ms = (clock_seconds() - start) * 1e3,
                       .pressure_ms = billow_profile(self->sim).ms[BILLOW_STAGE_PROJECT],
                       .cycles = billow_stats(self->sim).cycles};
    if (self->ticking && !orders->exact)
        budget_observe(&self->budget, &step);
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
        choose_step(self);
        self->cap = self->budget.most;
    }
    report(self, taken, &refusal);
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
        follow_past(self);
    }
    if (orders->past)
        renew_past(self);
    if (orders->film) {
        self->film_left = 0;
        choose_step(self);
    }
    if (orders->back)
        go_back(self);
    else if (orders->seek != 0)
        seek(self, orders->seek);
    if (orders->reset || orders->show || orders->settle || orders->past || orders->back ||
        orders->film || orders->seek != 0)
        publish(self);
    if (orders->step)
        take_step(self, orders);
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
    publish(self);
    set_state(self, SIM_THREAD_RUNNING);
    Orders orders;
    while (take_orders(self, &orders))
        obey(self, &orders);
    set_state(self, SIM_THREAD_ENDED);
    return 0;
}

SimThread *sim_thread_start(const BillowDef *def, ScenePlay *play, double step, BillowError *error)
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
    self->pace = self->speed = self->mailbox.speed = 1;
    self->budget = budget_start(&def->params, step * 1e3);
    self->cap = self->budget.most;
    self->mutex = SDL_CreateMutex();
    self->wake = SDL_CreateCond();
    if (self->mutex != NULL && self->wake != NULL)
        self->handle = SDL_CreateThread(run, "simulation", self);
    if (self->handle == NULL) {
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

void sim_thread_quit(SimThread *self)
{
    Mailbox *mailbox = open_mailbox(self);
    mailbox->quit = true;
    close_mailbox(self);
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
