/* SPDX-License-Identifier: MIT
 *
 * Kernels timed by themselves, one row of a table each, beside the triad of STREAM on arrays of the
 * same length with as many threads.
 *
 * To add a kernel, define a BenchKernel in kernel_solver.c and list it in bench_kernels. */
#ifndef BENCH_KERNEL_BENCH_H
#define BENCH_KERNEL_BENCH_H

#include "bench.h"

#include <stdio.h>

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

#endif
