/* SPDX-License-Identifier: MIT */
#include "sim_command.h"

#include <stdlib.h>
#include <string.h>

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
