/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include "base/number.h"
#include "io/atomic_file.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define STAGE_SHARE 0.001 /* a shown stage takes this share of a step in some result */

/* -- cells of tables --------------------------------------------------------------------------- */

void bench_grid_text(const int grid[3], char *text, size_t size)
{
    snprintf(text, size, "%dx%dx%d", grid[0], grid[1], grid[2]);
}

void bench_grid_cell(TextTable *table, const int grid[3])
{
    text_table_cell(table, "%dx%dx%d", grid[0], grid[1], grid[2]);
}

void bench_headings(TextTable *table, const char *const *names)
{
    for (; *names != NULL; names++)
        text_table_cell(table, "%s", *names);
}

void bench_number_cell(TextTable *table, const char *format, double value)
{
    char text[32] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    text_table_cell(table, "%s", text);
}

/* Adds a cell with a time, ms, in about four digits. */
static void ms_cell(TextTable *table, double ms)
{
    text_table_cell(table, "%.*f", ms < 9.9995 ? 3 : ms < 99.995 ? 2 : 1, ms);
}

/* -- tables of steps --------------------------------------------------------------------------- */

static void print_streams(const Bench *bench, FILE *stream)
{
    TextTable table = {.stream = stream};
    int rows = 0; /* of each size */
    while (rows < bench->stream_count && bench->streams[rows].size == bench->streams[0].size)
        rows++;
    while (text_table_pass(&table)) {
        text_table_cell(&table, "triad GB/s on");
        for (int first = 0; first < bench->stream_count; first += rows)
            text_table_cell(&table, "%s (arrays of %.0f MiB)",
                            bandwidth_size_name(bench->streams[first].size),
                            (double)bench->streams[first].array_bytes / (1 << 20));
        for (int row = 0; row < rows; row++) {
            text_table_row(&table);
            text_table_cell(&table, "%d thread%s", bench->streams[row].threads,
                            bench->streams[row].threads == 1 ? "" : "s");
            for (int first = row; first < bench->stream_count; first += rows)
                text_table_cell(&table, "%.1f", bench->streams[first].gbs);
        }
    }
}

static void speed_row(TextTable *table, const Bench *bench, const Measure *result)
{
    char share[32] = "", speedup[32] = "";
    const BenchStream *of = bench_stream(bench, result);
    if (of != NULL)
        number_print(share, sizeof share, "%.0f %% %s", 100 * result->bandwidth_fraction,
                     bandwidth_size_name(of->size));
    if (isfinite(bench_speedup(bench, result)))
        number_print(speedup, sizeof speedup, "%.2f (%.0f %%)", bench_speedup(bench, result),
                     100 * bench_efficiency(bench, result));
    text_table_row(table);
    bench_grid_cell(table, result->grid);
    text_table_cell(table, "%d", result->threads);
    ms_cell(table, result->ms_step_min);
    ms_cell(table, result->ms_step_median);
    text_table_cell(table, "%.2f", 1e-6 * result->cells_per_s);
    text_table_cell(table, "%.1f", bench_gbs(result));
    text_table_cell(table, "%s", share);
    text_table_cell(table, "%s", speedup);
    bench_number_cell(table, "%.1f", bench_baseline_ratio(bench, result));
}

static void print_speeds(const Bench *bench, FILE *stream)
{
    static const char *const names[] = {"grid", "threads",  "ms/step",  "median",     "Mcell/s",
                                        "GB/s", "of triad", "speed-up", "x baseline", NULL};
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        bench_headings(&table, names);
        for (int index = 0; index < bench->result_count; index++)
            speed_row(&table, bench, &bench->results[index]);
    }
}

/* Table of the results with BILLOW_DOMAIN_FOLLOW. */
static void print_follows(const Bench *bench, FILE *stream)
{
    static const char *const names[] = {
        "grid",           "threads",         "active", "ms/step",      "median", "x whole box",
        "ns/active cell", "bytes used/cell", "cycles", "empty box ms", NULL};
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        bench_headings(&table, names);
        for (int index = 0; index < bench->result_count; index++) {
            const Measure *follow = &bench->follows[index];
            BenchFollow figures = bench_follow(bench, index);
            text_table_row(&table);
            bench_grid_cell(&table, follow->grid);
            text_table_cell(&table, "%d", follow->threads);
            text_table_cell(&table, "%.1f %%", 100 * follow->active_share);
            ms_cell(&table, follow->ms_step_min);
            ms_cell(&table, follow->ms_step_median);
            bench_number_cell(&table, "%.2f", figures.times_as_fast);
            bench_number_cell(&table, "%.1f", figures.ns_per_active_cell);
            text_table_cell(&table, "%.1f", follow->bytes_used_per_cell);
            text_table_cell(&table, "%d", follow->cycles);
            ms_cell(&table, follow->ms_empty);
        }
    }
}

