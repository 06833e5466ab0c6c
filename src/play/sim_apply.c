/* SPDX-License-Identifier: MIT
 * What commands do to the simulation's thread, and going back to stored states. */
#include "play/sim_apply.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/system.h"
#include "play/turn.h"
#include "scene/scene_write.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most single steps that wait; another hand may ask for more. */
enum { SINGLE_STEPS_MOST = 1000 };

/* -- going back -------------------------------------------------------------------------------- */

/* Takes nothing more into the recording, if there is one, and says why. */
static void recording_stop(SimThread *self, const char *why)
{
    if (self->recording == NULL)
        return;
    self->recording->ended = true;
    if (self->now.recorded.text[0] == 0)
        fail(&self->now.recorded, "%s", why);
}

static SimExtras extras_of(const SimThread *self)
{
    SimExtras extras = {.hands = self->shared.hands.past};
    memcpy(extras.defined, self->shared.def.solids, sizeof extras.defined);
    return extras;
}

/* Applies to the solids what has changed in their definition since the state was stored. */
static void merge_solids(SimThread *self, const SimExtras *then)
{
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    for (int s = 0; s < self->shared.def.solid_count; s++) {
        solids[s] = *billow_solid(self->shared.driver.sim, s);
        scene_running_merge(&then->defined[s], &self->shared.def.solids[s], &solids[s]);
    }
    if (self->shared.def.solid_count > 0)
        billow_set_solids(self->shared.driver.sim, solids, self->shared.def.solid_count, NULL);
}

static void go_to(SimThread *self, int index)
{
    SimExtras then;
    if (index == rewind_at(self->past.rewind) ||
        !rewind_to(self->past.rewind, index, self->shared.driver.sim, &then))
        return;
    merge_solids(self, &then);
    self->shared.hands.past = then.hands;
    self->now.went_back++;
    self->sharing.stale = true;
    self->now.resets++;
    recording_stop(self, "time went back");
    self->replay.recording = NULL;
}

/* Moves by a number of stored states; negative: back in time. */
static void past_seek(SimThread *self, int states)
{
    SimExtras now = extras_of(self);
    rewind_stand(self->past.rewind, self->shared.driver.sim, &now);
    int index = rewind_at(self->past.rewind) + states, last = rewind_count(self->past.rewind) - 1;
    go_to(self, index < 0 ? 0 : index > last ? last : index);
}

/* Returns the simulated time at which the simulation should be now while going back, s. It goes
 * back at its own speed, but at least as fast as the clock. */
static double back_target(const SimThread *self, double now)
{
    return self->past.time - (now - self->past.clock) * fmax(self->now.speed, 1);
}

void sim_past_go_back(SimThread *self)
{
    SimPast *past = &self->past;
    if (past->going) {
        int index = rewind_before(past->rewind, back_target(self, clock_seconds()));
        int at = rewind_at(past->rewind);
        go_to(self, index < at ? index : at);
        return;
    }
    past->going = true;
    past_seek(self, -1);
    past->time = billow_view(self->shared.driver.sim).time;
    past->clock = clock_seconds();
}

double sim_past_until_due(SimThread *self)
{
    int at = rewind_at(self->past.rewind);
    self->pace.ticking = false;
    if (!self->past.going)
        return 0;
    if (at <= 0)
        return 1; /* this is the oldest state: check again in a second */
    return back_target(self, clock_seconds()) - rewind_time(self->past.rewind, at - 1);
}

void sim_past_follow(SimThread *self)
{
    SimExtras now = extras_of(self);
    rewind_follow(self->past.rewind, self->shared.driver.sim, &now);
}

void sim_past_resize(SimThread *self, double bytes)
{
    rewind_destroy(self->past.rewind);
    self->past.bytes = bytes;
    self->past.rewind = rewind_create(self->shared.driver.sim, bytes, sizeof(SimExtras));
    sim_past_follow(self);
}

/* -- what commands do -------------------------------------------------------------------------- */

/* before: the parameters before the new settings. */
static void follow_settings(SimThread *self, const SimSettings *settings,
                            const BillowParams *before)
{
    const BillowParams *params = &settings->def.params;
    if (before->pressure != params->pressure || before->cycles != params->cycles ||
        before->sweeps != params->sweeps)
        self->budget = budget_start(params, self->shared.step * 1e3 / self->now.speed);
    self->now.settings = settings->serial;
    self->now.cycles_cap = self->budget.most;
}

