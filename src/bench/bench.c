/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include "base/fail.h"
#include "base/number.h"
#include "io/atomic_file.h"
#include "io/gnuplot.h"
#include "mpi/cluster.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_STEPS = 20 }; /* at least, before the timed ones */
#define HEADROOM 0.7      /* a timed step has at most this share of the CFL limit */

void *bench_allocate(Bench *bench, int planned, size_t size, BillowError *error)
{
    void *results = calloc((size_t)planned, size);
    bench->planned = planned;
    if (results == NULL)
        fail(error, "no memory for the results");
    return results;
}

static void time_step(BillowSim *sim, double step, Wire *wire, Measure *measure)
{
    double before = measure->ms_step_min;
    if (wire != NULL) {
        wire->traffic = (BillowTraffic){0};
        wire->seconds = 0;
    }
    if (measure_step(measure, sim, step) < before && wire != NULL) {
        wire->fastest = wire->traffic;
        wire->fastest_seconds = wire->seconds;
    }
}

double bench_short_step(const BillowSim *sim, double step)
{
    const double cells = billow_stats(sim).speed_max * step / (double)billow_view(sim).cell_size;
    return step / fmax(ceil(cells / (HEADROOM * (double)billow_params(sim).cfl)), 1);
}

Status bench_time_steps(const BenchPlan *plan, const SceneDriver *driver, double step,
                        const BillowExchange *part, Wire *wire, const char *what, Measure *measure,
                        BillowError *error)
{
    int warm = (int)fmin(fmax(ceil(plan->develop / step - 1e-6), WARM_STEPS), 1e9);
    int total = warm + plan->steps;
    Progress progress = progress_start(plan->request.quiet);
    Status status = STATUS_DONE;
    for (int taken = 0; taken < total && status == STATUS_DONE; taken++) {
        if (taken == warm)
            step = bench_short_step(driver->sim, step);
        if (!cluster_agree_among(part, !system_interrupted(), error))
            status = STATUS_INTERRUPTED;
        else if (!scene_driver_prepare(driver, step, error))
            status = STATUS_FAILED;
        else if (taken < warm)
            billow_step(driver->sim, step);
        else
            time_step(driver->sim, step, wire, measure);
        progress_update(&progress, what, taken + 1, total);
    }
    progress_end(&progress);
    return status;
}

Status bench_run(const BenchPlan *plan, Bench *bench, BillowError *error)
{
    bench->cores = system_cores();
    bench->steps = plan->steps;
    system_cpu_name(bench->cpu, sizeof bench->cpu);
    system_watch_interrupts();
    return bench->kind->sweep(plan, bench, error);
}

void bench_finish(Bench *bench)
{
    free(bench->results);
    free(bench->kernels);
    free(bench->pictures);
    free(bench->ranks);
    free(bench->live);
}

/* -- figures of steps -------------------------------------------------------------------------- */

double bench_gbs(const Measure *result)
{
    return 1e-6 * result->profile.bytes / result->ms_step_min;
}

const BenchStream *bench_stream(const Bench *bench, const Measure *result)
{
    BandwidthSize size = bandwidth_size_of(measure_cells(result->grid));
    const BenchStream *best = NULL;
    for (int index = 0; index < bench->stream_count; index++) {
        const BenchStream *stream = &bench->streams[index];
        if (stream->size == size && stream->threads <= result->threads && stream->gbs > 0 &&
            (best == NULL || stream->gbs > best->gbs))
            best = stream;
    }
    return best;
}

double bench_stream_most(const Bench *bench, BandwidthSize size)
{
    double most = 0;
    for (int index = 0; index < bench->stream_count; index++)
        if (bench->streams[index].size == size)
            most = fmax(most, bench->streams[index].gbs);
    return most;
}

void bench_compare(Bench *bench)
{
    for (int index = 0; index < bench->result_count; index++) {
        const BenchStream *stream = bench_stream(bench, &bench->results[index]);
        measure_compare(&bench->results[index], stream != NULL ? stream->gbs : 0);
    }
}

static bool same_flow(const Measure *left, const Measure *right)
{
    return memcmp(left->grid, right->grid, sizeof left->grid) == 0 && left->place == right->place;
}

double bench_scene_ratio(const Bench *bench, const Measure *result)
{
    if (bench->scene_count < 2)
        return (double)NAN;
    const ptrdiff_t place = (result - bench->results) % (bench->planned / bench->scene_count);
    return bench->results[place].cells_per_s / result->cells_per_s;
}

