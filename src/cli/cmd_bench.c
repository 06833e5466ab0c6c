/* SPDX-License-Identifier: MIT */
#include "bench_report.h"
#include "command.h"
#include "fail.h"
#include "gnuplot.h"
#include "kernel_bench.h"
#include "render_bench.h"
#include "system.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

typedef struct BenchSettings {
    CommandScene scene;
    const char *scene_name; /* NULL: COMMAND_DEFAULT_SCENE */
    BenchGrids grids;       /* empty: 32, 64, 128 */
    ArgsWholes threads;     /* empty: 1, 2, 4 and so on, and every core */
    int steps;              /* 0: STEPS_DEFAULT */
    const char *json, *csv, *plot;
    bool baseline, kernels, render;
    RenderSizes sizes; /* empty: 320x180, 640x360, 1280x720 */
} BenchSettings;

enum { STEPS_DEFAULT = 20 };

static const ArgsOption options[] = {
    {.name = "scene",
     .placeholder = "S",
     .help = "a built-in scene or a scene file; default plume",
     .type = ARGS_TEXT,
     .offset = offsetof(BenchSettings, scene_name)},
    {.name = "grids",
     .placeholder = "N,N...",
     .help = "one sweep each: cells along the longest axis, or NXxNYxNZ, 8 to 2048 each; default "
             "32,64,128",
     .type = ARGS_PARSED,
     .parse = values_parse_grids,
     .offset = offsetof(BenchSettings, grids)},
    {.name = "threads",
     .placeholder = "T,T...",
     .help = "threads, one sweep each; default: 1, 2, 4 and so on up to the number of cores",
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
    {.name = "kernels",
     .help = "time single kernels by themselves instead of steps, beside the triad of STREAM on "
             "arrays as long as the grid has cells",
     .type = ARGS_FLAG,
     .offset = offsetof(BenchSettings, kernels)},
    {.name = "render",
     .help = "time pictures instead of steps: light, upload, march and all else apart, in the "
             "window's quality at full resolution; --steps frames each",
     .type = ARGS_FLAG,
     .offset = offsetof(BenchSettings, render)},
    {.name = "sizes",
     .placeholder = "WxH,WxH...",
     .help = "pictures that --render draws; default 320x180,640x360,1280x720",
     .type = ARGS_PARSED,
     .parse = values_parse_sizes,
     .offset = offsetof(BenchSettings, sizes)},
    {.name = "plot",
     .placeholder = "FILE.svg",
     .help = "draw ms per step against cells, with the bandwidth's limit",
     .type = ARGS_PARSED,
     .parse = values_parse_drawing,
     .offset = offsetof(BenchSettings, plot)},
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

static BenchGrids chosen_grids(const BenchSettings *settings)
{
    return settings->grids.count > 0 ? settings->grids
                                     : (BenchGrids){.items = {"32", "64", "128"}, .count = 3};
}

static BenchThreads chosen_threads(const BenchSettings *settings)
{
    BenchThreads threads = {.count = settings->threads.count};
    memcpy(threads.items, settings->threads.items, sizeof threads.items);
    int cores = system_cores();
    if (threads.count > 0)
        return threads;
    for (int count = 1; count < cores && threads.count < BENCH_THREADS_MAX - 1; count *= 2)
        threads.items[threads.count++] = count;
    threads.items[threads.count++] = cores;
    return threads;
}

static const char *scene_name(const BenchSettings *settings)
{
    return settings->scene_name != NULL ? settings->scene_name : COMMAND_DEFAULT_SCENE;
}

static BenchPlan plan_of(const BenchSettings *settings)
{
    BenchPlan plan = {.request = command_scene_request(&settings->scene),
                      .grids = chosen_grids(settings),
                      .threads = chosen_threads(settings),
                      .steps = settings->steps > 0 ? settings->steps : STEPS_DEFAULT,
                      .baseline = settings->baseline,
                      .quiet = settings->scene.quiet};
    plan.request.name_or_path = scene_name(settings);
    return plan;
}

static bool any_stdout(const BenchSettings *settings)
{
    return output_is_stdout(settings->json) || output_is_stdout(settings->csv) ||
           output_is_stdout(settings->plot);
}

/* Options that do not go together; wrong usage rather than a failure. */
static bool check_usage(const BenchSettings *settings, BillowError *error)
{
    const char *stray = settings->plot != NULL                ? "--plot"
                        : settings->baseline                  ? "--baseline"
                        : settings->steps > 0                 ? "--steps"
                        : settings->scene_name != NULL        ? "--scene"
                        : settings->scene.overrides.count > 0 ? "--set"
                                                              : NULL;
    if (settings->kernels && stray != NULL)
        return fail(error, "--kernels takes no steps, so %s has no meaning with it", stray);
    if (settings->sizes.count > 0 && !settings->render)
        return fail(error, "--sizes are those of pictures; it needs --render");
    const char *other = settings->kernels             ? "--kernels"
                        : settings->baseline          ? "--baseline"
                        : settings->plot != NULL      ? "--plot"
                        : settings->threads.count > 1 ? "more than one number of --threads"
                                                      : NULL;
    return !settings->render || other == NULL ||
           fail(error, "--render times pictures, so %s has no meaning with it", other);
}

static bool write_bench(const BenchSettings *settings, const Bench *bench, BillowError *error)
{
    if (!any_stdout(settings))
        bench_print_tables(bench, stdout);
    return (settings->json == NULL || bench_write_json(bench, settings->json, error)) &&
           (settings->csv == NULL || bench_write_csv(bench, settings->csv, error)) &&
           (settings->plot == NULL || bench_write_plot(bench, settings->plot, error));
}

static bool check_agreement(const Bench *bench, BillowError *error)
{
    const Measure *result = bench_disagreement(bench);
    char grid[40];
    if (result == NULL)
        return true;
    bench_grid_text(result->grid, grid, sizeof grid);
    return fail(error,
                "the state of %s on %d threads is another than on fewer; this should never be: "
                "please report it with the table",
                grid, result->threads);
}

/* What was finished is reported whatever ended the sweep. */
static Status bench_steps(const BenchSettings *settings, BillowError *error)
{
    BenchPlan plan = plan_of(settings);
    Bench bench = {0};
    Status status = bench_check(&plan, error);
    if (status != STATUS_DONE)
        return status;
    system_watch_interrupts();
    BillowError reason;
    status = bench_sweep(&plan, &bench, error);
    if (bench.result_count > 0 && !write_bench(settings, &bench, &reason) &&
        status != STATUS_FAILED) {
        *error = reason;
        status = STATUS_FAILED;
    }
    if (status == STATUS_DONE && !check_agreement(&bench, error))
        status = STATUS_FAILED;
    free(bench.results);
    return status;
}

static bool write_kernels(const BenchSettings *settings, const KernelBench *bench,
                          BillowError *error)
{
    if (!any_stdout(settings))
        kernel_bench_print(bench, stdout);
    return (settings->json == NULL || kernel_bench_write_json(bench, settings->json, error)) &&
           (settings->csv == NULL || kernel_bench_write_csv(bench, settings->csv, error));
}

static Status bench_single_kernels(const BenchSettings *settings, BillowError *error)
{
    BenchGrids grids = chosen_grids(settings);
    BenchThreads threads = chosen_threads(settings);
    KernelBench bench = {0};
    if (!kernel_bench_check(&grids, error))
        return STATUS_FAILED;
    system_watch_interrupts();
    BillowError reason;
    Status status = kernel_bench_sweep(&grids, &threads, settings->scene.quiet, &bench, error);
    if (bench.figure_count > 0 && !write_kernels(settings, &bench, &reason) &&
        status != STATUS_FAILED) {
        *error = reason;
        status = STATUS_FAILED;
    }
    free(bench.figures);
    return status;
}

static RenderPlan render_plan(const BenchSettings *settings)
{
    RenderPlan plan = {.request = command_scene_request(&settings->scene),
                       .grids = chosen_grids(settings),
                       .sizes = settings->sizes,
                       .threads = settings->threads.count > 0 ? settings->threads.items[0] : 0,
                       .frames = settings->steps > 0 ? settings->steps : STEPS_DEFAULT,
                       .quiet = settings->scene.quiet};
    plan.request.name_or_path = scene_name(settings);
    if (plan.sizes.count == 0)
        plan.sizes = (RenderSizes){.items = {{320, 180}, {640, 360}, {1280, 720}}, .count = 3};
    return plan;
}

static bool write_pictures(const BenchSettings *settings, const RenderBench *bench,
                           BillowError *error)
{
    if (!any_stdout(settings))
        render_bench_print(bench, stdout);
    return (settings->json == NULL || render_bench_write_json(bench, settings->json, error)) &&
           (settings->csv == NULL || render_bench_write_csv(bench, settings->csv, error));
}

static Status bench_pictures(const BenchSettings *settings, BillowError *error)
{
    RenderPlan plan = render_plan(settings);
    RenderBench bench = {0};
    BillowError reason;
    system_watch_interrupts();
    Status status = render_bench_sweep(&plan, &bench, error);
    if (bench.figure_count > 0 && !write_pictures(settings, &bench, &reason) &&
        status != STATUS_FAILED) {
        *error = reason;
        status = STATUS_FAILED;
    }
    free(bench.figures);
    return status;
}

static Status run(const void *memory, BillowError *error)
{
    const BenchSettings *settings = memory;
    Outputs outputs = {.force = settings->scene.force};
    outputs_add(&outputs, "--json", settings->json);
    outputs_add(&outputs, "--csv", settings->csv);
    outputs_add(&outputs, "--plot", settings->plot);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    if (!check_usage(settings, error))
        return STATUS_USAGE;
    status = outputs_probe(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    if (settings->plot != NULL && !gnuplot_available(error))
        return STATUS_FAILED;
    return settings->kernels  ? bench_single_kernels(settings, error)
           : settings->render ? bench_pictures(settings, error)
                              : bench_steps(settings, error);
}

static bool draws(const void *memory)
{
    return ((const BenchSettings *)memory)->render;
}

static const char notes[] =
    "Times a developed flow: the first simulated second, or 20 steps, whichever is longer, goes\n"
    "untimed; the timed steps are short enough to need no sub-steps. ms/step, Mcell/s and the\n"
    "stages' times are those of the fastest step; divergence and residual are the worst of the\n"
    "timed steps.\n"
    "\n"
    "GB/s counts the least traffic the algorithm needs. It is set beside the triad of STREAM,\n"
    "measured in the same run with as many threads (or with fewer, where that is faster), on\n"
    "arrays of the same kind: in the last-level cache for grids of which three fields fit it, in\n"
    "memory for larger ones. Speed-up, and in brackets efficiency (speed-up over the ratio of\n"
    "threads), are against the fewest threads of the sweep.\n"
    "\n"
    "--kernels: triad, copy (a = b) and scale (a = s b) are loops of STREAM over arrays as long "
    "as\n"
    "the grid has cells; relaxation is 8 red-black sweeps of the pressure's equation in one run;\n"
    "the V(2,2) cycle is one of multigrid, with 2 sweeps before and 2 after each coarser grid, of\n"
    "which the sweeps' traffic is counted. No share is given where it would say nothing, because\n"
    "other programs held up the triad or the kernel.\n"
    "\n"
    "--render: the flow after 4 simulated seconds, or 20 steps, whichever is longer (a plume then\n"
    "fills its box's height) is uploaded, lit and drawn anew for each frame, as in the window. "
    "The\n"
    "steps up to there are untimed, twice as long as the scene's and solved to 1 %.\n"
    "On a CPU rasteriser the clock times each part once the GL is done with it; on a GPU its "
    "timer\n"
    "queries do, and light is the CPU's.\n"
    "\n"
    "A result that other programs disturbed is measured again, up to three times; what stays\n"
    "disturbed is named. Ctrl-C ends a sweep early; what is finished is reported and written.\n";

const Command command_bench = {
    .spec = {.name = "bench",
             .summary = "time steps over grid sizes and thread counts, or pictures",
             .tables = {options, command_set_options, command_quiet_options, command_force_options},
             .notes = notes},
    .settings_size = sizeof(BenchSettings),
    .run = run,
    .draws = draws,
};