/* Applies a command that decides the state. */
static void decide(SimThread *self, const SimCommand *command)
{
    const BillowParams params = self->shared.def.params;
    const double step = self->shared.step;
    if (command->kind == SIM_SETTINGS) {
        sim_grid_drop(self); /* it uses the shapes of the present settings */
        self->now.settings_seen = command->settings->serial;
        self->now.refusal = (BillowError){{0}};
    }
    bool taken = shared_apply(&self->shared, command, &self->now.refusal);
    if (command->kind == SIM_RESET) {
        self->single_steps = 0;
        self->pace.ticking = false;
        self->now.resets++;
        rewind_forget(self->past.rewind);
        sim_past_follow(self);
    } else if (command->kind == SIM_SETTINGS && taken) {
        follow_settings(self, command->settings, &params);
    }
    if (self->shared.step != step) {
        self->budget.limit_ms = 1e3 * self->shared.step / self->now.speed;
        self->pace.ticking = false;
    }
}

static void save(SimThread *self)
{
    SimSaved saved = {.bytes = billow_state_bytes(self->shared.driver.sim),
                      .first = {self->shared.def.nx, self->shared.def.ny, self->shared.def.nz},
                      .refine = self->shared.def.refine,
                      .settings = self->now.settings,
                      .finite = billow_stats(self->shared.driver.sim).nonfinite == 0};
    saved.state = malloc(saved.bytes);
    if (saved.state != NULL)
        billow_save_state(self->shared.driver.sim, saved.state);
    scene_checkpoint_describe(self->shared.driver.sim, &saved.run);
    pthread_mutex_lock(&self->mutex);
    if (self->has_saved)
        free(self->saved.state);
    self->saved = saved;
    self->has_saved = true;
    pthread_mutex_unlock(&self->mutex);
}

static void pause_run(SimThread *self, bool paused)
{
    self->paused = paused;
    if (self->sharing.share != NULL) { /* another hand of a session can pause, too */
        pthread_mutex_lock(&self->mutex);
        self->will_pause = paused;
        pthread_mutex_unlock(&self->mutex);
    }
    if (!paused)
        self->single_steps = 0;
}

/* -- recording and replaying ------------------------------------------------------------------- */

/* Whether the last hash is not that of the last step. */
static bool lacks_hash(const SimRecording *recording)
{
    const int count = recording->hash_count;
    return count == 0 || recording->hashes[count - 1].step != recording->steps;
}

/* Says so if memory was too short for the recording. */
static void follow_memory(SimThread *self)
{
    if (self->recording != NULL && self->recording->ended)
        recording_stop(self, "memory is short");
}

void sim_recording_follow(SimThread *self)
{
    SimRecording *recording = self->recording;
    if (recording == NULL || recording->ended)
        return;
    recording->steps = self->now.steps - self->recorded_from;
    if (!recording->hashed || recording->steps % SIM_HASH_STEPS != 0)
        return;
    if (lacks_hash(recording))
        sim_recording_add_hash(recording, recording->steps, sim_step_hash(self));
    follow_memory(self);
    if (recording->keep != NULL)
        recording->keep(recording, false);
}

void sim_recording_end(SimThread *self)
{
    SimRecording *recording = self->recording;
    self->recording = NULL;
    if (recording == NULL)
        return;
    if (recording->hashed && !recording->ended && lacks_hash(recording))
        sim_recording_add_hash(recording, recording->steps,
                               billow_state_hash(self->shared.driver.sim));
    if (recording->keep != NULL)
        recording->keep(recording, true);
}

void sim_replay_check(SimThread *self)
{
    replay_check(&self->replay, self->now.steps - self->replay_from, self->shared.driver.sim);
    if (self->replay.recording == NULL)
        return;
    self->now.replay_same = self->replay.same;
    self->now.replay_differs = self->replay.differs;
}

