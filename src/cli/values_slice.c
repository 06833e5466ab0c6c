/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "fail.h"
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORM "FIELD[,x|y|z=M][,contours=N][,range=A:B][,veil=S][,legend=no]"

static bool parse_field(const char *word, SliceAsk *ask, BillowError *error)
{
    ArgsSuggestion suggestion = {.word = word};
    char names[160] = "";
    for (int kind = 0; kind < FIELD_KINDS; kind++) {
        const char *name = field_meaning((FieldKind)kind)->name;
        if (strcmp(word, name) == 0) {
            ask->kind = (FieldKind)kind;
            return true;
        }
        args_suggest(&suggestion, name);
        strcat(names, kind > 0 ? ", " : "");
        strcat(names, name);
    }
    if (suggestion.best != NULL)
        return fail(error, "there is no field '%s'; did you mean '%s'?", word, suggestion.best);
    return fail(error, "there is no field '%s'; the fields are %s", word, names);
}

static bool parse_number(const char *name, const char *text, double least, double most, float *out,
                         BillowError *error)
{
    double value;
    if (!args_number(text, &value))
        return fail(error, "%s '%s' is not a number", name, text);
    if (value < least || value > most)
        return fail(error, "%s %s is not in %g..%g", name, text, least, most);
    *out = (float)value;
    return true;
}

static bool parse_contours(const char *text, SliceAsk *ask, BillowError *error)
{
    int count;
    if (!args_whole(text, &count) || count < 0 || count > SLICE_CONTOURS_MAX)
        return fail(error, "contours '%s' is not a whole number in 0..%d", text,
                    SLICE_CONTOURS_MAX);
    ask->contours = count;
    return true;
}

static bool parse_range(char *text, SliceAsk *ask, BillowError *error)
{
    char *colon = strchr(text, ':');
    if (colon == NULL)
        return fail(error, "range '%s' is not two numbers with a colon between, such as 0:2.5",
                    text);
    *colon = 0;
    ask->ranged = true;
    if (!parse_number("range from", text, -1e12, 1e12, &ask->low, error) ||
        !parse_number("range to", colon + 1, -1e12, 1e12, &ask->high, error))
        return false;
    /* What is left of the difference must tell values apart. */
    float least = 1e-5f * fmaxf(fabsf(ask->low), fabsf(ask->high));
    if (ask->high <= ask->low)
        return fail(error, "range %s:%s is empty; the smaller number comes first", text, colon + 1);
    return (ask->high - ask->low > least && ask->high - ask->low > 1e-30f) ||
           fail(error, "range %s:%s is too narrow to tell values apart", text, colon + 1);
}

static bool parse_legend(const char *text, SliceAsk *ask, BillowError *error)
{
    ask->no_legend = strcmp(text, "no") == 0;
    return ask->no_legend || strcmp(text, "yes") == 0 ||
           fail(error, "legend '%s' is neither yes nor no", text);
}

static bool parse_part(const char *key, char *value, SliceAsk *ask, BillowError *error)
{
    static const char *const keys[] = {"x", "y", "z", "contours", "range", "veil", "legend"};
    ArgsSuggestion suggestion = {.word = key};
    if (strlen(key) == 1 && *key >= 'x' && *key <= 'z') {
        if (ask->placed)
            return fail(error, "a slice has one place; %s= is a second", key);
        ask->axis = *key - 'x';
        ask->placed = true;
        return parse_number(key, value, -1e6, 1e6, &ask->position, error);
    }
    if (strcmp(key, "contours") == 0)
        return parse_contours(value, ask, error);
    if (strcmp(key, "range") == 0)
        return parse_range(value, ask, error);
    if (strcmp(key, "veil") == 0)
        return parse_number(key, value, 0, 1, &ask->veil, error);
    if (strcmp(key, "legend") == 0)
        return parse_legend(value, ask, error);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        args_suggest(&suggestion, keys[i]);
    if (suggestion.best != NULL)
        return fail(error, "a slice has no '%s'; did you mean '%s='?", key, suggestion.best);
    return fail(error, "a slice has no '%s'; write " FORM, key);
}

bool values_parse_slice(const char *text, void *destination, BillowError *error)
{
    SliceAsk ask = slice_ask_default();
    ask.given = true;
    bool first = true;
    for (const char *start = text;; first = false) {
        char word[64];
        size_t length = strcspn(start, ",");
        if (length == 0 || length >= sizeof word)
            return fail(error, "'%.100s' is not " FORM, text);
        memcpy(word, start, length);
        word[length] = 0;
        char *equals = strchr(word, '=');
        if (first ? equals != NULL : equals == NULL)
            return fail(error, "'%s' is not " FORM, word);
        if (equals != NULL)
            *equals = 0;
        if (first ? !parse_field(word, &ask, error) : !parse_part(word, equals + 1, &ask, error))
            return false;
        if (start[length] == 0)
            break;
        start += length + 1;
    }
    *(SliceAsk *)destination = ask;
    return true;
}
