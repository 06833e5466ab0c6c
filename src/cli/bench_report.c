/* SPDX-License-Identifier: MIT */
#include "bench_report.h"

#include "atomic_file.h"

#include <inttypes.h>
#include <string.h>

static void grid_text(const int grid[3], char *text, size_t size)
{
    snprintf(text, size, "%dx%dx%d", grid[0], grid[1], grid[2]);
}

/* The baseline of the grid a result was swept with; NULL where none was timed. */
static const BenchBaseline *baseline_of(const Bench *bench, const Measure *result)
{
    int longest = 0;
    for (int axis = 0; axis < 3; axis++)
        longest = result->grid[axis] > longest ? result->grid[axis] : longest;
    for (int index = 0; index < bench->baseline_count; index++)
        if (bench->baselines[index].grid == longest)
            return &bench->baselines[index];
    return NULL;
}

static double speedup(const BenchBaseline *baseline, const Measure *result)
{
    return result->cells_per_s / baseline->cells_per_s;
}

static void print_speeds(const Bench *bench, FILE *stream)
{
    fprintf(stream,
            "|           grid | threads | ms/step | median  | Mcell/s |  GB/s | of triad | "
            "pressure left | divergence 1/s | bytes/cell | x baseline | state_hash       |\n"
            "|---------------:|--------:|--------:|--------:|--------:|------:|---------:|"
            "--------------:|---------------:|-----------:|-----------:|------------------|\n");
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index];
        const BenchBaseline *baseline = baseline_of(bench, result);
        char grid[40], ratio[16] = "-", share[16] = "-";
        grid_text(result->grid, grid, sizeof grid);
        if (baseline != NULL)
            snprintf(ratio, sizeof ratio, "%.1f", speedup(baseline, result));
        if (bench->stream_gbs > 0)
            snprintf(share, sizeof share, "%.0f %%", 100 * result->bandwidth_fraction);
        fprintf(stream,
                "| %14s | %7d | %7.2f | %7.2f | %7.2f | %5.1f | %8s | %13.2e | %14.2e | %10.1f | "
                "%10s | %016" PRIx64 " |\n",
                grid, result->threads, result->ms_step_min, result->ms_step_median,
                1e-6 * result->cells_per_s, result->profile.bytes / (1e6 * result->ms_step_min),
                share, result->residual_relative, result->divergence_max, result->bytes_per_cell,
                ratio, result->state_hash);
    }
}

static void print_baselines(const Bench *bench, FILE *stream)
{
    fprintf(stream, "\nBaseline: Stam 2003 taken literally to 3D, 20 Gauss-Seidel sweeps, two "
                    "projections, 1 thread\n\n"
                    "|           grid | ms/step  | Mcell/s |\n"
                    "|---------------:|---------:|--------:|\n");
    for (int index = 0; index < bench->baseline_count; index++) {
        const BenchBaseline *baseline = &bench->baselines[index];
        char grid[40];
        grid_text((int[3]){baseline->grid, baseline->grid, baseline->grid}, grid, sizeof grid);
        fprintf(stream, "| %14s | %8.2f | %7.2f |\n", grid, baseline->ms_step_min,
                1e-6 * baseline->cells_per_s);
    }
}

static void print_stages(const Bench *bench, FILE *stream)
{
    fprintf(stream, "\nms of the fastest step, by stage\n\n|           grid | threads |");
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        fprintf(stream, " %s |", billow_stage_name((BillowStage)stage));
    fprintf(stream, "\n|---------------:|--------:|");
    for (int stage = 0; stage < BILLOW_STAGES; stage++) {
        for (size_t dash = 0; dash <= strlen(billow_stage_name((BillowStage)stage)); dash++)
            fputc('-', stream);
        fprintf(stream, ":|");
    }
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index];
        char grid[40];
        grid_text(result->grid, grid, sizeof grid);
        fprintf(stream, "\n| %14s | %7d |", grid, result->threads);
        for (int stage = 0; stage < BILLOW_STAGES; stage++)
            fprintf(stream, " %*.3f |", (int)strlen(billow_stage_name((BillowStage)stage)),
                    result->profile.ms[stage]);
    }
    fputc('\n', stream);
}

