/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* for madvise */
#include "bench/measure.h"
#include "render/view_spans.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/process_limits.h"
#include "base/system.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

QuietWatch quiet_watch(void)
{
    const int cores = system_cores();
    return (QuietWatch){clock_seconds(), system_processor_seconds(), cores};
}

double quiet_share_since(QuietWatch watch, int threads)
{
    double seconds = clock_seconds() - watch.start;
    double processor = system_processor_seconds() - watch.processor;
    return processor / seconds / (threads < watch.cores ? threads : watch.cores);
}

bool quiet_disturbed(double share, int threads, int cores)
{
    return threads <= cores && share < QUIET_SHARE;
}

void quiet_count(QuietTally *tally, double share, int threads, const char *what)
{
    tally->figures++;
    if (!quiet_disturbed(share, threads, tally->cores))
        return;
    if (tally->disturbed++ > 0 && share >= tally->share)
        return;
    tally->share = share;
    snprintf(tally->worst, sizeof tally->worst, "%.64s on %d thread%s", what, threads,
             threads == 1 ? "" : "s");
}

void quiet_print(const QuietTally *tally, FILE *stream)
{
    if (tally->disturbed > 0)
        number_fprint(
            stream,
            "\nDisturbed: %d of %d %s got less than %.0f %% of their processors; the worst, "
            "%s,\ngot %.0f %%. Other programs seem to be running.\n",
            tally->disturbed, tally->figures, tally->noun, 100 * QUIET_SHARE, tally->worst,
            100 * tally->share);
}

static void view_grid(const BillowView *view, int grid[3])
{
    const BillowView wind = billow_wind_view(view);
    grid[0] = wind.nx;
    grid[1] = wind.ny;
    grid[2] = wind.nz;
}

/* Share of the cells of the smoke that may hold any. */
static double active_share(const BillowView *view)
{
    double cells = 0;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            const BillowSpan span = view_span(view, j, k);
            cells += span.end > span.begin ? span.end - span.begin : 0;
        }
    return cells / ((double)view->nx * view->ny * view->nz);
}

bool measure_start(Measure *measure, const Scene *scene, const BillowSim *sim, int steps_most,
                   BillowError *error)
{
    *measure = (Measure){.ms_step_min = INFINITY, .capacity = steps_most};
    measure->ms = malloc((size_t)steps_most * sizeof *measure->ms);
    if (measure->ms == NULL)
        return fail(error, "no memory for the times of %d steps", steps_most);
    BillowView view = billow_view(sim);
    snprintf(measure->scene, sizeof measure->scene, "%s", scene->name);
    view_grid(&view, measure->grid);
    measure->threads = billow_threads(sim);
    return true;
}

/* Returns the larger value; NaN counts as the largest. */
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

