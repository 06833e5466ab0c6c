/* SPDX-License-Identifier: MIT
 * Command lines, one word a line, parsed by every command's table of options and not run. */
#include "fuzz.h"

#include "cli/command.h"
#include "cli/values.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64, BYTES_MAX = 8192 };

static size_t command_count(void)
{
    size_t count = 0;
    while (commands[count] != NULL)
        count++;
    return count;
}

static FILE *nowhere(void)
{
    static FILE *stream;
    if (stream == NULL)
        stream = fopen("/dev/null", "w");
    return stream;
}

static void try_command(const Command *command, int count, char *const *words)
{
    BillowError error;
    memset(&error, 0, sizeof error);
    void *settings = calloc(1, command->settings_size);
    FUZZ_HOLDS(settings != NULL);
    if (command->set_defaults != NULL)
        command->set_defaults(settings);
    ArgsResult result = args_parse(&command->spec, count, words, settings, &error);
    if (result == ARGS_WRONG)
        FUZZ_HOLDS(error.text[0] != '\0' && strlen(error.text) < sizeof error.text &&
                   strchr(error.text, '\n') == NULL);
    if (result == ARGS_HELP)
        args_print_help(&command->spec, nowhere());
    if (result == ARGS_GIVEN && command->draws != NULL)
        command->draws(settings);
    free(settings);
}

/* Values that have a form of their own, by themselves: the rest of a command line is long. */
static void try_values(const char *text)
{
    union {
        const char *text;
        BenchGrids grids;
        RenderSize size;
        ValuesTiles tiles;
        RenderSizes sizes;
        ValuesCamera camera;
        OutputName output;
        SliceAsk slice;
        unsigned fields;
        ValuesUp up;
    } value;
    bool (*const parsers[])(const char *, void *, BillowError *) = {
        values_parse_grid,   values_parse_grids,   values_parse_drawing, values_parse_size,
        values_parse_tiles,  values_parse_sizes,   values_parse_camera,  values_parse_slice,
        values_parse_fields, values_parse_volumes, values_parse_up,
    };
    BillowError error;
    for (size_t p = 0; p < sizeof parsers / sizeof parsers[0]; p++)
        parsers[p](text, &value, &error);
    if (values_parse_output(text, &value, &error)) {
        char path[64];
        OutputName output = value.output;
        if (output_name_path(&output, 12, path, sizeof path, &error))
            FUZZ_HOLDS(strlen(path) < sizeof path);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[BYTES_MAX];
    char *words[WORDS_MAX];
    int count = 0;
    if (size < 2 || size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *word = text + 1; word != NULL && count < WORDS_MAX;) {
        char *end = strchr(word, '\n');
        words[count++] = word;
        if (end != NULL)
            *end++ = '\0';
        word = end;
    }
    size_t which = data[0] % command_count();
    try_command(commands[which], count, words);
    for (int w = 0; w < count; w++)
        try_values(words[w]);
    return 0;
}
