/* SPDX-License-Identifier: MIT */
#include "atomic_file.h"
#include "bandwidth.h"
#include "bench_report.h"
#include "clock.h"
#include "command.h"
#include "fail.h"
#include "host.h"
#include "stam_baseline.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>

typedef struct BenchSettings {
    CommandScene scene;
    const char *scene_name;
    ArgsWholes grids, threads; /* threads empty: 1 and every core */
    int steps;
    const char *json, *csv;
    bool baseline;
} BenchSettings;

static const ArgsOption options[] = {
    {.name = "scene",
     .placeholder = "S",
     .help = "a built-in scene or a scene file; default plume",
     .type = ARGS_TEXT,
     .offset = offsetof(BenchSettings, scene_name)},
    {.name = "grids",
     .placeholder = "N,N...",
     .help = "cells along the longest axis, one sweep each; default 32,64,128",
     .type = ARGS_WHOLES,
     .least = BILLOW_GRID_MIN,
     .most = BILLOW_GRID_MAX,
     .offset = offsetof(BenchSettings, grids)},
    {.name = "threads",
     .placeholder = "T,T...",
     .help = "threads, one sweep each; default: 1 and the number of cores",
     .type = ARGS_WHOLES,
     .least = 1,
     .most = 1024,
     .offset = offsetof(BenchSettings, threads)},
    {.name = "steps",
     .placeholder = "N",
     .help = "steps timed per result; default 20",
     .type = ARGS_WHOLE,
     .least = 5,
     .most = 100000,
     .offset = offsetof(BenchSettings, steps)},
    {.name = "baseline",
     .help = "also time Stam's published algorithm, ported literally to 3D, on one thread",
     .type = ARGS_FLAG,
     .offset = offsetof(BenchSettings, baseline)},
    {.name = "json",
     .placeholder = "FILE",
     .help = "write the results as JSON; - is standard output, which then holds nothing else",
     .type = ARGS_TEXT,
     .offset = offsetof(BenchSettings, json)},
    {.name = "csv",
     .placeholder = "FILE",
     .help = "write one line per result; - is standard output, as above",
     .type = ARGS_TEXT,
     .offset = offsetof(BenchSettings, csv)},
    {.type = ARGS_END},
};

enum { WARM_STEPS = 20, BASELINE_STEPS = 3 };
#define HEADROOM 0.7

/* The flow is timed once it has developed: after the first simulated second or WARM_STEPS steps,
 * whichever is longer. */
static int warm_steps(double step)
{
    double second = ceil(1 / step - 1e-6);
    return second > WARM_STEPS ? (int)fmin(second, 1e9) : WARM_STEPS;
}

/* What is timed is one pass of the solver, on every grid: a step short enough to need no sub-steps,
 * with HEADROOM for the flow to speed up meanwhile. */
static double single_pass(const BillowSim *sim, double step)
{
    BillowStats stats = billow_stats(sim);
    double cells = stats.speed_max * step / (double)billow_view(sim).cell_size;
    double passes = ceil(cells / (HEADROOM * (double)billow_params(sim).cfl));
    return passes > 1 ? step / passes : step;
}

static Status time_steps(BillowSim *sim, const Scene *scene, const BenchSettings *settings,
                         Progress *progress, Measure *measure)
{
    double step = (double)scene->step;
    int warm = warm_steps(step), total = warm + settings->steps;
    char what[96];
    snprintf(what, sizeof what, "bench %dx%dx%d on %d threads: step", measure->grid[0],
             measure->grid[1], measure->grid[2], measure->threads);
    for (int taken = 0; taken < total; taken++) {
        if (system_interrupted())
            return STATUS_INTERRUPTED;
        if (taken == warm)
            step = single_pass(sim, step);
        if (taken < warm)
            billow_step(sim, step);
        else
            measure_step(measure, sim, step);
        progress_update(progress, what, taken + 1, total);
    }
    return STATUS_DONE;
}

