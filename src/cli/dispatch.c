/* SPDX-License-Identifier: MIT
 * The table of commands. Finds and runs the command of a command line. */
#include "base/fail.h"
#include "base/system.h"
#include "cli/command.h"
#include "io/checkpoint.h"
#include "io/paths.h"
#include "mpi/cluster.h"
#include "play/replay_file.h"

#include <stdlib.h>
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
    ArgsSuggestion suggestion = {.word = name};
    for (int index = 0; commands[index] != NULL; index++)
        args_suggest(&suggestion, commands[index]->spec.name);
    for (int index = 0; scenes && scene_builtin_name(index) != NULL; index++)
        args_suggest(&suggestion, scene_builtin_name(index));
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
    if (settings == NULL) {
        fail(error, "no memory to start");
        return STATUS_FAILED;
    }
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
    const Command *command = command_find(topic != NULL ? topic : first);
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
