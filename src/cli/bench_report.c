/* SPDX-License-Identifier: MIT */
#include "bench_report.h"

#include "quiet.h"
#include "report.h"
#include "text_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define STAGE_SHARE 0.001 /* of a step, that a stage must take somewhere to be shown */

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

/* Four digits. */
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

/* One row for all results that ended in one state, so that a second row of a grid is a fault. */
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

/* What takes no time worth naming anywhere, such as viscosity where there is none, needs no column.
 */
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
