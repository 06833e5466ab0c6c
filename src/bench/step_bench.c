/* SPDX-License-Identifier: MIT
 * The benchmark of steps over grids and numbers of threads. */
#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "bench/bench.h"
#include "bench/stam_baseline.h"
#include "capture/scene_start.h"
#include "io/paths.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define STAGE_SHARE 0.001 /* a shown stage takes this share of a step in some result */

enum { BASELINE_STEPS = 3, TRIES = 3 };
#define DRIFT_SECONDS 5 /* longer sweeps measure the bandwidth again at their end, s */

/* -- the sweep --------------------------------------------------------------------------------- */

/* Measures one result with a new simulation, so that all results start from the same state. */
static Status measure_once(const BenchPlan *plan, const Scene *scene, const BillowDef *def,
                           int cores, const char *what, Measure *measure, BillowError *error)
{
    system_reset_peak_memory();
    BillowDef played = *def;
    SceneDriver driver;
    Status status = STATUS_FAILED;
    if (scene_driver_create(&driver, scene, &played, NULL, error) &&
        measure_start(measure, scene, driver.sim, plan->steps, error)) {
        status =
            bench_time_steps(plan, &driver, (double)scene->step, NULL, NULL, what, measure, error);
        if (status == STATUS_DONE && !scene_start_check_finite(driver.sim, error))
            status = STATUS_FAILED;
        if (status == STATUS_DONE) {
            measure_finish(measure, driver.sim);
            thread_model_measure(&measure->model, driver.sim,
                                 bench_short_step(driver.sim, (double)scene->step), cores);
        }
        measure_abandon(measure);
    }
    scene_driver_destroy(&driver);
    return status;
}

/* Measures the next result. Repeats a measurement that other programs disturbed, up to TRIES in
 * total. */
static Status bench_next(const BenchPlan *plan, int place, const Scene *scene, const BillowDef *def,
                         Bench *bench, BillowError *error)
{
    Measure *best = &bench->results[bench->result_count];
    Status status = STATUS_DONE;
    int tries = 0;
    char what[128];
    snprintf(what, sizeof what, "%d of %d: %.40s %dx%dx%d on %d thread%s: step",
             bench->result_count + 1, bench->planned, scene->name, def->nx, def->ny, def->nz,
             def->threads, def->threads == 1 ? "" : "s");
    do {
        Measure measure;
        status = measure_once(plan, scene, def, bench->cores, what, &measure, error);
        if (status == STATUS_DONE && (tries == 0 || measure.ms_step_min < best->ms_step_min))
            *best = measure;
        tries += status == STATUS_DONE;
    } while (status == STATUS_DONE && tries < TRIES &&
             quiet_disturbed(best->processor_share, best->threads, bench->cores));
    if (tries > 0) {
        best->place = place;
        if (plan->scenes.count > 1) /* files may have the same name inside */
            snprintf(best->scene, sizeof best->scene, "%s",
                     paths_last_part(plan->scenes.items[place]));
        bench->result_count++;
    }
    return status;
}

/* Times BASELINE_STEPS steps of the baseline after one untimed step. The caller does this before
 * and after Billow's steps, so that a drift of the machine's speed affects both programs. */
static Status bench_baseline_steps(const BenchPlan *plan, BenchBaseline *result, BillowError *error)
{
    StamBaseline *baseline = stam_baseline_create(result->grid, error);
    if (baseline == NULL)
        return STATUS_FAILED;
    Progress progress = progress_start(plan->request.quiet);
    for (int taken = 0; taken <= BASELINE_STEPS && !system_interrupted(); taken++) {
        double start = clock_seconds();
        stam_baseline_step(baseline, 1.0f / 60);
        double ms = 1e3 * (clock_seconds() - start);
        if (taken > 0 && (result->ms_step_min <= 0 || ms < result->ms_step_min))
            result->ms_step_min = ms;
        progress_update(&progress, "baseline: step", taken + 1, BASELINE_STEPS + 1);
    }
    progress_end(&progress);
    /* Using the result keeps the compiler from removing the steps. */
    Status status = system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
    if (status == STATUS_DONE && !(stam_baseline_mass(baseline) > 0)) {
        fail(error, "the baseline at %d cells lost its smoke", result->grid);
        status = STATUS_FAILED;
    }
    stam_baseline_destroy(baseline);
    return status;
}

