/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include "atomic_file.h"
#include "report.h"
#include "text_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define STAGE_SHARE 0.001 /* a stage is shown where it takes this share of some result's step */

void bench_grid_text(const int grid[3], char *text, size_t size)
{
    snprintf(text, size, "%dx%dx%d", grid[0], grid[1], grid[2]);
}

static void grid_cell(TextTable *table, const int grid[3])
{
    text_table_cell(table, "%dx%dx%d", grid[0], grid[1], grid[2]);
}

static void headings(TextTable *table, const char *const *names)
{
    for (; *names != NULL; names++)
        text_table_cell(table, "%s", *names);
}

/* A number, or an empty cell where there is none. */
static void number_cell(TextTable *table, const char *format, double value)
{
    char text[32] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    text_table_cell(table, "%s", text);
}

/* Prints a time with four digits. */
static void ms_cell(TextTable *table, double ms)
{
    text_table_cell(table, "%.*f", ms < 9.9995 ? 3 : ms < 99.995 ? 2 : 1, ms);
}

void bench_print_machine(const char *cpu, int cores, FILE *stream)
{
    fprintf(stream, "billow " BILLOW_VERSION " (%s) on %s, %d core%s\n", billow_simd(), cpu, cores,
            cores == 1 ? "" : "s");
}

void bench_print_streams(const Bench *bench, FILE *stream)
{
    TextTable table = {.stream = stream};
    int rows = bench->stream_count / BANDWIDTH_SIZES;
    while (text_table_pass(&table)) {
        text_table_cell(&table, "triad GB/s on");
        for (int size = 0; size < BANDWIDTH_SIZES && rows > 0; size++)
            text_table_cell(&table, "%s (arrays of %.0f MiB)",
                            bandwidth_size_name((BandwidthSize)size),
                            (double)bench->streams[size * rows].array_bytes / (1 << 20));
        for (int row = 0; row < rows; row++) {
            text_table_row(&table);
            text_table_cell(&table, "%d thread%s", bench->streams[row].threads,
                            bench->streams[row].threads == 1 ? "" : "s");
            for (int size = 0; size < BANDWIDTH_SIZES; size++)
                text_table_cell(&table, "%.1f", bench->streams[size * rows + row].gbs);
        }
    }
}

static void speed_row(TextTable *table, const Bench *bench, const Measure *result)
{
    char share[32] = "", speedup[32] = "";
    const BenchStream *of = bench_stream(bench, result);
    if (of != NULL)
        snprintf(share, sizeof share, "%.0f %% %s", 100 * result->bandwidth_fraction,
                 bandwidth_size_name(of->size));
    if (isfinite(bench_speedup(bench, result)))
        snprintf(speedup, sizeof speedup, "%.2f (%.0f %%)", bench_speedup(bench, result),
                 100 * bench_efficiency(bench, result));
    text_table_row(table);
    grid_cell(table, result->grid);
    text_table_cell(table, "%d", result->threads);
    ms_cell(table, result->ms_step_min);
    ms_cell(table, result->ms_step_median);
    text_table_cell(table, "%.2f", 1e-6 * result->cells_per_s);
    text_table_cell(table, "%.1f", bench_gbs(result));
    text_table_cell(table, "%s", share);
    text_table_cell(table, "%s", speedup);
    number_cell(table, "%.1f", bench_baseline_ratio(bench, result));
}

static void print_speeds(const Bench *bench, FILE *stream)
{
    static const char *const names[] = {"grid", "threads",  "ms/step",  "median",     "Mcell/s",
                                        "GB/s", "of triad", "speed-up", "x baseline", NULL};
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        headings(&table, names);
        for (int index = 0; index < bench->result_count; index++)
            speed_row(&table, bench, &bench->results[index]);
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
    }
    quiet_print(&tally, stream);
}

static bool same_state(const Measure *left, const Measure *right)
{
    return memcmp(left->grid, right->grid, sizeof left->grid) == 0 &&
           left->state_hash == right->state_hash;
}

/* One row for all results of a grid with the same final state. A healthy build gives one row per
 * grid. */
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
    grid_cell(table, result->grid);
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
        headings(&table, names);
        for (int index = 0; index < bench->result_count; index++)
            state_row(&table, bench, index);
    }
}

/* Stages that take no time in any result, such as viscosity where it is 0, have no column. */
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
            grid_cell(&table, result->grid);
            text_table_cell(&table, "%d", result->threads);
            for (int stage = 0; stage < BILLOW_STAGES; stage++)
                number_cell(&table, "%.3f",
                            stage_is_used(bench, stage) ? result->profile.ms[stage] : (double)NAN);
        }
    }
}

static void print_baselines(const Bench *bench, FILE *stream)
{
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        headings(&table, (const char *[]){"grid", "ms/step", "Mcell/s", NULL});
        for (int index = 0; index < bench->baseline_count; index++) {
            const BenchBaseline *baseline = &bench->baselines[index];
            text_table_row(&table);
            grid_cell(&table, (int[3]){baseline->grid, baseline->grid, baseline->grid});
            ms_cell(&table, baseline->ms_step_min);
            text_table_cell(&table, "%.2f", 1e-6 * baseline->cells_per_s);
        }
    }
}

