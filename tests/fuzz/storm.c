/* SPDX-License-Identifier: MIT
 * Tries a target on many changed copies of files, without libFuzzer:
 * `storm_vdb 100000 SEED FILE...`. Half of the changes are to what may be a length or a count: a
 * number of 2, 4 or 8 bytes, of either byte order, that is no larger than the file. They are
 * reached wherever they lie, past all heads. Every run can be repeated from its seed. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FILES_MOST = 256, CHANGES_MOST = 4, TRIES = 200 };

typedef struct Seed {
    uint8_t *bytes;
    size_t length;
} Seed;

static uint64_t state;

/* xorshift64* (Vigna 2016) */
static uint64_t draw(uint64_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545F4914F6CDD1Du >> 11) % below;
}

static uint64_t number_at(const uint8_t *bytes, int width, bool big)
{
    uint64_t number = 0;
    for (int b = 0; b < width; b++)
        number |= (uint64_t)bytes[big ? width - 1 - b : b] << (8 * b);
    return number;
}

static void put_number(uint8_t *bytes, int width, bool big, uint64_t number)
{
    for (int b = 0; b < width; b++)
        bytes[big ? width - 1 - b : b] = (uint8_t)(number >> (8 * b));
}

/* Changes what may be a length. */
static void change_length(uint8_t *bytes, size_t length)
{
    const int width = 2 << draw(3);
    const bool big = draw(4) == 0;
    for (int attempt = 0; attempt < TRIES && length > (size_t)width; attempt++) {
        size_t at = draw(length - (size_t)width);
        uint64_t number = number_at(bytes + at, width, big);
        if (number == 0 || number > length)
            continue;
        const uint64_t others[] = {
            ~number + 1,  number + 1, number - 1,
            2 * number,   number / 2, (uint64_t)1 << draw((uint64_t)8 * (uint64_t)width),
            ~(uint64_t)0, 0,          draw(2 * length),
            ~draw(length)};
        put_number(bytes + at, width, big, others[draw(sizeof others / sizeof others[0])]);
        return;
    }
}

static size_t change(uint8_t *bytes, size_t length)
{
    size_t at = draw(length), other = draw(length), count = 1 + draw(64);
    count = count < length - at ? count : length - at;
    count = count < length - other ? count : length - other;
    switch (draw(10)) {
    case 0:
        bytes[at] ^= (uint8_t)(1u << draw(8));
        break;
    case 1:
        bytes[at] = (uint8_t)draw(256);
        break;
    case 2:
        memmove(bytes + at, bytes + other, count);
        break;
    case 3:
        memset(bytes + at, draw(2) == 0 ? 0 : 255, count);
        break;
    case 4:
        if (draw(4) == 0 && at > 1)
            return at;
        break;
    default:
        change_length(bytes, length);
    }
    return length;
}

static bool load(const char *path, Seed *seed)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0)
        return false;
    seed->length = (size_t)ftell(stream);
    rewind(stream);
    seed->bytes = malloc(seed->length + 1);
    bool good = seed->bytes != NULL && seed->length > 1 &&
                fread(seed->bytes, 1, seed->length, stream) == seed->length;
    fclose(stream);
    return good;
}

/* Keeps what is tried, for the case that it ends this program. */
static void keep(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *stream = fopen(path, "wb");
    if (stream != NULL) {
        fwrite(bytes, 1, length, stream);
        fclose(stream);
    }
}

int main(int count, char **arguments)
{
    static Seed seeds[FILES_MOST];
    int files = 0;
    for (int a = 3; a < count && files < FILES_MOST; a++, files++)
        if (!load(arguments[a], &seeds[files])) {
            perror(arguments[a]);
            return 1;
        }
    if (files == 0)
        return 2;
    const long runs = strtol(arguments[1], NULL, 10);
    const unsigned long first = strtoul(arguments[2], NULL, 10);
    const char *kept = getenv("STORM_KEEP"); /* a file for each input, before it is tried */
    const time_t begin = time(NULL);
    for (long run = 0; run < runs; run++) {
        state = (first + (uint64_t)run) * 0x9E3779B97F4A7C15u + 1;
        const Seed *seed = &seeds[draw((uint64_t)files)];
        uint8_t *bytes = malloc(seed->length);
        size_t length = seed->length;
        if (bytes == NULL)
            return 1;
        memcpy(bytes, seed->bytes, length);
        for (uint64_t c = 1 + draw(CHANGES_MOST); c > 0; c--)
            length = change(bytes, length);
        bytes[0] = seed->bytes[0]; /* the kind of file, in some targets */
        if (kept != NULL)
            keep(kept, bytes, length);
        LLVMFuzzerTestOneInput(bytes, length);
        free(bytes);
        if ((run + 1) % 10000 == 0)
            fprintf(stderr, "%ld runs, %ld s\n", run + 1, (long)(time(NULL) - begin));
    }
    printf("%ld runs, %ld s\n", runs, (long)(time(NULL) - begin));
    return 0;
}
