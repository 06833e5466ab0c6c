/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include "base/fail.h"
#include "base/system.h"
#include "cli/values.h"
#include "io/checkpoint.h"
#include "io/paths.h"
#include "mpi/cluster.h"
#include "play/replay_file.h"

#include <stdlib.h>
#include <string.h>

#define COMMAND_ROW(name) &command_##name,
const Command *const commands[] = {COMMANDS(COMMAND_ROW) NULL};
#undef COMMAND_ROW

/* Returns NULL if no command has the name. */
static const Command *find(const char *name)
{
    for (int index = 0; commands[index] != NULL; index++)
        if (strcmp(commands[index]->spec.name, name) == 0)
            return commands[index];
    return NULL;
}

/* -- what several commands share --------------------------------------------------------------- */

const ArgsOption command_grid_options[] = {
    ARGS_ROW_PARSED("grid", "N", CommandScene, request.grid, values_parse_grid,
                    "cells along the longest axis, or NXxNYxNZ, 8 to 2048 each; cells are cubes, "
                    "so NXxNYxNZ may lengthen the box; default: the scene's own"),
    ARGS_ROW_WHOLE("refine", "R", CommandScene, request.refine, 1, BILLOW_REFINE_MAX,
                   "cells of smoke along an edge of one of these: finer smoke in the same wind, as "
                   "--set domain.refine=R; default: the scene's own"),
    {.type = ARGS_END},
};

const ArgsOption command_set_options[] = {
    ARGS_ROW(ARGS_TEXTS, "set", "KEY=VALUE", CommandScene, overrides, ArgsTexts, 0, 0,
             "override a value of the scene, such as solver.vorticity=8; may be repeated; "
             "'billow scenes --keys' lists the keys"),
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
    ARGS_ROW_NAMES("slice", "FIELD[,...]", CommandScene, slice, values_parse_slice,
                   values_slice_field,
                   "colour a plane through the smoke by a field and add a legend; see below"),
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

/* -- the command line ------------------------------------------------------------------------- */

static Status print_help(void)
{
    printf("billow %s: smoke in a box, simulated on the processor, drawn by ray marching\n\n"
           "usage: billow [COMMAND] [OPERANDS] [OPTIONS]\n\n",
           BILLOW_VERSION);
    for (int index = 0; commands[index] != NULL; index++)
        printf("  %-8s %s\n", commands[index]->spec.name, commands[index]->spec.summary);
    printf(
        "\n"
        "  billow                   the same as 'billow run'\n"
        "  billow SCENE             the same as 'billow run SCENE'\n"
        "  billow COMMAND --help    a command's operands and options\n"
        "  billow --version         version, commit, compiler, OpenMP, instruction set\n\n"
        "FILE may be - for standard output. Exit status: 0 done, 1 failed, 2 wrong usage, 128 + n\n"
        "ended by signal n: 130 by Ctrl-C, 143 by SIGTERM.\n");
    return STATUS_DONE;
}

/* Whether `billow NAME` runs the window on it: a built-in scene, a scene file, a checkpoint or
 * a recording of hands. */
static bool is_scene(const char *name)
{
    return scene_is_builtin(name) || paths_end_in(name, ".yaml") || paths_end_in(name, ".yml") ||
           checkpoint_is_one(name) || replay_file_is_one(name);
}

static void unknown_command(const char *name, bool scenes, BillowError *error)
{
    SceneSuggestion suggestion = {.word = name};
    for (int index = 0; commands[index] != NULL; index++)
        args_suggest(&suggestion, commands[index]->spec.name);
    for (int index = 0; scenes && scene_offered_name(index) != NULL; index++)
        args_suggest(&suggestion, scene_offered_name(index));
    if (scenes)
        args_unknown(&suggestion, "there is no command or scene", "",
                     "'billow --help' lists the commands, 'billow scenes' the scenes", error);
    else
        args_unknown(&suggestion, "there is no command", "", "'billow --help' lists them", error);
}

/* Lets the first rank go on alone, and says so unless --quiet is given. Returns whether this is it.
 */
static bool goes_on_alone(const Command *command, int count, char *const *arguments)
{
    BillowError notice;
    int ranks = cluster_ranks();
    bool leads = cluster_part(), says = leads && ranks > 1;
    for (int a = 0; a < count; a++)
        says = says && strcmp(arguments[a], "--quiet") != 0;
    if (says) {
        fail(&notice, "notice: 'billow %s' is not divided; the first of %d ranks runs it alone",
             command->spec.name, ranks);
        report_notice(&notice);
    }
    return leads;
}

static Status run_command(const Command *command, int count, char *const *arguments,
                          char *const *whole_line, BillowError *error)
{
    Status status = STATUS_USAGE;
    void *settings = calloc(1, command->settings_size);
    if (settings == NULL)
        return status_fail(STATUS_FAILED, error, "no memory to start");
    if (command->set_defaults != NULL)
        command->set_defaults(settings);
    switch (args_parse(&command->spec, count, arguments, settings, error)) {
    case ARGS_WRONG:
        break;
    case ARGS_HELP:
        args_print_help(&command->spec, stdout);
        status = STATUS_DONE;
        break;
    case ARGS_GIVEN:
        if (command->draws != NULL && command->draws(settings))
            system_restart_with("OMP_WAIT_POLICY", "passive", whole_line);
        error->text[0] = 0;
        if (!cluster_start(billow_version(), error))
            status = STATUS_FAILED;
        else if ((command->divides != NULL && command->divides(settings)) ||
                 goes_on_alone(command, count, arguments))
            status = command->run(settings, error);
        else
            status = STATUS_DONE;
        break;
    }
    free(settings);
    return status;
}

Status command_dispatch(int count, char **arguments, BillowError *error)
{
    const char *first = count > 1 ? arguments[1] : NULL;
    bool help = first != NULL && (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 ||
                                  strcmp(first, "help") == 0);
    const char *topic = help && count > 2 && strcmp(first, "help") == 0 ? arguments[2] : NULL;
    if (help && topic == NULL)
        return print_help();
    /* Without a command's name, the first command of the table takes all arguments. */
    if (first == NULL || (first[0] == '-' && first[1] != 0))
        return run_command(commands[0], count - 1, arguments + 1, arguments, error);
    const Command *command = find(topic != NULL ? topic : first);
    if (command == NULL && topic == NULL && is_scene(first))
        return run_command(commands[0], count - 1, arguments + 1, arguments, error);
    if (command == NULL) {
        unknown_command(topic != NULL ? topic : first, topic == NULL, error);
        return STATUS_USAGE;
    }
    if (topic != NULL) {
        args_print_help(&command->spec, stdout);
        return STATUS_DONE;
    }
    return run_command(command, count - 2, arguments + 2, arguments, error);
}
