/* SPDX-License-Identifier: MIT */
#include "command.h"

#include "fail.h"
#include "values.h"

#include <string.h>

#define COMMAND_ROW(name) &command_##name,
const Command *const commands[] = {COMMANDS(COMMAND_ROW) NULL};
#undef COMMAND_ROW

const Command *command_find(const char *name)
{
    for (int index = 0; commands[index] != NULL; index++)
        if (strcmp(commands[index]->spec.name, name) == 0)
            return commands[index];
    return NULL;
}

const ArgsOption command_grid_options[] = {
    {.name = "grid",
     .placeholder = "N",
     .help =
         "cells along the longest axis, or NXxNYxNZ, 8 to 2048 each; cells stay cubes, so NXxNYxNZ "
         "may lengthen the box; default: the scene's own",
     .type = ARGS_PARSED,
     .parse = values_parse_grid,
     .offset = offsetof(CommandScene, grid)},
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
    {.name = "threads",
     .placeholder = "T",
     .help = "threads of the simulation; default: one per core. The result is the same to the bit "
             "with any number",
     .type = ARGS_WHOLE,
     .least = 1,
     .most = 1024,
     .offset = offsetof(CommandScene, threads)},
    {.type = ARGS_END},
};

const ArgsOption command_frames_options[] = {
    {.name = "frames",
     .placeholder = "N",
     .help = "frames to simulate; default 120",
     .type = ARGS_WHOLE,
     .least = 1,
     .most = 1000000,
     .offset = offsetof(CommandScene, frames)},
    {.name = "fps",
     .placeholder = "F",
     .help = "frames per second of simulated time; default 30",
     .type = ARGS_NUMBER,
     .least = 0.1,
     .most = 1000,
     .offset = offsetof(CommandScene, fps)},
    {.type = ARGS_END},
};

const ArgsOption command_quiet_options[] = {
    {.name = "quiet",
     .help = "no progress and no notices on standard error",
     .type = ARGS_FLAG,
     .offset = offsetof(CommandScene, quiet)},
    {.type = ARGS_END},
};

const ArgsOption command_force_options[] = {
    {.name = "force",
     .help = "overwrite files that exist; without it an existing file is an error before the first "
             "step",
     .type = ARGS_FLAG,
     .offset = offsetof(CommandScene, force)},
    {.type = ARGS_END},
};

const ArgsOption command_slice_options[] = {
    {.name = "slice",
     .placeholder = "FIELD[,...]",
     .help = "colour a plane through the smoke by a field and add a legend: density, "
             "temperature, speed, vorticity, curl, pressure, divergence, u, v, w, fuel, flame or "
             "solid; see below",
     .type = ARGS_PARSED,
     .parse = values_parse_slice,
     .offset = offsetof(CommandScene, slice)},
    {.type = ARGS_END},
};

const ArgsOption command_checkpoint_options[] = {
    {.name = "checkpoint",
     .placeholder = "FILE",
     .help =
         "write a checkpoint at the end and when interrupted; --resume goes on from it; default: "
         "none",
     .type = ARGS_TEXT,
     .offset = offsetof(CommandScene, checkpoint)},
    {.name = "every",
     .placeholder = "N",
     .help = "also write the checkpoint after every N steps of 'sim', or N frames of 'render' and "
             "'bake'; default: at the end alone",
     .type = ARGS_WHOLE,
     .least = 1,
     .most = 10000000,
     .offset = offsetof(CommandScene, every)},
    {.name = "resume",
     .placeholder = "FILE",
     .help = "go on from a checkpoint in place of SCENE; new steps or frames are added to those it "
             "has, and their numbers go on; default: start a scene",
     .type = ARGS_TEXT,
     .offset = offsetof(CommandScene, resume)},
    {.type = ARGS_END},
};

SceneRequest command_scene_request(const CommandScene *settings)
{
    const ArgsTexts *operands = &settings->operands;
    return (SceneRequest){
        .name_or_path = operands->count > 0 ? operands->items[0] : NULL,
        .grid = settings->grid,
        .overrides = settings->overrides.items,
        .override_count = settings->overrides.count,
    };
}

SceneAsk command_scene_ask(const CommandScene *settings, const char *command)
{
    return (SceneAsk){.command = command,
                      .request = command_scene_request(settings),
                      .threads = settings->threads,
                      .quiet = settings->quiet,
                      .resume = settings->resume,
                      .checkpoint = settings->checkpoint,
                      .every = settings->every};
}

bool command_draws(const void *settings)
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