/* One result: a fresh simulation, so that every one starts from the same state and memory. */
static Status bench_one(const BenchSettings *settings, const Scene *scene, const BillowDef *def,
                        double stream_gbs, Measure *measure, BillowError *error)
{
    system_reset_peak_memory();
    BillowSim *sim = billow_create(def, error);
    if (sim == NULL)
        return STATUS_FAILED;
    Status status = STATUS_FAILED;
    if (measure_start(measure, scene, sim, settings->steps, error)) {
        Progress progress = progress_start(settings->scene.quiet);
        status = time_steps(sim, scene, settings, &progress, measure);
        progress_end(&progress);
        if (status == STATUS_DONE && !command_check_finite(sim, error))
            status = STATUS_FAILED;
        if (status == STATUS_DONE) {
            measure_finish(measure, sim);
            measure_compare(measure, stream_gbs);
        }
        measure_abandon(measure);
    }
    billow_destroy(sim);
    return status;
}

static bool check_baseline_memory(int grid, BillowError *error)
{
    size_t needed = stam_baseline_bytes(grid);
    uint64_t available = host_memory_available();
    return available == 0 || needed <= available ||
           fail(error, "the baseline at %d cells needs %zu MB of memory and %zu MB are available",
                grid, needed >> 20, (size_t)(available >> 20));
}

/* Half of the baseline's steps, after one untimed; called before and after ours, so that a machine
 * whose speed drifts slows both. */
static Status bench_baseline(const BenchSettings *settings, int grid, BenchBaseline *result,
                             BillowError *error)
{
    StamBaseline *baseline = stam_baseline_create(grid, error);
    if (baseline == NULL)
        return STATUS_FAILED;
    Progress progress = progress_start(settings->scene.quiet);
    for (int taken = 0; taken <= BASELINE_STEPS && !system_interrupted(); taken++) {
        double start = clock_seconds();
        stam_baseline_step(baseline, 1.0f / 60);
        double ms = 1e3 * (clock_seconds() - start);
        if (taken > 0 && (result->ms_step_min <= 0 || ms < result->ms_step_min))
            result->ms_step_min = ms;
        progress_update(&progress, "baseline: step", taken + 1, BASELINE_STEPS + 1);
    }
    progress_end(&progress);
    result->grid = grid;
    result->cells_per_s = (double)grid * grid * grid / (1e-3 * result->ms_step_min);
    /* What the steps computed is looked at, so that they cannot be optimised away. */
    Status status = system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
    if (status == STATUS_DONE && !(stam_baseline_mass(baseline) > 0)) {
        fail(error, "the baseline at %d cells lost its smoke", grid);
        status = STATUS_FAILED;
    }
    stam_baseline_destroy(baseline);
    return status;
}

static bool open_grid(const BenchSettings *settings, int grid, Scene *scene, BillowDef *def,
                      BillowError *error)
{
    char text[16];
    snprintf(text, sizeof text, "%d", grid);
    SceneRequest request = command_scene_request(&settings->scene);
    request.name_or_path = settings->scene_name;
    request.grid = text;
    if (!scene_open(&request, scene, error))
        return false;
    *def = scene_def(scene);
    return command_check_memory(def, 0, error) &&
           (!settings->baseline || check_baseline_memory(grid, error));
}

/* All thread counts at one grid. */
static Status bench_grid(const BenchSettings *settings, const ArgsWholes *threads, int grid,
                         Bench *bench, BillowError *error)
{
    Scene scene;
    BillowDef def;
    if (!open_grid(settings, grid, &scene, &def, error))
        return STATUS_FAILED;
    BenchBaseline *baseline = NULL;
    Status status = STATUS_DONE;
    if (settings->baseline) {
        baseline = &bench->baselines[bench->baseline_count++];
        status = bench_baseline(settings, grid, baseline, error);
    }
    for (int index = 0; index < threads->count && status == STATUS_DONE; index++) {
        def.threads = threads->items[index];
        status = bench_one(settings, &scene, &def, bench->stream_gbs,
                           &bench->results[bench->result_count], error);
        bench->result_count += status == STATUS_DONE;
    }
    if (baseline != NULL && status == STATUS_DONE)
        status = bench_baseline(settings, grid, baseline, error);
    return status;
}

