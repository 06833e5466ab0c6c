/* SPDX-License-Identifier: MIT
 * What a benchmark found, as tables for people, as JSON and as CSV. */
#ifndef CLI_BENCH_REPORT_H
#define CLI_BENCH_REPORT_H

#include "bench.h"

#include <stdio.h>

/* "64x96x64" */
void bench_grid_text(const int grid[3], char *text, size_t size);
/* "billow 0.1.0 (avx512) on AMD EPYC, 2 cores" */
void bench_print_machine(const char *cpu, int cores, FILE *stream);
/* The measured bandwidths, one row per number of threads. */
void bench_print_streams(const Bench *bench, FILE *stream);

/* Markdown that is aligned as it stands: bandwidth, speeds, what the steps left, stages. */
void bench_print_tables(const Bench *bench, FILE *stream);

/* Whole or not at all; "-" is standard output. */
bool bench_write_json(const Bench *bench, const char *path, BillowError *error);
bool bench_write_csv(const Bench *bench, const char *path, BillowError *error);

/* A field of CSV: in quotes where it holds a comma, a quote or a line's end. */
void bench_csv_text(FILE *stream, const char *text);

#endif
