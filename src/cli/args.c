/* SPDX-License-Identifier: MIT */
#include "cli/args.h"

#include "base/fail.h"
#include "base/number.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool args_number(const char *text, double *value)
{
    double number;
    if (!number_read_decimal(text, &number) || !isfinite(number))
        return false;
    *value = number;
    return true;
}

bool args_whole(const char *text, int *value)
{
    size_t length = strlen(text);
    if (length == 0 || strspn(text, "0123456789+-") != length)
        return false;
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end != text + length || errno != 0 || number < INT_MIN || number > INT_MAX)
        return false;
    *value = (int)number;
    return true;
}

void args_suggest(SceneSuggestion *suggestion, const char *name)
{
    size_t length = strlen(suggestion->word);
    if (scene_suggest(suggestion, name) || suggestion->best != NULL || length < 3 ||
        strncmp(suggestion->word, name, length) != 0)
        return;
    suggestion->best = name; /* the beginning of a name, behind all names that are similar */
    suggestion->distance = 100;
}

bool args_unknown(const SceneSuggestion *suggestion, const char *what, const char *dashes,
                  const char *advice, BillowError *error)
{
    if (suggestion->best != NULL)
        return fail(error, "%s '%s%.200s'; did you mean '%s%s'?", what, dashes, suggestion->word,
                    dashes, suggestion->best);
    return fail(error, "%s '%s%.200s'; %s", what, dashes, suggestion->word, advice);
}

int args_find(const char *word, ArgsName *names, const char *what, const char *advice,
              BillowError *error)
{
    SceneSuggestion suggestion = {.word = word};
    for (int index = 0; names(index) != NULL; index++) {
        if (strcmp(names(index), word) == 0)
            return index;
        args_suggest(&suggestion, names(index));
    }
    args_unknown(&suggestion, what, "", advice, error);
    return -1;
}

void args_list(ArgsName *names, const char *last, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int index = 0; names(index) != NULL && used < size; index++) {
        const char *join = index == 0 ? "" : names(index + 1) == NULL ? last : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", join, names(index));
    }
}

bool args_next_word(const char **list, char *word, size_t size)
{
    if (*list == NULL)
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return true;
}

static bool in_range(const ArgsOption *option, double value)
{
    return value >= option->least && value <= option->most;
}

static bool parse_wholes(const ArgsOption *option, const char *text, ArgsWholes *list,
                         BillowError *error)
{
    ArgsWholes parsed = {.count = 0};
    char word[32];
    while (args_next_word(&text, word, sizeof word)) {
        int value;
        if (strlen(word) == sizeof word - 1)
            return fail(error, "a number in the list is too long");
        if (!args_whole(word, &value))
            return fail(error, "must be whole numbers, such as 1,2,4, not '%s'", word);
        if (!in_range(option, value))
            return fail(error, "must be %.15g to %.15g each, not %d", option->least, option->most,
                        value);
        if (parsed.count == ARGS_WHOLES_MAX)
            return fail(error, "more than %d numbers", ARGS_WHOLES_MAX);
        parsed.items[parsed.count++] = value;
    }
    *list = parsed;
    return true;
}

static bool add_text(ArgsTexts *texts, const char *text, BillowError *error)
{
    if (texts->count == ARGS_TEXTS_MAX)
        return fail(error, "given more than %d times", ARGS_TEXTS_MAX);
    texts->items[texts->count++] = text;
    return true;
}

/* Copies the value into the settings, whose type is not known here. */
static void store(const ArgsOption *option, void *settings, const void *value, size_t size)
{
    memcpy((char *)settings + option->offset, value, size);
}

static bool store_value(const ArgsOption *option, const char *text, void *settings,
                        BillowError *error)
{
    void *destination = (char *)settings + option->offset;
    double number;
    int whole;
    switch (option->type) {
    case ARGS_WHOLE:
        if (!args_whole(text, &whole))
            return fail(error, "must be a whole number, %.15g to %.15g, not '%s'", option->least,
                        option->most, text);
        if (!in_range(option, whole))
            return fail(error, "must be %.15g to %.15g, not %d", option->least, option->most,
                        whole);
        store(option, settings, &whole, sizeof whole);
        return true;
    case ARGS_NUMBER:
        if (!args_number(text, &number))
            return fail(error, "must be a number, %.15g to %.15g, not '%s'", option->least,
                        option->most, text);
        if (!in_range(option, number))
            return fail(error, "must be %.15g to %.15g, not %s", option->least, option->most, text);
        store(option, settings, &number, sizeof number);
        return true;
    case ARGS_WHOLES:
        return parse_wholes(option, text, destination, error);
    case ARGS_TEXT:
    case ARGS_TEXT_OR_STDOUT:
        if (text[0] == 0)
            return fail(error, "the value is empty");
        store(option, settings, &text, sizeof text);
        return true;
    case ARGS_TEXTS:
        return add_text(destination, text, error);
    case ARGS_PARSED:
        return option->parse(text, destination, error);
    case ARGS_END:
    case ARGS_FLAG:
        break;
    }
    return true;
}

