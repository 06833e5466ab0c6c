/* SPDX-License-Identifier: MIT
 * Filling a BillowError: the one way errors travel up. */
#ifndef BASE_FAIL_H
#define BASE_FAIL_H

#include <billow/error.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define FAIL_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define FAIL_FORMAT
#endif

/* Writes the message (cut to fit) and returns false, so that `return fail(error, ...)` reads as
 * what it does. error may be NULL. */
bool fail(BillowError *error, const char *format, ...) FAIL_FORMAT;

#endif
