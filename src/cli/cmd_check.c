/* SPDX-License-Identifier: MIT */
#include "command.h"
#include "fail.h"
#include "scene_checkpoint.h"
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

/* Loads all of it, as --resume would. */
static bool check_state(CheckpointReader *reader, const Scene *scene, BillowError *error)
{
    BillowDef def = scene_def(scene);
    ScenePlay *play;
    BillowSim *sim;
    if (!command_check_memory(reader->path, &def, 0, error) ||
        !scene_checkpoint_start(reader, scene, &def, &play, &sim, error))
        return false;
    billow_destroy(sim);
    scene_play_destroy(play);
    return true;
}

static void say_checkpoint(const char *path, const CheckpointRun *run, FILE *stream)
{
    fprintf(stream,
            "%s: ok, a checkpoint of %s at %ux%ux%u after %llu steps, %.6g s, written by %s, "
            "version %u",
            path, run->scene, run->grid[0], run->grid[1], run->grid[2],
            (unsigned long long)run->steps, run->time, run->program, CHECKPOINT_VERSION);
    if (run->fps > 0)
        fprintf(stream, ", %llu frames, %.6g a second", (unsigned long long)run->frames, run->fps);
    fprintf(stream, "\n");
}

/* What is in a checkpoint; --write takes its scene out. */
static Status check_checkpoint(const CheckSettings *check, const char *path)
{
    CheckpointReader reader;
    Scene scene;
    BillowError error;
    SceneRequest request = command_scene_request(&check->scene);
    request.name_or_path = path;
    if (!scene_checkpoint_open(&reader, path, &scene, &error))
        return report_failure(&error);
    const CheckpointRun run = reader.run;
    bool good = check_state(&reader, &scene, &error);
    checkpoint_close(&reader);
    if (!good)
        return report_failure(&error);
    if (!scene_change(&request, &scene, &error))
        return report_usage(&error);
    if (check->write != NULL && (!command_may_write(&check->scene, check->write, &error) ||
                                 !scene_save(&scene, check->write, &error)))
        return report_failure(&error);
    say_checkpoint(path, &run, command_is_stdout(check->write) ? stderr : stdout);
    if (check->write != NULL)
        command_say_written(&(ValuesOutput){.text = check->write}, 1, 1, "");
    return STATUS_DONE;
}

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
        command_say_written(&(ValuesOutput){.text = check->write}, 1, 1, "");
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
        const char *file = files->items[index];
        Status found = checkpoint_is_one(file) ? check_checkpoint(settings, file)
                                               : check_scene(settings, file);
        status = found > status ? found : status;
    }
    return status;
}

const Command command_check = {
    .spec = {.name = "check",
             .summary = "say whether scene files are right, and what is wrong where",
             .operand = "FILE...",
             .operand_help = "scene files, names of built-in scenes, or checkpoints",
             .operands_least = 1,
             .operands_most = ARGS_TEXTS_MAX,
             .operands_offset = offsetof(CheckSettings, scene.operands),
             .tables = {options, command_grid_options, command_set_options, command_force_options},
             .notes = "Prints the grid and the memory each would take; exit status 1 when any is "
                      "wrong\nor too large for the memory that is available. Of a checkpoint: what "
                      "it is of; --write\ntakes its scene out.\n"},
    .settings_size = sizeof(CheckSettings),
    .run = run,
};
