/* SPDX-License-Identifier: MIT
 *
 * The hash FNV-1a with 64 bits (Fowler, Noll and Vo 1991). It does not protect against
 * forgery. Begin with HASH_START. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u

/* Adds one byte. A longer word is added as a whole, not byte by byte. */
static inline uint64_t hash_add(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x100000001b3u;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t b = 0; b < count; b++)
        hash = hash_add(hash, at[b]);
    return hash;
}

#endif
