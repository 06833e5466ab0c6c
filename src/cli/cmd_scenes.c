/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "scene/scene_keys.h"

#include <string.h>

typedef struct ScenesSettings {
    bool keys, markdown;
    const char *show;
} ScenesSettings;

static const ArgsOption options[] = {
    ARGS_ROW_FLAG("keys", ScenesSettings, keys,
                  "list every key of scene files and --set, with its unit, range and default"),
    ARGS_ROW_FLAG("markdown", ScenesSettings, markdown, "print the keys as Markdown tables"),
    ARGS_ROW_TEXT("show", "NAME", ScenesSettings, show,
                  "print the file of a built-in scene, as a template for a new one"),
    {.type = ARGS_END},
};

static Status run(const void *memory, BillowError *error)
{
    const ScenesSettings *settings = memory;
    if (settings->show != NULL) {
        int index = args_find(settings->show, scene_offered_name, "there is no built-in scene",
                              "'billow scenes' lists them", error);
        if (index >= 0)
            fputs(scene_offered_text(index), stdout);
        return index >= 0 ? STATUS_DONE : STATUS_USAGE;
    }
    if (settings->keys || settings->markdown) {
        scene_print_keys(stdout, settings->markdown);
        return STATUS_DONE;
    }
    for (int index = 0; scene_offered_name(index) != NULL; index++) {
        if (scene_builtin_name(index) == NULL && scene_builtin_name(index - 1) != NULL)
            puts("\nTemplates to start your own from:");
        printf("%-16s %s\n", scene_offered_name(index), scene_offered_title(index));
    }
    return STATUS_DONE;
}

const Command command_scenes = {
    .spec = {.name = "scenes",
             .summary = "list the built-in scenes and templates",
             .examples = "  billow scenes                               names and titles\n"
                         "  billow scenes --show campfire > mine.yaml   a scene of your own\n"
                         "  billow scenes --keys                        every key of scene files\n",
             .tables = {options}},
    .settings_size = sizeof(ScenesSettings),
    .run = run,
};
