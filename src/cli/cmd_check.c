/* SPDX-License-Identifier: MIT */
#include "command.h"

static Status check_scene(const CommandScene *settings, const char *name_or_path)
{
    Scene scene;
    BillowError error;
    SceneRequest request = command_scene_request(settings);
    request.name_or_path = name_or_path;
    BillowDef def;
    Status status = command_open_scene(&request, &scene, &def, 0, &error);
    if (status != STATUS_DONE)
        return report_status(status, &error);
    ScenePlay *play = scene_play_create(&scene, &def, &error);
    scene_play_destroy(play);
    if (play == NULL)
        return report_failure(&error);
    command_note_scene(name_or_path, &scene);
    char bytes[32];
    report_bytes((double)billow_bytes_needed(&def), bytes, sizeof bytes);
    double h = (double)def.cell_size;
    printf("%s: ok, %dx%dx%d cells of %.4g m, a box of %.4g x %.4g x %.4g m, %s\n", name_or_path,
           def.nx, def.ny, def.nz, h, def.nx * h, def.ny * h, def.nz * h, bytes);
    return STATUS_DONE;
}

static Status run(const void *memory)
{
    const CommandScene *settings = memory;
    Status status = STATUS_DONE;
    for (int index = 0; index < settings->operands.count; index++) {
        Status found = check_scene(settings, settings->operands.items[index]);
        status = found > status ? found : status;
    }
    return status;
}

const Command command_check = {
    .spec = {.name = "check",
             .summary = "say whether scene files are right, and what is wrong where",
             .operand = "FILE...",
             .operand_help = "scene files, or names of built-in scenes",
             .operands_least = 1,
             .operands_most = ARGS_TEXTS_MAX,
             .operands_offset = offsetof(CommandScene, operands),
             .tables = {command_grid_options, command_set_options},
             .notes = "Prints the grid and the memory each would take; exit status 1 when any is "
                      "wrong\nor too large for the memory that is available.\n"},
    .settings_size = sizeof(CommandScene),
    .run = run,
};