/* Returns the option after `before` in the tables of a command, the first if `before` is NULL, or
 * NULL after the last. */
static const ArgsOption *next_option(const ArgsSpec *spec, int *table, const ArgsOption *before)
{
    const ArgsOption *next = before != NULL ? before + 1 : spec->tables[ *table = 0];
    while (next != NULL && next->type == ARGS_END)
        next = ++*table < ARGS_TABLES_MAX ? spec->tables[*table] : NULL;
    return next;
}

static const ArgsOption *find_option(const ArgsSpec *spec, const char *name, size_t length)
{
    const ArgsOption *row = NULL;
    int table;
    while ((row = next_option(spec, &table, row)) != NULL)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            break;
    return row;
}

static bool unknown_option(const ArgsSpec *spec, const char *name, size_t length,
                           BillowError *error)
{
    char word[64], what[64], advice[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), name);
    snprintf(what, sizeof what, "'%s' has no option", spec->name);
    snprintf(advice, sizeof advice, "'billow %s --help' lists them", spec->name);
    SceneSuggestion suggestion = {.word = word};
    args_suggest(&suggestion, "help");
    const ArgsOption *row = NULL;
    int table;
    while ((row = next_option(spec, &table, row)) != NULL)
        args_suggest(&suggestion, row->name);
    return args_unknown(&suggestion, what, "--", advice, error);
}

/* Fails for an option with one dash. Names the option that was meant if only one begins so. */
static void single_dash(const ArgsSpec *spec, const char *argument, BillowError *error)
{
    size_t length = strlen(argument + 1);
    const char *meant = strncmp("help", argument + 1, length) == 0 ? "help" : NULL;
    int count = meant != NULL ? 1 : 0, table;
    const ArgsOption *row = NULL;
    while ((row = next_option(spec, &table, row)) != NULL)
        if (strncmp(row->name, argument + 1, length) == 0) {
            meant = row->name;
            count++;
        }
    if (count == 1)
        fail(error, "'%s' has no option '%.200s'; did you mean '--%s'?", spec->name, argument,
             meant);
    else
        fail(error,
             "'%s' has no option '%.200s'; options begin with two dashes, and 'billow %s "
             "--help' lists them",
             spec->name, argument, spec->name);
}

/* Position in the command line while it is parsed. */
typedef struct Cursor {
    int count, next;
    char *const *arguments;
    const ArgsOption *given[ARGS_ROWS_MAX]; /* options found so far, except ARGS_TEXTS */
    int given_count;
} Cursor;

/* Fails if the option was given before. */
static bool take_once(const ArgsOption *option, Cursor *cursor, BillowError *error)
{
    if (option->type == ARGS_TEXTS)
        return true;
    for (int index = 0; index < cursor->given_count; index++)
        if (cursor->given[index] == option)
            return fail(error, "--%s is given twice; write it once: --%s %s", option->name,
                        option->name, option->placeholder);
    assert(cursor->given_count < ARGS_ROWS_MAX);
    cursor->given[cursor->given_count++] = option;
    return true;
}

/* Returns the text after '=', or the next word unless that is an option; NULL: no value. */
static const char *option_value(const ArgsOption *option, const char *equals, Cursor *cursor)
{
    if (equals != NULL)
        return equals + 1;
    if (cursor->next < cursor->count && strncmp(cursor->arguments[cursor->next], "--", 2) != 0)
        return cursor->arguments[cursor->next++];
    return option->type == ARGS_TEXT_OR_STDOUT ? "-" : NULL;
}

