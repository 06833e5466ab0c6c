/* SPDX-License-Identifier: MIT
 *
 * What a benchmark found, and the figures that follow from it: speed-up, scaling efficiency, the
 * ratio to the baseline, the share of the bandwidth. Reports (bench_report.h, bench_plot.h) only
 * write down what these functions say. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "args.h"
#include "bandwidth.h"
#include "measure.h"

/* Triad bandwidth; threads go up within a size. */
typedef struct BenchStream {
    BandwidthSize size;
    int threads;
    size_t array_bytes;
    double gbs; /* 0 where it could not be measured */
} BenchStream;

/* Stam's published algorithm (stam_baseline.h) in a cube. */
typedef struct BenchBaseline {
    int grid; /* cells a side */
    double ms_step_min, cells_per_s;
} BenchBaseline;

/* Both sizes, one thread and every count of the sweep. */
enum { BENCH_STREAMS_MAX = BANDWIDTH_SIZES * (ARGS_WHOLES_MAX + 1) };

typedef struct Bench {
    char cpu[128];
    int cores;
    int steps; /* timed per result */
    BenchStream streams[BENCH_STREAMS_MAX];
    int stream_count;
    Measure *results; /* by grid in the sweep's order, then by threads in the sweep's order */
    int result_count, planned; /* fewer than planned: interrupted, or a grid failed */
    BenchBaseline baselines[ARGS_WHOLES_MAX];
    int baseline_count;
} Bench;

double bench_cells(const Measure *result);
/* Effective bandwidth: least traffic of the algorithm over the time of the fastest step. */
double bench_gbs(const Measure *result);

/* The triad a result is compared with: the best on arrays of its own kind with as many threads or
 * fewer, since a machine that is busy elsewhere may show less with more. NULL: not measured. */
const BenchStream *bench_stream(const Bench *bench, const Measure *result);
/* The largest measured bandwidth of a size; 0 where there is none. */
double bench_stream_most(const Bench *bench, BandwidthSize size);
/* Fills the bandwidth_fraction of every result. */
void bench_compare(Bench *bench);

/* Against the result with the fewest threads at the same grid: how many times as fast, and what
 * share of the threads that were added is seen in it,
 *     speed-up = ms(fewest) / ms(T),   efficiency = speed-up fewest / T.
 * NaN where the sweep holds no fewer threads. */
double bench_speedup(const Bench *bench, const Measure *result);
double bench_efficiency(const Bench *bench, const Measure *result);

/* Side of the cube with about as many cells: the grid whose baseline a grid is compared with. */
int bench_baseline_side(const int grid[3]);
const BenchBaseline *bench_baseline(const Bench *bench, const Measure *result); /* or NULL */
double bench_baseline_ratio(const Bench *bench, const Measure *result);         /* NaN: none */

/* Whether other programs took much of the processors while it was timed (quiet.h). */
bool bench_disturbed(const Bench *bench, const Measure *result);

/* Two results of one grid whose state differs; NULL in health, as any number of threads gives the
 * same state. */
const Measure *bench_disagreement(const Bench *bench);

#endif
