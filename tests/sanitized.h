/* SPDX-License-Identifier: MIT
 * Whether a sanitizer watches the test. It sees each path of the code once, on small grids: tests
 * compare results where nothing slows them down. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#include <stdbool.h>

#ifdef BILLOW_SANITIZED
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

/* Skips a test that takes long and runs the code of other tests. */
#define skip_sanitized()                                                                           \
    do                                                                                             \
        if (SANITIZED)                                                                             \
            skip();                                                                                \
    while (0)

#endif