double measure_step(Measure *measure, BillowSim *sim, double dt)
{
    assert(measure->steps < measure->capacity);
    if (measure->steps == 0)
        measure->watch = quiet_watch();
    const BillowView before = billow_view(sim);
    double start = clock_seconds();
    billow_step(sim, dt);
    double ms = 1e3 * (clock_seconds() - start);
    /* processor_share covers all steps and the time between them. The share of a single step is
     * unreliable, because other programs often run while the processor time is read. */
    measure->seconds = clock_seconds() - measure->watch.start;
    measure->processor_share = quiet_share_since(measure->watch, measure->threads);
    measure->ms[measure->steps++] = ms;
    BillowStats stats = billow_stats(sim);
    if (ms < measure->ms_step_min) {
        measure->ms_step_min = ms;
        measure->profile = billow_profile(sim);
        view_grid(&before, measure->grid);
    }
    if (stats.cycles > measure->cycles)
        measure->cycles = stats.cycles;
    measure->residual_relative = worse(measure->residual_relative, stats.residual_relative);
    measure->divergence_max = worse(measure->divergence_max, stats.divergence_max);
    return ms;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double measure_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

double measure_cells(const int grid[3])
{
    return (double)grid[0] * grid[1] * grid[2];
}

void measure_finish(Measure *measure, const BillowSim *sim)
{
    assert(measure->steps > 0);
    double cells = measure_cells(measure->grid);
    measure->ms_step_median = measure_median(measure->ms, measure->steps);
    measure->cells_per_s = cells / (1e-3 * measure->ms_step_min);
    measure->bandwidth_fraction = (double)NAN;
    measure->stats = billow_stats(sim);
    const BillowView view = billow_view(sim);
    view_grid(&view, measure->grid_last);
    measure->refine = view.refine;
    measure->active = active_share(&view);
    measure->bytes_per_cell = (double)billow_bytes(sim) / measure_cells(measure->grid_last);
    measure->peak_rss_bytes = system_peak_memory();
    measure->state_hash = billow_state_hash(sim);
    measure_abandon(measure);
}

void measure_compare(Measure *measure, double stream_gbs)
{
    double seconds = 1e-3 * measure->ms_step_min;
    if (stream_gbs > 0 && seconds > 0)
        measure->bandwidth_fraction = measure->profile.bytes / seconds / (1e9 * stream_gbs);
}

void measure_abandon(Measure *measure)
{
    free(measure->ms);
    measure->ms = NULL;
}

void measure_json_limits(Json *json, cJSON *machine)
{
    const ProcessLimits limits = process_limits_read("");
    json_number(json, machine, "processors", system_processors());
    json_number(json, machine, "cpu_quota", limits.cores);
    json_number(json, machine, "memory_limit_bytes", limits.memory);
}

void measure_json(Json *json, cJSON *object, const Measure *measure)
{
    json_text(json, object, "scene", measure->scene);
    json_grid(json, object, "grid", measure->grid);
    if (memcmp(measure->grid, measure->grid_last, sizeof measure->grid) != 0)
        json_grid(json, object, "grid_last", measure->grid_last);
    json_number(json, object, "refine", measure->refine);
    json_number(json, object, "active", measure->active);
    json_number(json, object, "threads", measure->threads);
    json_number(json, object, "steps", measure->steps);
    json_number(json, object, "ms_step_min", measure->ms_step_min);
    json_number(json, object, "ms_step_median", measure->ms_step_median);
    json_number(json, object, "cells_per_s", measure->cells_per_s);
    cJSON *stages = json_object(json, object, "stage_ms");
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        json_number(json, stages, billow_stage_name((BillowStage)stage),
                    measure->profile.ms[stage]);
    cJSON *pressure = json_object(json, object, "pressure");
    json_number(json, pressure, "cycles", measure->cycles);
    json_number(json, pressure, "residual_relative", measure->residual_relative);
    json_number(json, object, "divergence_max", measure->divergence_max);
    json_number(json, object, "bytes_per_cell", measure->bytes_per_cell);
    json_number(json, object, "bandwidth_fraction", measure->bandwidth_fraction);
    json_number(json, object, "processor_share", measure->processor_share);
    json_number(json, object, "peak_rss_bytes", (double)measure->peak_rss_bytes);
    json_hash(json, object, "state_hash", measure->state_hash);
}

/* -- bandwidth of the memory ------------------------------------------------------------------- */

struct Stream {
    float *a, *b, *c;
    ptrdiff_t count;
    int threads;
    int passes; /* number of passes so far; stream_run derives the factor s from it */
};

/* Touches the memory for the first time, which takes many times as long as a pass on some systems.
 * A signal that ends the run leaves the rest of the arrays as it is. */
static void fill(const Stream *stream)
{
    const ptrdiff_t block = 4096;
#pragma omp parallel for schedule(static) num_threads(stream->threads)
    for (ptrdiff_t first = 0; first < stream->count; first += block) {
        const ptrdiff_t end = first + block < stream->count ? first + block : stream->count;
        if (system_interrupted())
            continue;
        for (ptrdiff_t i = first; i < end; i++) {
            stream->a[i] = 0;
            stream->b[i] = 1;
            stream->c[i] = 2;
        }
    }
}

static void copy(float *restrict a, const float *restrict b, ptrdiff_t count, int threads)
{
    (void)threads;
#pragma omp parallel for simd schedule(static) num_threads(threads)
    for (ptrdiff_t i = 0; i < count; i++)
        a[i] = b[i];
}

static void scale(float *restrict a, const float *restrict b, float s, ptrdiff_t count, int threads)
{
    (void)threads;
#pragma omp parallel for simd schedule(static) num_threads(threads)
    for (ptrdiff_t i = 0; i < count; i++)
        a[i] = s * b[i];
}

static void triad(float *restrict a, const float *restrict b, const float *restrict c, float s,
                  ptrdiff_t count, int threads)
{
    (void)threads;
#pragma omp parallel for simd schedule(static) num_threads(threads)
    for (ptrdiff_t i = 0; i < count; i++)
        a[i] = b[i] + s * c[i];
}

/* Allocates an array, in huge pages if the system has them, as the solver's are. */
static float *stream_array(size_t bytes)
{
    float *array = malloc(bytes);
#ifdef __linux__
    enum { PAGE = 1 << 16 }; /* bytes; multiple of the size of a page on every machine */
    if (array != NULL && bytes > 2 * PAGE)
        madvise((void *)(((uintptr_t)array + PAGE - 1) / PAGE * PAGE), bytes - 2 * PAGE,
                MADV_HUGEPAGE);
#endif
    return array;
}

Stream *stream_create(ptrdiff_t count, int threads)
{
    Stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || count <= 0) {
        free(stream);
        return NULL;
    }
    size_t bytes = (size_t)count * sizeof(float);
    *stream = (Stream){.a = stream_array(bytes),
                       .b = stream_array(bytes),
                       .c = stream_array(bytes),
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
    /* s differs from pass to pass, and the result is checked. Otherwise the compiler could remove a
     * pass. */
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
#define SECONDS_MIN   0.1 /* least duration of a measurement, s */
#define SECONDS_MOST  0.4 /* longest duration of a measurement that other programs disturb, s */
#define CACHE_ASSUMED (8u << 20)   /* cache size if the system reports none, bytes */
#define CACHE_MOST    (8u << 20)   /* largest array in the cache, bytes */
#define MEMORY_LEAST  (64u << 20)  /* smallest array outside the cache, bytes */
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
    uint64_t bytes = cache_bytes() * 4 / 3, available = system_memory_available();
    bytes = bytes < MEMORY_LEAST ? MEMORY_LEAST : bytes > MEMORY_MOST ? MEMORY_MOST : bytes;
    return available > 0 && bytes > available / 8 ? available / 8 : bytes;
}

BandwidthSize bandwidth_size_of(double cells)
{
    return 3 * sizeof(float) * cells <= (double)cache_bytes() ? BANDWIDTH_CACHE : BANDWIDTH_MEMORY;
}

/* Whether the passes so far suffice to find the largest bandwidth: SECONDS_MIN without disturbance,
 * else SECONDS_MOST. */
static bool seen_enough(QuietWatch watch, int threads)
{
    double seconds = clock_seconds() - watch.start;
    bool went_back = seconds < 0; /* never true with a monotonic clock; prevents an endless loop */
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
    for (int pass = 0; !system_interrupted() && (pass < PASSES_MIN || !seen_enough(watch, threads));
         pass++) {
        double seconds = stream_run(stream, STREAM_TRIAD);
        double speed = STREAM_TRIAD_BYTES * (double)count / seconds * 1e-9;
        if (seconds > 0 && speed > best.gbs)
            best.gbs = speed;
    }
    best.processor_share = quiet_share_since(watch, threads);
    stream_destroy(stream);
    return best;
}
