/* SPDX-License-Identifier: MIT
 *
 * Parses a command line by a table. One row per option holds its name, placeholder, help, type,
 * range and destination. Parsing, error messages and `--help` all use that row.
 *
 * Options may stand before, between or after the operands, as `--name value` or `--name=value`.
 * The word `--` ends the options. Only options of type ARGS_TEXTS may be given more than once.
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include "scene/scene_value.h"

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ARGS_TEXTS_MAX  1024
#define ARGS_WHOLES_MAX 32
#define ARGS_TABLES_MAX 10
#define ARGS_ROWS_MAX   32 /* options of a command, all its tables together */

/* Words of the command line. They live as long as argv. */
typedef struct ArgsTexts {
    const char *items[ARGS_TEXTS_MAX];
    int count;
} ArgsTexts;

typedef struct ArgsWholes {
    int items[ARGS_WHOLES_MAX];
    int count;
} ArgsWholes;

/* Type of an option, and C type of its destination. */
typedef enum ArgsType {
    ARGS_END,            /* no option: the last row of a table */
    ARGS_FLAG,           /* bool: the option takes no value and sets it to true */
    ARGS_WHOLE,          /* int in least..most */
    ARGS_NUMBER,         /* double in least..most, finite */
    ARGS_WHOLES,         /* ArgsWholes: "1,2,4", each in least..most */
    ARGS_TEXT,           /* const char *, not empty */
    ARGS_TEXT_OR_STDOUT, /* const char *: "-" if no value follows the option */
    ARGS_TEXTS,          /* ArgsTexts: one text for each time that the option is given */
    ARGS_PARSED          /* the type that the row's parse function fills */
} ArgsType;

/* Returns the name at an index of a list, or NULL if the index is that after the last name. */
typedef const char *ArgsName(int index);

typedef struct ArgsOption {
    const char *name; /* without the dashes */
    const char *placeholder;
    const char *help;
    ArgsType type;
    size_t offset; /* of the destination in the settings, bytes */
    double least, most;
    /* Parses the value of an ARGS_PARSED option. Its message need not name the option. */
    bool (*parse)(const char *text, void *destination, BillowError *error);
    ArgsName *names; /* known names in the value, which the help lists; NULL: none */
} ArgsOption;

/* Offset of a member of the settings. Does not compile unless the member has the type. */
#define ARGS_OFFSET(settings, member, type)                                                        \
    _Generic(((settings *)0)->member, type : offsetof(settings, member))

/* Rows of a table of options. `member` of `settings` is the destination. */
#define ARGS_ROW(type_, name_, placeholder_, settings, member, member_type, least_, most_, help_)  \
    {                                                                                              \
        .name = name_, .placeholder = placeholder_, .help = help_, .type = type_,                  \
        .offset = ARGS_OFFSET(settings, member, member_type), .least = least_, .most = most_       \
    }
#define ARGS_ROW_FLAG(name, settings, member, help)                                                \
    ARGS_ROW(ARGS_FLAG, name, NULL, settings, member, bool, 0, 0, help)
#define ARGS_ROW_WHOLE(name, placeholder, settings, member, least, most, help)                     \
    ARGS_ROW(ARGS_WHOLE, name, placeholder, settings, member, int, least, most, help)
#define ARGS_ROW_NUMBER(name, placeholder, settings, member, least, most, help)                    \
    ARGS_ROW(ARGS_NUMBER, name, placeholder, settings, member, double, least, most, help)
#define ARGS_ROW_TEXT(name, placeholder, settings, member, help)                                   \
    ARGS_ROW(ARGS_TEXT, name, placeholder, settings, member, const char *, 0, 0, help)
#define ARGS_ROW_PARSED(name, placeholder, settings, member, parse, help)                          \
    ARGS_ROW_NAMES(name, placeholder, settings, member, parse, NULL, help)
#define ARGS_ROW_NAMES(name_, placeholder_, settings, member, parse_, names_, help_)               \
    {                                                                                              \
        .name = name_, .placeholder = placeholder_, .help = help_, .type = ARGS_PARSED,            \
        .offset = offsetof(settings, member), .parse = parse_, .names = names_                     \
    }

typedef struct ArgsSpec {
    const char *name;    /* of the command */
    const char *summary; /* one line */
    const char *operand; /* as the usage line shows it: "SCENE", "[SCENE]", "FILE..."; or NULL */
    const char *operand_help;
    int operands_least, operands_most;
    size_t operands_offset;                    /* of an ArgsTexts in the settings, bytes */
    const ArgsOption *tables[ARGS_TABLES_MAX]; /* NULL past the last */
    const char *examples; /* lines "  billow ...   what it does" above the options, or NULL */
    const char *notes;    /* lines below the options, or NULL */
} ArgsSpec;

typedef enum ArgsResult { ARGS_GIVEN, ARGS_HELP, ARGS_WRONG } ArgsResult;

/* Parses the words after the command's name. settings holds the defaults and is filled in place.
 * Returns ARGS_HELP if --help or -h is found before any mistake, ARGS_WRONG with a message at the
 * first mistake. */
ArgsResult args_parse(const ArgsSpec *spec, int count, char *const *arguments, void *settings,
                      BillowError *error);

void args_print_help(const ArgsSpec *spec, FILE *stream);

/* Parses the whole text as a finite decimal number. Refuses spaces and hexadecimal. */
bool args_number(const char *text, double *value);
/* Parses the whole text as a whole number in the range of int. */
bool args_whole(const char *text, int *value);

/* Copies the next word of a list with commas and moves *list past it, or to NULL after the last
 * word. A word too long for the buffer is cut and fills it. Returns false if *list is NULL. */
bool args_next_word(const char **list, char *word, size_t size);

/* Finds the known name most similar to a misspelt word, or the first that begins with it. Set word,
 * offer each known name to args_suggest, then call args_unknown. */
void args_suggest(SceneSuggestion *suggestion, const char *name);

/* Fails with "<what> '<word>'" and, after a semicolon, the similar name or else the advice. dashes:
 * "--" for options, "" for other words. */
bool args_unknown(const SceneSuggestion *suggestion, const char *what, const char *dashes,
                  const char *advice, BillowError *error);

/* Index of a word among names. -1: it is none of them, with the message of args_unknown. */
int args_find(const char *word, ArgsName *names, const char *what, const char *advice,
              BillowError *error);

/* Lists names, as in "a, b and c", at most as much as fits. last: " and ". */
void args_list(ArgsName *names, const char *last, char *text, size_t size);

#endif
