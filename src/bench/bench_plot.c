/* SPDX-License-Identifier: MIT
 * The plot of the benchmark: ms per step against cells, both logarithmic. */
#include "bench/bench.h"

#include "base/number.h"
#include "io/atomic_file.h"
#include "io/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, HEIGHT = 640 };
#define PAD 1.5 /* factor between the extreme values and the ends of their axis */

/* Ranges of both axes. */
typedef struct Frame {
    double cells_least, cells_most, ms_least, ms_most;
} Frame;

/* Least time that the measured bandwidth allows for a step, ms; NaN: unknown. */
static double limit_ms(const Bench *bench, const Measure *result)
{
    const BenchStream *stream = bench_stream(bench, result);
    return stream != NULL && result->profile.bytes > 0 ? 1e-6 * result->profile.bytes / stream->gbs
                                                       : (double)NAN;
}

/* Smallest number of threads above `threads` that a result has; 0: none. */
static int next_threads(const Bench *bench, int threads)
{
    int next = 0;
    for (int index = 0; index < bench->result_count; index++) {
        int other = bench->results[index].threads;
        if (other > threads && (next == 0 || other < next))
            next = other;
    }
    return next;
}

static int most_threads(const Bench *bench)
{
    int most = 0;
    for (int next = next_threads(bench, 0); next > 0; next = next_threads(bench, next))
        most = next;
    return most;
}

static void widen(Frame *frame, double cells, double ms)
{
    frame->cells_least = fmin(frame->cells_least, cells / PAD);
    frame->cells_most = fmax(frame->cells_most, cells * PAD);
    frame->ms_least = fmin(frame->ms_least, ms / PAD);
    frame->ms_most = fmax(frame->ms_most, ms * PAD);
}

static Frame frame_of(const Bench *bench)
{
    double first = measure_cells(bench->results[0].grid);
    Frame frame = {first, first, 1000.0 / 60 / PAD, 1000.0 / 30 * PAD};
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index];
        const BenchBaseline *baseline = bench_baseline(bench, result);
        double limit = limit_ms(bench, result);
        widen(&frame, measure_cells(result->grid), result->ms_step_min);
        if (isfinite(limit) && result->threads == most_threads(bench))
            widen(&frame, measure_cells(result->grid), limit);
        if (baseline != NULL)
            widen(&frame, pow(baseline->grid, 3), baseline->ms_step_min);
    }
    /* The axis of cells spans at least a decade. A shorter axis might have no labelled tick. */
    double missing = sqrt(fmax(1, 12 * frame.cells_least / frame.cells_most));
    frame.cells_least /= missing;
    frame.cells_most *= missing;
    return frame;
}

/* Colour of a line: green at along = 0, violet at 1. The brightness falls, so that the lines also
 * differ in greyscale. */
