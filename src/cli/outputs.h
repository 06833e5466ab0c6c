/* SPDX-License-Identifier: MIT
 * The files that one command writes, each named by an option of its own. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "command.h"

typedef struct Output {
    const char *option, *path; /* path NULL: not asked for; "-": standard output */
} Output;

/* Whether each goes to a file of its own, and one at most to standard output: none is to be written
 * over another. Wrong usage where not. */
bool outputs_apart(const Output *outputs, int count, BillowError *error);

/* command_may_write for each. */
bool outputs_may_write(const CommandScene *settings, const Output *outputs, int count,
                       BillowError *error);

#endif
