/* SPDX-License-Identifier: MIT
 *
 * Another program that is run, and fed through a pipe where it wants to be. It has a process group
 * of its own, so that a terminal's Ctrl-C stops this program alone, which then lets it finish. The
 * process must ignore SIGPIPE: a child that is gone shows as a write that fails. */
#ifndef IO_CHILD_H
#define IO_CHILD_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct Child {
    pid_t process;
    int input;   /* of its standard input; -1: it has none */
    FILE *words; /* what it says on standard error */
} Child;

/* Looks for arguments[0] in PATH; NULL ends them. False and the reason where it cannot be started;
 * its standard output goes nowhere. */
bool child_start(Child *child, const char *const *arguments, bool fed, BillowError *error);

/* False where it no longer reads. */
bool child_feed(Child *child, const void *bytes, size_t count);

/* Ends its input and waits for it. True: it ended with status 0. Otherwise how it ended: the last
 * line it said, or its signal or status where it said nothing. */
bool child_end(Child *child, char *why, size_t size);

/* Both in one, for a program that reads no input. */
bool child_run(const char *const *arguments, char *why, size_t size);

#endif
