/* SPDX-License-Identifier: MIT
 *
 * Files that are written completely or not at all. A file is written under a temporary name in its
 * folder. When it is complete, it is flushed to the device and renamed, and then the folder is
 * flushed. A committed file survives a power cut. Path "-" is standard output. */
#ifndef IO_ATOMIC_FILE_H
#define IO_ATOMIC_FILE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct AtomicFile {
    FILE *stream;
    char path[4096];
    char temporary[4112]; /* path of the temporary file; empty for standard output, devices and
                             pipes */
    int held;             /* descriptor that keeps the temporary file locked */
    int reason;           /* errno of the first atomic_file_put that failed, or 0 */
    bool replaces; /* whether atomic_file_commit replaces a file at the path; atomic_file_open sets
                      it, false after atomic_file_keep_others */
} AtomicFile;

/* Lets this process replace no more files: atomic_file_commit then fails if a file is at the path,
 * also if another program has written it since atomic_file_open. */
void atomic_file_keep_others(void);

/* Opens a file for writing. Fails with the path and the reason, such as a missing folder. If the
 * path is a pipe, waits for a reader until the program is interrupted. */
bool atomic_file_open(AtomicFile *file, const char *path, BillowError *error);
/* Writes like fwrite, and records the reason of a failure for atomic_file_commit. */
void atomic_file_put(AtomicFile *file, const void *bytes, size_t count);
/* Lets other processes write to the temporary file of an ordinary file as well, which has room for
 * `bytes` bytes then. Fails if the disk is full; call atomic_file_abandon then. */
bool atomic_file_share(AtomicFile *file, uint64_t bytes, BillowError *error);
/* Goes on writing after the bytes of the other processes, from this offset on. */
void atomic_file_seek(AtomicFile *file, uint64_t offset);
/* Completes the file and gives it its name (see `replaces`). On any error, such as a full disk,
 * removes the temporary file and reports the reason. */
bool atomic_file_commit(AtomicFile *file, BillowError *error);
/* Removes the temporary file. A file that was at the path before is unchanged. */
void atomic_file_abandon(AtomicFile *file);

/* Whether a file could be created at the path. Call it before long work. A file that is already at
 * the path is unchanged. Temporary files of killed processes in the same folder are removed. */
bool atomic_file_probe(const char *path, BillowError *error);

/* Whether the path is an ordinary file, which writing would replace. */
bool atomic_file_stands(const char *path);

#endif
