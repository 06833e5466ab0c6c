/* SPDX-License-Identifier: MIT */
#include "base/fail.h"
#include "base/system.h"
#include "bench/bench.h"
#include "cli/command.h"
#include "cli/values.h"
#include "io/gnuplot.h"
#include "mpi/cluster.h"

#include <string.h>

typedef struct BenchSettings {
    CommandScene scene;
    const char *scene_name; /* as an operand; NULL: not given */
    BenchPlan plan;         /* as given: plan_of fills in the defaults */
    ArgsWholes threads;     /* empty: powers of two and the number of cores */
    const char *json, *csv, *plot;
    bool kernels, render, live;
    double seconds;  /* of --live; 0: not given */
    RenderSize size; /* of --live; width 0: not given */
} BenchSettings;

enum { STEPS_DEFAULT = 20 };
#define DEVELOP_DEFAULT 1.0
#define LIVE_DEFAULT    10.0
/* The operand that stands for all built-in scenes. */
#define ALL_SCENES "all"

static const ArgsOption options[] = {
    ARGS_ROW_TEXT("scene", "S", BenchSettings, scene_name, "the same as SCENE"),
    ARGS_ROW_PARSED("grids", "N,N...", BenchSettings, plan.grids, values_parse_grids,
                    "grids to time: cells along the longest axis, or NXxNYxNZ, 8 to 2048 each; "
                    "default 32,64,128"),
    ARGS_ROW_WHOLE("refine", "R", BenchSettings, scene.request.refine, 1, BILLOW_REFINE_MAX,
                   "cells of smoke along an edge of one of these, as --set domain.refine=R; "
                   "default 1, whatever the scene says"),
    ARGS_ROW(ARGS_WHOLES, "threads", "T,T...", BenchSettings, threads, ArgsWholes, 1, 1024,
             "numbers of threads to time; default: 1, 2, 4 and so on up to the number of cores"),
    ARGS_ROW_WHOLE("steps", "N", BenchSettings, plan.steps, 5, 100000,
                   "steps timed per result; default 20"),
    ARGS_ROW_NUMBER("develop", "SECONDS", BenchSettings, plan.develop, 0.001, 1000,
                    "simulated time in which the flow develops before it is timed; default 1"),
    ARGS_ROW_FLAG("baseline", BenchSettings, plan.baseline,
                  "also time the solver of Stam (2003), ported literally to 3D, on one thread"),
    ARGS_ROW_FLAG("kernels", BenchSettings, kernels,
                  "time single kernels instead of steps, and compare them with the triad of "
                  "STREAM on arrays with one value per cell"),
    ARGS_ROW_FLAG("render", BenchSettings, render,
                  "time pictures instead of steps: light, upload, march and the rest, in the "
                  "quality of the window at full resolution; --steps frames each"),
    ARGS_ROW_PARSED("sizes", "WxH,WxH...", BenchSettings, plan.sizes, values_parse_sizes,
                    "sizes of the pictures of --render; default 320x180,640x360,1280x720"),
    ARGS_ROW_FLAG("live", BenchSettings, live,
                  "time what the window shows instead: play each scene off screen, on the cells "
                  "that the window chooses, and compare the sharpness of its smoke with a still's"),
    ARGS_ROW_PARSED("size", "WxH", BenchSettings, size, values_parse_size,
                    "size of the window of --live; default 1280x720"),
    ARGS_ROW_NUMBER("seconds", "S", BenchSettings, seconds, 2, 3600,
                    "how long --live plays each scene; default 10"),
    ARGS_ROW_PARSED("network", "GBITS,US", BenchSettings, plan.network, values_parse_network,
                    "under mpirun: also time steps whose exchanges are delayed as by a network of "
                    "this bandwidth, Gb/s, and latency, us, beside the prediction"),
    ARGS_ROW_PARSED("plot", "FILE.svg", BenchSettings, plot, values_parse_drawing,
                    "plot ms per step against cells, with the limit set by the bandwidth; needs "
                    "gnuplot"),
    ARGS_ROW_TEXT("json", "FILE", BenchSettings, json,
                  "write the results as JSON; FILE may be - for standard output, without the "
                  "tables"),
    ARGS_ROW_TEXT("csv", "FILE", BenchSettings, csv,
                  "write one line per result as CSV; FILE may be - as above"),
    {.type = ARGS_END},
};

/* Whether ranks divide the steps that are timed. Kernels and pictures are timed on one rank. */
static bool divides(const void *memory)
{
    const BenchSettings *settings = memory;
    return cluster_ranks() > 1 && !settings->kernels && !settings->render && !settings->live;
}

