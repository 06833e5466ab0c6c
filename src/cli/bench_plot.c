/* SPDX-License-Identifier: MIT */
#include "bench_plot.h"

#include "atomic_file.h"
#include "bench_report.h"
#include "fail.h"
#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, HEIGHT = 640, LEGEND_X = 742 };
#define PAPER "stroke:#fff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke"
#define PAD   1.5 /* between the outermost values and the frame */

static const char limit_style[] = "fill:none;stroke:#777;stroke-width:1.6;stroke-dasharray:7 4";
static const char baseline_style[] = "fill:none;stroke:#b5542a;stroke-width:1.8;"
                                     "stroke-dasharray:2 3";
static const char pace_style[] = "stroke:#c0392b;stroke-width:1;stroke-opacity:0.7";
static const char legend_style[] = "font-size:13px;fill:#222";
static const char note_style[] = "font-size:13px;fill:#555";

typedef struct Point {
    double cells, ms;
} Point;

typedef struct Plot {
    FILE *stream;
    const Bench *bench;
    SvgAxes axes;
    int *threads; /* distinct, rising */
    int thread_count;
    Point *points;               /* room for a line */
    double legend_y, legend_row; /* where the next row stands, and from row to row */
} Plot;

static int compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static int compare_points(const void *left, const void *right)
{
    double a = ((const Point *)left)->cells, b = ((const Point *)right)->cells;
    return (a > b) - (a < b);
}

/* Least time of the traffic at the bandwidth the result is compared with; NaN where unknown. */
static double limit_ms(const Bench *bench, const Measure *result)
{
    const BenchStream *stream = bench_stream(bench, result);
    return stream != NULL && result->profile.bytes > 0 ? 1e-6 * result->profile.bytes / stream->gbs
                                                       : (double)NAN;
}

/* The points of one number of threads by rising cells, of the measured times or of their limits. */
static int collect(Plot *plot, int threads, bool limits)
{
    int count = 0;
    for (int index = 0; index < plot->bench->result_count; index++) {
        const Measure *result = &plot->bench->results[index];
        double ms = limits ? limit_ms(plot->bench, result) : result->ms_step_min;
        if (result->threads == threads && isfinite(ms))
            plot->points[count++] = (Point){bench_cells(result), ms};
    }
    qsort(plot->points, (size_t)count, sizeof *plot->points, compare_points);
    return count;
}

static void widen(SvgAxes *axes, double cells, double ms)
{
    axes->x_least = fmin(axes->x_least, cells / PAD);
    axes->x_most = fmax(axes->x_most, cells * PAD);
    axes->y_least = fmin(axes->y_least, ms / PAD);
    axes->y_most = fmax(axes->y_most, ms * PAD);
}

static void fit_axes(Plot *plot)
{
    const Bench *bench = plot->bench;
    double first = bench_cells(&bench->results[0]);
    plot->axes = (SvgAxes){.left = 78,
                           .right = 722,
                           .top = 130,
                           .bottom = 570,
                           .x_least = first,
                           .x_most = first,
                           .y_least = 1000.0 / 60,
                           .y_most = 1000.0 / 30};
    widen(&plot->axes, first, 1000.0 / 60);
    widen(&plot->axes, first, 1000.0 / 30);
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index];
        const BenchBaseline *baseline = bench_baseline(bench, result);
        double limit = limit_ms(bench, result);
        widen(&plot->axes, bench_cells(result), result->ms_step_min);
        if (isfinite(limit) && result->threads == plot->threads[plot->thread_count - 1])
            widen(&plot->axes, bench_cells(result), limit);
        if (baseline != NULL)
            widen(&plot->axes, pow(baseline->grid, 3), baseline->ms_step_min);
    }
    /* A decade at least, so that a figure stands at the axis however few grids there are. */
    double missing = sqrt(fmax(1, 12 * plot->axes.x_least / plot->axes.x_most));
    plot->axes.x_least /= missing;
    plot->axes.x_most *= missing;
}

