/* SPDX-License-Identifier: MIT
 *
 * Files that are written whole or not at all. A file gets a temporary name in its folder, is
 * flushed to the device and renamed when complete; then the folder is flushed. A committed file
 * survives a power cut. Path "-" is standard output. */
#ifndef IO_ATOMIC_FILE_H
#define IO_ATOMIC_FILE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct AtomicFile {
    FILE *stream;
    char path[4096];
    char temporary[4112]; /* empty for standard output, devices and pipes */
    int held;             /* descriptor that keeps the temporary file locked */
    int reason;           /* errno of the first atomic_file_put that failed, or 0 */
} AtomicFile;

/* Fails with the path and the reason (missing folder, no permission, ...). A pipe is waited for
 * until it has a reader or the program is interrupted. */
bool atomic_file_open(AtomicFile *file, const char *path, BillowError *error);
/* Like fwrite, but remembers why it failed for atomic_file_commit. */
void atomic_file_put(AtomicFile *file, const void *bytes, size_t count);
/* Closes and renames. On any error, a full disk included, removes the temporary and says why. */
bool atomic_file_commit(AtomicFile *file, BillowError *error);
/* Closes and removes the temporary. A file that was at the path before stays untouched. */
void atomic_file_abandon(AtomicFile *file);

/* Whether a file could be created at the path. Nothing there is touched; temporary files of killed
 * processes in that folder are removed. Ask before long work. */
bool atomic_file_probe(const char *path, BillowError *error);

/* Whether an ordinary file is at the path, which a new one would replace. */
bool atomic_file_stands(const char *path);

#endif
