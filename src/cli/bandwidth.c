/* SPDX-License-Identifier: MIT */
#include "bandwidth.h"

#include "clock.h"
#include "host.h"
#include "quiet.h"
#include "stream.h"
#include "system.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { PASSES_MIN = 8 };
#define SECONDS_MIN   0.25         /* short passes go on until then */
#define SECONDS_MOST  1.0          /* and until then while other programs take processors away */
#define CACHE_ASSUMED (8u << 20)   /* where the system names none */
#define CACHE_MOST    (8u << 20)   /* of an array in the cache */
#define MEMORY_LEAST  (128u << 20) /* of one outside */
#define MEMORY_MOST   (512u << 20)

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

/* Whether the passes since the start were enough to have seen the machine at its best. */
static bool seen_enough(QuietWatch watch, int threads)
{
    double seconds = clock_seconds() - watch.start;
    bool went_back = seconds < 0; /* a clock that tells nothing any more */
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
