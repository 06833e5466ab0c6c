/* SPDX-License-Identifier: MIT */
#include "values.h"

#include "args.h"
#include "fail.h"

#include <stdio.h>
#include <string.h>

bool values_parse_volumes(const char *text, void *destination, BillowError *error)
{
    ValuesVolumes volumes = {.format = volume_format(text)};
    if (volumes.format == NULL)
        return fail(error,
                    "'%s' ends neither in .vdb nor in .vti; write a.vdb or a.vti (the last frame), "
                    "f_%%04d.vdb (every frame), vdb:- or vti:- (standard output)",
                    text);
    bool stream = strcmp(text, volumes.format->standard_output) == 0;
    volumes.output.text = stream ? "-" : text;
    if (!values_parse_pattern(volumes.output.text, &volumes.output, error))
        return false;
    *(ValuesVolumes *)destination = volumes;
    return true;
}

static int find_field(const char *word)
{
    for (int field = 0; volume_field_name(field) != NULL; field++)
        if (strcmp(volume_field_name(field), word) == 0)
            return field;
    return -1;
}

static bool unknown_field(const char *word, BillowError *error)
{
    char names[256];
    size_t used = 0;
    ArgsSuggestion suggestion = {.word = word};
    for (int field = 0; volume_field_name(field) != NULL && used < sizeof names; field++) {
        const char *name = volume_field_name(field);
        const char *between = field == 0                             ? ""
                              : volume_field_name(field + 1) == NULL ? " and "
                                                                     : ", ";
        args_suggest(&suggestion, name);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", between, name);
    }
    if (suggestion.best != NULL)
        return fail(error, "there is no field '%s'; did you mean '%s'?", word, suggestion.best);
    return fail(error, "there is no field '%s'; there are %s", word, names);
}

bool values_parse_fields(const char *text, void *destination, BillowError *error)
{
    unsigned fields = 0;
    for (const char *start = text;;) {
        size_t length = strcspn(start, ",");
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), start);
        int field = find_field(word);
        if (field < 0)
            return unknown_field(word, error);
        if ((fields & 1u << field) != 0)
            return fail(error, "'%s' stands there twice", word);
        fields |= 1u << field;
        if (start[length] == 0)
            break;
        start += length + 1;
    }
    *(unsigned *)destination = fields;
    return true;
}

bool values_parse_up(const char *text, void *destination, BillowError *error)
{
    if (strcmp(text, "y") != 0 && strcmp(text, "z") != 0)
        return fail(error, "'%s' is neither y nor z", text);
    *(ValuesUp *)destination = text[0] == 'y' ? VALUES_UP_Y : VALUES_UP_Z;
    return true;
}
