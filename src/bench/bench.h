/* SPDX-License-Identifier: MIT
 *
 * The benchmark of steps: a scene timed over grids and numbers of threads, and the figures derived
 * from that (speed-up, efficiency, ratio to the baseline, share of the bandwidth). bench_report.h
 * writes them down. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "measure.h"
#include "renderer.h"
#include "report.h"
#include <stdio.h>

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

/* "64x96x64" */
void bench_grid_text(const int grid[3], char *text, size_t size);
/* "billow 0.1.0 (avx512) on AMD EPYC, 2 cores" */
void bench_print_machine(const char *cpu, int cores, FILE *stream);
/* The bandwidths, one row per number of threads. */
void bench_print_streams(const Bench *bench, FILE *stream);

/* Aligned Markdown tables: bandwidths, speeds, final states, stages. */
void bench_print_tables(const Bench *bench, FILE *stream);

bool bench_write_json(const Bench *bench, const char *path, BillowError *error);
bool bench_write_csv(const Bench *bench, const char *path, BillowError *error);

/* SVG made by gnuplot: ms per step against cells, both logarithmic. One line per number of threads,
 * the least time that the measured bandwidth allows, 60 and 30 steps per second, and the baseline
 * where it was timed. There must be a result. */
bool bench_write_plot(const Bench *bench, const char *path, BillowError *error);

/* One field of CSV, in quotes where it holds a comma, a quote or a line end. */
void bench_csv_text(FILE *stream, const char *text);

typedef struct BenchKernel {
    const char *name;
    /* Least memory traffic of one run, per cell: each array it needs, read or written once. */
    double bytes_per_cell;
    double memory_per_cell; /* bytes its arrays take */
    /* Allocates the arrays of a grid, for so many threads. NULL when memory is short. */
    void *(*create)(const int grid[3], int threads);
    /* Runs the kernel once. Returns the time of the kernel alone, s; NaN when the result is wrong.
     */
    double (*run)(void *state);
    void (*destroy)(void *state);
} BenchKernel;

extern const BenchKernel kernel_relaxation, kernel_cycle; /* kernel_solver.c */

/* All kernels in the order of the table, ended by NULL. The triad comes first, so that an
 * interrupted sweep has what the others are compared with. */
extern const BenchKernel *const bench_kernels[];

typedef struct KernelFigure {
    const char *name;
    int grid[3], threads;
    double bytes;           /* least traffic of one run */
    double ms_min;          /* fastest run, ms */
    double gbs;             /* of the fastest run, GB/s */
    double processor_share; /* see quiet_share_since in measure.h */
    double triad_fraction;  /* bandwidth over that of the triad; NaN where either was disturbed, the
                               triad was not timed, or the ratio is above KERNEL_PLAUSIBLE */
} KernelFigure;

/* Largest plausible ratio to the triad. Two sweeps that share a pass may reach twice the triad's
 * bandwidth, and arrays that lie partly in a cache more; a larger ratio means that the triad was
 * held up. */
#define KERNEL_PLAUSIBLE 4.0

typedef struct KernelBench {
    char cpu[128];
    int cores;
    KernelFigure *figures;
    int figure_count, planned;
} KernelBench;

/* Whether the arrays of every kernel fit into memory. */
bool kernel_bench_check(const BenchGrids *grids, BillowError *error);

/* Fills bench, which must be zero. Figures that were finished stay in it when interrupted. The
 * caller frees bench->figures. A grid of "64" is a cube here. */
Status kernel_bench_sweep(const BenchGrids *grids, const BenchThreads *threads, bool quiet,
                          KernelBench *bench, BillowError *error);

/* Fills the triad_fraction of every figure. */
void kernel_bench_compare(KernelBench *bench);

/* Whether other programs disturbed the figure (quiet_disturbed). */
bool kernel_bench_disturbed(const KernelBench *bench, const KernelFigure *figure);

void kernel_bench_print(const KernelBench *bench, FILE *stream);
bool kernel_bench_write_json(const KernelBench *bench, const char *path, BillowError *error);
bool kernel_bench_write_csv(const KernelBench *bench, const char *path, BillowError *error);

enum { RENDER_SIZES_MAX = 16 };

/* Picture sizes of a sweep, pixels. */
typedef struct RenderSizes {
    struct {
        int width, height;
    } items[RENDER_SIZES_MAX];
    int count;
} RenderSizes;

typedef struct RenderFigure {
    int grid[3], width, height;
    RenderTimes fastest;      /* parts of the fastest frame */
    double ms_min, ms_median; /* of whole frames, ms */
} RenderFigure;

typedef struct RenderBench {
    char cpu[128];
    int cores;
    RenderLimits limits;
    int frames; /* timed per figure */
    RenderFigure *figures;
    int figure_count, planned;
} RenderBench;

typedef struct RenderPlan {
    SceneRequest request;
    BenchGrids grids;
    RenderSizes sizes;
    int threads, frames;
    bool quiet;
} RenderPlan;

/* Fills bench, which must be zero. Figures that were finished stay in it when interrupted. The
 * caller frees bench->figures. */
Status render_bench_sweep(const RenderPlan *plan, RenderBench *bench, BillowError *error);

void render_bench_print(const RenderBench *bench, FILE *stream);
bool render_bench_write_json(const RenderBench *bench, const char *path, BillowError *error);
bool render_bench_write_csv(const RenderBench *bench, const char *path, BillowError *error);

#endif
