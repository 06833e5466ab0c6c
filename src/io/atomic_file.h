/* SPDX-License-Identifier: MIT
 *
 * Files written whole or not at all: under a temporary name in the same folder, flushed, synced,
 * and renamed when complete, with the folder synced after it: once committed they outlast a power
 * cut. Path "-" is standard output. */
#ifndef IO_ATOMIC_FILE_H
#define IO_ATOMIC_FILE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct AtomicFile {
    FILE *stream;
    char path[4096];
    char temporary[4112]; /* empty for standard output */
    int held;             /* the temporary, locked until it has its name (leftovers.h) */
    int reason;           /* errno of the first atomic_file_put that failed, or 0 */
} AtomicFile;

/* Fails with the path and the reason (missing folder, no permission, ...). A pipe waits for who
 * reads from it, or for an interrupt (interrupt.h). */
bool atomic_file_open(AtomicFile *file, const char *path, BillowError *error);
/* fwrite to the stream, after which atomic_file_commit knows the reason where it failed. */
void atomic_file_put(AtomicFile *file, const void *bytes, size_t count);
/* Closes and renames; on any error (full disk included) removes the temporary and says why. */
bool atomic_file_commit(AtomicFile *file, BillowError *error);
/* Closes and removes the temporary; what stood at path before is untouched. */
void atomic_file_abandon(AtomicFile *file);

/* Whether a file could be created at path, tried without touching what is there: asked before long
 * work whose result would have nowhere to go. What a killed process left in that folder goes. */
bool atomic_file_probe(const char *path, BillowError *error);

/* Whether a file stands at path that a new one would replace: no standard output, device, pipe or
 * folder. */
bool atomic_file_stands(const char *path);

#endif
