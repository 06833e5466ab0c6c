/* SPDX-License-Identifier: MIT
 * Timing steps over grids and numbers of threads. */
#ifndef CLI_BENCH_SWEEP_H
#define CLI_BENCH_SWEEP_H

#include "bench.h"
#include "report.h"
#include "values.h"

typedef struct BenchPlan {
    SceneRequest request; /* grid: filled in for each */
    ValuesGrids grids;
    ArgsWholes threads;
    int steps; /* timed per result */
    bool baseline;
    bool quiet;
} BenchPlan;

/* Everything that can be wrong with the scene, a grid or the memory is found here. */
Status bench_check(const BenchPlan *plan, BillowError *error);

/* Fills bench, zeros before; what was finished stays in it when the sweep is interrupted or fails.
 * bench->results is the caller's to free. */
Status bench_sweep(const BenchPlan *plan, Bench *bench, BillowError *error);

#endif
