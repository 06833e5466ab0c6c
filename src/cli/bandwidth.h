/* SPDX-License-Identifier: MIT
 *
 * The memory bandwidth this machine gives to plain loops: the triad of STREAM on arrays that stay
 * in the last-level cache, and on arrays that do not. A grid whose fields are of the one kind is
 * compared with the bandwidth of that kind. */
#ifndef CLI_BANDWIDTH_H
#define CLI_BANDWIDTH_H

#include <stddef.h>

typedef enum BandwidthSize {
    BANDWIDTH_CACHE,  /* arrays of at most 8 MiB and a quarter of the last-level cache */
    BANDWIDTH_MEMORY, /* of at least 128 MiB, together four times that cache, up to 512 MiB; less
                         where memory is short */
    BANDWIDTH_SIZES
} BandwidthSize;

const char *bandwidth_size_name(BandwidthSize size); /* "cache", "memory" */
size_t bandwidth_array_bytes(BandwidthSize size);    /* of each of the three arrays */

/* What fields of so many cells are compared with: the cache where three of them fit it. */
BandwidthSize bandwidth_size_of(double cells);

typedef struct Bandwidth {
    double gbs;             /* 12 bytes counted per value; 0 when memory is short */
    double processor_share; /* as quiet.h has it */
} Bandwidth;

/* The triad on so many threads, the best of several passes. Takes a fraction of a second. */
Bandwidth bandwidth_triad(BandwidthSize size, int threads);

#endif