static void print_disturbance(const Bench *bench, FILE *stream)
{
    QuietTally tally = {.noun = "results", .cores = bench->cores};
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index];
        char grid[40];
        bench_grid_text(result->grid, grid, sizeof grid);
        quiet_count(&tally, result->processor_share, result->threads, grid);
        if (bench->follows == NULL)
            continue;
        const Measure *follow = &bench->follows[index];
        bench_grid_text(follow->grid, grid, sizeof grid);
        strncat(grid, ", follow,", sizeof grid - strlen(grid) - 1);
        quiet_count(&tally, follow->processor_share, follow->threads, grid);
    }
    quiet_print(&tally, stream);
}

static bool same_state(const Measure *left, const Measure *right)
{
    return memcmp(left->grid, right->grid, sizeof left->grid) == 0 &&
           left->state_hash == right->state_hash;
}

/* Adds one row for all results of a grid that have the same final state. Normally that is one row
 * per grid. */
static void state_row(TextTable *table, const Bench *bench, int index)
{
    const Measure *result = &bench->results[index];
    int fewest = result->threads, most = result->threads;
    uint64_t peak = result->peak_rss_bytes;
    for (int other = 0; other < bench->result_count; other++) {
        const Measure *same = &bench->results[other];
        if (!same_state(same, result))
            continue;
        if (other < index)
            return;
        fewest = same->threads < fewest ? same->threads : fewest;
        most = same->threads > most ? same->threads : most;
        peak = same->peak_rss_bytes > peak ? same->peak_rss_bytes : peak;
    }
    char threads[32], memory[32];
    snprintf(threads, sizeof threads, fewest == most ? "%d" : "%d to %d", fewest, most);
    report_bytes((double)peak, memory, sizeof memory);
    text_table_row(table);
    bench_grid_cell(table, result->grid);
    text_table_cell(table, "%s", threads);
    text_table_cell(table, "%d", result->cycles);
    text_table_cell(table, "%.1e", result->residual_relative);
    text_table_cell(table, "%.1e", result->divergence_max);
    text_table_cell(table, "%.1f", result->bytes_per_cell);
    text_table_cell(table, "%s", peak > 0 ? memory : "");
    text_table_cell(table, "%016" PRIx64, result->state_hash);
}

static void print_states(const Bench *bench, FILE *stream)
{
    static const char *const names[] = {"grid",          "threads",        "cycles",
                                        "pressure left", "divergence 1/s", "bytes/cell",
                                        "peak memory",   "state_hash",     NULL};
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        bench_headings(&table, names);
        for (int index = 0; index < bench->result_count; index++)
            state_row(&table, bench, index);
    }
}

/* Whether the table has a column for a stage. A stage that takes almost no time in any result has
 * none (diffusion without viscosity). */
static bool stage_is_used(const Bench *bench, int stage)
{
    bool used = false;
    for (int index = 0; index < bench->result_count; index++)
        used |= bench->results[index].profile.ms[stage] >=
                STAGE_SHARE * bench->results[index].ms_step_min;
    return used;
}

_Static_assert(2 + BILLOW_STAGES <= TEXT_TABLE_COLUMNS_MAX, "a column for every stage");

static void print_stages(const Bench *bench, FILE *stream)
{
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        text_table_cell(&table, "grid");
        text_table_cell(&table, "threads");
        for (int stage = 0; stage < BILLOW_STAGES; stage++)
            text_table_cell(&table, "%s", billow_stage_name((BillowStage)stage));
        for (int index = 0; index < bench->result_count; index++) {
            const Measure *result = &bench->results[index];
            text_table_row(&table);
            bench_grid_cell(&table, result->grid);
            text_table_cell(&table, "%d", result->threads);
            for (int stage = 0; stage < BILLOW_STAGES; stage++)
                bench_number_cell(&table, "%.3f",
                                  stage_is_used(bench, stage) ? result->profile.ms[stage]
                                                              : (double)NAN);
        }
    }
}

