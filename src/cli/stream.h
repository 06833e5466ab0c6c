/* SPDX-License-Identifier: MIT
 *
 * The loops of McCalpin's STREAM (1995) over three arrays of floats: the speed of memory as plain
 * code sees it, and so the ceiling of every kernel. Counted are the values read and written, not
 * what the cache fetches to write them. */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include <stddef.h>

typedef enum StreamLoop {
    STREAM_COPY,  /* a = b: 8 bytes a value */
    STREAM_SCALE, /* a = s b: 8 */
    STREAM_TRIAD, /* a = b + s c: 12 */
    STREAM_LOOPS
} StreamLoop;

enum { STREAM_COPY_BYTES = 8, STREAM_SCALE_BYTES = 8, STREAM_TRIAD_BYTES = 12 };

typedef struct Stream Stream;

/* Three arrays of count floats, touched first by the threads that will use them. NULL when memory
 * is short. */
Stream *stream_create(ptrdiff_t count, int threads);
void stream_destroy(Stream *stream); /* NULL is fine */

/* Seconds of one pass; 0 where the clock saw none go by. */
double stream_run(Stream *stream, StreamLoop loop);

#endif
