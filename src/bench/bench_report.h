/* SPDX-License-Identifier: MIT
 *
 * The results of the benchmark as tables for people, as JSON, as CSV and as a plot. Files are
 * written whole or not at all; path "-" is standard output. */
#ifndef BENCH_BENCH_REPORT_H
#define BENCH_BENCH_REPORT_H

#include "bench.h"

#include <stdio.h>

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

#endif