/* Times the baseline in a cube of `side` cells. It is called twice per grid; the faster time
 * counts. */
static Status time_baseline(const BenchPlan *plan, int side, Bench *bench, BillowError *error)
{
    int index = 0;
    while (index < bench->baseline_count && bench->baselines[index].grid != side)
        index++;
    BenchBaseline *result = &bench->baselines[index];
    result->grid = side;
    Status status = bench_baseline_steps(plan, result, error);
    if (result->ms_step_min > 0) {
        result->cells_per_s = (double)side * side * side / (1e-3 * result->ms_step_min);
        if (index == bench->baseline_count)
            bench->baseline_count++;
    }
    return status;
}

/* A scene on one of the grids. */
typedef struct Case {
    int scene, grid; /* of the plan */
} Case;

static Status open_case(const BenchPlan *plan, Case at, Scene *scene, BillowDef *def,
                        BillowError *error)
{
    SceneRequest request = plan->request;
    request.name_or_path = plan->scenes.items[at.scene];
    request.grid = plan->grids.items[at.grid];
    Status status = scene_start_load(&request, scene, def, 0, error);
    if (status != STATUS_DONE || !plan->baseline)
        return status;
    char what[64];
    int side = bench_baseline_side((int[3]){def->nx, def->ny, def->nz});
    snprintf(what, sizeof what, "the baseline at %d cells", side);
    return system_check_memory((double)stam_baseline_bytes(side), what, "smaller --grids", error)
               ? STATUS_DONE
               : STATUS_FAILED;
}

/* The next case; false after the last. */
static bool next_case(const BenchPlan *plan, Case *at)
{
    if (++at->grid == plan->grids.count)
        *at = (Case){at->scene + 1, 0};
    return at->scene < plan->scenes.count;
}

/* Checks all cases. compared: receives whether one is compared with a triad of each size. */
static Status check_cases(const BenchPlan *plan, bool compared[BANDWIDTH_SIZES], BillowError *error)
{
    Scene scene;
    BillowDef def;
    Case at = {0};
    do {
        Status status = open_case(plan, at, &scene, &def, error);
        if (status != STATUS_DONE)
            return status;
        compared[bandwidth_size_of(measure_cells((int[3]){def.nx, def.ny, def.nz}))] = true;
        if (!plan->request.quiet)
            scene_start_note(plan->scenes.items[at.scene], &scene);
    } while (next_case(plan, &at));
    return STATUS_DONE;
}

/* Measures one case with every number of threads. */
static Status bench_case(const BenchPlan *plan, Case at, Bench *bench, BillowError *error)
{
    Scene scene;
    BillowDef def;
    Status status = open_case(plan, at, &scene, &def, error);
    if (status != STATUS_DONE)
        return status;
    int side = bench_baseline_side((int[3]){def.nx, def.ny, def.nz});
    if (plan->baseline)
        status = time_baseline(plan, side, bench, error);
    for (int count = 0; count < plan->threads.count && status == STATUS_DONE; count++) {
        def.threads = plan->threads.items[count];
        status = bench_next(plan, at.scene, &scene, &def, bench, error);
    }
    if (plan->baseline && status == STATUS_DONE)
        status = time_baseline(plan, side, bench, error);
    return status;
}

/* Lists the triads to measure: for the array sizes that grids are compared with, with one thread
 * and with every number of threads of the sweep, in rising order. */
static void list_streams(const BenchPlan *plan, const bool compared[BANDWIDTH_SIZES], Bench *bench)
{
    const BenchThreads *threads = &plan->threads;
    for (int size = 0; size < BANDWIDTH_SIZES; size++)
        for (int last = 0, next = 1; next > last && compared[size];) {
            bench->streams[bench->stream_count++] = (BenchStream){
                .size = (BandwidthSize)size,
                .threads = next,
                .array_bytes = bandwidth_array_bytes((BandwidthSize)size),
            };
            last = next;
            for (int index = 0; index < threads->count; index++) {
                int candidate = threads->items[index];
                if (candidate > last && (next == last || candidate < next))
                    next = candidate;
            }
        }
}

