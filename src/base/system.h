/* SPDX-License-Identifier: MIT
 *
 * The program and its operating system: the start, signals, memory, processors, and the messages,
 * progress lines and exit statuses that the program gives. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* -- start: main calls these in this order ----------------------------------------------------- */

/* Makes a closed pipe a write error, and keeps the files that this program opens off the standard
 * streams that the caller closed. */
void system_prepare_streams(void);
/* Raises a stack limit that is too low, which restarts the program, because new threads take the
 * limit from before main. Needs main's arguments. False and a message if the limit cannot be
 * raised. */
bool system_check_stack(char *const *arguments, BillowError *error);
/* Sets an environment variable that is unset and restarts the program, because some libraries read
 * their variables before main. Returns if the program has been restarted already or cannot be. */
void system_restart_with(const char *name, const char *value, char *const *arguments);
/* Keeps the libraries for displays and OpenGL from printing warnings of their own. Must run before
 * they are first used. Variables that the user has set stay. */
void system_hush_graphics(void);

/* -- interrupts -------------------------------------------------------------------------------- */

/* From then on, the first Ctrl-C or SIGTERM is only noted; a second one ends the process. */
void system_watch_interrupts(void);
/* Whether Ctrl-C or SIGTERM has been noted. */
bool system_interrupted(void);
/* Whether the noted signal is SIGTERM. */
bool system_terminated(void);

/* -- memory and files -------------------------------------------------------------------------- */

uint64_t system_memory(void);           /* bytes; 0 if unknown */
uint64_t system_memory_available(void); /* bytes that can still be allocated; 0 if unknown */

/* Whether `bytes` more bytes fit. The message names what needs them ("a grid of 64x64x64") and what
 * to try ("a smaller --grid"). True if the available memory is unknown; then the allocation itself
 * reports the failure. */
bool system_check_memory(double bytes, const char *what, const char *advice, BillowError *error);

/* Resets the peak of the resident memory, if the system supports it. */
void system_reset_peak_memory(void);
uint64_t system_peak_memory(void); /* bytes; 0 if unknown */

/* Creates a folder if there is none. Its parent must exist. */
bool system_make_folder(const char *path, BillowError *error);

bool system_is_terminal(FILE *stream);

/* -- processors -------------------------------------------------------------------------------- */

int system_cores(void); /* processors that this process may use, at least 1 */
void system_cpu_name(char *text, size_t size);
uint64_t system_cache(void); /* bytes of the last-level cache of one core; 0 if unknown */
/* Processor time of all threads of this process, s; NaN if unknown. */
double system_processor_seconds(void);

/* -- messages ---------------------------------------------------------------------------------- */

typedef enum Status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_INTERRUPTED = 130,
    STATUS_TERMINATED = 143 /* interrupted by SIGTERM; only report_finish returns it */
} Status;

/* Prints "billow: <text>" as one line on standard error. Prints "interrupted" for
 * STATUS_INTERRUPTED with an empty text, and nothing for STATUS_DONE or any other empty text. */
void report_status(Status status, const BillowError *error);
/* Prints the same line for a message that is not an error. */
void report_notice(const BillowError *notice);

/* Flushes standard output and returns the exit status. A command that succeeded becomes
 * STATUS_FAILED, with a message, if its output could not be written. */
Status report_finish(Status status);

/* Formats a number of bytes: "612 kB", "1.5 GB". */
void report_bytes(double bytes, char *text, size_t size);

/* A line on standard error that shows the progress and the estimated time left. It appears only if
 * standard error is a terminal. */
typedef struct Progress {
    bool shown;
    double start; /* clock, s */
    double last;  /* clock at the last update, s */
} Progress;

Progress progress_start(bool quiet);
void progress_update(Progress *progress, const char *what, int done, int total);
void progress_end(Progress *progress); /* clears the line */

#endif
