/* SPDX-License-Identifier: MIT
 *
 * Pictures timed: grids times sizes, each a row of a table. */
#ifndef CLI_RENDER_BENCH_H
#define CLI_RENDER_BENCH_H

#include "args.h"
#include "command.h"
#include "renderer.h"
#include "report.h"
#include "values.h"

#include <stdio.h>

/* ms of the fastest frame, in all and by its parts, and the median. */
typedef struct RenderFigure {
    int grid[3], width, height;
    RenderTimes fastest;
    double ms_min, ms_median;
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
    ValuesGrids grids;
    ValuesSizes sizes;
    int threads, frames;
    bool quiet;
} RenderPlan;

/* Fills bench, zeros before; what was finished stays in it when interrupted. bench->figures is the
 * caller's to free. */
Status render_bench_sweep(const RenderPlan *plan, RenderBench *bench, BillowError *error);

void render_bench_print(const RenderBench *bench, FILE *stream);
bool render_bench_write_json(const RenderBench *bench, const char *path, BillowError *error);
bool render_bench_write_csv(const RenderBench *bench, const char *path, BillowError *error);

#endif
