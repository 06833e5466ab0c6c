/* SPDX-License-Identifier: MIT
 * Runs the built program from a test, in a temporary folder. */
#ifndef TESTS_CLI_HARNESS_H
#define TESTS_CLI_HARNESS_H

#include <stdbool.h>

typedef struct CliRun {
    int status; /* exit status; 256 + the number of the signal that ended it */
    char out[1 << 16], err[1 << 14];
} CliRun;

/* Group set-up and tear-down for cmocka: enter and remove the folder. */
int cli_enter_folder(void **state);
int cli_leave_folder(void **state);

/* Runs a line of shell in which $BILLOW is the program. Returns its output and status. */
void cli_run(CliRun *run, const char *line);
/* The same for a single command, which gets a signal once it heeds it and the line of shell `ready`
 * has succeeded. Each is awaited for a minute at most. */
void cli_run_signalled(CliRun *run, const char *line, const char *ready, int number);

/* Runs and fails the test unless the status is as expected; an error must be one line on standard
 * error that starts with "billow: " and contains the text. */
void cli_expect_done(CliRun *run, const char *line);
void cli_expect_failure(CliRun *run, const char *line, int status, const char *text);

/* Lines of shell. CLI_UNTIL waits until a condition holds, for at most a minute. CLI_WORK waits
 * until the process $p has used another 0.2 s of processor time, which takes longer on a busy
 * machine. */
#define CLI_UNTIL(condition) "for t in $(seq 3000); do " condition " && break; sleep 0.02; done; "
#define CLI_WORK                                                                                   \
    "used() { cut -d' ' -f14 /proc/$p/stat; }; before=$(used); " CLI_UNTIL(                        \
        "[ $(used) -gt $((before + 20)) ]")

void cli_write_file(const char *path, const char *text);
bool cli_file_exists(const char *path);
/* The number of entries of the current folder, to detect left-over temporary files. */
int cli_folder_entries(void);

#endif
