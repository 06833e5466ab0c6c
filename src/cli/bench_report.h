/* SPDX-License-Identifier: MIT
 * What a benchmark found, as a table for people, JSON and CSV. */
#ifndef CLI_BENCH_REPORT_H
#define CLI_BENCH_REPORT_H

#include "args.h"
#include "measure.h"

typedef struct BenchBaseline {
    int grid; /* cells a side */
    double ms_step_min, cells_per_s;
} BenchBaseline;

typedef struct Bench {
    char cpu[128];
    int cores;
    int steps;          /* timed per result */
    int stream_threads; /* the largest thread count of the sweep */
    double stream_gbs;  /* with as many; 0 where it could not be measured */
    Measure *results;
    int result_count;
    BenchBaseline baselines[ARGS_WHOLES_MAX]; /* one per grid, or none */
    int baseline_count;
} Bench;

/* Markdown that is aligned as it stands. */
void bench_print_table(const Bench *bench, FILE *stream);
bool bench_write_json(const Bench *bench, const char *path, BillowError *error);
bool bench_write_csv(const Bench *bench, const char *path, BillowError *error);

#endif