static BenchThreads chosen_threads(const BenchSettings *settings)
{
    BenchThreads threads = {.count = settings->threads.count};
    memcpy(threads.items, settings->threads.items, sizeof threads.items);
    if (threads.count > 0)
        return threads;
    if (settings->render || settings->live)
        return (BenchThreads){.items = {0}, .count = 1}; /* one per core */
    if (divides(settings))
        return (BenchThreads){.items = {cluster_threads()}, .count = 1};
    int cores = system_cores();
    for (int count = 1; count < cores && threads.count < BENCH_THREADS_MAX - 1; count *= 2)
        threads.items[threads.count++] = count;
    threads.items[threads.count++] = cores;
    return threads;
}

/* The scenes that are given, with each name of a built-in one for "all"; plume without any. */
static bool find_scenes(const BenchSettings *settings, BenchScenes *scenes, BillowError *error)
{
    const ArgsTexts *given = &settings->scene.operands;
    scenes->count = 0;
    for (int s = 0; s <= given->count; s++) {
        const char *name = s < given->count ? given->items[s] : settings->scene_name;
        const bool all = name != NULL && strcmp(name, ALL_SCENES) == 0;
        for (int b = 0; name != NULL; b++) {
            const char *next = all ? scene_builtin_name(b) : name;
            if (next == NULL)
                break;
            if (scenes->count == BENCH_SCENES_MAX)
                return fail(error, "more than %d scenes", BENCH_SCENES_MAX);
            scenes->items[scenes->count++] = next;
            if (!all)
                break;
        }
    }
    if (scenes->count == 0)
        scenes->items[scenes->count++] = COMMAND_DEFAULT_SCENE;
    return true;
}

/* Fills in the defaults. */
static BenchPlan plan_of(const BenchSettings *settings, const BenchScenes *scenes)
{
    BenchPlan plan = settings->plan;
    plan.scenes = *scenes;
    plan.request = command_scene_request(&settings->scene, "bench");
    if (!settings->live && plan.request.refine == 0 &&
        !scene_request_sets(&plan.request, "domain.refine"))
        plan.request.refine = 1; /* a size is that of wind and smoke */
    plan.threads = chosen_threads(settings);
    plan.steps = plan.steps > 0 ? plan.steps : STEPS_DEFAULT;
    plan.develop = plan.develop > 0 ? plan.develop : DEVELOP_DEFAULT;
    plan.live_seconds = settings->seconds > 0 ? settings->seconds : LIVE_DEFAULT;
    if (settings->live)
        plan.sizes = (RenderSizes){
            .items = {settings->size.width > 0 ? settings->size : (RenderSize){1280, 720}},
            .count = 1};
    if (plan.grids.count == 0)
        plan.grids = (BenchGrids){.items = {"32", "64", "128"}, .count = 3};
    if (plan.sizes.count == 0)
        plan.sizes = (RenderSizes){.items = {{320, 180}, {640, 360}, {1280, 720}}, .count = 3};
    return plan;
}

/* -- options that do not go together ----------------------------------------------------------- */

enum { STEPS = 1, KERNELS = 2, PICTURES = 4, RANKS = 8, LIVE = 16, ALL = 31 };

typedef struct Benchmark {
    int bit; /* STEPS and so on */
    const BenchKind *kind;
    const char *what; /* begins a message */
} Benchmark;

static Benchmark benchmark_of(const BenchSettings *settings)
{
    if (divides(settings))
        return (Benchmark){RANKS, &bench_ranks, "mpirun divides the steps that are timed"};
    if (settings->kernels)
        return (Benchmark){KERNELS, &bench_kernels, "--kernels times no steps"};
    if (settings->render)
        return (Benchmark){PICTURES, &bench_pictures, "--render times pictures"};
    if (settings->live)
        return (Benchmark){LIVE, &bench_live, "--live plays scenes as the window does"};
    return (Benchmark){STEPS, &bench_steps, "steps are timed"};
}

