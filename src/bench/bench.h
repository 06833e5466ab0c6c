/* SPDX-License-Identifier: MIT
 *
 * The benchmarks of steps, of single kernels, of pictures and of the window. Each benchmark
 * measures times on several grids and reports them as tables, JSON and CSV. The benchmark of steps
 * also derives figures (speed-up, efficiency, ratio to the baseline, share of the bandwidth) and
 * draws a plot.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "base/system.h"
#include "bench/measure.h"
#include "bench/network.h"
#include "bench/sharpness.h"
#include "io/text_table.h"
#include "render/renderer.h"
#include "scene/scene_play.h"

enum {
    BENCH_SCENES_MAX = 32,
    BENCH_GRIDS_MAX = 32,
    BENCH_THREADS_MAX = 32,
    BENCH_RANKS_MAX = 4096,
    RENDER_SIZES_MAX = 16
};

/* Scenes of a sweep, built in or files. */
typedef struct BenchScenes {
    const char *items[BENCH_SCENES_MAX];
    int count;
} BenchScenes;

/* Grids of a sweep, as --grids takes them: "64" or "64x96x64". */
typedef struct BenchGrids {
    char items[BENCH_GRIDS_MAX][16]; /* "2048x2048x2048" is the longest */
    int count;
} BenchGrids;

/* Numbers of threads of a sweep. */
typedef struct BenchThreads {
    int items[BENCH_THREADS_MAX];
    int count;
} BenchThreads;

typedef struct RenderSize {
    int width, height; /* pixels */
} RenderSize;

/* Picture sizes of a sweep. */
typedef struct RenderSizes {
    RenderSize items[RENDER_SIZES_MAX];
    int count;
} RenderSizes;

typedef struct BenchPlan {
    SceneRequest request; /* without scene and grid, which `scenes` and `grids` have */
    BenchScenes scenes;   /* benchmarks but that of steps use only the first */
    BenchGrids grids;
    BenchThreads threads; /* numbers of threads; the benchmark of pictures uses only the first */
    RenderSizes sizes;
    int steps;       /* timed steps, or frames, per result */
    double develop;  /* time in which the flow develops before the timed steps, s; of steps alone */
    bool baseline;   /* whether to time the baseline (stam_baseline.h), too */
    Network network; /* of the benchmark of ranks; no bandwidth: none is simulated */
    double live_seconds; /* time that the window plays each scene, s */
} BenchPlan;

/* -- results ----------------------------------------------------------------------------------- */

/* Bandwidth of one array size with one number of threads. */
typedef struct BenchStream {
    BandwidthSize size;
    int threads; /* number of threads; rising among the streams of one size */
    size_t array_bytes;
    double gbs; /* GB/s; 0: not measured */
} BenchStream;

/* Result of the baseline, Stam's published algorithm (stam_baseline.h), in a cube. */
typedef struct BenchBaseline {
    int grid;           /* cells a side */
    double ms_step_min; /* ms */
    double cells_per_s;
} BenchBaseline;

typedef struct KernelFigure {
    const char *name;
    int grid[3], threads;
    double bytes;           /* least memory traffic of one run, bytes */
    double ms_min;          /* fastest run, ms */
    double gbs;             /* bandwidth of the fastest run, GB/s */
    double processor_share; /* share of the processors' time that the process got
                               (quiet_share_since) */
    double triad_fraction;  /* gbs over the triad's gbs on the same grid; NaN: the triad was not
                               timed, other programs disturbed the kernel or the triad, or the ratio
                               exceeds KERNEL_PLAUSIBLE */
} KernelFigure;

#define KERNEL_TRIAD "triad" /* name of the kernel that the others are compared with */

/* Largest plausible triad_fraction. A kernel that does two sweeps in one pass over the memory may
 * reach twice the triad's bandwidth, and more if its arrays partly fit in a cache. A larger ratio
 * means that other programs slowed the triad down. */
#define KERNEL_PLAUSIBLE 4.0

typedef struct RenderFigure {
    int grid[3], width, height;
    RenderTimes fastest;      /* times of the parts of the fastest frame */
    double ms_min, ms_median; /* times of whole frames, ms */
} RenderFigure;

