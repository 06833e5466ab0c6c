/* SPDX-License-Identifier: MIT */
#include "sim_command.h"

#include "fail.h"
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

static void forget(SimCommand *command)
{
    if (command->kind == SIM_SETTINGS)
        free(command->settings);
}

/* Whether the second of two neighbouring commands makes the first one meaningless. */
static bool overrules(const SimCommand *before, const SimCommand *command)
{
    switch (command->kind) {
    case SIM_PUSH:
    case SIM_SPEED:
    case SIM_SLICE:
    case SIM_FILM_TAKEN:
        return before->kind == command->kind;
    case SIM_GRAB:
        return before->kind == SIM_GRAB && before->grab.solid == command->grab.solid;
    default:
        return false;
    }
}

static bool remove_settings(SimQueue *queue)
{
    for (int i = 0; i < queue->count; i++) {
        if (queue->commands[i].kind != SIM_SETTINGS)
            continue;
        forget(&queue->commands[i]);
        queue->count--;
        memmove(&queue->commands[i], &queue->commands[i + 1],
                (size_t)(queue->count - i) * sizeof queue->commands[0]);
        return true;
    }
    return false;
}

static bool grow(SimQueue *queue)
{
    int room = queue->room > 0 ? 2 * queue->room : 64;
    SimCommand *commands = realloc(queue->commands, (size_t)room * sizeof *commands);
    if (commands == NULL)
        return false;
    queue->commands = commands;
    queue->room = room;
    return true;
}

bool sim_queue_push(SimQueue *queue, const SimCommand *command)
{
    bool replaced = command->kind == SIM_SETTINGS && remove_settings(queue);
    SimCommand *last = queue->count > 0 ? &queue->commands[queue->count - 1] : NULL;
    if (last != NULL && command->kind == SIM_SEEK && last->kind == SIM_SEEK)
        last->count += command->count;
    else if (last != NULL && overrules(last, command))
        *last = *command;
    else if (queue->count < queue->room || grow(queue))
        queue->commands[queue->count++] = *command;
    return replaced;
}

void sim_queue_clear(SimQueue *queue)
{
    for (int i = 0; i < queue->count; i++)
        forget(&queue->commands[i]);
    queue->count = 0;
}

void sim_queue_free(SimQueue *queue)
{
    sim_queue_clear(queue);
    free(queue->commands);
    *queue = (SimQueue){0};
}

/* -- recordings -------------------------------------------------------------------------------- */

static bool make_room(SimRecording *recording)
{
    if (recording->count < recording->room)
        return true;
    int room = recording->room > 0 ? 2 * recording->room : 64;
    SimRecorded *commands = realloc(recording->commands, (size_t)room * sizeof *commands);
    if (commands == NULL)
        return false;
    recording->commands = commands;
    recording->room = room;
    return true;
}

void sim_recording_add(SimRecording *recording, uint64_t step, const SimCommand *command)
{
    SimRecorded entry = {step, *command};
    if (recording->ended)
        return;
    if (command->kind == SIM_SETTINGS)
        entry.command.settings = sim_settings_copy(command->settings);
    bool copied = command->kind != SIM_SETTINGS || entry.command.settings != NULL;
    if (copied && make_room(recording)) {
        recording->commands[recording->count++] = entry;
        return;
    }
    if (command->kind == SIM_SETTINGS)
        free(entry.command.settings);
    recording->ended = true;
}

void sim_recording_free(SimRecording *recording)
{
    for (int i = 0; i < recording->count; i++)
        if (recording->commands[i].command.kind == SIM_SETTINGS)
            free(recording->commands[i].command.settings);
    free(recording->commands);
    *recording = (SimRecording){0};
}

SimSettings *sim_recording_settings(const SimSettings *recorded, BillowError *error)
{
    SimSettings *settings = sim_settings_copy(recorded);
    if (settings == NULL) {
        fail(error, "memory is too short to replay settings");
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
