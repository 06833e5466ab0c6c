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

/* Counts an input that got so far, for example past the checksums. The counts are printed when the
 * program ends. stage: a literal; at most 8 different ones. */
void fuzz_count(const char *stage);
unsigned long fuzz_counted(const char *stage);

/* -- mutators ----------------------------------------------------------------------------------
 *
 * libFuzzer's own mutations break lengths, checksums and packed data, so that hardly an input gets
 * past them. A target that defines LLVMFuzzerCustomMutator changes the contents instead. */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Random whole numbers below `below`. */
unsigned fuzz_random(unsigned *seed, size_t below);

/* Change the bytes from `begin` to `end` of an input, which has room for `most` bytes, and return
 * its new size: any bytes, moving those after `end`; a few bytes, which stay as many; or one
 * decimal number of a text. */
size_t fuzz_mutate_part(uint8_t *data, size_t size, size_t most, size_t begin, size_t end);
size_t fuzz_mutate_inside(uint8_t *data, size_t size, size_t begin, size_t end, unsigned *seed);
size_t fuzz_mutate_number(uint8_t *data, size_t size, size_t most, size_t begin, size_t end,
                          unsigned *seed);
/* Changes a text: a number of it, or any bytes. */
size_t fuzz_mutate_text(uint8_t *data, size_t size, size_t most, size_t begin, size_t end,
                        unsigned *seed);

#endif