/* Finds the result with the fewest threads at the scene and grid of `result`. Returns NULL if that
 * is `result` itself. */
static const Measure *with_fewest_threads(const Bench *bench, const Measure *result)
{
    const Measure *fewest = NULL;
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *other = &bench->results[index];
        if (same_flow(other, result) && other->threads < result->threads &&
            (fewest == NULL || other->threads < fewest->threads))
            fewest = other;
    }
    return fewest;
}

double bench_speedup(const Bench *bench, const Measure *result)
{
    const Measure *fewest = with_fewest_threads(bench, result);
    return fewest != NULL ? fewest->ms_step_min / result->ms_step_min : (double)NAN;
}

double bench_efficiency(const Bench *bench, const Measure *result)
{
    const Measure *fewest = with_fewest_threads(bench, result);
    return fewest != NULL ? bench_speedup(bench, result) * fewest->threads / result->threads
                          : (double)NAN;
}

int bench_baseline_side(const int grid[3])
{
    return (int)lround(cbrt(measure_cells(grid)));
}

const BenchBaseline *bench_baseline(const Bench *bench, const Measure *result)
{
    int side = bench_baseline_side(result->grid);
    for (int index = 0; index < bench->baseline_count; index++)
        if (bench->baselines[index].grid == side)
            return &bench->baselines[index];
    return NULL;
}

double bench_baseline_ratio(const Bench *bench, const Measure *result)
{
    const BenchBaseline *baseline = bench_baseline(bench, result);
    return baseline != NULL ? result->cells_per_s / baseline->cells_per_s : (double)NAN;
}

const Measure *bench_disagreement(const Bench *bench)
{
    for (int index = 1; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index], *before = result - 1;
        if (same_flow(result, before) && result->state_hash != before->state_hash)
            return result;
    }
    return NULL;
}

/* -- figures of kernels and ranks -------------------------------------------------------------- */

/* Finds the figure of the triad at the same grid and number of threads. NULL: not timed. */
static const KernelFigure *triad_of(const Bench *bench, const KernelFigure *figure)
{
    for (int index = 0; index < bench->result_count; index++) {
        const KernelFigure *triad = &bench->kernels[index];
        if (strcmp(triad->name, KERNEL_TRIAD) == 0 && triad->threads == figure->threads &&
            memcmp(triad->grid, figure->grid, sizeof triad->grid) == 0)
            return triad;
    }
    return NULL;
}

static bool disturbed(const Bench *bench, const KernelFigure *figure)
{
    return quiet_disturbed(figure->processor_share, figure->threads, bench->cores);
}

void bench_compare_kernels(Bench *bench)
{
    for (int index = 0; index < bench->result_count; index++) {
        KernelFigure *figure = &bench->kernels[index];
        const KernelFigure *triad = triad_of(bench, figure);
        figure->triad_fraction = (double)NAN;
        if (triad != NULL && !disturbed(bench, triad) && !disturbed(bench, figure) &&
            figure->gbs <= KERNEL_PLAUSIBLE * triad->gbs)
            figure->triad_fraction = figure->gbs / triad->gbs;
    }
}

const RankFigure *bench_ranks_disagreement(const Bench *bench)
{
    for (int index = 1; index < bench->result_count; index++) {
        const RankFigure *figure = &bench->ranks[index], *before = figure - 1;
        if (memcmp(figure->grid, before->grid, sizeof figure->grid) == 0 &&
            figure->state_hash != before->state_hash)
            return figure;
    }
    return NULL;
}

/* -- cells of tables --------------------------------------------------------------------------- */

void bench_grid_text(const int grid[3], char *text, size_t size)
{
    snprintf(text, size, "%dx%dx%d", grid[0], grid[1], grid[2]);
}

void bench_grid_row(TextTable *table, const int grid[3])
{
    text_table_row(table);
    text_table_cell(table, "%dx%dx%d", grid[0], grid[1], grid[2]);
}

void bench_table(const Bench *bench, int count, const char *const *names, BenchRowOf *row,
                 FILE *stream)
{
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        for (const char *const *name = names; *name != NULL; name++)
            text_table_cell(&table, "%s", *name);
        for (int index = 0; index < count; index++)
            row(&table, bench, index);
    }
}

void bench_number_cell(TextTable *table, const char *format, double value)
{
    char text[32] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    text_table_cell(table, "%s", text);
}

