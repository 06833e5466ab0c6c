/* SPDX-License-Identifier: MIT
 *
 * The benchmark of steps: a scene timed over grids and numbers of threads, and the figures derived
 * from that (speed-up, efficiency, ratio to the baseline, share of the bandwidth). bench_report.h
 * writes them down. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "bandwidth.h"
#include "measure.h"
#include "report.h"

enum { BENCH_GRIDS_MAX = 32, BENCH_THREADS_MAX = 32 };

/* Grids of a sweep, as --grid takes them: "64" or "64x96x64". */
typedef struct BenchGrids {
    char items[BENCH_GRIDS_MAX][16]; /* "2048x2048x2048" is the longest */
    int count;
} BenchGrids;

/* Numbers of threads of a sweep. */
typedef struct BenchThreads {
    int items[BENCH_THREADS_MAX];
    int count;
} BenchThreads;

typedef struct BenchPlan {
    SceneRequest request; /* grid: filled in for each */
    BenchGrids grids;
    BenchThreads threads;
    int steps;     /* timed per result */
    bool baseline; /* also time stam_baseline.h */
    bool quiet;
} BenchPlan;

/* Bandwidth of one array size with one number of threads. */
typedef struct BenchStream {
    BandwidthSize size;
    int threads; /* rising within a size */
    size_t array_bytes;
    double gbs; /* GB/s; 0 where it could not be measured */
} BenchStream;

/* Stam's published algorithm (stam_baseline.h) in a cube. */
typedef struct BenchBaseline {
    int grid;           /* cells a side */
    double ms_step_min; /* ms */
    double cells_per_s;
} BenchBaseline;

/* Both sizes, with one thread and with every number of threads of the sweep. */
enum { BENCH_STREAMS_MAX = BANDWIDTH_SIZES * (BENCH_THREADS_MAX + 1) };

typedef struct Bench {
    char cpu[128];
    int cores;
    int steps; /* timed per result */
    BenchStream streams[BENCH_STREAMS_MAX];
    int stream_count;
    Measure *results;          /* by grid, then by threads, in the plan's order */
    int result_count, planned; /* result_count < planned: the sweep was interrupted or failed */
    BenchBaseline baselines[BENCH_GRIDS_MAX];
    int baseline_count;
} Bench;

/* -- measuring --------------------------------------------------------------------------------- */

/* Checks the scene, the grids and the memory they need, before anything is timed. */
Status bench_check(const BenchPlan *plan, BillowError *error);

/* Fills bench, which must be zero. Results that were finished stay in it when the sweep fails or is
 * interrupted. The caller frees bench->results. */
Status bench_sweep(const BenchPlan *plan, Bench *bench, BillowError *error);

/* -- derived figures --------------------------------------------------------------------------- */

double bench_cells(const Measure *result);
/* Effective bandwidth, GB/s: least traffic of the algorithm over the time of the fastest step. */
double bench_gbs(const Measure *result);

/* The triad a result is compared with: the fastest on arrays of its size with as many threads or
 * fewer, because a busy machine may be slower with more. NULL: not measured. */
const BenchStream *bench_stream(const Bench *bench, const Measure *result);
/* Largest bandwidth of a size, GB/s; 0 where none was measured. */
double bench_stream_most(const Bench *bench, BandwidthSize size);
/* Fills the bandwidth_fraction of every result. */
void bench_compare(Bench *bench);

/* Against the result with the fewest threads at the same grid:
 *     speed-up = ms(fewest) / ms(T),   efficiency = speed-up fewest / T.
 * NaN where no result has fewer threads. */
double bench_speedup(const Bench *bench, const Measure *result);
double bench_efficiency(const Bench *bench, const Measure *result);

/* Side of the cube with about as many cells, whose baseline a grid is compared with. */
int bench_baseline_side(const int grid[3]);
const BenchBaseline *bench_baseline(const Bench *bench, const Measure *result); /* or NULL */
/* Cells per second over those of the baseline; NaN where there is no baseline. */
double bench_baseline_ratio(const Bench *bench, const Measure *result);

/* Whether other programs disturbed the result (quiet_disturbed). */
bool bench_disturbed(const Bench *bench, const Measure *result);

/* A result whose state differs from that of another at the same grid; NULL where all agree, as they
 * must for any number of threads. */
const Measure *bench_disagreement(const Bench *bench);

#endif
