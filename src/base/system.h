/* SPDX-License-Identifier: MIT
 * What the commands ask of the operating system, each with a plain answer where it has none. */
#ifndef BASE_SYSTEM_H
#define BASE_SYSTEM_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Call first in main: a closed pipe becomes a write error, and no file this program opens can land
 * on a standard stream that the caller closed. */
void system_prepare_streams(void);

/* Call next, with main's arguments: a stack too small for what follows is raised where that is
 * allowed, which starts this program again, because new threads take the limit from before main.
 * False and a message where it is not allowed. */
bool system_check_stack(char *const *arguments, BillowError *error);

bool system_is_terminal(FILE *stream);

/* Sets an environment variable where it is unset and starts this program again, because some
 * libraries read their variables before main. Returns when that was done before or cannot be. */
void system_restart_with(const char *name, const char *value, char *const *arguments);

/* Call before a display or OpenGL is looked for: keeps their libraries from printing warnings of
 * their own on standard error, where this program says in one line what is missing. Variables that
 * the person has set stay. */
void system_hush_graphics(void);

/* Interrupt (Ctrl-C) and termination requests: watched after system_watch_interrupts; a second one
 * ends the process at once. */
void system_watch_interrupts(void);
bool system_interrupted(void);
/* Whether it was a request to terminate (SIGTERM). */
bool system_terminated(void);

/* Seconds that processors spent on this process, all threads together; NaN where unknown. */
double system_processor_seconds(void);

/* A folder at path, made where there is none; those above it must be there. */
bool system_make_folder(const char *path, BillowError *error);

int system_cores(void); /* processors this process may use, at least 1 */
void system_cpu_name(char *text, size_t size);
uint64_t system_cache(void); /* bytes of the last level that a core reaches; 0 where unknown */

/* Starts the record of the largest resident size afresh, where the system lets it. */
void system_reset_peak_memory(void);
uint64_t system_peak_memory(void); /* bytes; 0 where unknown */

#endif