void bench_print(const Bench *bench, FILE *stream)
{
    fprintf(stream, "billow " BILLOW_VERSION " (%s) on %s, %d core%s\n", billow_simd(), bench->cpu,
            bench->cores, bench->cores == 1 ? "" : "s");
    if (bench->result_count < bench->planned)
        fprintf(stream, "not finished: %d of %d results\n", bench->result_count, bench->planned);
    bench->kind->print(bench, stream);
}

/* -- JSON and CSV ------------------------------------------------------------------------------ */

void bench_number(BenchRow *row, const char *name, double value)
{
    assert(row->count < (int)(sizeof row->numbers / sizeof row->numbers[0]));
    snprintf(row->numbers[row->count].name, sizeof row->numbers[0].name, "%s", name);
    row->numbers[row->count++].value = value;
}

static void add_row(const Bench *bench, int index, Json *json, cJSON *object)
{
    BenchRow row = {.machine = billow_simd()};
    bench->kind->row(bench, index, &row);
    if (row.text != NULL)
        json_text(json, object, bench->kind->text_name, row.text);
    json_grid(json, object, "grid", row.grid);
    for (int number = 0; number < row.count; number++)
        json_number(json, object, row.numbers[number].name, row.numbers[number].value);
}

bool bench_write_json(const Bench *bench, const char *path, BillowError *error)
{
    Json json = json_start();
    json_text(&json, json.root, "version", BILLOW_VERSION);
    json_flag(&json, json.root, "complete", bench->result_count == bench->planned);
    cJSON *machine = json_object(&json, json.root, "machine");
    json_text(&json, machine, "cpu", bench->cpu);
    json_number(&json, machine, "threads", bench->cores);
    measure_json_limits(&json, machine);
    json_text(&json, machine, "simd", billow_simd());
    if (bench->kind->describe != NULL)
        bench->kind->describe(bench, &json, machine);
    cJSON *list = json_array(&json, json.root, bench->kind->list);
    for (int index = 0; index < bench->result_count; index++) {
        cJSON *object = json_object(&json, list, NULL);
        (bench->kind->add != NULL ? bench->kind->add : add_row)(bench, index, &json, object);
    }
    return json_write(&json, path, error);
}

/* Writes one field of CSV, in quotes if it holds a comma, a quote or a line end. */
static void csv_text(FILE *stream, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != 0; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

/* A number that is NaN or infinite gives an empty field. */
static void csv_row(FILE *stream, const Bench *bench, const BenchRow *row)
{
    if (row->text != NULL) {
        csv_text(stream, row->text);
        fputc(',', stream);
    }
    fprintf(stream, "%d,%d,%d", row->grid[0], row->grid[1], row->grid[2]);
    for (int number = 0; number < row->count; number++) {
        fputc(',', stream);
        if (isfinite(row->numbers[number].value))
            number_fprint(stream, "%.9g", row->numbers[number].value);
    }
    fprintf(stream, "%s,%s,", row->more, BILLOW_VERSION);
    csv_text(stream, row->machine);
    fputc(',', stream);
    csv_text(stream, bench->cpu);
    fputc('\n', stream);
}

bool bench_write_csv(const Bench *bench, const char *path, BillowError *error)
{
    AtomicFile file;
    const BenchKind *kind = bench->kind;
    if (!atomic_file_open(&file, path, error))
        return false;
    for (int index = 0; index < bench->result_count; index++) {
        BenchRow row = {.machine = billow_simd()};
        bench->kind->row(bench, index, &row);
        if (index == 0) {
            fprintf(file.stream, "%snx,ny,nz", kind->text_column);
            for (int number = 0; number < row.count; number++)
                fprintf(file.stream, ",%s", row.numbers[number].name);
            fprintf(file.stream, "%s,version,%s,cpu\n", kind->more_columns, kind->machine_column);
        }
        csv_row(file.stream, bench, &row);
    }
    return atomic_file_commit(&file, error);
}

/* -- the plot: ms per step against cells, both logarithmic ------------------------------------- */

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

/* One named block for each line, "cells ms" per row. */

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
    Point points[BENCH_GRIDS_MAX];
    for (int index = 0; index < bench->baseline_count; index++)
        points[index] =
            (Point){pow(bench->baselines[index].grid, 3), bench->baselines[index].ms_step_min};
    put_points(script, "baseline", points, bench->baseline_count);
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
