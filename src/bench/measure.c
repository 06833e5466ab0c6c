/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include "clock.h"
#include "fail.h"
#include "system.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

QuietWatch quiet_watch(void)
{
    return (QuietWatch){.start = clock_seconds(), .processor = system_processor_seconds()};
}

double quiet_share_since(QuietWatch watch, int threads)
{
    int cores = system_cores();
    double seconds = clock_seconds() - watch.start;
    double processor = system_processor_seconds() - watch.processor;
    return processor / seconds / (threads < cores ? threads : cores);
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
        fprintf(stream,
                "\nDisturbed: %d of %d %s got less than %.0f %% of their processors, %s\nonly "
                "%.0f %%. Other programs seem to be running; a quiet machine is faster.\n",
                tally->disturbed, tally->figures, tally->noun, 100 * QUIET_SHARE, tally->worst,
                100 * tally->share);
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
    measure->grid[0] = view.nx;
    measure->grid[1] = view.ny;
    measure->grid[2] = view.nz;
    measure->threads = billow_threads(sim);
    return true;
}

/* The larger value; NaN counts as the largest. */
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

double measure_step(Measure *measure, BillowSim *sim, double dt)
{
    assert(measure->steps < measure->capacity);
    if (measure->steps == 0)
        measure->watch = quiet_watch();
    double start = clock_seconds();
    billow_step(sim, dt);
    double ms = 1e3 * (clock_seconds() - start);
    /* The share covers all steps and the time between them. Reading the processor time often lets
     * other programs run, so a single step would not show it. */
    measure->seconds = clock_seconds() - measure->watch.start;
    measure->processor_share = quiet_share_since(measure->watch, measure->threads);
    measure->ms[measure->steps++] = ms;
    if (ms < measure->ms_step_min) {
        measure->ms_step_min = ms;
        measure->profile = billow_profile(sim);
    }
    BillowStats stats = billow_stats(sim);
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

void measure_finish(Measure *measure, const BillowSim *sim)
{
    assert(measure->steps > 0);
    double cells = (double)measure->grid[0] * measure->grid[1] * measure->grid[2];
    measure->ms_step_median = measure_median(measure->ms, measure->steps);
    measure->cells_per_s = cells / (1e-3 * measure->ms_step_min);
    measure->bandwidth_fraction = (double)NAN;
    measure->stats = billow_stats(sim);
    measure->bytes_per_cell = (double)billow_bytes(sim) / cells;
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

void measure_json(Json *json, cJSON *object, const Measure *measure)
{
    json_text(json, object, "scene", measure->scene);
    json_grid(json, object, "grid", measure->grid);
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
