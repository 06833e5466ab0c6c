/* SPDX-License-Identifier: MIT
 * Commands: their queue and their recordings. */
#include "play/sim_command.h"

#include "base/grow.h"
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

static bool has_settings(SimCommandKind kind)
{
    return kind == SIM_SETTINGS || kind == SIM_WISH;
}

static void drop(SimCommand *command)
{
    if (has_settings(command->kind))
        free(command->settings);
    else if (command->kind == SIM_SHOW)
        free(command->state.state);
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
    case SIM_VIEW:
        return true;
    case SIM_GRAB:
        return before->grab.solid == command->grab.solid;
    case SIM_SHOW:
        return true;
    default:
        return false;
    }
}

static bool remove_settings(SimQueue *queue, SimCommandKind kind)
{
    for (int i = 0; i < queue->count; i++) {
        if (queue->commands[i].kind != kind)
            continue;
        drop(&queue->commands[i]);
        queue->count--;
        memmove(&queue->commands[i], &queue->commands[i + 1],
                (size_t)(queue->count - i) * sizeof queue->commands[0]);
        return true;
    }
    return false;
}

bool sim_queue_reserve(SimQueue *queue)
{
    SimCommand *commands =
        grow(queue->commands, &queue->room, (size_t)queue->count + 2, sizeof *commands);
    if (commands != NULL)
        queue->commands = commands;
    return commands != NULL;
}

SimSent sim_queue_push(SimQueue *queue, const SimCommand *command)
{
    bool replaced = has_settings(command->kind) && remove_settings(queue, command->kind);
    SimCommand *last = queue->count > 0 ? &queue->commands[queue->count - 1] : NULL;
    if (last != NULL && command->kind == SIM_SEEK && last->kind == SIM_SEEK)
        last->count += command->count;
    else if (last != NULL && replaces(last, command)) {
        drop(last);
        *last = *command;
    } else {
        const bool room = sim_queue_reserve(queue); /* settings have that of the removed ones */
        const bool must = command->kind == SIM_QUIT && (size_t)queue->count < queue->room;
        if (!room && !replaced && !must)
            return SIM_NOT_SENT;
        queue->commands[queue->count++] = *command;
    }
    return replaced ? SIM_SENT_INSTEAD : SIM_SENT;
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
        grow(recording->commands, &recording->room, (size_t)recording->count + 1, sizeof *commands);
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
    SimHash *hashes = grow(recording->hashes, &recording->hash_room,
                           (size_t)recording->hash_count + 1, sizeof *hashes);
    if (hashes == NULL) {
        recording->ended = true;
        return;
    }
    recording->hashes = hashes;
    hashes[recording->hash_count++] = (SimHash){step, hash};
}

void sim_recording_add_view(SimRecording *recording, uint64_t step, const RenderCamera *camera)
{
    const int last = recording->view_count - 1;
    if (recording->ended)
        return;
    if (last >= 0 && recording->views[last].step == step) {
        recording->views[last].camera = *camera;
        return;
    }
    SimView *views = grow(recording->views, &recording->view_room,
                          (size_t)recording->view_count + 1, sizeof *views);
    if (views == NULL) {
        recording->ended = true;
        return;
    }
    recording->views = views;
    views[recording->view_count++] = (SimView){step, *camera};
}

const RenderCamera *sim_recording_view(const SimRecording *recording, uint64_t step)
{
    int first = 0, end = recording->view_count; /* the last one up to the step is before `end` */
    while (first < end) {
        const int middle = (first + end) / 2;
        if (recording->views[middle].step <= step)
            first = middle + 1;
        else
            end = middle;
    }
    return first > 0 ? &recording->views[first - 1].camera : NULL;
}

void sim_recording_free(SimRecording *recording)
{
    for (int i = 0; i < recording->count; i++)
        drop(&recording->commands[i].command);
    free(recording->commands);
    free(recording->hashes);
    free(recording->views);
    free(recording->start);
    *recording = (SimRecording){0};
}