static void colour_of(double along, char text[8])
{
    static const double stops[4][3] = {{94, 201, 98}, {33, 145, 140}, {59, 82, 139}, {68, 1, 84}};
    int stop = along < 2 ? (int)along : 2;
    unsigned rgb[3];
    for (int channel = 0; channel < 3; channel++) {
        double from = stops[stop][channel], to = stops[stop + 1][channel];
        rgb[channel] = (unsigned)lround(from + (along - stop) * (to - from)) & 0xff;
    }
    snprintf(text, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

/* Formats a grid: "64^3" for a cube, else "64x96x64". */
static void grid_label(const int grid[3], char *text, size_t size)
{
    if (grid[0] == grid[1] && grid[1] == grid[2])
        snprintf(text, size, "%d\u00b3", grid[0]);
    else
        bench_grid_text(grid, text, size);
}

/* -- data: one named block for each line, "cells ms" per row ----------------------------------- */

typedef struct Point {
    double cells, ms;
} Point;

/* Sorts the points by cells, and writes them. */
static void put_points(FILE *script, const char *name, Point *points, int count)
{
    fprintf(script, "$%s << END\n", name);
    for (int at = 0; at < count; at++) {
        for (int other = at + 1; other < count; other++)
            if (points[other].cells < points[at].cells) {
                Point point = points[at];
                points[at] = points[other];
                points[other] = point;
            }
        number_fprint(script, "%.9g %.9g\n", points[at].cells, points[at].ms);
    }
    fputs("END\n", script);
}

/* Writes the points of all results with `threads` threads: the measured times, or the least times
 * that the bandwidth allows. */
static int put_results(FILE *script, const Bench *bench, int threads, bool limits)
{
    Point points[BENCH_GRIDS_MAX];
    char name[32];
    int count = 0;
    for (int index = 0; index < bench->result_count && count < BENCH_GRIDS_MAX; index++) {
        const Measure *result = &bench->results[index];
        double ms = limits ? limit_ms(bench, result) : result->ms_step_min;
        if (result->threads == threads && isfinite(ms))
            points[count++] = (Point){measure_cells(result->grid), ms};
    }
    snprintf(name, sizeof name, "%s%d", limits ? "limit" : "steps", threads);
    put_points(script, name, points, count);
    return count;
}

static void put_baselines(FILE *script, const Bench *bench)
{
    Point points[BENCH_GRIDS_MAX];
    for (int index = 0; index < bench->baseline_count; index++)
        points[index] =
            (Point){pow(bench->baselines[index].grid, 3), bench->baselines[index].ms_step_min};
    put_points(script, "baseline", points, bench->baseline_count);
}

/* -- the drawing ------------------------------------------------------------------------------- */

static void put_heading(FILE *script, const Bench *bench)
{
    char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "%.80s, %d core%s, %s; fastest of %d steps%s",
                                   bench->cpu, bench->cores, bench->cores == 1 ? "" : "s",
                                   billow_simd(), bench->steps,
                                   bench->result_count < bench->planned ? "; not finished" : "");
    double cache = bench_stream_most(bench, BANDWIDTH_CACHE);
    double memory = bench_stream_most(bench, BANDWIDTH_MEMORY);
    if (cache > 0 && memory > 0)
        number_print(text + used, sizeof text - used,
                     "; triad bandwidth %.1f GB/s in cache, %.1f GB/s in memory", cache, memory);
    fputs("set label 1 ", script);
    gnuplot_text(script, text);
    fputs(" at graph 0, graph 1.11 font ',11' textcolor '#555555'\n", script);
}

/* Labels the bandwidth limit with the largest grid that fits in the cache and the smallest one that
 * does not. */
static void put_limits(FILE *script, const Bench *bench)
{
    for (int size = 0; size < BANDWIDTH_SIZES; size++) {
        const Measure *edge =
            NULL; /* largest grid that is compared with the cache, or smallest with memory */
        for (int index = 0; index < bench->result_count; index++) {
            const Measure *result = &bench->results[index];
            const BenchStream *stream = bench_stream(bench, result);
            if (result->threads != most_threads(bench) || stream == NULL ||
                stream->size != (BandwidthSize)size)
                continue;
            if (edge == NULL || (measure_cells(result->grid) > measure_cells(edge->grid)) ==
                                    (size == BANDWIDTH_CACHE))
                edge = result;
        }
        if (edge == NULL)
            continue;
        char grid[40], text[64];
        grid_label(edge->grid, grid, sizeof grid);
        snprintf(text, sizeof text, size == BANDWIDTH_CACHE ? "cache up to %s" : "memory from %s",
                 grid);
        fprintf(script, "set label %d ", 2 + size);
        gnuplot_text(script, text);
        fprintf(script, " at graph 1.03, graph 0.%02d font ',11' textcolor '#777777'\n",
                12 - 6 * size);
    }
}

static void put_axes(FILE *script, const Bench *bench, const Frame *frame)
{
    number_fprint(script,
                  "set lmargin 9\nset rmargin 28\nset tmargin 7\nset title offset 0,1.8\n"
                  "set logscale xy\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n"
                  "set xlabel 'cells'\nset ylabel 'ms per step'\n"
                  "set format x '%%.0s%%c'\nset format y '%%g'\n"
                  "set key outside right top reverse Left samplen 2 font ',11'\n",
                  frame->cells_least, frame->cells_most, frame->ms_least, frame->ms_most);
    fputs("set x2range [", script);
    number_fprint(script, "%.9g:%.9g]\nset logscale x2\nset x2tics (", frame->cells_least,
                  frame->cells_most);
    for (int index = 0, named = 0; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index];
        bool again = index > 0 && measure_cells((result - 1)->grid) >= measure_cells(result->grid);
        char label[40];
        if (again)
            continue;
        grid_label(result->grid, label, sizeof label);
        fputs(named++ > 0 ? ", " : "", script);
        gnuplot_text(script, label);
        number_fprint(script, " %.9g", measure_cells(result->grid));
    }
    fputs(")\nset xtics nomirror\n", script);
    for (int pace = 30; pace <= 60; pace += 30)
        number_fprint(script,
                      "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead linecolor "
                      "'#c0392b'\n"
                      "set label '%d steps/s' at graph 0.01, first %.9g offset 0,0.6 font ',10' "
                      "textcolor '#c0392b'\n",
                      1000.0 / pace, 1000.0 / pace, pace, 1000.0 / pace);
}

