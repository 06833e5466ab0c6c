/* SPDX-License-Identifier: MIT
 *
 * The benchmark of pictures: a scene drawn over grids and picture sizes. */
#ifndef BENCH_RENDER_BENCH_H
#define BENCH_RENDER_BENCH_H

#include "bench.h"
#include "renderer.h"

#include <stdio.h>

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