static void print_baselines(const Bench *bench, FILE *stream)
{
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        bench_headings(&table, (const char *[]){"grid", "ms/step", "Mcell/s", NULL});
        for (int index = 0; index < bench->baseline_count; index++) {
            const BenchBaseline *baseline = &bench->baselines[index];
            text_table_row(&table);
            bench_grid_cell(&table, (int[3]){baseline->grid, baseline->grid, baseline->grid});
            ms_cell(&table, baseline->ms_step_min);
            text_table_cell(&table, "%.2f", 1e-6 * baseline->cells_per_s);
        }
    }
}

static void print_steps(const Bench *bench, FILE *stream)
{
    fprintf(stream, "scene %s, fastest and median of %d steps of a developed flow\n\n",
            bench->results[0].scene, bench->steps);
    print_streams(bench, stream);
    fputc('\n', stream);
    print_speeds(bench, stream);
    print_disturbance(bench, stream);
    if (bench->baseline_count > 0) {
        fprintf(stream, "\nBaseline: Stam's program of 2003 extended to 3D without other changes, "
                        "20 Gauss-Seidel sweeps, two "
                        "projections, 1 thread\n\n");
        print_baselines(bench, stream);
    }
    if (bench->follows != NULL) {
        fprintf(stream, "\nThe same with solver.domain: follow\n\n");
        print_follows(bench, stream);
    }
    fprintf(stream, "\nState after the timed steps, and the largest errors during them\n\n");
    print_states(bench, stream);
    fprintf(stream, "\nms of the fastest step, by stage\n\n");
    print_stages(bench, stream);
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

static void json_baseline(Json *json, cJSON *object, const BenchBaseline *baseline)
{
    json_number(json, object, "grid", baseline->grid);
    json_number(json, object, "ms_step_min", baseline->ms_step_min);
    json_number(json, object, "cells_per_s", baseline->cells_per_s);
}

static void describe_steps(const Bench *bench, Json *json, cJSON *machine)
{
    const BenchBaseline *largest = NULL;
    const double memory_gbs = bench_stream_most(bench, BANDWIDTH_MEMORY);
    json_number(json, machine, "stream_gbs", memory_gbs > 0 ? memory_gbs : (double)NAN);
    cJSON *streams = json_array(json, machine, "streams");
    for (int index = 0; index < bench->stream_count; index++) {
        const BenchStream *stream = &bench->streams[index];
        cJSON *object = json_object(json, streams, NULL);
        json_text(json, object, "size", bandwidth_size_name(stream->size));
        json_number(json, object, "array_bytes", (double)stream->array_bytes);
        json_number(json, object, "threads", stream->threads);
        json_number(json, object, "triad_gbs", stream->gbs);
    }
    for (int index = 0; index < bench->baseline_count; index++)
        if (largest == NULL || bench->baselines[index].grid > largest->grid)
            largest = &bench->baselines[index];
    if (largest != NULL)
        json_baseline(json, json_object(json, json->root, "baseline"), largest);
    else
        json_null(json, json->root, "baseline");
    cJSON *all = json_array(json, json->root, "baselines");
    for (int index = 0; index < bench->baseline_count; index++)
        json_baseline(json, json_object(json, all, NULL), &bench->baselines[index]);
}

/* Results of steps have nested JSON, which measure_json writes. */
static void add_steps(const Bench *bench, int index, Json *json, cJSON *object)
{
    const Measure *result = &bench->results[index];
    const BenchStream *stream = bench_stream(bench, result);
    measure_json(json, object, result);
    json_number(json, object, "active_share", result->active_share);
    json_number(json, object, "bytes_per_step", result->profile.bytes);
    json_number(json, object, "gbs", bench_gbs(result));
    json_number(json, object, "stream_gbs", stream != NULL ? stream->gbs : (double)NAN);
    if (stream != NULL)
        json_text(json, object, "stream_size", bandwidth_size_name(stream->size));
    else
        json_null(json, object, "stream_size");
    json_number(json, object, "speedup", bench_speedup(bench, result));
    json_number(json, object, "efficiency", bench_efficiency(bench, result));
    json_number(json, object, "baseline_ratio", bench_baseline_ratio(bench, result));
    if (bench->follows == NULL) {
        json_null(json, object, "follow");
        return;
    }
    BenchFollow figures = bench_follow(bench, index);
    cJSON *follow = json_object(json, object, "follow");
    measure_json(json, follow, &bench->follows[index]);
    json_number(json, follow, "active_share", bench->follows[index].active_share);
    json_number(json, follow, "times_as_fast", figures.times_as_fast);
    json_number(json, follow, "ns_per_active_cell", figures.ns_per_active_cell);
    json_number(json, follow, "ms_empty", bench->follows[index].ms_empty);
}

/* Adds the figures with BILLOW_DOMAIN_FOLLOW, or NaN without. */
static void follow_numbers(const Bench *bench, int index, BenchRow *row)
{
    static const Measure none;
    bool timed = bench->follows != NULL;
    const Measure *follow = timed ? &bench->follows[index] : &none;
    BenchFollow figures = bench_follow(bench, index);
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"follow_active_share", follow->active_share},
        {"follow_ms_step_min", follow->ms_step_min},
        {"follow_ms_step_median", follow->ms_step_median},
        {"follow_times_as_fast", figures.times_as_fast},
        {"follow_ns_per_active_cell", figures.ns_per_active_cell},
        {"follow_bytes_used_per_cell", follow->bytes_used_per_cell},
        {"follow_cycles", follow->cycles},
        {"follow_ms_empty", follow->ms_empty},
        {"follow_processor_share", follow->processor_share},
    };
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        bench_number(row, numbers[n].name, timed ? numbers[n].value : (double)NAN);
}