static void measure_streams(const BenchPlan *plan, Bench *bench)
{
    Progress progress = progress_start(plan->request.quiet);
    for (int index = 0; index < bench->stream_count && !system_interrupted(); index++) {
        BenchStream *stream = &bench->streams[index];
        progress_update(&progress, "bandwidth: measurement", index, bench->stream_count);
        stream->gbs = fmax(stream->gbs, bandwidth_triad(stream->size, stream->threads).gbs);
    }
    progress_end(&progress);
}

static Status sweep_steps(const BenchPlan *plan, Bench *bench, BillowError *error)
{
    const int planned = plan->scenes.count * plan->grids.count * plan->threads.count;
    bool compared[BANDWIDTH_SIZES] = {false};
    Status status = check_cases(plan, compared, error);
    if (status != STATUS_DONE)
        return status;
    bench->results = bench_allocate(bench, planned, sizeof *bench->results, error);
    if (bench->results == NULL)
        return STATUS_FAILED;
    bench->scene_count = plan->scenes.count;
    double start = clock_seconds();
    list_streams(plan, compared, bench);
    measure_streams(plan, bench);
    status = system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
    Case at = {0};
    for (bool more = true; more && status == STATUS_DONE; more = next_case(plan, &at))
        status = bench_case(plan, at, bench, error);
    if (status == STATUS_DONE && clock_seconds() - start > DRIFT_SECONDS)
        measure_streams(plan, bench);
    bench_compare(bench);
    return status;
}

/* Adds a cell with a time, ms, in about four digits. */
static void ms_cell(TextTable *table, double ms)
{
    text_table_cell(table, "%.*f", ms < 9.9995 ? 3 : ms < 99.995 ? 2 : 1, ms);
}

/* -- tables of steps --------------------------------------------------------------------------- */

/* Begins a row with the scene, if there are several, and the grid. */
static void case_row(TextTable *table, const Bench *bench, const Measure *result)
{
    text_table_row(table);
    if (bench->scene_count > 1)
        text_table_cell(table, "%s", result->scene);
    text_table_cell(table, "%dx%dx%d", result->grid[0], result->grid[1], result->grid[2]);
}

/* A table whose names begin with that of the scene, which is left out if there is one scene. */
static void case_table(const Bench *bench, const char *const *names, BenchRowOf *row, FILE *stream)
{
    bench_table(bench, bench->result_count, names + (bench->scene_count < 2), row, stream);
}

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

static void speed_row(TextTable *table, const Bench *bench, int index)
{
    const Measure *result = &bench->results[index];
    char share[32] = "", speedup[32] = "";
    const BenchStream *of = bench_stream(bench, result);
    if (of != NULL)
        number_print(share, sizeof share, "%.0f %% %s", 100 * result->bandwidth_fraction,
                     bandwidth_size_name(of->size));
    if (isfinite(bench_speedup(bench, result)))
        number_print(speedup, sizeof speedup, "%.2f (%.0f %%)", bench_speedup(bench, result),
                     100 * bench_efficiency(bench, result));
    case_row(table, bench, result);
    text_table_cell(table, "%d", result->threads);
    ms_cell(table, result->ms_step_min);
    ms_cell(table, result->ms_step_median);
    text_table_cell(table, "%.2f", 1e-6 * result->cells_per_s);
    text_table_cell(table, "%.1f", bench_gbs(result));
    text_table_cell(table, "%s", share);
    text_table_cell(table, "%s", speedup);
    bench_number_cell(table, "%.1f", bench_baseline_ratio(bench, result));
    if (bench->scene_count > 1)
        bench_number_cell(table, "%.2f", bench_scene_ratio(bench, result));
}

