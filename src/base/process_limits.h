/* SPDX-License-Identifier: MIT
 *
 * What the system allows this process: memory and processor time. Its control groups (cgroups of
 * version 1 and 2, of which each may lie within others) and its resource limits (setrlimit) may
 * allow less than the machine has. Systems without these files allow everything. */
#ifndef BASE_PROCESS_LIMITS_H
#define BASE_PROCESS_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ProcessLimits {
    double memory;      /* most memory that the process may have, bytes; INFINITY: no limit */
    double memory_left; /* memory that it can still allocate, bytes; INFINITY: unknown */
    double cores;       /* processor time that it may use, s per s; INFINITY: no limit */
} ProcessLimits;

/* Reads the limits. root: "" for this machine; tests give a folder that stands for its root. The
 * tightest limit counts. Of the memory of a group, the inactive part of the file cache is free,
 * because the system drops it on demand. A soft limit (memory.high) counts as a limit, because the
 * system slows a group down that exceeds it. */
ProcessLimits process_limits_read(const char *root);

/* Whether so many bytes can still be allocated. *left: receives memory_left. Few bytes are not
 * looked up: if they are not there, malloc fails. */
bool process_limits_allow(double bytes, double *left);

/* Number of threads for so many processors: at most what the processor time can use, at least 1. */
int process_limits_threads(int processors, double cores);

/* Finds the first line of the file that starts with key, and copies the text after key, without
 * colons and blanks at its start. Returns false if there is none. */
bool process_limits_line(const char *path, const char *key, char *text, size_t size);

#endif
