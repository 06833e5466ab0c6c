/* SPDX-License-Identifier: MIT
 *
 * Command lines read by table: one row per option holds its name, placeholder, help, type, range
 * and destination, and parsing, messages and `--help` all come from that row.
 *
 * Options may stand before, between or after the operands, as `--name value` or `--name=value`;
 * `--` ends them. An option with a value stands once, unless its row says that it may be repeated.
 * Numbers are the whole word, finite and in range.
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ARGS_TEXTS_MAX  1024
#define ARGS_WHOLES_MAX 32
#define ARGS_TABLES_MAX 10
#define ARGS_ROWS_MAX   32 /* of all tables of a command */

/* Words of the command line. They live as long as argv. */
typedef struct ArgsTexts {
    const char *items[ARGS_TEXTS_MAX];
    int count;
} ArgsTexts;

typedef struct ArgsWholes {
    int items[ARGS_WHOLES_MAX];
    int count;
} ArgsWholes;

typedef enum ArgsType {
    ARGS_END,            /* closes a table of options */
    ARGS_FLAG,           /* bool: set to true, takes no value */
    ARGS_WHOLE,          /* int, least..most */
    ARGS_NUMBER,         /* double, least..most */
    ARGS_WHOLES,         /* ArgsWholes: "1,2,4", each least..most */
    ARGS_TEXT,           /* const char *, not empty */
    ARGS_TEXT_OR_STDOUT, /* const char *: "-" where no value follows */
    ARGS_TEXTS,          /* ArgsTexts: the only type that may be given repeatedly */
    ARGS_PARSED          /* the type that parse fills */
} ArgsType;

typedef struct ArgsOption {
    const char *name; /* without the dashes */
    const char *placeholder;
    const char *help;
    ArgsType type;
    size_t offset; /* of the destination in the settings */
    double least, most;
    /* For ARGS_PARSED. The message of a failure does not name the option. */
    bool (*parse)(const char *text, void *destination, BillowError *error);
} ArgsOption;

typedef struct ArgsSpec {
    const char *name;    /* of the command */
    const char *summary; /* one line */
    const char *operand; /* as the usage line shows it: "SCENE", "[SCENE]", "FILE..."; or NULL */
    const char *operand_help;
    int operands_least, operands_most;
    size_t operands_offset;                    /* of an ArgsTexts in the settings */
    const ArgsOption *tables[ARGS_TABLES_MAX]; /* NULL past the last */
    const char *notes;                         /* lines below the options, or NULL */
} ArgsSpec;

typedef enum ArgsResult { ARGS_GIVEN, ARGS_HELP, ARGS_WRONG } ArgsResult;

/* arguments are those after the command's name. settings holds the defaults and is filled in place.
 * ARGS_WRONG comes with a message; ARGS_HELP when --help or -h stands anywhere before a mistake. */
ArgsResult args_parse(const ArgsSpec *spec, int count, char *const *arguments, void *settings,
                      BillowError *error);

void args_print_help(const ArgsSpec *spec, FILE *stream);

/* The whole text as a number; no spaces, hexadecimal, infinities or NaN. */
bool args_number(const char *text, double *value);
/* The whole text as a whole number within int. */
bool args_whole(const char *text, int *value);

/* "Did you mean ...?": offered every known name, best is the nearest, or NULL when none is near. */
typedef struct ArgsSuggestion {
    const char *word;
    const char *best;
    int distance;
} ArgsSuggestion;
void args_suggest(ArgsSuggestion *suggestion, const char *name);

#endif