void bench_print_tables(const Bench *bench, FILE *stream)
{
    bench_print_machine(bench->cpu, bench->cores, stream);
    fprintf(stream, "scene %s, fastest and median of %d steps of a developed flow\n",
            bench->results[0].scene, bench->steps);
    if (bench->result_count < bench->planned)
        fprintf(stream, "not finished: %d of %d results\n", bench->result_count, bench->planned);
    fputc('\n', stream);
    bench_print_streams(bench, stream);
    fputc('\n', stream);
    print_speeds(bench, stream);
    print_disturbance(bench, stream);
    if (bench->baseline_count > 0) {
        fprintf(stream, "\nBaseline: Stam 2003 taken literally to 3D, 20 Gauss-Seidel sweeps, two "
                        "projections, 1 thread\n\n");
        print_baselines(bench, stream);
    }
    fprintf(stream, "\nWhat the timed steps left, at worst\n\n");
    print_states(bench, stream);
    fprintf(stream, "\nms of the fastest step, by stage\n\n");
    print_stages(bench, stream);
}

static void json_machine(Json *json, const Bench *bench)
{
    cJSON *machine = json_object(json, json->root, "machine");
    json_text(json, machine, "cpu", bench->cpu);
    json_number(json, machine, "threads", bench->cores);
    json_text(json, machine, "simd", billow_simd());
    json_number(json, machine, "stream_gbs", bench_stream_most(bench, BANDWIDTH_MEMORY));
    cJSON *streams = json_array(json, machine, "streams");
    for (int index = 0; index < bench->stream_count; index++) {
        const BenchStream *stream = &bench->streams[index];
        cJSON *object = json_object(json, streams, NULL);
        json_text(json, object, "size", bandwidth_size_name(stream->size));
        json_number(json, object, "array_bytes", (double)stream->array_bytes);
        json_number(json, object, "threads", stream->threads);
        json_number(json, object, "triad_gbs", stream->gbs);
    }
}

static void json_baseline(Json *json, cJSON *object, const BenchBaseline *baseline)
{
    json_number(json, object, "grid", baseline->grid);
    json_number(json, object, "ms_step_min", baseline->ms_step_min);
    json_number(json, object, "cells_per_s", baseline->cells_per_s);
}

static void json_baselines(Json *json, const Bench *bench)
{
    const BenchBaseline *largest = NULL;
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

static void json_result(Json *json, cJSON *object, const Bench *bench, const Measure *result)
{
    const BenchStream *stream = bench_stream(bench, result);
    measure_json(json, object, result);
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
}

bool bench_write_json(const Bench *bench, const char *path, BillowError *error)
{
    Json json = json_start();
    json_text(&json, json.root, "version", BILLOW_VERSION);
    json_flag(&json, json.root, "complete", bench->result_count == bench->planned);
    json_machine(&json, bench);
    json_baselines(&json, bench);
    cJSON *results = json_array(&json, json.root, "results");
    for (int index = 0; index < bench->result_count; index++)
        json_result(&json, json_object(&json, results, NULL), bench, &bench->results[index]);
    bool written = json_write(&json, path, error);
    json_finish(&json);
    return written;
}

void bench_csv_text(FILE *stream, const char *text)
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

/* Writes a comma and a number; nothing after the comma where the number is not finite. */
static void csv_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, ",%.9g", value);
    else
        fputc(',', stream);
}

static void csv_heading(FILE *stream)
{
    fputs("scene,nx,ny,nz,threads,steps,ms_step_min,ms_step_median,cells_per_s", stream);
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        fprintf(stream, ",ms_%s", billow_stage_name((BillowStage)stage));
    fputs(",cycles,residual_relative,divergence_max,bytes_per_cell,bytes_per_step,gbs,stream_gbs,"
          "bandwidth_fraction,speedup,efficiency,baseline_ms_step_min,baseline_ratio,"
          "processor_share,peak_rss_bytes,state_hash,version,simd,cpu\n",
          stream);
}

static void csv_row(FILE *stream, const Bench *bench, const Measure *result)
{
    const BenchStream *triad = bench_stream(bench, result);
    const BenchBaseline *baseline = bench_baseline(bench, result);
    bench_csv_text(stream, result->scene);
    fprintf(stream, ",%d,%d,%d,%d,%d", result->grid[0], result->grid[1], result->grid[2],
            result->threads, result->steps);
    csv_number(stream, result->ms_step_min);
    csv_number(stream, result->ms_step_median);
    csv_number(stream, result->cells_per_s);
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        csv_number(stream, result->profile.ms[stage]);
    csv_number(stream, result->cycles);
    csv_number(stream, result->residual_relative);
    csv_number(stream, result->divergence_max);
    csv_number(stream, result->bytes_per_cell);
    csv_number(stream, result->profile.bytes);
    csv_number(stream, bench_gbs(result));
    csv_number(stream, triad != NULL ? triad->gbs : (double)NAN);
    csv_number(stream, result->bandwidth_fraction);
    csv_number(stream, bench_speedup(bench, result));
    csv_number(stream, bench_efficiency(bench, result));
    csv_number(stream, baseline != NULL ? baseline->ms_step_min : (double)NAN);
    csv_number(stream, bench_baseline_ratio(bench, result));
    csv_number(stream, result->processor_share);
    fprintf(stream, ",%" PRIu64 ",%016" PRIx64 ",%s,%s,", result->peak_rss_bytes,
            result->state_hash, BILLOW_VERSION, billow_simd());
    bench_csv_text(stream, bench->cpu);
    fputc('\n', stream);
}

bool bench_write_csv(const Bench *bench, const char *path, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    csv_heading(file.stream);
    for (int index = 0; index < bench->result_count; index++)
        csv_row(file.stream, bench, &bench->results[index]);
    return atomic_file_commit(&file, error);
}
