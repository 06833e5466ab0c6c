/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include "quiet.h"

#include <math.h>
#include <string.h>

double bench_cells(const Measure *result)
{
    return (double)result->grid[0] * result->grid[1] * result->grid[2];
}

double bench_gbs(const Measure *result)
{
    return 1e-6 * result->profile.bytes / result->ms_step_min;
}

const BenchStream *bench_stream(const Bench *bench, const Measure *result)
{
    BandwidthSize size = bandwidth_size_of(bench_cells(result));
    const BenchStream *best = NULL;
    for (int index = 0; index < bench->stream_count; index++) {
        const BenchStream *stream = &bench->streams[index];
        if (stream->size == size && stream->threads <= result->threads && stream->gbs > 0 &&
            (best == NULL || stream->gbs > best->gbs))
            best = stream;
    }
    return best;
}

double bench_stream_most(const Bench *bench, BandwidthSize size)
{
    double most = 0;
    for (int index = 0; index < bench->stream_count; index++)
        if (bench->streams[index].size == size)
            most = fmax(most, bench->streams[index].gbs);
    return most;
}

void bench_compare(Bench *bench)
{
    for (int index = 0; index < bench->result_count; index++) {
        const BenchStream *stream = bench_stream(bench, &bench->results[index]);
        measure_compare(&bench->results[index], stream != NULL ? stream->gbs : 0);
    }
}

static bool same_grid(const Measure *left, const Measure *right)
{
    return memcmp(left->grid, right->grid, sizeof left->grid) == 0;
}

/* With the fewest threads, fewer than the result's own; NULL where there is none. */
static const Measure *with_fewest_threads(const Bench *bench, const Measure *result)
{
    const Measure *fewest = NULL;
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *other = &bench->results[index];
        if (same_grid(other, result) && other->threads < result->threads &&
            (fewest == NULL || other->threads < fewest->threads))
            fewest = other;
    }
    return fewest;
}

double bench_speedup(const Bench *bench, const Measure *result)
{
    const Measure *fewest = with_fewest_threads(bench, result);
    return fewest != NULL ? fewest->ms_step_min / result->ms_step_min : (double)NAN;
}

double bench_efficiency(const Bench *bench, const Measure *result)
{
    const Measure *fewest = with_fewest_threads(bench, result);
    return fewest != NULL ? bench_speedup(bench, result) * fewest->threads / result->threads
                          : (double)NAN;
}

int bench_baseline_side(const int grid[3])
{
    return (int)lround(cbrt((double)grid[0] * grid[1] * grid[2]));
}

const BenchBaseline *bench_baseline(const Bench *bench, const Measure *result)
{
    int side = bench_baseline_side(result->grid);
    for (int index = 0; index < bench->baseline_count; index++)
        if (bench->baselines[index].grid == side)
            return &bench->baselines[index];
    return NULL;
}

double bench_baseline_ratio(const Bench *bench, const Measure *result)
{
    const BenchBaseline *baseline = bench_baseline(bench, result);
    return baseline != NULL ? result->cells_per_s / baseline->cells_per_s : (double)NAN;
}

bool bench_disturbed(const Bench *bench, const Measure *result)
{
    return quiet_disturbed(result->processor_share, result->threads, bench->cores);
}

const Measure *bench_disagreement(const Bench *bench)
{
    for (int index = 1; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index], *before = result - 1;
        if (same_grid(result, before) && result->state_hash != before->state_hash)
            return result;
    }
    return NULL;
}