/* The first given option that has no meaning in a benchmark; NULL: none. */
static const char *stray_option(const BenchSettings *settings, int scenes, int benchmark)
{
    const struct {
        bool given;
        int meant; /* benchmarks in which it has a meaning */
        const char *name;
    } options_of_some[] = {
        {settings->plan.baseline, STEPS, "--baseline"},
        {settings->plot != NULL, STEPS, "--plot"},
        {settings->plan.develop > 0, STEPS | RANKS, "--develop"},
        {settings->kernels, KERNELS, "--kernels"},
        {settings->render, PICTURES, "--render"},
        {settings->live, LIVE, "--live"},
        {settings->threads.count > 1, STEPS | KERNELS, "more than one number of --threads"},
        {settings->plan.steps > 0, STEPS | RANKS | PICTURES, "--steps"},
        {settings->plan.grids.count > 0, ALL & ~LIVE, "--grids"},
        {settings->scene_name != NULL, ALL & ~KERNELS, "--scene"},
        {settings->scene.operands.count > 0, ALL & ~KERNELS, "SCENE"},
        {scenes > 1, STEPS | LIVE, "more than one SCENE"},
        {settings->scene.overrides.count > 0, ALL & ~KERNELS, "--set"},
        {settings->scene.request.refine > 0, ALL & ~KERNELS, "--refine"},
    };
    for (size_t o = 0; o < sizeof options_of_some / sizeof options_of_some[0]; o++)
        if (options_of_some[o].given && (options_of_some[o].meant & benchmark) == 0)
            return options_of_some[o].name;
    return NULL;
}

/* Fails if options do not go together. */
static bool check_usage(const BenchSettings *settings, int scenes, BillowError *error)
{
    const Benchmark benchmark = benchmark_of(settings);
    if (settings->plan.sizes.count > 0 && !settings->render)
        return fail(error, "--sizes are sizes of pictures, and needs --render");
    if ((settings->size.width > 0 || settings->seconds > 0) && !settings->live)
        return fail(error, "--%s is that of the window, and needs --live",
                    settings->seconds > 0 ? "seconds" : "size");
    if (settings->plan.network.gigabits > 0 && benchmark.bit != RANKS)
        return fail(
            error, "--network delays exchanges between ranks, and needs steps that mpirun divides");
    if (settings->plot != NULL && scenes > 1)
        return fail(error, "--plot draws one scene, not %d", scenes);
    const char *stray = stray_option(settings, scenes, benchmark.bit);
    return stray == NULL || fail(error, "%s, so %s has no meaning with it", benchmark.what, stray);
}

static bool write_results(const BenchSettings *settings, const Bench *bench, BillowError *error)
{
    if (!output_is_stdout(settings->json) && !output_is_stdout(settings->csv) &&
        !output_is_stdout(settings->plot))
        bench_print(bench, stdout);
    return (settings->json == NULL || bench_write_json(bench, settings->json, error)) &&
           (settings->csv == NULL || bench_write_csv(bench, settings->csv, error)) &&
           (settings->plot == NULL || bench_write_plot(bench, settings->plot, error));
}

static bool check_agreement(const Bench *bench, BillowError *error)
{
    char grid[40];
    const RankFigure *ranks = bench->kind == &bench_ranks ? bench_ranks_disagreement(bench) : NULL;
    const Measure *steps = bench->kind == &bench_steps ? bench_disagreement(bench) : NULL;
    if (ranks == NULL && steps == NULL)
        return true;
    bench_grid_text(ranks != NULL ? ranks->grid : steps->grid, grid, sizeof grid);
    return fail(error,
                "the final state of %s differs between %d %s and fewer; this is an error in "
                "Billow: please report it with the table",
                grid, ranks != NULL ? ranks->ranks : steps->threads,
                ranks != NULL ? "ranks" : "threads");
}