/* Writes the present state to a recording that begins with it. */
static void keep_start(SimThread *self, SimRecording *recording)
{
    TurnBytes bytes = {NULL, 0, 0, false};
    BillowError error = {{0}};
    const BillowDef *def = &self->shared.def;
    if (self->shared.scene != NULL) /* the grid may not be the scene's own */
        scene_take_cells(self->shared.scene, (const int[3]){def->nx, def->ny, def->nz},
                         def->refine);
    /* the state as it is, packed and in the file's bytes */
    const double most = 3 * (double)billow_state_bytes(self->shared.driver.sim);
    if (billow_stats(self->shared.driver.sim).nonfinite > 0)
        fail(&error, "the smoke holds values that are not numbers");
    else if (system_check_memory(most, "a recording", "fewer domain.cells", &error) &&
             sim_join_write(&self->shared, 0, &bytes, &error)) {
        recording->start = bytes.bytes;
        recording->start_bytes = bytes.count;
        return;
    }
    free(bytes.bytes);
    recording_stop(self, error.text);
}

/* Starts a recording. Its first commands are a reset, unless it goes on from the present state, the
 * present cap on the pressure cycles, and the present rate of the brush. */
static void start_recording(SimThread *self, SimRecording *recording)
{
    sim_grid_drop(self);
    sim_recording_end(self);
    self->recording = recording;
    self->recorded_from = self->now.steps;
    self->now.recorded = (BillowError){{0}};
    if (recording == NULL)
        return;
    recording->paced = true;
    if (recording->goes_on)
        keep_start(self, recording);
    else
        sim_apply(self, &(SimCommand){.kind = SIM_RESET});
    sim_apply(self, &(SimCommand){SIM_CYCLES, .count = self->shared.cycles});
    sim_apply(self, &(SimCommand){SIM_BRUSH_STEPS, .value = self->shared.hands.steps});
}

/* Adds a command to the recording. The scene of settings gets the cells of the simulation, which
 * may not be the scene's own. */
static void record(SimThread *self, const SimCommand *command)
{
    const uint64_t step = self->now.steps - self->recorded_from;
    const BillowDef *def = &self->shared.def;
    if (command->kind != SIM_SETTINGS || command->settings->scene == NULL) {
        sim_recording_add(self->recording, step, command);
        return;
    }
    Scene scene = *command->settings->scene;
    SimSettings settings = *command->settings;
    scene_take_cells(&scene, (const int[3]){def->nx, def->ny, def->nz}, def->refine);
    settings.scene = &scene;
    sim_recording_add(self->recording, step, &(SimCommand){SIM_SETTINGS, .settings = &settings});
}

bool sim_apply_settings(SimThread *self, const SimSettings *read)
{
    const uint64_t changes = self->shared.changes;
    self->shared.seen = atomic_load(&self->seen);
    SimSettings *settings = shared_settings(&self->shared, read, &self->now.refusal);
    if (settings == NULL)
        return false;
    settings->serial = self->now.settings;
    sim_apply(self, &(SimCommand){SIM_SETTINGS, .settings = settings});
    free(settings);
    return self->shared.changes > changes;
}

static void apply_replay(SimThread *self)
{
    const uint64_t steps = self->now.steps - self->replay_from;
    const SimCommand *command;
    while ((command = replay_next(&self->replay, steps)) != NULL)
        if (command->kind == SIM_SETTINGS)
            sim_apply_settings(self, command->settings);
        else
            sim_apply(self, command);
    if (self->replay.recording != NULL && steps >= self->replay.recording->steps)
        self->replay.recording = NULL;
}

/* -- the choice by kind ------------------------------------------------------------------------ */

/* Changes the speed, and drops the time owed at the old speed. */
static void change_speed(SimThread *self, double speed)
{
    if (speed == self->now.speed)
        return;
    self->now.speed = self->now.pace = speed;
    self->budget.limit_ms = 1e3 * self->shared.step / speed;
    self->pace.ticking = false;
}

/* Shows a state of the host. */
static void show(SimThread *self, const struct SimShown *state)
{
    const SimShare *share = self->sharing.share;
    if (billow_load_state(self->shared.driver.sim, state->state, state->bytes, NULL)) {
        self->now.steps = state->steps;
        self->hashed = false;
    } else if (share != NULL) {
        share->leave(share->context, "the host sent what cannot be read");
    }
}

