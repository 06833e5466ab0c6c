/* SPDX-License-Identifier: MIT
 *
 * The memory bandwidth that plain loops reach on this machine: the loops of McCalpin's STREAM
 * (1995) over three arrays of floats. It is the ceiling of every kernel. Bytes count the values
 * read and written, not the cache lines fetched in order to write them. */
#ifndef BENCH_BANDWIDTH_H
#define BENCH_BANDWIDTH_H

#include <stddef.h>

/* -- the loops --------------------------------------------------------------------------------- */

typedef enum StreamLoop {
    STREAM_COPY,  /* a = b: 8 bytes a value */
    STREAM_SCALE, /* a = s b: 8 bytes a value */
    STREAM_TRIAD, /* a = b + s c: 12 bytes a value */
    STREAM_LOOPS
} StreamLoop;

enum { STREAM_COPY_BYTES = 8, STREAM_SCALE_BYTES = 8, STREAM_TRIAD_BYTES = 12 };

typedef struct Stream Stream;

/* Three arrays of count floats. Each thread writes first to the part it uses later. NULL when
 * memory is short. */
Stream *stream_create(ptrdiff_t count, int threads);
void stream_destroy(Stream *stream); /* NULL is fine */

/* Time of one pass over the arrays, s; 0 where the clock is too coarse; NaN where the result is
 * wrong. */
double stream_run(Stream *stream, StreamLoop loop);

/* -- the best triad ---------------------------------------------------------------------------- */

typedef enum BandwidthSize {
    BANDWIDTH_CACHE,  /* each array at most 8 MiB and a quarter of the last-level cache */
    BANDWIDTH_MEMORY, /* arrays of 128 to 512 MiB, together four times the last-level cache; smaller
                         where memory is short */
    BANDWIDTH_SIZES
} BandwidthSize;

const char *bandwidth_size_name(BandwidthSize size); /* "cache", "memory" */
size_t bandwidth_array_bytes(BandwidthSize size);    /* bytes of each of the three arrays */

/* Which triad a grid of this many cells is compared with: cache where three of its fields fit. */
BandwidthSize bandwidth_size_of(double cells);

typedef struct Bandwidth {
    double gbs;             /* GB/s, 12 bytes a value; 0 when memory is short */
    double processor_share; /* see quiet_share_since in measure.h */
} Bandwidth;

/* The best of several triads on so many threads. Takes a fraction of a second. */
Bandwidth bandwidth_triad(BandwidthSize size, int threads);

#endif
