/* SPDX-License-Identifier: MIT
 *
 * Whether other programs ran on the processors while something was timed, and the words that name
 * what they disturbed. */
#ifndef CLI_QUIET_H
#define CLI_QUIET_H

#include <stdbool.h>
#include <stdio.h>

#define QUIET_SHARE 0.85 /* of the processors' time, below which a figure is disturbed */

/* The times at which a measurement began. */
typedef struct QuietWatch {
    double start, processor; /* s: of the clock, and spent by this process */
} QuietWatch;

QuietWatch quiet_watch(void);

/* The process's processor time since, of what so many threads could have had; NaN where unknown. */
double quiet_share_since(QuietWatch watch, int threads);

/* More threads than cores sleep of themselves, so that their share says nothing. */
bool quiet_disturbed(double share, int threads, int cores);

/* The disturbed among some figures, with the words for the worst of them. */
typedef struct QuietTally {
    const char *noun; /* "results" */
    int cores;
    int figures, disturbed;
    char worst[96]; /* "64x64x64 on 2 threads" */
    double share;   /* of the worst */
} QuietTally;

/* The next figure; what: "64x64x64". */
void quiet_count(QuietTally *tally, double share, int threads, const char *what);

/* Two lines, or nothing where all was quiet. */
void quiet_print(const QuietTally *tally, FILE *stream);

#endif
