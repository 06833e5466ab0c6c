/* SPDX-License-Identifier: MIT
 * Commands: their queue, their recordings, and what they do to the simulation. */
#include "sim_command.h"

#include "fail.h"
#include "scene_write.h"
#include "sim_thread_parts.h"
#include "turn.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* -- the queue --------------------------------------------------------------------------------- */

typedef struct SettingsBlock {
    SimSettings settings;
    Scene scene;
} SettingsBlock;

SimSettings *sim_settings_copy(const SimSettings *settings)
{
    SettingsBlock *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return NULL;
    copy->settings = *settings;
    if (settings->scene != NULL) {
        copy->scene = *settings->scene;
        copy->settings.scene = &copy->scene;
    }
    return &copy->settings;
}

static void drop(SimCommand *command)
{
    if (command->kind == SIM_SETTINGS)
        free(command->settings);
}

/* Whether a new command makes the one before it in the queue meaningless. */
static bool replaces(const SimCommand *before, const SimCommand *command)
{
    if (before->kind != command->kind || before->hand != command->hand)
        return false;
    switch (command->kind) {
    case SIM_PUSH:
    case SIM_SPEED:
    case SIM_SLICE:
    case SIM_FILM_TAKEN:
        return true;
    case SIM_GRAB:
        return before->grab.solid == command->grab.solid;
    default:
        return false;
    }
}

static bool remove_settings(SimQueue *queue)
{
    for (int i = 0; i < queue->count; i++) {
        if (queue->commands[i].kind != SIM_SETTINGS)
            continue;
        drop(&queue->commands[i]);
        queue->count--;
        memmove(&queue->commands[i], &queue->commands[i + 1],
                (size_t)(queue->count - i) * sizeof queue->commands[0]);
        return true;
    }
    return false;
}

/* Makes room for one more element after `count` elements of an array. Returns the array, which may
 * have moved. If memory is short, returns NULL and leaves the array as it was. */
static void *with_room(void *array, int count, int *room, size_t size)
{
    if (count < *room)
        return array;
    int more = *room > 0 ? 2 * *room : 64;
    void *larger = realloc(array, (size_t)more * size);
    if (larger != NULL)
        *room = more;
    return larger;
}

bool sim_queue_push(SimQueue *queue, const SimCommand *command)
{
    bool replaced = command->kind == SIM_SETTINGS && remove_settings(queue);
    SimCommand *last = queue->count > 0 ? &queue->commands[queue->count - 1] : NULL;
    if (last != NULL && command->kind == SIM_SEEK && last->kind == SIM_SEEK)
        last->count += command->count;
    else if (last != NULL && replaces(last, command))
        *last = *command;
    else {
        SimCommand *commands =
            with_room(queue->commands, queue->count, &queue->room, sizeof *commands);
        if (commands != NULL) {
            queue->commands = commands;
            commands[queue->count++] = *command;
        }
    }
    return replaced;
}

void sim_queue_clear(SimQueue *queue)
{
    for (int i = 0; i < queue->count; i++)
        drop(&queue->commands[i]);
    queue->count = 0;
}

void sim_queue_free(SimQueue *queue)
{
    sim_queue_clear(queue);
    free(queue->commands);
    *queue = (SimQueue){0};
}

/* -- recordings -------------------------------------------------------------------------------- */

void sim_recording_add(SimRecording *recording, uint64_t step, const SimCommand *command)
{
    SimRecorded entry = {step, *command};
    if (recording->ended)
        return;
    if (command->kind == SIM_SETTINGS)
        entry.command.settings = sim_settings_copy(command->settings);
    bool copied = command->kind != SIM_SETTINGS || entry.command.settings != NULL;
    SimRecorded *commands =
        with_room(recording->commands, recording->count, &recording->room, sizeof *commands);
    if (commands != NULL)
        recording->commands = commands;
    recording->ended = !copied || commands == NULL;
    if (!recording->ended)
        commands[recording->count++] = entry;
    else
        drop(&entry.command);
}

void sim_recording_add_hash(SimRecording *recording, uint64_t step, uint64_t hash)
{
    SimHash *hashes =
        with_room(recording->hashes, recording->hash_count, &recording->hash_room, sizeof *hashes);
    if (hashes == NULL) {
        recording->ended = true;
        return;
    }
    recording->hashes = hashes;
    hashes[recording->hash_count++] = (SimHash){step, hash};
}

void sim_recording_free(SimRecording *recording)
{
    for (int i = 0; i < recording->count; i++)
        drop(&recording->commands[i].command);
    free(recording->commands);
    free(recording->hashes);
    *recording = (SimRecording){0};
}

SimSettings *sim_recording_settings(const SimSettings *recorded, BillowError *error)
{
    SimSettings *settings = sim_settings_copy(recorded);
    if (settings == NULL) {
        fail(error, "not enough memory to replay settings");
        return NULL;
    }
    settings->play = NULL;
    if (settings->scene == NULL)
        return settings;
    int threads = settings->def.threads;
    settings->def = scene_def(settings->scene);
    settings->def.threads = threads;
    settings->play = scene_play_create(settings->scene, &settings->def, error);
    if (settings->play != NULL)
        return settings;
    free(settings);
    return NULL;
}

