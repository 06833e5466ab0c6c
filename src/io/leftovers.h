/* SPDX-License-Identifier: MIT
 *
 * Temporary files that a killed process left behind. One that lives holds a lock on each of its own
 * (flock), which ends with it however it ends, and which other machines and containers that share
 * the folder see as well; a process's number would tell them nothing. */
#ifndef IO_LEFTOVERS_H
#define IO_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

enum { LEFTOVERS_NAME = 64 };

/* The number-th name, without a folder, that this process may give a temporary file. */
void leftovers_name(int number, char name[LEFTOVERS_NAME]);

/* Marks a temporary file, just created, as one of a process that lives. False: somebody took it for
 * a leftover in that moment, and its name is gone. */
bool leftovers_hold(int descriptor);

/* Removes all that nobody holds from the folder, "" the current one; those of other users and what
 * has another name stay. */
void leftovers_remove(const char *folder);

#endif