static void put_lines(FILE *script, const Bench *bench)
{
    int most = most_threads(bench), count = 0, line = 0;
    for (int next = next_threads(bench, 0); next > 0; next = next_threads(bench, next)) {
        put_results(script, bench, next, false);
        count++;
    }
    bool limited = put_results(script, bench, most, true) > 0;
    put_baselines(script, bench);
    fputs("plot ", script);
    if (bench->baseline_count > 0)
        fputs("$baseline using 1:2 with linespoints linecolor '#b5542a' dashtype 3 "
              "pointtype 5 pointsize 0.6 title 'Stam 2003, 1 thread', ",
              script);
    for (int next = next_threads(bench, 0); next > 0; next = next_threads(bench, next)) {
        char colour[8];
        colour_of(count > 1 ? 3.0 * line++ / (count - 1) : 2, colour);
        fprintf(script,
                "$steps%d using 1:2 with linespoints linecolor '%s' linewidth 2 "
                "pointtype 7 pointsize 0.6 title '%d thread%s', ",
                next, colour, next, next == 1 ? "" : "s");
    }
    if (limited)
        fprintf(script,
                "$limit%d using 1:2 with lines linecolor '#777777' dashtype 2 title "
                "'bandwidth limit, %d thread%s', ",
                most, most, most == 1 ? "" : "s");
    /* Labels each point of the line with the most threads with its time. */
    fprintf(script,
            "$steps%d using 1:2:($2 < 9.995 ? sprintf('%%.2f', $2) : $2 < 99.95 ? "
            "sprintf('%%.1f', $2) : sprintf('%%.0f', $2)) with labels left offset 0.8,-0.8 font "
            "',10' notitle\n",
            most);
}

bool bench_write_plot(const Bench *bench, const char *path, BillowError *error)
{
    Gnuplot plot;
    AtomicFile file;
    char title[256];
    const Frame frame = frame_of(bench);
    snprintf(title, sizeof title, "Billow %s: ms per step, %s", BILLOW_VERSION,
             bench->results[0].scene);
    if (!gnuplot_open(&plot, WIDTH, HEIGHT, title, error))
        return false;
    put_heading(plot.script, bench);
    put_limits(plot.script, bench);
    put_axes(plot.script, bench, &frame);
    put_lines(plot.script, bench);
    if (!atomic_file_open(&file, path, error)) {
        gnuplot_abandon(&plot);
        return false;
    }
    if (gnuplot_draw(&plot, false, file.stream, error))
        return atomic_file_commit(&file, error);
    atomic_file_abandon(&file);
    return false;
}