static bool parse_option(const ArgsSpec *spec, const char *argument, Cursor *cursor, void *settings,
                         BillowError *error)
{
    const char *name = argument + 2;
    const char *equals = strchr(name, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    const ArgsOption *option = find_option(spec, name, length);
    if (option == NULL)
        return unknown_option(spec, name, length, error);
    if (option->type == ARGS_FLAG) {
        bool given = true;
        if (equals != NULL)
            return fail(error, "--%s takes no value", option->name);
        store(option, settings, &given, sizeof given);
        return true;
    }
    const char *text = option_value(option, equals, cursor);
    if (text == NULL)
        return fail(error, "--%s needs a value: --%s %s", option->name, option->name,
                    option->placeholder);
    if (!take_once(option, cursor, error))
        return false;
    BillowError reason;
    if (!store_value(option, text, settings, &reason))
        return fail(error, "--%s: %s", option->name, reason.text);
    return true;
}

static bool take_operand(const ArgsSpec *spec, const char *argument, void *settings,
                         BillowError *error)
{
    if (spec->operand == NULL)
        return fail(error, "'%s' takes options alone, not '%.200s'; see 'billow %s --help'",
                    spec->name, argument, spec->name);
    const char *name = spec->operand + strspn(spec->operand, "["); /* "[SCENE]" or "FILE..." */
    ArgsTexts *operands = (ArgsTexts *)(void *)((char *)settings + spec->operands_offset);
    if (operands->count >= spec->operands_most)
        return fail(error, "'%s' takes at most %d %.*s; leave '%.200s' out", spec->name,
                    spec->operands_most, (int)strcspn(name, "]."), name, argument);
    if (argument[0] == 0)
        return fail(error, "'%s': %s is empty", spec->name, spec->operand);
    return add_text(operands, argument, error);
}

ArgsResult args_parse(const ArgsSpec *spec, int count, char *const *arguments, void *settings,
                      BillowError *error)
{
    Cursor cursor = {.count = count, .arguments = arguments};
    bool options_ended = false;
    while (cursor.next < count) {
        const char *argument = arguments[cursor.next++];
        bool option = !options_ended && argument[0] == '-' && argument[1] != 0;
        if (option && strcmp(argument, "--") == 0) {
            options_ended = true;
        } else if (option && (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)) {
            return ARGS_HELP;
        } else if (option && argument[1] != '-') {
            single_dash(spec, argument, error);
            return ARGS_WRONG;
        } else if (option ? !parse_option(spec, argument, &cursor, settings, error)
                          : !take_operand(spec, argument, settings, error)) {
            return ARGS_WRONG;
        }
    }
    if (spec->operand != NULL) {
        const ArgsTexts *operands =
            (const ArgsTexts *)(const void *)((const char *)settings + spec->operands_offset);
        if (operands->count < spec->operands_least) {
            fail(error, "'%s' needs %s; see 'billow %s --help'", spec->name, spec->operand,
                 spec->name);
            return ARGS_WRONG;
        }
    }
    return ARGS_GIVEN;
}

enum { HELP_COLUMN = 28, HELP_WIDTH = 96 };

/* Prints text in the column to the right of the options. column: where the line is now. */
static void print_wrapped(FILE *stream, const char *text, int column)
{
    while (*text != 0) {
        int length = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            fprintf(stream, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        bool first = column == HELP_COLUMN;
        fprintf(stream, "%s%.*s", first ? "" : " ", length, text);
        column += length + (first ? 0 : 1);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

static void print_row(FILE *stream, const char *left, const char *text)
{
    fprintf(stream, "  %-*s", HELP_COLUMN - 2, left);
    if (strlen(left) > HELP_COLUMN - 4)
        fprintf(stream, "\n%*s", HELP_COLUMN, "");
    print_wrapped(stream, text, HELP_COLUMN);
}

static void print_option(FILE *stream, const ArgsOption *option)
{
    char left[128], text[1024];
    const char *placeholder = option->placeholder != NULL ? option->placeholder : "";
    snprintf(left, sizeof left, option->type == ARGS_TEXT_OR_STDOUT ? "--%s [%s]" : "--%s %s",
             option->name, placeholder);
    char names[512];
    if (option->names != NULL) {
        args_list(option->names, " or ", names, sizeof names);
        snprintf(text, sizeof text, "%s (%s)", option->help, names);
    } else if (option->most > option->least)
        number_print(text, sizeof text, "%s (%.15g to %.15g)", option->help, option->least,
                     option->most);
    else
        snprintf(text, sizeof text, "%s", option->help);
    print_row(stream, left, text);
}

void args_print_help(const ArgsSpec *spec, FILE *stream)
{
    fprintf(stream, "billow %s: %s\n\nusage: billow %s%s%s [OPTIONS]\n\n", spec->name,
            spec->summary, spec->name, spec->operand != NULL ? " " : "",
            spec->operand != NULL ? spec->operand : "");
    if (spec->examples != NULL)
        fprintf(stream, "%s\n", spec->examples);
    if (spec->operand != NULL) {
        print_row(stream, spec->operand, spec->operand_help);
        fputc('\n', stream);
    }
    const ArgsOption *row = NULL;
    int table;
    while ((row = next_option(spec, &table, row)) != NULL)
        print_option(stream, row);
    print_row(stream, "--help", "this text");
    if (spec->notes != NULL)
        fprintf(stream, "\n%s", spec->notes);
}
