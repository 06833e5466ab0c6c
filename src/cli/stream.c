/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include "clock.h"

#include <math.h>
#include <stdlib.h>

struct Stream {
    float *a, *b, *c;
    ptrdiff_t count;
    int threads;
    int passes; /* so far; each scales by another number */
};

static void fill(const Stream *stream)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(stream->threads)
#endif
    for (ptrdiff_t i = 0; i < stream->count; i++) {
        stream->a[i] = 0;
        stream->b[i] = 1;
        stream->c[i] = 2;
    }
}

static void copy(float *restrict a, const float *restrict b, ptrdiff_t count, int threads)
{
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for simd schedule(static) num_threads(threads)
#endif
    for (ptrdiff_t i = 0; i < count; i++)
        a[i] = b[i];
}

static void scale(float *restrict a, const float *restrict b, float s, ptrdiff_t count, int threads)
{
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for simd schedule(static) num_threads(threads)
#endif
    for (ptrdiff_t i = 0; i < count; i++)
        a[i] = s * b[i];
}

static void triad(float *restrict a, const float *restrict b, const float *restrict c, float s,
                  ptrdiff_t count, int threads)
{
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for simd schedule(static) num_threads(threads)
#endif
    for (ptrdiff_t i = 0; i < count; i++)
        a[i] = b[i] + s * c[i];
}

Stream *stream_create(ptrdiff_t count, int threads)
{
    Stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || count <= 0) {
        free(stream);
        return NULL;
    }
    size_t bytes = (size_t)count * sizeof(float);
    *stream = (Stream){.a = malloc(bytes),
                       .b = malloc(bytes),
                       .c = malloc(bytes),
                       .count = count,
                       .threads = threads};
    if (stream->a == NULL || stream->b == NULL || stream->c == NULL) {
        stream_destroy(stream);
        return NULL;
    }
    fill(stream);
    return stream;
}

void stream_destroy(Stream *stream)
{
    if (stream == NULL)
        return;
    free(stream->a);
    free(stream->b);
    free(stream->c);
    free(stream);
}

double stream_run(Stream *stream, StreamLoop loop)
{
    /* The destination takes another value every pass, and is looked at, so that no pass can be
     * optimised away. */
    float s = (float)(1 + stream->passes++ % 7);
    float expected = loop == STREAM_COPY ? 1 : loop == STREAM_SCALE ? s : 1 + 2 * s;
    double start = clock_seconds();
    if (loop == STREAM_COPY)
        copy(stream->a, stream->b, stream->count, stream->threads);
    else if (loop == STREAM_SCALE)
        scale(stream->a, stream->b, s, stream->count, stream->threads);
    else
        triad(stream->a, stream->b, stream->c, s, stream->count, stream->threads);
    double seconds = clock_seconds() - start;
    return stream->a[stream->count / 2] == expected ? seconds : (double)NAN;
}
