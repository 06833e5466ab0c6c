/* SPDX-License-Identifier: MIT */
#include "bandwidth.h"

#include "clock.h"
#include "host.h"
#include "measure.h"
#include "system.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct Stream {
    float *a, *b, *c;
    ptrdiff_t count;
    int threads;
    int passes; /* number of passes run; the factor s changes with it */
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
    /* The result differs from pass to pass and is checked, so that the compiler keeps every pass.
     */
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

enum { PASSES_MIN = 8 };
#define SECONDS_MIN   0.25         /* least duration of a measurement, s */
#define SECONDS_MOST  1.0          /* longest duration while other programs disturb it, s */
#define CACHE_ASSUMED (8u << 20)   /* cache size where the system gives none, bytes */
#define CACHE_MOST    (8u << 20)   /* largest array in the cache, bytes */
#define MEMORY_LEAST  (128u << 20) /* smallest array outside the cache, bytes */
#define MEMORY_MOST   (512u << 20) /* largest array outside the cache, bytes */

static uint64_t cache_bytes(void)
{
    uint64_t bytes = system_cache();
    return bytes > 0 ? bytes : CACHE_ASSUMED;
}

const char *bandwidth_size_name(BandwidthSize size)
{
    return size == BANDWIDTH_CACHE ? "cache" : "memory";
}

size_t bandwidth_array_bytes(BandwidthSize size)
{
    if (size == BANDWIDTH_CACHE)
        return cache_bytes() / 4 < CACHE_MOST ? cache_bytes() / 4 : CACHE_MOST;
    uint64_t bytes = cache_bytes() * 4 / 3, available = host_memory_available();
    bytes = bytes < MEMORY_LEAST ? MEMORY_LEAST : bytes > MEMORY_MOST ? MEMORY_MOST : bytes;
    return available > 0 && bytes > available / 8 ? available / 8 : bytes;
}

BandwidthSize bandwidth_size_of(double cells)
{
    return 3 * sizeof(float) * cells <= (double)cache_bytes() ? BANDWIDTH_CACHE : BANDWIDTH_MEMORY;
}

/* Whether enough passes ran undisturbed to have measured the machine's best. */
static bool seen_enough(QuietWatch watch, int threads)
{
    double seconds = clock_seconds() - watch.start;
    bool went_back = seconds < 0; /* the clock was set back and cannot be used */
    return went_back || seconds >= SECONDS_MOST ||
           (seconds >= SECONDS_MIN && quiet_share_since(watch, threads) >= QUIET_SHARE);
}

Bandwidth bandwidth_triad(BandwidthSize size, int threads)
{
    ptrdiff_t count = (ptrdiff_t)(bandwidth_array_bytes(size) / sizeof(float));
    Stream *stream = stream_create(count, threads);
    Bandwidth best = {0, (double)NAN};
    if (stream == NULL)
        return best;
    QuietWatch watch = quiet_watch();
    for (int pass = 0; pass < PASSES_MIN || !seen_enough(watch, threads); pass++) {
        double seconds = stream_run(stream, STREAM_TRIAD);
        double speed = STREAM_TRIAD_BYTES * (double)count / seconds * 1e-9;
        if (seconds > 0 && speed > best.gbs)
            best.gbs = speed;
    }
    best.processor_share = quiet_share_since(watch, threads);
    stream_destroy(stream);
    return best;
}
