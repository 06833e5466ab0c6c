/* SPDX-License-Identifier: MIT
 * The figures of a benchmark for programs: JSON and CSV. */
#include "atomic_file.h"
#include "bench_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

/* The next field; empty where there is no such number. */
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