static Status bench_all(const BenchSettings *settings, Bench *bench, BillowError *error)
{
    ArgsWholes threads = settings->threads;
    int cores = system_cores();
    if (threads.count == 0)
        threads = (ArgsWholes){.items = {1, cores}, .count = cores > 1 ? 2 : 1};
    for (int index = 0; index < threads.count; index++)
        if (threads.items[index] > bench->stream_threads)
            bench->stream_threads = threads.items[index];
    bench->cores = cores;
    bench->steps = settings->steps;
    system_cpu_name(bench->cpu, sizeof bench->cpu);
    bench->results =
        calloc((size_t)settings->grids.count * (size_t)threads.count, sizeof *bench->results);
    if (bench->results == NULL) {
        fail(error, "no memory for the results");
        return STATUS_FAILED;
    }
    bench->stream_gbs = bandwidth_triad(bench->stream_threads);
    Status status = STATUS_DONE;
    for (int index = 0; index < settings->grids.count && status == STATUS_DONE; index++)
        status = bench_grid(settings, &threads, settings->grids.items[index], bench, error);
    return status;
}

static bool write_reports(const BenchSettings *settings, const Bench *bench, BillowError *error)
{
    if (!command_is_stdout(settings->json) && !command_is_stdout(settings->csv))
        bench_print_table(bench, stdout);
    return (settings->json == NULL || bench_write_json(bench, settings->json, error)) &&
           (settings->csv == NULL || bench_write_csv(bench, settings->csv, error));
}

/* Everything that can be wrong is found before the first step. */
static bool check_settings(const BenchSettings *settings, BillowError *error)
{
    Scene scene;
    BillowDef def;
    if ((settings->json != NULL && !atomic_file_probe(settings->json, error)) ||
        (settings->csv != NULL && !atomic_file_probe(settings->csv, error)))
        return false;
    for (int index = 0; index < settings->grids.count; index++)
        if (!open_grid(settings, settings->grids.items[index], &scene, &def, error))
            return false;
    return true;
}

static Status run(const void *memory)
{
    const BenchSettings *settings = memory;
    BillowError error;
    if (command_is_stdout(settings->json) && command_is_stdout(settings->csv)) {
        fail(&error, "--json and --csv cannot both go to standard output");
        return report_usage(&error);
    }
    if (!check_settings(settings, &error))
        return report_failure(&error);
    Bench bench = {0};
    system_watch_interrupts();
    Status status = bench_all(settings, &bench, &error);
    if (status == STATUS_DONE && !write_reports(settings, &bench, &error))
        status = STATUS_FAILED;
    free(bench.results);
    if (status == STATUS_FAILED)
        return report_failure(&error);
    return status == STATUS_INTERRUPTED ? report_interrupted() : status;
}

static void set_defaults(void *memory)
{
    BenchSettings *settings = memory;
    settings->scene_name = COMMAND_DEFAULT_SCENE;
    settings->grids = (ArgsWholes){.items = {32, 64, 128}, .count = 3};
    settings->steps = 20;
}

const Command command_bench = {
    .spec = {.name = "bench",
             .summary = "time steps over grid sizes and thread counts",
             .tables = {options, command_set_options, command_quiet_options},
             .notes =
                 "Times a developed flow: the first simulated second, or 20 steps, whichever is "
                 "longer, goes\nuntimed; the timed steps are short enough to need no sub-steps. "
                 "cells/s "
                 "and the stages' times are\nthose of the fastest step; divergence and residual "
                 "are the worst of the timed steps; GB/s counts\nthe least traffic the algorithm "
                 "needs.\n"},
    .settings_size = sizeof(BenchSettings),
    .set_defaults = set_defaults,
    .run = run,
};
