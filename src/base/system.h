/* SPDX-License-Identifier: MIT
 *
 * The program and its operating system: the start, signals, memory, processors, and the messages,
 * progress lines and exit statuses that the program gives. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include "base/number.h"

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* -- start: main calls these in this order ----------------------------------------------------- */

/* Prepares standard input, output and error. A write to a closed pipe, or beyond the limit of the
 * size of files, becomes an error instead of a signal. A stream that the caller closed is opened on
 * /dev/null, so that no file of this program gets its number. */
void system_prepare_streams(void);
/* Checks the stack limit. If it is too low, raises it and restarts the program with main's
 * arguments, because threads take the limit that the process starts with. Returns false, with a
 * message, if the limit cannot be raised. */
bool system_check_stack(char *const *arguments, BillowError *error);
/* If the environment variable name is unset, sets it to value and restarts the program. Some
 * libraries read their variables before main. Returns without a restart if the program has been
 * restarted before or cannot be restarted. */
void system_restart_with(const char *name, const char *value, char *const *arguments);
/* Stops the display and OpenGL libraries from printing warnings. Must run before their first use.
 * Variables that the user has set do not change. */
void system_hush_graphics(void);

/* -- interrupts -------------------------------------------------------------------------------- */

/* Starts to catch the signals that end a run: SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGQUIT, SIGXCPU,
 * and SIGUSR1, which batch systems and mpirun pass on. A signal is recorded the first time, and
 * ends the process the second time; SIGHUP and SIGXCPU, which the system itself repeats, do not.
 * Signals that are ignored stay ignored, as under nohup or in the background of a script. */
void system_watch_interrupts(void);
/* Notes that a wait for another program was given up because of such a signal. A run that fails
 * then ends with the status of the signal. */
void system_give_up(void);
/* Starts to catch SIGUSR2, which asks for a checkpoint. In a program that never calls
 * system_checkpoint_asked the signal then has no effect. */
void system_watch_checkpoints(void);
/* Whether a signal that ends the run has been recorded. */
bool system_interrupted(void);
/* Whether SIGUSR2 has come since the last call. */
bool system_checkpoint_asked(void);

/* -- secrets ----------------------------------------------------------------------------------- */

/* Reads a line that nobody else should see, without the spaces around it: from a file; from
 * standard input if path is "-"; or, if path is NULL, from the terminal, after the prompt and
 * without showing what is typed. A signal that is watched ends the wait. Returns false with a
 * message if there is no such line. */
bool system_read_secret(const char *path, const char *prompt, char *text, size_t room,
                        BillowError *error);
/* Writes a line to a new file that the user alone may read, in place of one that is there. Path "-"
 * is standard output. */
bool system_write_secret(const char *path, const char *text, BillowError *error);

/* -- memory and files -------------------------------------------------------------------------- */

uint64_t system_memory(void); /* installed memory, bytes; 0 if unknown */
/* Memory that can still be allocated, bytes; 0 if unknown. See process_limits.h. */
uint64_t system_memory_available(void);

/* Checks that `bytes` can still be allocated. The error message names what needs them ("a grid of
 * 64x64x64") and the advice ("a smaller --grid"). Returns true if the available memory is unknown;
 * a failed allocation reports its own error. */
bool system_check_memory(double bytes, const char *what, const char *advice, BillowError *error);

/* Resets the peak of the resident memory, if the system supports it. */
void system_reset_peak_memory(void);
uint64_t system_peak_memory(void); /* peak resident memory, bytes; 0 if unknown */

/* Creates a folder, or does nothing if it exists. Its parent must exist. */
bool system_make_folder(const char *path, BillowError *error);

/* Says why a write failed, after errno. */
const char *system_write_reason(int reason);

/* Says why dlopen or dlsym failed. */
const char *system_module_reason(void);

bool system_is_terminal(FILE *stream);
enum { SYSTEM_PATH = 4096 };
/* Finds the file of this program. */
bool system_find_program(char path[SYSTEM_PATH]);
/* Finds a folder that belongs to the program: share/billow/NAME of its installation, or build/NAME
 * of its source tree. Returns false if there is none. */
bool system_find_folder(const char *name, char path[SYSTEM_PATH]);

/* -- processors -------------------------------------------------------------------------------- */

int system_processors(void); /* processors that this process may run on, at least 1 */
/* The same, but no more than the quota of processor time of its control group can use. */
int system_cores(void);
void system_cpu_name(char *text, size_t size);
uint64_t system_cache(void); /* size of the last-level cache, bytes; 0 if unknown */
/* Processor time of all threads of this process, s; NaN if unknown. */
double system_processor_seconds(void);

/* -- messages ---------------------------------------------------------------------------------- */

typedef enum Status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_INTERRUPTED = 130
} Status;

/* Fails with a message, as `fail`, and returns the status. */
Status status_fail(Status status, BillowError *error, const char *format, ...) NUMBER_FORMAT(3, 4);

/* Prints "billow: " and the message as one line on standard error. An empty message prints nothing,
 * except that STATUS_INTERRUPTED prints "interrupted". */
void report_status(Status status, const BillowError *error);
/* Prints "billow: " and a message that is not an error. */
void report_notice(const BillowError *notice);

/* Flushes standard output and returns the exit status. That of an interrupted run is 128 plus the
 * number of the signal, and 130 after SIGUSR1. If the status is STATUS_DONE but standard output
 * could not be written, prints a message and returns STATUS_FAILED. */
int report_finish(Status status);

/* Lets this process print nothing: neither messages nor progress nor on standard output. */
void system_hush_messages(void);

/* Formats a number of bytes: "612 kB", "1.5 GB". */
void report_bytes(double bytes, char *text, size_t size);

/* Shows the progress also if standard error is no terminal: a new line each time. */
void system_show_progress(void);

/* A line on standard error that shows the progress and the estimated time left. It appears only if
 * standard error is a terminal. */
typedef struct Progress {
    bool shown;
    bool lines;   /* write a new line each time */
    double start; /* clock, s */
    double last;  /* clock at the last update, s */
} Progress;

Progress progress_start(bool quiet);
void progress_update(Progress *progress, const char *what, int done, int total);
void progress_end(Progress *progress); /* clears the line */

#endif
