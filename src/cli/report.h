/* SPDX-License-Identifier: MIT
 *
 * What the commands say and how they end: exit statuses, the one line of a failure, and progress.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum Status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_INTERRUPTED = 130,
    STATUS_TERMINATED = 143 /* the same by SIGTERM: report_finish alone tells */
} Status;

/* "billow: <text>" on standard error, always one line. Return the status that goes with it. */
Status report_failure(const BillowError *error);
Status report_usage(const BillowError *error);
Status report_interrupted(void);
/* The same line where nothing is wrong. */
void report_notice(const BillowError *notice);
/* Whichever of them goes with the status; says nothing where that is STATUS_DONE. */
Status report_status(Status status, const BillowError *error);

/* Flushes standard output; what could not be written makes a done command a failed one. */
Status report_finish(Status status);

/* "612 kB", "1.5 GB": bytes as a person reads them. */
void report_bytes(double bytes, char *text, size_t size);

/* A line on standard error that counts up, with an estimate of the time left; shown only where
 * standard error is a terminal. */
typedef struct Progress {
    bool shown;
    double start, last; /* s, clock.h */
} Progress;

Progress progress_start(bool quiet);
void progress_update(Progress *progress, const char *what, int done, int total);
void progress_end(Progress *progress); /* clears the line */

#endif
