/* SPDX-License-Identifier: MIT
 *
 * What a benchmark found, as a drawing: ms per step against cells, both logarithmic. A line for
 * every number of threads; the least time that the algorithm's traffic needs at the measured
 * bandwidth, with what lies below it shaded; where 60 and 30 steps a second are; the baseline,
 * where it was timed. */
#ifndef CLI_BENCH_PLOT_H
#define CLI_BENCH_PLOT_H

#include "bench.h"

/* SVG, whole or not at all; "-" is standard output. There must be a result. */
bool bench_write_plot(const Bench *bench, const char *path, BillowError *error);

#endif
