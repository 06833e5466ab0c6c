/* SPDX-License-Identifier: MIT
 * For tests that wait for another thread or program. They define _POSIX_C_SOURCE, for nanosleep. */
#ifndef TESTS_PATIENCE_H
#define TESTS_PATIENCE_H

#include <time.h>

#define PATIENCE 120.0 /* s until a test gives up; sanitizers and busy machines are slow */

/* Sleeps for less than a second. */
static inline void nap(double seconds)
{
    struct timespec time = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&time, NULL);
}

#endif
