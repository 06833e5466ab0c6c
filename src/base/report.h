/* SPDX-License-Identifier: MIT
 *
 * How the program ends and what it says on the way: exit statuses, messages and progress. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum Status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_INTERRUPTED = 130,
    STATUS_TERMINATED = 143 /* interrupted by SIGTERM; only report_finish returns it */
} Status;

/* Prints "billow: <text>" as one line on standard error. Prints nothing for STATUS_DONE or an empty
 * text, but "interrupted" for STATUS_INTERRUPTED with an empty text. */
void report_status(Status status, const BillowError *error);
/* Prints the same line where nothing is wrong. */
void report_notice(const BillowError *notice);

/* Flushes standard output. Returns the status to exit with: STATUS_FAILED, with a message, where
 * a command was done but its output could not be written. */
Status report_finish(Status status);

/* Formats a number of bytes: "612 kB", "1.5 GB". */
void report_bytes(double bytes, char *text, size_t size);

/* A line on standard error that counts up and estimates the time left. It is shown only where
 * standard error is a terminal. */
typedef struct Progress {
    bool shown;
    double start; /* clock, s */
    double last;  /* time of the last update, s */
} Progress;

Progress progress_start(bool quiet);
void progress_update(Progress *progress, const char *what, int done, int total);
void progress_end(Progress *progress); /* clears the line */

#endif
