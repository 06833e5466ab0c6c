/* SPDX-License-Identifier: MIT
 *
 * What every target of the fuzzer offers: one input, tried. libFuzzer calls it with what it makes
 * up; replay.c, which needs no libFuzzer, with files. A target ends the program where something
 * that must hold does not, as sanitizers do. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says what does not hold, and ends the program. */
#define FUZZ_HOLDS(condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_fail(__FILE__, __LINE__, #condition);                                             \
    } while (0)

_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

#endif