/* Finished results are reported even if the sweep failed or was interrupted. */
static Status measure(const BenchSettings *settings, const BenchScenes *scenes, BillowError *error)
{
    const BenchPlan plan = plan_of(settings, scenes);
    Bench bench = {.kind = benchmark_of(settings).kind};
    BillowError reason;
    Status status = bench_run(&plan, &bench, error);
    if (bench.result_count > 0 && cluster_leads() && !write_results(settings, &bench, &reason) &&
        status != STATUS_FAILED) {
        *error = reason;
        status = STATUS_FAILED;
    }
    if (status == STATUS_DONE && cluster_leads() && !check_agreement(&bench, error))
        status = STATUS_FAILED;
    bench_finish(&bench);
    return cluster_status(status, error);
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
    BenchScenes scenes;
    if (!find_scenes(settings, &scenes, error) || !check_usage(settings, scenes.count, error))
        return STATUS_USAGE;
    status = outputs_probe(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    if (settings->plot != NULL && !gnuplot_available(error))
        return STATUS_FAILED;
    return measure(settings, &scenes, error);
}

static bool draws(const void *memory)
{
    const BenchSettings *settings = memory;
    return settings->render || settings->live;
}

static const char notes[] =
    "Before timing, the flow develops for one simulated second (--develop) or 20 steps, whichever\n"
    "is longer.\n"
    "The timed steps are short enough for one substep. ms/step, Mcell/s and the times of the\n"
    "stages are those of the fastest step; divergence and residual are the largest of the timed\n"
    "steps.\n"
    "\n"
    "GB/s counts the least traffic that the algorithm needs. It is compared with the triad of\n"
    "STREAM, measured in the same run with as many threads, or with fewer if that is faster. The\n"
    "triad's arrays lie in the last-level cache for grids of which three fields fit there, and in\n"
    "memory for larger grids. Speed-up is relative to the fewest threads of the sweep; the\n"
    "efficiency in brackets is speed-up over the ratio of threads.\n"
    "\n"
    "The last table is a model of the next step on as many cores as threads. That step's work is\n"
    "metered in processor time, so that the cores need not be there: between two barriers the\n"
    "longest piece of a worker counts. ms by one: the step by one worker, in the same run; ms of\n"
    "all: the pieces of all workers; ms alone: those that one worker has almost alone; imbalance:\n"
    "of the work that is shared, the longest pieces over the mean ones. Barriers, and waits for "
    "the\n"
    "workers beside, are timed with as many threads as cores; a barrier of more threads is taken "
    "to\n"
    "last longer in proportion. The model knows no limit of the memory. measured ms is the same\n"
    "step by the clock, with the time that metering takes.\n"
    "\n"
    "--kernels: triad, copy (a = b) and scale (a = s b) are loops of STREAM over arrays as long\n"
    "as the grid has cells. relaxation is 8 red-black sweeps of the pressure equation in one run.\n"
    "V(2,2) cycle is a multigrid cycle with 2 sweeps before and 2 after each coarser grid; its\n"
    "traffic is that of the sweeps. No share of the triad is given if other programs disturbed\n"
    "the triad or the kernel.\n"
    "\n"
    "--render: the flow develops for 4 simulated seconds or 20 steps, whichever is longer, so "
    "that\n"
    "a plume fills the height of its box. These steps are twice as long as the scene's, with a\n"
    "tolerance of 1 %. The state is then uploaded, lit and drawn again for each frame, as in the\n"
    "window. Light is timed on the CPU; the other parts are timed by timer queries on a GPU, and\n"
    "by the clock with a software renderer.\n"
    "\n"
    "--live: the loop of the window plays a scene without a display, adapts its cells and its\n"
    "picture to the machine, and begins from rest as 'billow run' does. Frames per second are\n"
    "those of the whole run; pace is simulated time over that of the clock; times are medians\n"
    "after the first second, or on a GPU of the last state. The last picture is then compared with "
    "a still of the same state:\n"
    "the contrast of details of 2 to 4 pixels, 4 to 8 and so on, in luminance, where the smoke\n"
    "covers at least a quarter. 1 is as sharp as the still; above 1 is noise or harder edges.\n"
    "\n"
    "Several scenes: the last column of the first table is the time per cell of the wind over\n"
    "that of the first scene, with as many --grids cells and threads.\n"
    "\n"
    "Under mpirun, steps are timed on 1, 2, 4 and so on up to all ranks, while the others sleep:\n"
    "strong and weak scaling. A grid is divided among at most one rank per 8 planes along z.\n"
    "--threads are those of each rank; by default the ranks of a machine share its cores. "
    "Exchanges\n"
    "include waiting for the slowest rank. Sent and messages are those of the rank that sends most "
    "in\n"
    "the fastest step. With --network an exchange ends no sooner than the latency and the time of "
    "its\n"
    "bytes after it began; predicted is the step without network plus these times, as if the "
    "ranks\n"
    "did not compute during exchanges.\n"
    "\n"
    "A result that other programs disturb is measured again, up to three times; one that stays\n"
    "disturbed is named. Ctrl-C ends a sweep early; finished results are reported and written.\n";

const Command command_bench = {
    .spec =
        {.name = "bench",
         .summary = "time steps over grid sizes and thread counts, pictures, or the window",
         .examples =
             "  billow bench                                32, 64 and 128 cells a side\n"
             "  billow bench fire --grids 64,96 --json fire.json\n"
             "  billow bench all --grids 128 --threads 2    every built-in scene, in one table\n"
             "  billow bench --render --sizes 1280x720      pictures in place of steps\n"
             "  billow bench all --live                     what the window shows\n",
         .operand = "[SCENE...]",
         .operand_help = "built-in scenes or scene files; all: every built-in scene; default "
                         "plume",
         .operands_most = BENCH_SCENES_MAX,
         .operands_offset = offsetof(CommandScene, operands),
         .tables = {options, command_set_options, command_quiet_options, command_force_options},
         .notes = notes},
    .settings_size = sizeof(BenchSettings),
    .run = run,
    .draws = draws,
    .divides = divides,
};