/* From dark violet to green: distinct to every kind of eye, and in grey. */
static void colour_of(const Plot *plot, int index, char *text, size_t size)
{
    static const double stops[4][3] = {{94, 201, 98}, {33, 145, 140}, {59, 82, 139}, {68, 1, 84}};
    double along = plot->thread_count > 1 ? 3.0 * index / (plot->thread_count - 1) : 2;
    int stop = along < 2 ? (int)along : 2;
    int rgb[3];
    for (int channel = 0; channel < 3; channel++) {
        double from = stops[stop][channel], to = stops[stop + 1][channel];
        rgb[channel] = (int)lround(from + (along - stop) * (to - from));
    }
    snprintf(text, size, "#%02x%02x%02x", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

/* "64" with a raised 3 for a cube, "64x96x64" otherwise. */
static void grid_label(const int grid[3], char *text, size_t size)
{
    if (grid[0] == grid[1] && grid[1] == grid[2])
        snprintf(text, size, "%d\u00b3", grid[0]);
    else
        bench_grid_text(grid, text, size);
}

/* Names the grids above the frame, as far as they find room. */
static void draw_grids(Plot *plot)
{
    char label[40];
    double taken = 0; /* right end of the last label */
    for (double from = 0;;) {
        const Measure *next = NULL;
        for (int index = 0; index < plot->bench->result_count; index++) {
            const Measure *result = &plot->bench->results[index];
            if (bench_cells(result) > from &&
                (next == NULL || bench_cells(result) < bench_cells(next)))
                next = result;
        }
        if (next == NULL)
            return;
        from = bench_cells(next);
        double x = svg_x(&plot->axes, from), top = plot->axes.top;
        grid_label(next->grid, label, sizeof label);
        svg_line(plot->stream, x, top - 6, x, top, "stroke:#888");
        double half = 4.0 * (double)strlen(label) + 4;
        if (x - half < taken)
            continue;
        taken = x + half;
        svg_text(plot->stream, x, top - 11, SVG_MIDDLE, "font-size:13px;fill:#222", label);
    }
}

static void draw_paces(Plot *plot)
{
    for (int pace = 30; pace <= 60; pace += 30) {
        char text[32];
        double y = svg_y(&plot->axes, 1000.0 / pace);
        snprintf(text, sizeof text, "%d steps/s", pace);
        svg_line(plot->stream, plot->axes.left, y, plot->axes.right, y, pace_style);
        svg_text(plot->stream, plot->axes.left + 8, y - 5, SVG_START,
                 "font-size:12px;fill:#c0392b;" PAPER, text);
    }
}

static void legend_row(Plot *plot, const char *style, const char *text)
{
    double y = plot->legend_y;
    svg_line(plot->stream, LEGEND_X, y, LEGEND_X + 28, y, style);
    svg_text(plot->stream, LEGEND_X + 36, y + 4.5, SVG_START, legend_style, text);
    plot->legend_y += plot->legend_row;
}

/* A line on from a point with time in proportion to cells, to where it leaves the frame. */
static double proportional(const Point *point, double cells)
{
    return point->ms * cells / point->cells;
}

static void limit_path(Plot *plot, int count, const char *style, bool shade)
{
    const SvgAxes *axes = &plot->axes;
    const Point *points = plot->points;
    fprintf(plot->stream, "<path clip-path=\"url(#frame)\" style=\"%s\" d=\"M%.1f %.1f", style,
            axes->left, svg_y(axes, proportional(&points[0], axes->x_least)));
    for (int index = 0; index < count; index++)
        fprintf(plot->stream, " L%.1f %.1f", svg_x(axes, points[index].cells),
                svg_y(axes, points[index].ms));
    fprintf(plot->stream, " L%.1f %.1f", axes->right,
            svg_y(axes, proportional(&points[count - 1], axes->x_most)));
    if (shade)
        fprintf(plot->stream, " V%d H%.1f Z", HEIGHT, axes->left);
    fputs("\"/>\n", plot->stream);
}

/* One more line of the row above. */
static void legend_text(Plot *plot, const char *text)
{
    svg_text(plot->stream, LEGEND_X + 36, plot->legend_y - 2, SVG_START, legend_style, text);
    plot->legend_y += fmin(18, plot->legend_row);
}

/* The grids whose limit is that of the cache, or of memory: up to which, or from which on. */
static void legend_limit(Plot *plot, int threads, BandwidthSize size)
{
    bool cache = size == BANDWIDTH_CACHE;
    const Measure *edge = NULL;
    for (int index = 0; index < plot->bench->result_count; index++) {
        const Measure *result = &plot->bench->results[index];
        const BenchStream *stream = bench_stream(plot->bench, result);
        if (result->threads != threads || stream == NULL || stream->size != size)
            continue;
        if (edge == NULL || (bench_cells(result) > bench_cells(edge)) == cache)
            edge = result;
    }
    if (edge == NULL)
        return;
    char grid[40], text[64];
    grid_label(edge->grid, grid, sizeof grid);
    snprintf(text, sizeof text, cache ? "cache up to %s" : "memory from %s", grid);
    legend_text(plot, text);
}

static void draw_limit(Plot *plot, bool shade)
{
    int threads = plot->threads[plot->thread_count - 1];
    int count = collect(plot, threads, true);
    if (count == 0)
        return;
    limit_path(plot, count, shade ? "fill:#f4f5f7" : limit_style, shade);
    if (shade)
        return;
    char text[48];
    snprintf(text, sizeof text, "%d thread%s,", threads, threads == 1 ? "" : "s");
    legend_row(plot, limit_style, "bandwidth limit,");
    legend_text(plot, text);
    for (int size = 0; size < BANDWIDTH_SIZES; size++)
        legend_limit(plot, threads, (BandwidthSize)size);
}

static void draw_baseline(Plot *plot)
{
    int count = plot->bench->baseline_count;
    if (count == 0)
        return;
    for (int index = 0; index < count; index++) {
        const BenchBaseline *baseline = &plot->bench->baselines[index];
        plot->points[index] = (Point){pow(baseline->grid, 3), baseline->ms_step_min};
    }
    qsort(plot->points, (size_t)count, sizeof *plot->points, compare_points);
    fprintf(plot->stream, "<path style=\"%s\" d=\"", baseline_style);
    for (int index = 0; index < count; index++)
        fprintf(plot->stream, "%s%.1f %.1f", index == 0 ? "M" : " L",
                svg_x(&plot->axes, plot->points[index].cells),
                svg_y(&plot->axes, plot->points[index].ms));
    fputs("\"/>\n", plot->stream);
    for (int index = 0; index < count; index++)
        fprintf(plot->stream,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"#b5542a\"/>\n",
                svg_x(&plot->axes, plot->points[index].cells) - 3.5,
                svg_y(&plot->axes, plot->points[index].ms) - 3.5);
    legend_row(plot, baseline_style, "Stam 2003, 1 thread");
}

static void draw_line(Plot *plot, int index)
{
    char colour[8], style[96], text[32];
    int count = collect(plot, plot->threads[index], false);
    colour_of(plot, index, colour, sizeof colour);
    snprintf(style, sizeof style, "fill:none;stroke:%s;stroke-width:2.4", colour);
    fprintf(plot->stream, "<polyline style=\"%s\" points=\"", style);
    for (int point = 0; point < count; point++)
        fprintf(plot->stream, "%s%.1f,%.1f", point > 0 ? " " : "",
                svg_x(&plot->axes, plot->points[point].cells),
                svg_y(&plot->axes, plot->points[point].ms));
    fputs("\"/>\n", plot->stream);
    for (int point = 0; point < count; point++)
        fprintf(plot->stream,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" stroke=\"#fff\"/>\n",
                svg_x(&plot->axes, plot->points[point].cells),
                svg_y(&plot->axes, plot->points[point].ms), colour);
    snprintf(text, sizeof text, "%d thread%s", plot->threads[index],
             plot->threads[index] == 1 ? "" : "s");
    legend_row(plot, style, text);
}

/* The milliseconds of the most threads beside their points. */
static void draw_figures(Plot *plot)
{
    int count = collect(plot, plot->threads[plot->thread_count - 1], false);
    for (int point = 0; point < count; point++) {
        double ms = plot->points[point].ms;
        char text[32];
        snprintf(text, sizeof text, ms < 9.995 ? "%.2f" : ms < 99.95 ? "%.1f" : "%.0f", ms);
        svg_text(plot->stream, svg_x(&plot->axes, plot->points[point].cells) + 8,
                 svg_y(&plot->axes, ms) + 14, SVG_START, "font-size:12px;fill:#222;" PAPER, text);
    }
}

static void draw_title(Plot *plot)
{
    const Bench *bench = plot->bench;
    char text[256];
    snprintf(text, sizeof text, "Billow %s: ms per step, %s", BILLOW_VERSION,
             bench->results[0].scene);
    svg_begin(plot->stream, WIDTH, HEIGHT, text);
    svg_text(plot->stream, 24, 36, SVG_START, "font-size:20px;font-weight:bold;fill:#111", text);
    snprintf(text, sizeof text, "%.80s, %d core%s, %s; fastest of %d steps%s", bench->cpu,
             bench->cores, bench->cores == 1 ? "" : "s", billow_simd(), bench->steps,
             bench->result_count < bench->planned ? "; not finished" : "");
    svg_text(plot->stream, 24, 60, SVG_START, note_style, text);
    double cache = bench_stream_most(bench, BANDWIDTH_CACHE);
    double memory = bench_stream_most(bench, BANDWIDTH_MEMORY);
    if (cache > 0 && memory > 0) {
        snprintf(text, sizeof text, "triad bandwidth %.1f GB/s in cache, %.1f GB/s in memory",
                 cache, memory);
        svg_text(plot->stream, 24, 80, SVG_START, note_style, text);
    }
}

static void draw(Plot *plot)
{
    const SvgAxes *axes = &plot->axes;
    draw_title(plot);
    fprintf(plot->stream,
            "<clipPath id=\"frame\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\"/></clipPath>\n",
            axes->left, axes->top, axes->right - axes->left, axes->bottom - axes->top);
    draw_limit(plot, true);
    svg_axes(plot->stream, axes, "cells", "ms per step");
    draw_grids(plot);
    draw_paces(plot);
    plot->legend_y = axes->top + 10;
    plot->legend_row = fmin(24, (axes->bottom - axes->top) / (plot->thread_count + 5));
    draw_baseline(plot);
    for (int index = 0; index < plot->thread_count; index++)
        draw_line(plot, index);
    draw_limit(plot, false);
    draw_figures(plot);
    svg_end(plot->stream);
}

static void list_threads(Plot *plot)
{
    const Bench *bench = plot->bench;
    int count = 0;
    for (int index = 0; index < bench->result_count; index++)
        plot->threads[count++] = bench->results[index].threads;
    qsort(plot->threads, (size_t)count, sizeof *plot->threads, compare_ints);
    for (int index = 0; index < count; index++)
        if (index == 0 || plot->threads[index] != plot->threads[plot->thread_count - 1])
            plot->threads[plot->thread_count++] = plot->threads[index];
}

bool bench_write_plot(const Bench *bench, const char *path, BillowError *error)
{
    size_t room = (size_t)bench->result_count + (size_t)bench->baseline_count;
    Plot plot = {.bench = bench,
                 .threads = malloc(room * sizeof *plot.threads),
                 .points = malloc(room * sizeof *plot.points)};
    AtomicFile file;
    bool written = false;
    if (plot.threads == NULL || plot.points == NULL) {
        fail(error, "%s: no memory to draw it", path);
    } else if (atomic_file_open(&file, path, error)) {
        plot.stream = file.stream;
        list_threads(&plot);
        fit_axes(&plot);
        draw(&plot);
        written = atomic_file_commit(&file, error);
    }
    free(plot.threads);
    free(plot.points);
    return written;
}
