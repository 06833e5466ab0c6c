/* SPDX-License-Identifier: MIT */
#include "sim_recording.h"

#include "fail.h"
#include <stdlib.h>

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