/* -- what commands do -------------------------------------------------------------------------- */

static void reset(SimThread *self)
{
    billow_reset(self->sim);
    scene_play_begin(self->play, self->sim);
    self->single_steps = 0;
    hands_reset(&self->hands);
    self->pace.ticking = false;
    self->now.resets++;
    rewind_forget(self->past.rewind);
    sim_past_follow(self);
}

static void film(SimThread *self, const struct SimFilm *film)
{
    self->video.interval = film->interval;
    self->video.taken = film->number > 0 ? film->number - 1 : 0;
    self->video.frame = self->video.taken + 1;
    self->video.left = 0;
    sim_video_choose_step(self);
}

/* Copies the members of the definition that settings may change. The other members stay, because
 * other threads read them. */
static void follow_settings(SimThread *self, const SimSettings *settings)
{
    const BillowDef *def = &settings->def;
    hands_follow(&self->hands, &self->def, def);
    self->def.params = def->params;
    self->def.emitter_count = def->emitter_count;
    self->def.force_count = def->force_count;
    memcpy(self->def.emitters, def->emitters, sizeof def->emitters);
    memcpy(self->def.forces, def->forces, sizeof def->forces);
    memcpy(self->def.solids, def->solids, sizeof def->solids);
    self->play = settings->play;
    self->scene_step = settings->step;
    self->now.settings = settings->serial;
}

static void take_settings(SimThread *self, const SimSettings *settings)
{
    const BillowParams before = self->def.params, *params = &settings->def.params;
    sim_grid_drop(self); /* it uses the shapes of the present settings */
    self->now.settings_seen = settings->serial;
    self->now.refusal = (BillowError){{0}};
    if (!scene_running_change(self->sim, &self->def, &settings->def, &self->now.refusal))
        return;
    if (before.pressure != params->pressure || before.cycles != params->cycles ||
        before.sweeps != params->sweeps)
        self->budget = budget_start(params, self->step * 1e3 / self->now.speed);
    follow_settings(self, settings);
    sim_video_choose_step(self);
    self->now.cycles_cap = self->budget.most;
}

static void save(SimThread *self)
{
    SimSaved saved = {.bytes = billow_state_bytes(self->sim),
                      .first = {self->def.nx, self->def.ny, self->def.nz},
                      .settings = self->now.settings,
                      .finite = billow_stats(self->sim).nonfinite == 0};
    saved.state = malloc(saved.bytes);
    if (saved.state != NULL)
        billow_save_state(self->sim, saved.state);
    scene_checkpoint_describe(self->sim, &saved.run);
    SDL_LockMutex(self->mutex);
    if (self->has_saved)
        free(self->saved.state);
    self->saved = saved;
    self->has_saved = true;
    SDL_UnlockMutex(self->mutex);
}

static void pause_run(SimThread *self, bool paused)
{
    self->paused = paused;
    if (!paused)
        self->single_steps = 0;
}

static void seek(SimThread *self, int states)
{
    self->paused = true;
    self->single_steps = 0;
    if (!self->past.asked)
        sim_past_seek(self, states);
}

/* -- recording and replaying ------------------------------------------------------------------- */

/* Adds the present state's hash, unless the last one is of this step. */
static void add_hash(SimThread *self, SimRecording *recording)
{
    const int count = recording->hash_count;
    if (count == 0 || recording->hashes[count - 1].step != recording->steps)
        sim_recording_add_hash(recording, recording->steps, billow_state_hash(self->sim));
}

void sim_recording_follow(SimThread *self)
{
    SimRecording *recording = self->recording;
    if (recording == NULL || recording->ended)
        return;
    recording->steps = self->now.steps - self->recorded_from;
    if (!recording->hashed || recording->steps % SIM_HASH_STEPS != 0)
        return;
    add_hash(self, recording);
    if (recording->keep != NULL)
        recording->keep(recording, false);
}

void sim_recording_end(SimThread *self)
{
    SimRecording *recording = self->recording;
    self->recording = NULL;
    if (recording == NULL)
        return;
    if (recording->hashed && !recording->ended)
        add_hash(self, recording);
    if (recording->keep != NULL)
        recording->keep(recording, true);
}

void sim_replay_check(SimThread *self)
{
    const SimRecording *replay = self->replay;
    if (replay == NULL || self->replay_hash >= replay->hash_count)
        return;
    const SimHash *hash = &replay->hashes[self->replay_hash];
    if (hash->step != self->now.steps - self->replay_from)
        return;
    self->replay_hash++;
    if (billow_state_hash(self->sim) == hash->hash)
        self->now.replay_same++;
    else if (self->now.replay_differs == 0)
        self->now.replay_differs = hash->step;
}

/* Starts a recording. Its first commands are a reset, the present cap on the pressure cycles, the
 * present rate of the brush, and the present video. */