static void row_of_steps(const Bench *bench, int index, BenchRow *row)
{
    const Measure *result = &bench->results[index];
    const BenchStream *triad = bench_stream(bench, result);
    const BenchBaseline *baseline = bench_baseline(bench, result);
    row->text = result->scene;
    row->grid = result->grid;
    row->machine = billow_simd();
    bench_number(row, "threads", result->threads);
    bench_number(row, "steps", result->steps);
    bench_number(row, "ms_step_min", result->ms_step_min);
    bench_number(row, "ms_step_median", result->ms_step_median);
    bench_number(row, "cells_per_s", result->cells_per_s);
    for (int stage = 0; stage < BILLOW_STAGES; stage++) {
        char name[32];
        snprintf(name, sizeof name, "ms_%s", billow_stage_name((BillowStage)stage));
        bench_number(row, name, result->profile.ms[stage]);
    }
    bench_number(row, "cycles", result->cycles);
    bench_number(row, "residual_relative", result->residual_relative);
    bench_number(row, "divergence_max", result->divergence_max);
    bench_number(row, "active_share", result->active_share);
    bench_number(row, "bytes_per_cell", result->bytes_per_cell);
    bench_number(row, "bytes_used_per_cell", result->bytes_used_per_cell);
    bench_number(row, "bytes_per_step", result->profile.bytes);
    bench_number(row, "gbs", bench_gbs(result));
    bench_number(row, "stream_gbs", triad != NULL ? triad->gbs : (double)NAN);
    bench_number(row, "bandwidth_fraction", result->bandwidth_fraction);
    bench_number(row, "speedup", bench_speedup(bench, result));
    bench_number(row, "efficiency", bench_efficiency(bench, result));
    bench_number(row, "baseline_ms_step_min",
                 baseline != NULL ? baseline->ms_step_min : (double)NAN);
    bench_number(row, "baseline_ratio", bench_baseline_ratio(bench, result));
    bench_number(row, "processor_share", result->processor_share);
    follow_numbers(bench, index, row);
    snprintf(row->more, sizeof row->more, ",%" PRIu64 ",%016" PRIx64, result->peak_rss_bytes,
             result->state_hash);
}

static void add_row(const Bench *bench, int index, Json *json, cJSON *object)
{
    BenchRow row = {.count = 0};
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
    bool written = json_write(&json, path, error);
    json_finish(&json);
    return written;
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

static void csv_heading(FILE *stream, const BenchKind *kind, const BenchRow *row)
{
    fprintf(stream, "%snx,ny,nz", kind->text_column);
    for (int number = 0; number < row->count; number++)
        fprintf(stream, ",%s", row->numbers[number].name);
    fprintf(stream, "%s,version,%s,cpu\n", kind->more_columns, kind->machine_column);
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
    if (!atomic_file_open(&file, path, error))
        return false;
    for (int index = 0; index < bench->result_count; index++) {
        BenchRow row = {.count = 0};
        bench->kind->row(bench, index, &row);
        if (index == 0)
            csv_heading(file.stream, bench->kind, &row);
        csv_row(file.stream, bench, &row);
    }
    return atomic_file_commit(&file, error);
}

const BenchKind bench_steps = {.list = "results",
                               .text_name = "scene",
                               .text_column = "scene,",
                               .more_columns = ",peak_rss_bytes,state_hash",
                               .machine_column = "simd",
                               .check = bench_steps_check,
                               .sweep = bench_steps_sweep,
                               .print = print_steps,
                               .describe = describe_steps,
                               .row = row_of_steps,
                               .add = add_steps};
