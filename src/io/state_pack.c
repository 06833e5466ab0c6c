/* SPDX-License-Identifier: MIT
 *
 * Neighbouring floats of a smooth field differ little. So the difference of each 32-bit word from
 * the one before, with its sign in the lowest bit, has high bytes that are nearly all 0. In a
 * chunk, all first bytes are stored together, then all second bytes and so on, and zstd compresses
 * them. Plumes shrink to half their size, 20 % less than without differences, in a third of the
 * time that zstd needs for the floats themselves. */
#include "state_pack.h"

#include "words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef BILLOW_ZSTD
#include <zstd.h>
#endif

enum {
    CHUNK = 1 << 18, /* bytes; a chunk and its packed form fit into a core's second cache */
    LEVEL = -1       /* of zstd; the next one takes twice as long for 2 % less */
};

static uint32_t fold(uint32_t difference)
{
    return (difference << 1) ^ (uint32_t) - (difference >> 31);
}

static uint32_t unfold(uint32_t folded)
{
    return (folded >> 1) ^ (uint32_t) - (folded & 1);
}

/* Splits a chunk into byte planes of differences. Bytes after the last whole word are copied. */
static void split_planes(const unsigned char *from, size_t bytes, unsigned char *to)
{
    size_t words = bytes / 4;
    uint32_t last = 0;
    for (size_t w = 0; w < words; w++) {
        uint32_t word = get32(from + 4 * w);
        uint32_t folded = fold(word - last);
        last = word;
        to[w] = (unsigned char)folded;
        to[words + w] = (unsigned char)(folded >> 8);
        to[2 * words + w] = (unsigned char)(folded >> 16);
        to[3 * words + w] = (unsigned char)(folded >> 24);
    }
    memcpy(to + 4 * words, from + 4 * words, bytes - 4 * words);
}

static void join_planes(const unsigned char *from, size_t bytes, unsigned char *to)
{
    size_t words = bytes / 4;
    uint32_t word = 0;
    for (size_t w = 0; w < words; w++) {
        uint32_t folded = (uint32_t)from[w] | (uint32_t)from[words + w] << 8 |
                          (uint32_t)from[2 * words + w] << 16 | (uint32_t)from[3 * words + w] << 24;
        word += unfold(folded);
        put32(to + 4 * w, word);
    }
    memcpy(to + 4 * words, from + 4 * words, bytes - 4 * words);
}

static size_t chunks_of(size_t bytes)
{
    return (bytes + CHUNK - 1) / CHUNK;
}

static size_t chunk_bytes(size_t bytes, size_t chunk)
{
    size_t left = bytes - chunk * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

#ifdef BILLOW_ZSTD

bool state_pack_works(void)
{
    return true;
}

static size_t chunk_bound(void)
{
    return sizeof(uint32_t) + ZSTD_compressBound(CHUNK);
}

static size_t pack_chunk(ZSTD_CCtx *packer, const unsigned char *chunk, size_t bytes,
                         unsigned char *packed)
{
    size_t length = ZSTD_compressCCtx(packer, packed + sizeof(uint32_t), ZSTD_compressBound(CHUNK),
                                      chunk, bytes, LEVEL);
    if (ZSTD_isError(length))
        return 0;
    put32(packed, (uint32_t)length);
    return sizeof(uint32_t) + length;
}

size_t state_pack(const unsigned char *state, size_t bytes, unsigned char *packed)
{
    ZSTD_CCtx *packer = ZSTD_createCCtx();
    unsigned char *planes = malloc(CHUNK);
    size_t at = 0, length = 1;
    for (size_t c = 0; c < chunks_of(bytes) && length > 0; c++, at += length) {
        size_t here = chunk_bytes(bytes, c);
        length = 0;
        if (packer == NULL || planes == NULL)
            break;
        split_planes(state + c * CHUNK, here, planes);
        length = pack_chunk(packer, planes, here, packed + at);
    }
    free(planes);
    ZSTD_freeCCtx(packer);
    return length > 0 ? at : 0;
}

bool state_unpack(const unsigned char *packed, size_t packed_bytes, unsigned char *state,
                  size_t bytes)
{
    ZSTD_DCtx *unpacker = ZSTD_createDCtx();
    unsigned char *planes = malloc(CHUNK);
    bool good = unpacker != NULL && planes != NULL;
    size_t at = 0;
    for (size_t c = 0; c < chunks_of(bytes) && good; c++) {
        uint32_t length = 0;
        size_t here = chunk_bytes(bytes, c);
        good = packed_bytes - at >= sizeof length;
        if (good)
            length = get32(packed + at);
        at += sizeof length;
        good = good && packed_bytes - at >= length &&
               ZSTD_decompressDCtx(unpacker, planes, CHUNK, packed + at, length) == here;
        at += length;
        if (good)
            join_planes(planes, here, state + c * CHUNK);
    }
    free(planes);
    ZSTD_freeDCtx(unpacker);
    return good && at == packed_bytes;
}

#else

bool state_pack_works(void)
{
    return false;
}

static size_t chunk_bound(void)
{
    return CHUNK;
}

size_t state_pack(const unsigned char *state, size_t bytes, unsigned char *packed)
{
    for (size_t c = 0; c < chunks_of(bytes); c++)
        split_planes(state + c * CHUNK, chunk_bytes(bytes, c), packed + c * CHUNK);
    return bytes;
}

bool state_unpack(const unsigned char *packed, size_t packed_bytes, unsigned char *state,
                  size_t bytes)
{
    for (size_t c = 0; c < chunks_of(bytes) && packed_bytes == bytes; c++)
        join_planes(packed + c * CHUNK, chunk_bytes(bytes, c), state + c * CHUNK);
    return packed_bytes == bytes;
}

#endif

size_t state_pack_bound(size_t bytes)
{
    return chunks_of(bytes) * chunk_bound();
}
