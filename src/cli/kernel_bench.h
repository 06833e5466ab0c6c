/* SPDX-License-Identifier: MIT
 *
 * Single kernels timed by themselves: a row of a table each, set beside the triad of STREAM on
 * arrays of the same length and as many threads.
 *
 * To add a kernel, define a BenchKernel where the kernel is known and name it in bench_kernels. */
#ifndef CLI_KERNEL_BENCH_H
#define CLI_KERNEL_BENCH_H

#include "args.h"
#include "report.h"
#include "values.h"

#include <stdio.h>

typedef struct BenchKernel {
    const char *name;
    /* Least memory traffic of one run, per cell: each array it needs, read or written once. */
    double bytes_per_cell;
    double memory_per_cell; /* bytes its arrays take */
    /* What a run needs, on a grid and for so many threads. NULL when memory is short. */
    void *(*create)(const int grid[3], int threads);
    /* Runs the kernel once and returns the seconds that took, without what it had to put right
     * before; NaN when the result is wrong. */
    double (*run)(void *state);
    void (*destroy)(void *state);
} BenchKernel;

extern const BenchKernel kernel_relaxation, kernel_cycle; /* kernel_solver.c */

/* In the order of the table, the triad first: what it gives is known should the rest be
 * interrupted. Ends with NULL. */
extern const BenchKernel *const bench_kernels[];

typedef struct KernelFigure {
    const char *name;
    int grid[3], threads;
    double bytes; /* of one run */
    double ms_min, gbs;
    double processor_share; /* as quiet.h has it */
    double triad_fraction;  /* NaN where it would say nothing: the triad was not timed, one of the
                               two was disturbed, or it is past KERNEL_PLAUSIBLE */
} KernelFigure;

/* Two sweeps that share a pass may reach twice the triad's bandwidth, and arrays that a cache holds
 * in part some more; beyond this the triad was held up, if only by more threads than cores. */
#define KERNEL_PLAUSIBLE 4.0

typedef struct KernelBench {
    char cpu[128];
    int cores;
    KernelFigure *figures;
    int figure_count, planned;
} KernelBench;

/* Whether the arrays fit the memory there is. */
bool kernel_bench_check(const ValuesGrids *grids, BillowError *error);

/* Fills bench, zeros before; what was finished stays in it when interrupted. bench->figures is the
 * caller's to free. grids: "64" is a cube. */
Status kernel_bench_sweep(const ValuesGrids *grids, const ArgsWholes *threads, bool quiet,
                          KernelBench *bench, BillowError *error);

/* Fills the triad_fraction of every figure. */
void kernel_bench_compare(KernelBench *bench);

/* Whether other programs took much of the processors while it was timed (quiet.h). */
bool kernel_bench_disturbed(const KernelBench *bench, const KernelFigure *figure);

void kernel_bench_print(const KernelBench *bench, FILE *stream);
bool kernel_bench_write_json(const KernelBench *bench, const char *path, BillowError *error);
bool kernel_bench_write_csv(const KernelBench *bench, const char *path, BillowError *error);

#endif
