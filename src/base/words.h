/* SPDX-License-Identifier: MIT
 * Numbers as little-endian bytes, whatever the byte order of the machine; bytes that are all 0. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool bytes_are_zero(const unsigned char *bytes, size_t count)
{
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

static inline void put32(unsigned char *bytes, uint32_t word)
{
    bytes[0] = (unsigned char)word;
    bytes[1] = (unsigned char)(word >> 8);
    bytes[2] = (unsigned char)(word >> 16);
    bytes[3] = (unsigned char)(word >> 24);
}

static inline void put64(unsigned char *bytes, uint64_t word)
{
    put32(bytes, (uint32_t)word);
    put32(bytes + 4, (uint32_t)(word >> 32));
}

static inline uint32_t get32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static inline uint64_t get64(const unsigned char *bytes)
{
    return get32(bytes) | (uint64_t)get32(bytes + 4) << 32;
}

static inline void put_double(unsigned char *bytes, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    put64(bytes, word);
}

static inline void put_float(unsigned char *bytes, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    put32(bytes, word);
}

static inline double get_double(const unsigned char *bytes)
{
    uint64_t word = get64(bytes);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline float get_float(const unsigned char *bytes)
{
    uint32_t word = get32(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

#endif
