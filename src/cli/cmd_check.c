/* SPDX-License-Identifier: MIT */
#include "command.h"
#include "fail.h"
#include "scene_write.h"

typedef struct CheckSettings {
    CommandScene scene;
    const char *write; /* NULL: nothing is written */
} CheckSettings;

static const ArgsOption options[] = {
    {.name = "write",
     .placeholder = "OUT",
     .help = "write the scene, as --grid and --set change it, as a file that loads back to the "
             "same values; '-' for standard output; of one FILE; default: nothing is written",
     .type = ARGS_TEXT,
     .offset = offsetof(CheckSettings, write)},
    {.type = ARGS_END},
};

static Status check_scene(const CheckSettings *check, const char *name_or_path)
{
    const CommandScene *settings = &check->scene;
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
    if (check->write != NULL && !command_may_write(settings, check->write, &error))
        return report_failure(&error);
    if (check->write != NULL && !scene_save(&scene, check->write, &error))
        return report_failure(&error);
    char bytes[32];
    report_bytes((double)billow_bytes_needed(&def), bytes, sizeof bytes);
    double h = (double)def.cell_size;
    fprintf(command_is_stdout(check->write) ? stderr : stdout,
            "%s: ok, %dx%dx%d cells of %.4g m, a box of %.4g x %.4g x %.4g m, %s\n", name_or_path,
            def.nx, def.ny, def.nz, h, def.nx * h, def.ny * h, def.nz * h, bytes);
    if (check->write != NULL)
        command_say_written(&(ValuesOutput){.text = check->write}, 1, "");
    return STATUS_DONE;
}

static Status run(const void *memory)
{
    const CheckSettings *settings = memory;
    const ArgsTexts *files = &settings->scene.operands;
    Status status = STATUS_DONE;
    if (settings->write != NULL && files->count != 1) {
        BillowError error;
        fail(&error, "--write %.200s: one scene can be written there, and %d are given",
             settings->write, files->count);
        return report_status(STATUS_USAGE, &error);
    }
    for (int index = 0; index < files->count; index++) {
        Status found = check_scene(settings, files->items[index]);
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
             .operands_offset = offsetof(CheckSettings, scene.operands),
             .tables = {options, command_grid_options, command_set_options, command_force_options},
             .notes = "Prints the grid and the memory each would take; exit status 1 when any is "
                      "wrong\nor too large for the memory that is available.\n"},
    .settings_size = sizeof(CheckSettings),
    .run = run,
};