/* What the window shows of a scene that plays. */
typedef struct LiveFigure {
    char scene[64];
    int wind[3], smoke[3]; /* cells at the end */
    int width, height;     /* of the window, pixels */
    int threads;           /* of the simulation */
    double fps, frame_ms;  /* mean frames per second, and median time between them, ms */
    double pace;           /* simulated time over that of the clock */
    double step_ms, light_ms, upload_ms, march_ms; /* medians, ms */
    double contrast[SHARPNESS_OCTAVES];            /* beside a still of the last state */
} LiveFigure;

/* Steps of one simulation on several ranks. */
typedef struct RankFigure {
    int grid[3], ranks, threads;     /* threads of each rank */
    bool weak;                       /* whether the grid is longer for more ranks */
    double ms_min, ms_median;        /* times of steps, ms */
    double exchange_ms;              /* of it in exchanges, with waiting; mean of the ranks, ms */
    BillowTraffic traffic;           /* of the fastest step, by the rank that sends most */
    double predicted_ms, network_ms; /* through the network: predicted, and fastest step, ms; NaN:
                                        not measured */
    uint64_t state_hash;
} RankFigure;

/* The triad is measured for the array sizes that grids are compared with, with one thread and with
 * every number of threads of the sweep. */
enum { BENCH_STREAMS_MAX = BANDWIDTH_SIZES * (BENCH_THREADS_MAX + 1) };

typedef struct BenchKind BenchKind;

typedef struct Bench {
    const BenchKind *kind;
    char cpu[128];
    int cores;
    int steps;                 /* timed steps, or frames, per result */
    int result_count, planned; /* result_count < planned: the sweep was interrupted or failed */
    int scene_count;           /* scenes of the benchmark of steps; 0 counts as 1 */
    /* Results of the benchmark of steps, ordered by scene, by grid, then by number of threads, as
     * in the plan. */
    Measure *results;
    BenchStream streams[BENCH_STREAMS_MAX];
    int stream_count;
    BenchBaseline baselines[BENCH_SCENES_MAX * BENCH_GRIDS_MAX];
    int baseline_count;
    KernelFigure *kernels;  /* of kernels */
    RenderFigure *pictures; /* of pictures */
    RankFigure *ranks;      /* of ranks */
    LiveFigure *live;       /* of the window */
    RenderLimits limits;    /* limits of the graphics driver, for the benchmark of pictures */
} Bench;

/* -- kinds ------------------------------------------------------------------------------------- */

/* One result as a row of JSON or CSV. */
typedef struct BenchRow {
    const char *text; /* name of the scene or kernel; NULL: none */
    const int *grid;
    struct {
        char name[32];
        double value; /* NaN or infinite: unknown */
    } numbers[48];
    int count;
    char more[64];       /* values of BenchKind.more_columns in CSV, a comma before each */
    const char *machine; /* value of BenchKind.machine_column in CSV: graphics driver; as it comes
                            to BenchKind.row: instruction set */
} BenchRow;

struct BenchKind {
    const char *list;           /* name of the array of results in JSON */
    const char *text_name;      /* name of BenchRow.text in JSON; NULL: none */
    const char *text_column;    /* CSV heading of BenchRow.text, with a comma; "": none */
    const char *more_columns;   /* CSV headings of BenchRow.more, a comma before each */
    const char *machine_column; /* CSV heading of BenchRow.machine */
    /* Checks the scene, the grids and the memory, then times everything. On failure and on
     * interruption, bench keeps the finished results. */
    Status (*sweep)(const BenchPlan *plan, Bench *bench, BillowError *error);
    void (*print)(const Bench *bench, FILE *stream);
    /* Adds members to the document and to its member `machine`. NULL: there are none to add. */
    void (*describe)(const Bench *bench, Json *json, cJSON *machine);
    void (*row)(const Bench *bench, int index, BenchRow *row);
    /* Adds a result to a JSON object. NULL: the members of the result's BenchRow are added. */
    void (*add)(const Bench *bench, int index, Json *json, cJSON *object);
};

extern const BenchKind bench_steps, bench_kernels, bench_pictures, bench_ranks, bench_live;

/* Sets the number of results and allocates them, zeroed. Returns NULL, with a message, if memory is
 * short. */
void *bench_allocate(Bench *bench, int planned, size_t size, BillowError *error);

