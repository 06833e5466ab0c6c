/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "command.h"
#include "fail.h"
#include "gnuplot.h"
#include "system.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

typedef struct BenchSettings {
    CommandScene scene;
    const char *scene_name; /* NULL: COMMAND_DEFAULT_SCENE */
    BenchGrids grids;       /* empty: 32, 64, 128 */
    ArgsWholes threads;     /* empty: powers of two and the number of cores */
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
     .help = "grids to time: cells along the longest axis, or NXxNYxNZ, 8 to 2048 each; default "
             "32,64,128",
     .type = ARGS_PARSED,
     .parse = values_parse_grids,
     .offset = offsetof(BenchSettings, grids)},
    {.name = "threads",
     .placeholder = "T,T...",
     .help = "numbers of threads to time; default: 1, 2, 4 and so on up to the number of cores",
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
     .help = "also time the solver of Stam (2003), ported literally to 3D, on one thread",
     .type = ARGS_FLAG,
     .offset = offsetof(BenchSettings, baseline)},
    {.name = "kernels",
     .help = "time single kernels instead of steps, and compare them with the triad of STREAM on "
             "arrays with one value per cell",
     .type = ARGS_FLAG,
     .offset = offsetof(BenchSettings, kernels)},
    {.name = "render",
     .help = "time pictures instead of steps: light, upload, march and the rest, in the quality of "
             "the window at full resolution; --steps frames each",
     .type = ARGS_FLAG,
     .offset = offsetof(BenchSettings, render)},
    {.name = "sizes",
     .placeholder = "WxH,WxH...",
     .help = "sizes of the pictures of --render; default 320x180,640x360,1280x720",
     .type = ARGS_PARSED,
     .parse = values_parse_sizes,
     .offset = offsetof(BenchSettings, sizes)},
    {.name = "plot",
     .placeholder = "FILE.svg",
     .help = "plot ms per step against cells, with the limit set by the bandwidth; needs gnuplot",
     .type = ARGS_PARSED,
     .parse = values_parse_drawing,
     .offset = offsetof(BenchSettings, plot)},
    {.name = "json",
     .placeholder = "FILE",
     .help = "write the results as JSON; FILE may be - for standard output, without the tables",
     .type = ARGS_TEXT,
     .offset = offsetof(BenchSettings, json)},
    {.name = "csv",
     .placeholder = "FILE",
     .help = "write one line per result; FILE may be - as above",
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

/* Refuses options that do not go together. */
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

/* Results that were finished are reported even when the sweep failed or was interrupted. */
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
    "The flow develops before timing, for one simulated second or 20 steps, whichever is longer.\n"
    "The timed steps are short enough for one substep. ms/step, Mcell/s and the stages' times are\n"
    "those of the fastest step; divergence and residual are the largest of the timed steps.\n"
    "\n"
    "GB/s counts the least traffic that the algorithm needs. It is compared with the triad of\n"
    "STREAM, measured in the same run with as many threads, or with fewer where that is faster.\n"
    "The triad runs in the last-level cache for grids whose fields fit there three at a time, in\n"
    "memory for larger ones. Speed-up is against the fewest threads of the sweep; the efficiency\n"
    "in brackets is speed-up over the ratio of threads.\n"
    "\n"
    "--kernels: triad, copy (a = b) and scale (a = s b) are loops of STREAM over arrays as long "
    "as\n"
    "the grid has cells; relaxation is 8 red-black sweeps of the pressure's equation in one run;\n"
    "the V(2,2) cycle is one of multigrid, with 2 sweeps before and 2 after each coarser grid; "
    "its\n"
    "traffic is that of the sweeps. No share is given where other programs disturbed the triad\n"
    "or the kernel.\n"
    "\n"
    "--render: the flow after 4 simulated seconds, or 20 steps, whichever is longer (a plume then\n"
    "fills the height of its box) is uploaded, lit and drawn again for each frame, as in the\n"
    "window. The steps before that are untimed, twice as long as the scene's and solved to 1 %.\n"
    "Each part is timed by the clock with a software renderer, by timer queries on a GPU; light\n"
    "is always timed on the CPU.\n"
    "\n"
    "A result that other programs disturb is measured again, up to three times; one that stays\n"
    "disturbed is named. Ctrl-C ends a sweep early; finished results are reported and written.\n";

const Command command_bench = {
    .spec = {.name = "bench",
             .summary = "time steps over grid sizes and thread counts, or pictures",
             .tables = {options, command_set_options, command_quiet_options, command_force_options},
             .notes = notes},
    .settings_size = sizeof(BenchSettings),
    .run = run,
    .draws = draws,
};