static void start_recording(SimThread *self, SimRecording *recording)
{
    sim_grid_drop(self);
    sim_recording_end(self);
    self->recording = recording;
    self->recorded_from = self->now.steps;
    if (recording == NULL)
        return;
    const SimVideo *video = &self->video;
    recording->paced = true;
    sim_apply(self, &(SimCommand){.kind = SIM_RESET});
    sim_apply(self, &(SimCommand){SIM_CYCLES, .count = self->cycles});
    sim_apply(self, &(SimCommand){SIM_BRUSH_STEPS, .value = self->hands.steps});
    if (video->interval > 0)
        sim_apply(self, &(SimCommand){SIM_FILM, .film = {video->interval, video->frame}});
}

static void start_replay(SimThread *self, const SimRecording *replay)
{
    self->replay = replay;
    self->replay_next = self->replay_hash = 0;
    self->now.replay_same = 0;
    self->now.replay_differs = 0;
    self->replay_from = self->now.steps;
}

/* Hands a play to the thread, which keeps it until sim_thread_destroy, because snapshots point to
 * the play's shapes. Returns false if memory is short. */
static bool own_play(SimThread *self, ScenePlay *play)
{
    size_t count = (size_t)self->own_play_count;
    ScenePlay **plays = realloc(self->own_plays, (count + 1) * sizeof(ScenePlay *));
    if (plays == NULL)
        return false;
    plays[count] = play;
    self->own_plays = plays;
    self->own_play_count++;
    return true;
}

static void replay_settings(SimThread *self, const SimSettings *recorded)
{
    SimSettings *settings = sim_recording_settings(recorded, &self->now.refusal);
    if (settings == NULL)
        return;
    settings->serial = self->now.settings;
    if (own_play(self, settings->play))
        sim_apply(self, &(SimCommand){SIM_SETTINGS, .settings = settings});
    else
        scene_play_destroy(settings->play);
    free(settings);
}

static void apply_replay(SimThread *self)
{
    const SimRecording *replay = self->replay;
    while (self->replay != NULL && self->replay_next < replay->count &&
           replay->commands[self->replay_next].step <= self->now.steps - self->replay_from) {
        const SimCommand *command = &replay->commands[self->replay_next++].command;
        if (command->kind == SIM_SETTINGS)
            replay_settings(self, command->settings);
        else
            sim_apply(self, command);
    }
    if (self->replay != NULL && self->now.steps - self->replay_from >= replay->steps) {
        self->replay = NULL;
        film(self, &(struct SimFilm){.interval = 0}); /* nobody would record its next frame */
    }
}

/* -- the choice by kind ------------------------------------------------------------------------ */

/* Applies a command that decides the state. */
static void decide(SimThread *self, const SimCommand *command)
{
    if (hands_apply(&self->hands, &self->def, command))
        return;
    switch (command->kind) {
    case SIM_RESET:
        reset(self);
        break;
    case SIM_SETTINGS:
        take_settings(self, command->settings);
        break;
    case SIM_FILM:
        film(self, &command->film);
        break;
    case SIM_CYCLES:
        self->cycles = command->count;
        break;
    default:
        assert(!"a command that decides the state has a case here");
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
        self->paused = true;
        self->single_steps++;
        break;
    case SIM_SPEED:
        sim_clock_change_speed(self, command->value);
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
        seek(self, command->count);
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
    case SIM_FILM_TAKEN:
        if (command->number > self->video.taken)
            self->video.taken = command->number;
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
        start_replay(self, command->replay);
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
    if (recording == NULL || !recording->hashed || recording->ended || turn_takes(command, NULL))
        return true;
    if (command->kind == SIM_SETTINGS)
        sim_recording_end(self);
    return command->kind == SIM_SETTINGS;
}

void sim_apply(SimThread *self, const SimCommand *command)
{
    if (!sim_command_decides(command->kind)) {
        control(self, command);
        return;
    }
    if (!may_record(self, command))
        return;
    if (self->recording != NULL)
        sim_recording_add(self->recording, self->now.steps - self->recorded_from, command);
    decide(self, command);
}

/* Kinds of commands after which the thread publishes a new snapshot even while paused. */
static const bool shows[SIM_COMMANDS] = {
    [SIM_RESET] = true,    [SIM_SETTINGS] = true, [SIM_FILM] = true,
    [SIM_MEMORY] = true,   [SIM_SEEK] = true,     [SIM_SLICE] = true,
    [SIM_NO_SLICE] = true, [SIM_RECORD] = true,   [SIM_REPLAY] = true,
};

bool sim_apply_all(SimThread *self)
{
    SDL_LockMutex(self->mutex);
    SimQueue batch = self->queue;
    self->queue = self->batch;
    self->batch = batch;
    SDL_UnlockMutex(self->mutex);
    bool shown = false;
    for (int i = 0; i < batch.count; i++) {
        const SimCommand *command = &batch.commands[i];
        if (sim_command_decides(command->kind))
            self->replay = NULL; /* the user's input ends a replay */
        sim_apply(self, command);
        shown = shown || shows[command->kind];
    }
    sim_queue_clear(&self->batch);
    apply_replay(self);
    return shown;
}
