/* SPDX-License-Identifier: MIT
 * Files that something else than the command line names: ordinary ones alone, and no larger than
 * expected. Devices, pipes and folders are refused before a byte is read, so that none can hang the
 * program or fill its memory. */
#ifndef IO_WHOLE_FILE_H
#define IO_WHOLE_FILE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether there is an ordinary file to read of at most so many bytes. What is wrong stands in the
 * message without the path. */
bool whole_file_check(const char *path, size_t most, BillowError *error);

/* Its bytes, with a 0 behind them; to be freed. NULL and a message that begins with the path. */
char *whole_file_read(const char *path, size_t most, size_t *length, BillowError *error);

#endif