static void print_disturbance(const Bench *bench, FILE *stream)
{
    QuietTally tally = {.noun = "results", .cores = bench->cores};
    for (int index = 0; index < bench->result_count; index++) {
        const Measure *result = &bench->results[index];
        char grid[40], name[112];
        bench_grid_text(result->grid, grid, sizeof grid);
        snprintf(name, sizeof name, "%s %s", result->scene, grid);
        quiet_count(&tally, result->processor_share, result->threads,
                    bench->scene_count > 1 ? name : grid);
    }
    quiet_print(&tally, stream);
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
        if (same->place != result->place ||
            memcmp(same->grid, result->grid, sizeof same->grid) != 0 ||
            same->state_hash != result->state_hash)
            continue;
        if (other < index)
            return;
        fewest = same->threads < fewest ? same->threads : fewest;
        most = same->threads > most ? same->threads : most;
        peak = same->peak_rss_bytes > peak ? same->peak_rss_bytes : peak;
    }
    char threads[32], memory[32], active[16];
    snprintf(threads, sizeof threads, fewest == most ? "%d" : "%d to %d", fewest, most);
    report_bytes((double)peak, memory, sizeof memory);
    case_row(table, bench, result);
    text_table_cell(table, "%dx%dx%d", result->refine * result->grid[0],
                    result->refine * result->grid[1], result->refine * result->grid[2]);
    number_print(active, sizeof active, "%.3g %%", 100 * result->active);
    text_table_cell(table, "%s", active);
    text_table_cell(table, "%s", threads);
    text_table_cell(table, "%d", result->cycles);
    text_table_cell(table, "%.1e", result->residual_relative);
    text_table_cell(table, "%.1e", result->divergence_max);
    text_table_cell(table, "%.1f", result->bytes_per_cell);
    text_table_cell(table, "%s", peak > 0 ? memory : "");
    text_table_cell(table, "%016" PRIx64, result->state_hash);
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

_Static_assert(3 + BILLOW_STAGES <= TEXT_TABLE_COLUMNS_MAX, "a column for every stage");

static void stage_row(TextTable *table, const Bench *bench, int index)
{
    const Measure *result = &bench->results[index];
    case_row(table, bench, result);
    text_table_cell(table, "%d", result->threads);
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        bench_number_cell(table, "%.3f",
                          stage_is_used(bench, stage) ? result->profile.ms[stage] : (double)NAN);
}

/* A row where several threads share the work. */
static void model_row(TextTable *table, const Bench *bench, int index)
{
    const Measure *result = &bench->results[index];
    const ThreadModel *model = &result->model;
    if (model->threads < 2)
        return;
    case_row(table, bench, result);
    text_table_cell(table, "%d", model->threads);
    text_table_cell(table, "%d", model->step.barriers);
    bench_number_cell(table, "%.2f", 1e3 * model->barrier_ms);
    text_table_cell(table, "%d", model->step.waits);
    bench_number_cell(table, "%.2f", 1e3 * model->wait_ms);
    ms_cell(table, model->one_ms);
    ms_cell(table, 1e3 * model->step.all);
    ms_cell(table, 1e3 * model->step.alone);
    bench_number_cell(table, "%.2f", thread_model_imbalance(model));
    ms_cell(table, thread_model_ms(model));
    bench_number_cell(table, "%.2f", thread_model_speedup(model));
    ms_cell(table, model->wall_ms);
}

static void baseline_row(TextTable *table, const Bench *bench, int index)
{
    const BenchBaseline *baseline = &bench->baselines[index];
    bench_grid_row(table, (int[3]){baseline->grid, baseline->grid, baseline->grid});
    ms_cell(table, baseline->ms_step_min);
    text_table_cell(table, "%.2f", 1e-6 * baseline->cells_per_s);
}

