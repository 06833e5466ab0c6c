/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

/* -- stages ------------------------------------------------------------------------------------ */

static struct Stage {
    const char *name;
    unsigned long count;
} stages[8];

static void print_stages(void)
{
    for (int s = 0; s < 8 && stages[s].name != NULL; s++)
        fprintf(stderr, "stage: %lu inputs %s\n", stages[s].count, stages[s].name);
}

void fuzz_count(const char *stage)
{
    int s = 0;
    if (stages[0].name == NULL)
        atexit(print_stages);
    while (s < 7 && stages[s].name != NULL && strcmp(stages[s].name, stage) != 0)
        s++;
    stages[s].name = stage;
    stages[s].count++;
}

unsigned long fuzz_counted(const char *stage)
{
    for (int s = 0; s < 8 && stages[s].name != NULL; s++)
        if (strcmp(stages[s].name, stage) == 0)
            return stages[s].count;
    return 0;
}

/* -- mutators ---------------------------------------------------------------------------------- */

/* libFuzzer's; replays have none and call no mutator. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

unsigned fuzz_random(unsigned *seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (unsigned)((*seed >> 8) % (below > 0 ? below : 1));
}

/* Replaces the bytes from `begin` to `end`. Returns the new size, or the old one where there is no
 * room. */
static size_t replace(uint8_t *data, size_t size, size_t most, size_t begin, size_t end,
                      const uint8_t *bytes, size_t count)
{
    if (size - (end - begin) + count > most)
        return size;
    memmove(data + begin + count, data + end, size - end);
    memcpy(data + begin, bytes, count);
    return size - (end - begin) + count;
}

size_t fuzz_mutate_part(uint8_t *data, size_t size, size_t most, size_t begin, size_t end)
{
    const size_t room = most - (size - (end - begin));
    uint8_t *part = malloc(room + 1);
    FUZZ_HOLDS(part != NULL);
    memcpy(part, data + begin, end - begin);
    size = replace(data, size, most, begin, end, part, LLVMFuzzerMutate(part, end - begin, room));
    free(part);
    return size;
}

size_t fuzz_mutate_inside(uint8_t *data, size_t size, size_t begin, size_t end, unsigned *seed)
{
    uint8_t part[32];
    if (begin >= end)
        return size;
    size_t at = begin + fuzz_random(seed, end - begin), count = 1 + fuzz_random(seed, 16);
    if (fuzz_random(seed, 2) == 0)
        at -= (at - begin) % 4; /* where numbers begin */
    count = count < end - at ? count : end - at;
    memcpy(part, data + at, count);
    LLVMFuzzerMutate(part, count, count);
    memcpy(data + at, part, count);
    return size;
}

static int is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

size_t fuzz_mutate_number(uint8_t *data, size_t size, size_t most, size_t begin, size_t end,
                          unsigned *seed)
{
    static const char *const numbers[] = {
        "0",    "1",          "-1",         "2",     "3",    "8",   "255",   "65535", "1e6",
        "1e-6", "2147483647", "4294967295", "-0.0",  "1e38", "0.5", "1e999", "nan",   "5126",
        "5123", "5121",       "1000000001", "1e-45", "-2",   "4",   "12",    "0.001", "-1e6"};
    size_t at = begin + fuzz_random(seed, end - begin), stop;
    while (at < end && !is_digit(data[at]))
        at++;
    while (at > begin && (is_digit(data[at - 1]) || data[at - 1] == '.' || data[at - 1] == '-'))
        at--;
    for (stop = at; stop < end && (is_digit(data[stop]) || strchr(".-+eE", data[stop]) != NULL) &&
                    data[stop] != 0;)
        stop++;
    const char *number = numbers[fuzz_random(seed, sizeof numbers / sizeof numbers[0])];
    if (stop == at)
        return size;
    return replace(data, size, most, at, stop, (const uint8_t *)number, strlen(number));
}

size_t fuzz_mutate_text(uint8_t *data, size_t size, size_t most, size_t begin, size_t end,
                        unsigned *seed)
{
    return fuzz_random(seed, 3) == 0 ? fuzz_mutate_number(data, size, most, begin, end, seed)
                                     : fuzz_mutate_part(data, size, most, begin, end);
}