/* Applies a command that does not decide the state. */
static void control(SimThread *self, const SimCommand *command)
{
    switch (command->kind) {
    case SIM_PAUSE:
        pause_run(self, command->on);
        break;
    case SIM_STEP:
        pause_run(self, true);
        self->single_steps += self->single_steps < SINGLE_STEPS_MOST;
        break;
    case SIM_WISH: /* the host has left */
        sim_apply_settings(self, command->settings);
        break;
    case SIM_SPEED:
        change_speed(self, command->value);
        break;
    case SIM_EXACT:
        self->exact = command->on;
        break;
    case SIM_MEMORY:
        sim_past_resize(self, command->value);
        break;
    case SIM_REWIND:
        self->past.asked = command->on;
        break;
    case SIM_SEEK:
        self->paused = true;
        self->single_steps = 0;
        if (!self->past.asked)
            past_seek(self, command->count);
        break;
    case SIM_SLICE:
        self->now.slice = command->slice;
        self->now.sliced = true;
        self->now.slices++;
        break;
    case SIM_NO_SLICE:
        self->now.sliced = false;
        self->now.slices++;
        break;
    case SIM_VIEW:
        if (self->recording != NULL)
            sim_recording_add_view(self->recording, self->now.steps - self->recorded_from,
                                   &command->camera);
        follow_memory(self);
        break;
    case SIM_GRID:
        sim_grid_ask(self, &command->grid);
        break;
    case SIM_SAVE:
        save(self);
        break;
    case SIM_RECORD:
        start_recording(self, command->recording);
        break;
    case SIM_REPLAY:
        self->replay = (Replay){.recording = command->replay};
        self->now.replay_same = 0;
        self->now.replay_differs = 0;
        self->replay_from = self->now.steps;
        break;
    case SIM_SHARE:
        sim_share_begin(self, command->share);
        break;
    case SIM_SHOW:
        show(self, &command->state);
        break;
    case SIM_QUIT:
        self->quit = true;
        break;
    default:
        assert(!"every other command has a case here");
    }
}

/* A recording for a file takes nothing that the file's reader would refuse: it ends before such
 * settings, and other commands do not act. */
static bool may_record(SimThread *self, const SimCommand *command)
{
    SimRecording *recording = self->recording;
    BillowError reason;
    if (recording == NULL || !recording->hashed || recording->ended)
        return true;
    if (turn_takes(command, &reason) &&
        (command->kind != SIM_SETTINGS || self->shared.scene == NULL ||
         turn_keeps_shapes(self->shared.scene, command->settings->scene, &reason)))
        return true;
    if (command->kind != SIM_SETTINGS)
        return false;
    fail(&self->now.recorded, "%.400s", reason.text);
    sim_recording_end(self);
    return true;
}

void sim_apply(SimThread *self, const SimCommand *command)
{
    if (!sim_command_decides(command->kind)) {
        control(self, command);
        sim_share_log(self, command);
        return;
    }
    if (!may_record(self, command))
        return;
    if (self->recording != NULL)
        record(self, command);
    follow_memory(self);
    sim_share_expect(self, command);
    decide(self, command);
    sim_share_log(self, command);
}

/* Kinds of commands after which the thread publishes a new snapshot even while paused. */
static const bool shows[SIM_COMMANDS] = {
    [SIM_RESET] = true,  [SIM_SETTINGS] = true, [SIM_WISH] = true,     [SIM_MEMORY] = true,
    [SIM_SEEK] = true,   [SIM_SLICE] = true,    [SIM_NO_SLICE] = true, [SIM_RECORD] = true,
    [SIM_REPLAY] = true, [SIM_SHOW] = true,
};

bool sim_apply_all(SimThread *self)
{
    pthread_mutex_lock(&self->mutex);
    SimQueue batch = self->queue;
    self->queue = self->batch;
    self->batch = batch;
    self->nudged = false;
    pthread_mutex_unlock(&self->mutex);
    bool shown = false;
    for (int i = 0; i < batch.count; i++) {
        const SimCommand *command = &batch.commands[i];
        if (sim_share_sends(self, command))
            continue;
        if (sim_command_decides(command->kind))
            self->replay.recording = NULL; /* the user's input ends a replay */
        sim_apply(self, command);
        shown = shown || shows[command->kind];
    }
    sim_queue_clear(&self->batch);
    apply_replay(self);
    return sim_share_follow(self) || shown;
}
