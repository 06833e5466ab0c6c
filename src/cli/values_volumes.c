/* SPDX-License-Identifier: MIT */
#include "values.h"

#include "args.h"
#include "fail.h"
#include "volume_frame.h"

#include <stdio.h>
#include <string.h>

bool values_parse_volumes(const char *text, void *destination, BillowError *error)
{
    bool raw = strcmp(text, "vdb:-") == 0 || strcmp(text, "vti:-") == 0;
    bool vti = raw ? text[2] == 'i' : values_ends_in(text, ".vti");
    if (!raw && !vti && !values_ends_in(text, ".vdb"))
        return fail(error,
                    "'%s' ends neither in .vdb nor in .vti, the kinds of file there are; write "
                    "a.vdb or a.vti (the last frame), f_%%04d.vdb (every frame), vdb:- or vti:- "
                    "(standard output)",
                    text);
    ValuesVolumes volumes = {.output = {.text = raw ? "-" : text}, .vti = vti};
    if (!values_parse_pattern(volumes.output.text, &volumes.output, error))
        return false;
    *(ValuesVolumes *)destination = volumes;
    return true;
}

static int find_kind(const char *word)
{
    for (int kind = 0; volume_kind_name(kind) != NULL; kind++)
        if (strcmp(volume_kind_name(kind), word) == 0)
            return kind;
    return -1;
}

static bool unknown_field(const char *word, BillowError *error)
{
    ArgsSuggestion suggestion = {.word = word};
    for (int kind = 0; volume_kind_name(kind) != NULL; kind++)
        args_suggest(&suggestion, volume_kind_name(kind));
    if (suggestion.best != NULL)
        return fail(error, "there is no field '%s'; did you mean '%s'?", word, suggestion.best);
    return fail(error,
                "there is no field '%s'; there are density, temperature, flame, fuel, "
                "velocity and color",
                word);
}

bool values_parse_fields(const char *text, void *destination, BillowError *error)
{
    unsigned kinds = 0;
    for (const char *start = text;;) {
        size_t length = strcspn(start, ",");
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), start);
        int kind = find_kind(word);
        if (kind < 0)
            return unknown_field(word, error);
        if ((kinds & 1u << kind) != 0)
            return fail(error, "'%s' stands there twice", word);
        kinds |= 1u << kind;
        if (start[length] == 0)
            break;
        start += length + 1;
    }
    *(unsigned *)destination = kinds;
    return true;
}

bool values_parse_up(const char *text, void *destination, BillowError *error)
{
    if (strcmp(text, "y") != 0 && strcmp(text, "z") != 0)
        return fail(error, "'%s' is neither y nor z", text);
    *(ValuesUp *)destination = text[0] == 'y' ? VALUES_UP_Y : VALUES_UP_Z;
    return true;
}
