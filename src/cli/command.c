/* SPDX-License-Identifier: MIT
 * The options that several commands share. */
#include "cli/command.h"

#include "base/fail.h"
#include "cli/values.h"

const ArgsOption command_grid_options[] = {
    ARGS_ROW_PARSED("grid", "N", CommandScene, request.grid, values_parse_grid,
                    "cells along the longest axis, or NXxNYxNZ, 8 to 2048 each; cells are cubes, "
                    "so NXxNYxNZ may lengthen the box; default: the scene's own"),
    {.type = ARGS_END},
};

const ArgsOption command_set_options[] = {
    {.name = "set",
     .placeholder = "KEY=VALUE",
     .help = "override a value of the scene, such as solver.vorticity=8; may be repeated; "
             "'billow scenes --keys' lists the keys",
     .type = ARGS_TEXTS,
     .offset = offsetof(CommandScene, overrides)},
    {.type = ARGS_END},
};

const ArgsOption command_threads_options[] = {
    ARGS_ROW_WHOLE("threads", "T", CommandScene, request.threads, 1, 1024,
                   "threads of the simulation; default: one per core. The result is the same to "
                   "the bit with any number"),
    {.type = ARGS_END},
};

const ArgsOption command_frames_options[] = {
    ARGS_ROW_WHOLE("frames", "N", CommandScene, frames, 1, 1000000,
                   "frames to simulate; default 120, and for a still of 'render' up to the "
                   "time of the scene's poster"),
    ARGS_ROW_NUMBER("fps", "F", CommandScene, fps, 0.1, 1000,
                    "frames per second of simulated time; default 30"),
    {.type = ARGS_END},
};

const ArgsOption command_quiet_options[] = {
    ARGS_ROW_FLAG("quiet", CommandScene, request.quiet,
                  "no progress and no notices on standard error"),
    {.type = ARGS_END},
};

const ArgsOption command_force_options[] = {
    ARGS_ROW_FLAG("force", CommandScene, force,
                  "overwrite existing files; default: an existing file is an error before the "
                  "first step"),
    {.type = ARGS_END},
};

const ArgsOption command_slice_options[] = {
    ARGS_ROW_PARSED("slice", "FIELD[,...]", CommandScene, slice, values_parse_slice,
                    "colour a plane through the smoke by a field and add a legend: density, "
                    "temperature, speed, vorticity, curl, pressure, divergence, u, v, w, fuel, "
                    "flame or solid; see below"),
    {.type = ARGS_END},
};

const ArgsOption command_checkpoint_options[] = {
    ARGS_ROW_TEXT("checkpoint", "FILE", CommandScene, request.checkpoint,
                  "write a checkpoint at the end and on interruption, to continue from with "
                  "--resume; default: none"),
    ARGS_ROW_WHOLE("every", "N", CommandScene, request.every, 1, 10000000,
                   "also write the checkpoint after every N steps of 'sim', or N frames of "
                   "'render' and 'bake'; default: only at the end"),
    ARGS_ROW_TEXT("resume", "FILE", CommandScene, request.resume,
                  "continue from a checkpoint instead of starting SCENE; new steps or frames are "
                  "added and numbered on; default: start a scene"),
    {.type = ARGS_END},
};

SceneRequest command_scene_request(const CommandScene *settings, const char *command)
{
    const ArgsTexts *operands = &settings->operands;
    SceneRequest request = settings->request;
    request.command = command;
    request.name_or_path = operands->count > 0 ? operands->items[0] : NULL;
    request.overrides = settings->overrides.items;
    request.override_count = settings->overrides.count;
    return request;
}

bool command_always(const void *settings)
{
    (void)settings;
    return true;
}

bool command_has_output(const OutputName *output, const char *command, const char *example,
                        BillowError *error)
{
    return output->text != NULL ||
           fail(error, "'%s' needs --out FILE, such as --out %s", command, example);
}