/* Lets the flow of a simulation develop, and times the plan's steps of it, which are short enough
 * for a single substep. step: the scene's, s. part: the ranks that divide the simulation; NULL:
 * this one alone. wire: notes the exchanges of the fastest step; NULL: none. what: words of the
 * progress. */
Status bench_time_steps(const BenchPlan *plan, const SceneDriver *driver, double step,
                        const BillowExchange *part, Wire *wire, const char *what, Measure *measure,
                        BillowError *error);

/* A scene's step, or a part of it that is so short that a flow which speeds up takes it in a single
 * substep, s. */
double bench_short_step(const BillowSim *sim, double step);

/* Runs the benchmark bench->kind. All other members of bench must be zero. Call bench_finish
 * afterwards, even on failure. */
Status bench_run(const BenchPlan *plan, Bench *bench, BillowError *error);
void bench_finish(Bench *bench);

/* -- derived figures of steps ------------------------------------------------------------------ */

/* Effective bandwidth, GB/s: least memory traffic of a step over the time of the fastest step. */
double bench_gbs(const Measure *result);

/* The triad to compare a result with: the fastest one with arrays of its size and at most as many
 * threads. Triads with fewer threads count because on a busy machine more threads may be slower.
 * NULL: not measured. */
const BenchStream *bench_stream(const Bench *bench, const Measure *result);
/* Largest triad bandwidth of an array size, GB/s; 0: not measured. */
double bench_stream_most(const Bench *bench, BandwidthSize size);
/* Fills the bandwidth_fraction of every result. */
void bench_compare(Bench *bench);

/* Time per cell of a result over that of the first scene's, at the same place in the plan; NaN:
 * there is only one scene. */
double bench_scene_ratio(const Bench *bench, const Measure *result);

/* Compares a result with the one that has the fewest threads at the same scene and grid:
 *     speed-up = ms(fewest) / ms(T),   efficiency = speed-up * fewest / T.
 * Both are NaN for the result with the fewest threads. */
double bench_speedup(const Bench *bench, const Measure *result);
double bench_efficiency(const Bench *bench, const Measure *result);

/* Side, in cells, of the cube with about as many cells as `grid`. The baseline runs in this cube.
 */
int bench_baseline_side(const int grid[3]);
const BenchBaseline *bench_baseline(const Bench *bench, const Measure *result); /* or NULL */
/* Cells per second of the result over cells per second of its baseline; NaN without a baseline. */
double bench_baseline_ratio(const Bench *bench, const Measure *result);

/* Finds a result whose final state differs from that of another result at the same scene and grid.
 * NULL: all agree. They must agree, because the number of threads must not change the state. */
const Measure *bench_disagreement(const Bench *bench);

/* The same for results of the benchmark of ranks. */
const RankFigure *bench_ranks_disagreement(const Bench *bench);

/* Fills the triad_fraction of every kernel. */
void bench_compare_kernels(Bench *bench);

/* -- reports ----------------------------------------------------------------------------------- */

/* "64x96x64" */
void bench_grid_text(const int grid[3], char *text, size_t size);
/* Begins a row whose first cell has the text of bench_grid_text. */
void bench_grid_row(TextTable *table, const int grid[3]);
/* Prints a table of `count` rows. names: headings; ends with NULL. row: adds a row, or nothing. */
typedef void BenchRowOf(TextTable *table, const Bench *bench, int index);
void bench_table(const Bench *bench, int count, const char *const *names, BenchRowOf *row,
                 FILE *stream);
/* Adds a cell with a number, or an empty cell if it is not finite. */
void bench_number_cell(TextTable *table, const char *format, double value);
/* Adds a number to a row. */
void bench_number(BenchRow *row, const char *name, double value);

/* Prints the tables of bench->kind, in aligned Markdown. */
void bench_print(const Bench *bench, FILE *stream);
/* Writes the whole file or none. path "-" is standard output. */
bool bench_write_json(const Bench *bench, const char *path, BillowError *error);
bool bench_write_csv(const Bench *bench, const char *path, BillowError *error);

/* Writes an SVG plot, drawn by gnuplot, of ms per step against cells, both logarithmic. It has one
 * line per number of threads, the least time that the measured bandwidth allows, the times of 60
 * and 30 steps per second, and the baseline if it was timed. bench must have a result. */
bool bench_write_plot(const Bench *bench, const char *path, BillowError *error);

#endif