static void print_steps(const Bench *bench, FILE *stream)
{
    const bool several = bench->scene_count > 1;
    char ratio[80];
    snprintf(ratio, sizeof ratio, "x %s", bench->results[0].scene);
    const char *const speeds[] = {"scene",
                                  "grid",
                                  "threads",
                                  "ms/step",
                                  "median",
                                  "Mcell/s",
                                  "GB/s",
                                  "of triad",
                                  "speed-up",
                                  "x baseline",
                                  several ? ratio : NULL,
                                  NULL};
    static const char *const baselines[] = {"grid", "ms/step", "Mcell/s", NULL};
    static const char *const states[] = {
        "scene",         "grid",           "smoke",      "active",      "threads",    "cycles",
        "pressure left", "divergence 1/s", "bytes/cell", "peak memory", "state_hash", NULL};
    static const char *const models[] = {"scene",          "grid",        "threads",   "barriers",
                                         "us each",        "waits",       "us each",   "ms by one",
                                         "ms of all",      "ms alone",    "imbalance", "model ms",
                                         "model speed-up", "measured ms", NULL};
    const char *stages[3 + BILLOW_STAGES + 1] = {"scene", "grid", "threads"};
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        stages[3 + stage] = billow_stage_name((BillowStage)stage);
    if (several)
        fprintf(stream, "%d scenes", bench->scene_count);
    else
        fprintf(stream, "scene %s", bench->results[0].scene);
    fprintf(stream, ", fastest and median of %d steps of a developed flow\n\n", bench->steps);
    print_streams(bench, stream);
    fputc('\n', stream);
    case_table(bench, speeds, speed_row, stream);
    print_disturbance(bench, stream);
    if (bench->baseline_count > 0) {
        fprintf(stream, "\nBaseline: Stam's program of 2003 extended to 3D without other changes, "
                        "20 Gauss-Seidel sweeps, two "
                        "projections, 1 thread\n\n");
        bench_table(bench, bench->baseline_count, baselines, baseline_row, stream);
    }
    fprintf(stream, "\nState after the timed steps, and the largest errors during them\n\n");
    case_table(bench, states, state_row, stream);
    fprintf(stream, "\nms of the fastest step, by stage\n\n");
    case_table(bench, stages, stage_row, stream);
    bool modelled = false;
    for (int index = 0; index < bench->result_count; index++)
        modelled |= bench->results[index].model.threads > 1;
    if (modelled) {
        fprintf(stream, "\nHow the threads share the next step, and the time that this makes on a "
                        "core for each\n\n");
        case_table(bench, models, model_row, stream);
    }
}

/* -- JSON and CSV ------------------------------------------------------------------------------ */

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
    json_number(json, object, "scene_ratio", bench_scene_ratio(bench, result));
    thread_model_json(json, json_object(json, object, "thread_model"), &result->model);
}

static void row_of_steps(const Bench *bench, int index, BenchRow *row)
{
    const Measure *result = &bench->results[index];
    const BenchStream *triad = bench_stream(bench, result);
    const BenchBaseline *baseline = bench_baseline(bench, result);
    row->text = result->scene;
    row->grid = result->grid;
    bench_number(row, "refine", result->refine);
    bench_number(row, "active", result->active);
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
    bench_number(row, "bytes_per_cell", result->bytes_per_cell);
    bench_number(row, "bytes_per_step", result->profile.bytes);
    bench_number(row, "gbs", bench_gbs(result));
    bench_number(row, "stream_gbs", triad != NULL ? triad->gbs : (double)NAN);
    bench_number(row, "bandwidth_fraction", result->bandwidth_fraction);
    bench_number(row, "speedup", bench_speedup(bench, result));
    bench_number(row, "efficiency", bench_efficiency(bench, result));
    bench_number(row, "baseline_ms_step_min",
                 baseline != NULL ? baseline->ms_step_min : (double)NAN);
    bench_number(row, "baseline_ratio", bench_baseline_ratio(bench, result));
    bench_number(row, "scene_ratio", bench_scene_ratio(bench, result));
    bench_number(row, "barriers", result->model.step.barriers);
    bench_number(row, "imbalance", thread_model_imbalance(&result->model));
    bench_number(row, "model_ms", thread_model_ms(&result->model));
    bench_number(row, "model_speedup", thread_model_speedup(&result->model));
    bench_number(row, "processor_share", result->processor_share);
    snprintf(row->more, sizeof row->more, ",%" PRIu64 ",%016" PRIx64, result->peak_rss_bytes,
             result->state_hash);
}

const BenchKind bench_steps = {.list = "results",
                               .text_name = "scene",
                               .text_column = "scene,",
                               .more_columns = ",peak_rss_bytes,state_hash",
                               .machine_column = "simd",
                               .sweep = sweep_steps,
                               .print = print_steps,
                               .describe = describe_steps,
                               .row = row_of_steps,
                               .add = add_steps};
