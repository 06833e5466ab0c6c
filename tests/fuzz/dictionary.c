/* SPDX-License-Identifier: MIT
 * Prints libFuzzer's dictionary from the program's own tables: the words of scene files or, with
 * --options, of command lines. */
#include "cli/command.h"
#include "scene/scene_keys.h"

#include <string.h>

static void print_words(const SceneKeyTable *table)
{
    for (int row = 0; row < table->count; row++) {
        const SceneKey *key = &table->rows[row];
        const char *const *choices = key->choices;
        printf("\"%s\"\n", key->path);
        for (const char *part = strchr(key->path, '.'); part != NULL; part = strchr(part, '.'))
            printf("\"%s:\"\n", ++part);
        for (; choices != NULL && *choices != NULL; choices++)
            printf("\"%s\"\n", *choices);
        if (key->maximum > 0)
            printf("\"%.9g\"\n\"%.9g\"\n", key->minimum, key->maximum);
    }
}

static void print_options(void)
{
    for (int c = 0; commands[c] != NULL; c++)
        for (int t = 0; t < ARGS_TABLES_MAX && commands[c]->spec.tables[t] != NULL; t++)
            for (const ArgsOption *row = commands[c]->spec.tables[t]; row->type != ARGS_END; row++)
                printf("\"\\x0a--%s\\x0a\"\n\"--%s=\"\n", row->name, row->name);
}

int main(int count, char **arguments)
{
    const SceneKeyTable *const tables[] = {scene_keys(),       scene_emitter_keys(),
                                           scene_solid_keys(), scene_force_keys(),
                                           scene_lamp_keys(),  scene_stop_keys()};
    if (count > 1 && strcmp(arguments[1], "--options") == 0) {
        print_options();
        return 0;
    }
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        print_words(tables[t]);
    printf("\"key:\"\n\"mode:\"\n\"values:\"\n\"smooth\"\n\"linear\"\n\"emitters[0].\"\n"
           "\"solids[1].\"\n\"smoke.ramp[0].\"\n\"ramp: "
           "sunset\"\n\"&a\"\n\"*a\"\n\"!!str\"\n\"\\x0a  - \"\n\"\\x0a    \"\n");
    return 0;
}