void bench_print_table(const Bench *bench, FILE *stream)
{
    fprintf(stream, "%s, %d cores, %s, triad %.1f GB/s on %d threads\n", bench->cpu, bench->cores,
            billow_simd(), bench->stream_gbs, bench->stream_threads);
    if (bench->result_count > 0)
        fprintf(stream, "billow " BILLOW_VERSION ", scene %s, least and median of %d steps\n\n",
                bench->results[0].scene, bench->steps);
    print_speeds(bench, stream);
    if (bench->baseline_count > 0)
        print_baselines(bench, stream);
    print_stages(bench, stream);
}

static void json_baseline(Json *json, const Bench *bench)
{
    if (bench->baseline_count == 0) {
        json_null(json, json->root, "baseline");
        return;
    }
    const BenchBaseline *largest = &bench->baselines[0];
    for (int index = 1; index < bench->baseline_count; index++)
        if (bench->baselines[index].grid > largest->grid)
            largest = &bench->baselines[index];
    cJSON *object = json_object(json, json->root, "baseline");
    json_number(json, object, "grid", largest->grid);
    json_number(json, object, "ms_step_min", largest->ms_step_min);
    json_number(json, object, "cells_per_s", largest->cells_per_s);
}

bool bench_write_json(const Bench *bench, const char *path, BillowError *error)
{
    Json json = json_start();
    cJSON *machine = json_object(&json, json.root, "machine");
    json_text(&json, machine, "cpu", bench->cpu);
    json_number(&json, machine, "threads", bench->cores);
    json_text(&json, machine, "simd", billow_simd());
    json_number(&json, machine, "stream_gbs", bench->stream_gbs);
    json_baseline(&json, bench);
    cJSON *results = json_array(&json, json.root, "results");
    for (int index = 0; index < bench->result_count; index++)
        measure_json(&json, json_object(&json, results, NULL), &bench->results[index]);
    bool written = json_write(&json, path, error);
    json_finish(&json);
    return written;
}

static void csv_row(FILE *stream, const Bench *bench, const Measure *result)
{
    fprintf(stream, "%s,%d,%d,%d,%d,%d,%.6g,%.6g,%.6g", result->scene, result->grid[0],
            result->grid[1], result->grid[2], result->threads, result->steps, result->ms_step_min,
            result->ms_step_median, result->cells_per_s);
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        fprintf(stream, ",%.6g", result->profile.ms[stage]);
    fprintf(stream, ",%d,%.6g,%.6g,%.6g,%.6g,%" PRIu64 ",%016" PRIx64, result->cycles,
            result->residual_relative, result->divergence_max, result->bytes_per_cell,
            result->bandwidth_fraction, result->peak_rss_bytes, result->state_hash);
    const BenchBaseline *baseline = baseline_of(bench, result);
    if (baseline != NULL)
        fprintf(stream, ",%.6g,%.6g", baseline->ms_step_min, speedup(baseline, result));
    else
        fputs(",,", stream);
    fputc('\n', stream);
}

bool bench_write_csv(const Bench *bench, const char *path, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    fputs("scene,nx,ny,nz,threads,steps,ms_step_min,ms_step_median,cells_per_s", file.stream);
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        fprintf(file.stream, ",ms_%s", billow_stage_name((BillowStage)stage));
    fputs(",cycles,residual_relative,divergence_max,bytes_per_cell,bandwidth_fraction,"
          "peak_rss_bytes,state_hash,baseline_ms_step_min,baseline_ratio\n",
          file.stream);
    for (int index = 0; index < bench->result_count; index++)
        csv_row(file.stream, bench, &bench->results[index]);
    return atomic_file_commit(&file, error);
}
