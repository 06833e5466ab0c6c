/* SPDX-License-Identifier: MIT
 *
 * The benchmarks of steps, of single kernels and of pictures: each times its subject over grids,
 * and reports tables, JSON and CSV. The benchmark of steps also derives figures (speed-up,
 * efficiency, ratio to the baseline, share of the bandwidth) and draws a plot. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "measure.h"
#include "renderer.h"
#include "system.h"
#include "text_table.h"

enum { BENCH_GRIDS_MAX = 32, BENCH_THREADS_MAX = 32, RENDER_SIZES_MAX = 16 };

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

/* Picture sizes of a sweep, pixels. */
typedef struct RenderSizes {
    struct {
        int width, height;
    } items[RENDER_SIZES_MAX];
    int count;
} RenderSizes;

typedef struct BenchPlan {
    SceneRequest request; /* without grid: each result has its own */
    BenchGrids grids;
    BenchThreads threads; /* pictures use the first */
    RenderSizes sizes;
    int steps;     /* steps, or frames of a picture, timed per result */
    bool baseline; /* also time stam_baseline.h */
    bool quiet;    /* no progress, no notices */
} BenchPlan;

/* -- results ----------------------------------------------------------------------------------- */

/* Bandwidth of one array size with one number of threads. */
typedef struct BenchStream {
    BandwidthSize size;
    int threads; /* rising within a size */
    size_t array_bytes;
    double gbs; /* GB/s; 0: not measured */
} BenchStream;

/* Stam's published algorithm (stam_baseline.h) in a cube. */
typedef struct BenchBaseline {
    int grid;           /* cells a side */
    double ms_step_min; /* ms */
    double cells_per_s;
} BenchBaseline;

typedef struct KernelFigure {
    const char *name;
    int grid[3], threads;
    double bytes;           /* least traffic of one run */
    double ms_min;          /* fastest run, ms */
    double gbs;             /* of the fastest run, GB/s */
    double processor_share; /* see quiet_share_since */
    double triad_fraction; /* bandwidth over that of the triad; NaN: the triad was not timed, one of
                              them was disturbed, or the ratio is above KERNEL_PLAUSIBLE */
} KernelFigure;

/* Largest plausible ratio to the triad. Two sweeps that share a pass may reach twice the triad's
 * bandwidth, and arrays that lie partly in a cache more. A larger ratio means that other programs
 * slowed the triad down. */
#define KERNEL_PLAUSIBLE 4.0

typedef struct RenderFigure {
    int grid[3], width, height;
    RenderTimes fastest;      /* parts of the fastest frame */
    double ms_min, ms_median; /* of whole frames, ms */
} RenderFigure;

/* Bandwidths are measured for both sizes, with one thread and with every number of the sweep. */
enum { BENCH_STREAMS_MAX = BANDWIDTH_SIZES * (BENCH_THREADS_MAX + 1) };

typedef struct BenchKind BenchKind;

typedef struct Bench {
    const BenchKind *kind;
    char cpu[128];
    int cores;
    int steps;                 /* steps or frames timed per result */
    int result_count, planned; /* result_count < planned: the sweep was interrupted or failed */
    /* Of steps. The results are ordered by grid, then by threads, as in the plan. */
    Measure *results;
    BenchStream streams[BENCH_STREAMS_MAX];
    int stream_count;
    BenchBaseline baselines[BENCH_GRIDS_MAX];
    int baseline_count;
    KernelFigure *kernels;  /* of kernels */
    RenderFigure *pictures; /* of pictures */
    RenderLimits limits;    /* of the graphics driver, for pictures */
} Bench;

/* -- kinds ------------------------------------------------------------------------------------- */

/* One result for JSON and CSV. */
typedef struct BenchRow {
    const char *text; /* scene or kernel; NULL: none */
    const int *grid;
    struct {
        char name[32];
        double value; /* not finite: unknown */
    } numbers[48];
    int count;
    char more[64];       /* further CSV fields, a comma before each */
    const char *machine; /* CSV field of the machine: instruction set or graphics driver */
} BenchRow;

struct BenchKind {
    const char *list;           /* name of the array of results in JSON */
    const char *text_name;      /* name of the row's text in JSON; NULL: none */
    const char *text_column;    /* CSV column of the row's text, with a comma; or "" */
    const char *more_columns;   /* CSV columns of the row's further fields, a comma before each */
    const char *machine_column; /* CSV column of the machine */
    /* Checks the scene, the grids and the memory before anything is timed. NULL: sweep does so. */
    Status (*check)(const BenchPlan *plan, BillowError *error);
    /* Times everything. Finished results stay in the bench on failure and on interruption. */
    Status (*sweep)(const BenchPlan *plan, Bench *bench, BillowError *error);
    void (*print)(const Bench *bench, FILE *stream);
    /* Adds members to the document and to its member `machine`. NULL: adds none. */
    void (*describe)(const Bench *bench, Json *json, cJSON *machine);
    void (*row)(const Bench *bench, int index, BenchRow *row);
    /* Adds a result to JSON. NULL: the row is added. */
    void (*add)(const Bench *bench, int index, Json *json, cJSON *object);
};

extern const BenchKind bench_steps, bench_kernels, bench_pictures;

/* Measures. bench must be zero but for its kind. Free it with bench_finish in any case. */
Status bench_run(const BenchPlan *plan, Bench *bench, BillowError *error);
void bench_finish(Bench *bench);

/* -- derived figures of steps ------------------------------------------------------------------ */

/* Effective bandwidth, GB/s: least traffic of the algorithm over the time of the fastest step. */
double bench_gbs(const Measure *result);

/* The triad to compare a result with: the fastest on arrays of its size with as many threads or
 * fewer, because a busy machine may be slower with more. NULL: not measured. */
const BenchStream *bench_stream(const Bench *bench, const Measure *result);
/* Largest bandwidth of a size, GB/s; 0: not measured. */
double bench_stream_most(const Bench *bench, BandwidthSize size);
/* Fills the bandwidth_fraction of every result. */
void bench_compare(Bench *bench);

/* Relative to the result with the fewest threads at the same grid:
 *     speed-up = ms(fewest) / ms(T),   efficiency = speed-up fewest / T.
 * NaN if no result has fewer threads. */
double bench_speedup(const Bench *bench, const Measure *result);
double bench_efficiency(const Bench *bench, const Measure *result);

/* Side of the cube with about as many cells as a grid. The grid is compared with its baseline. */
int bench_baseline_side(const int grid[3]);
const BenchBaseline *bench_baseline(const Bench *bench, const Measure *result); /* or NULL */
/* Cells per second over those of the baseline; NaN without a baseline. */
double bench_baseline_ratio(const Bench *bench, const Measure *result);

/* Finds a result whose final state differs from that of another at the same grid. NULL: all agree,
 * as they must for any number of threads. */
const Measure *bench_disagreement(const Bench *bench);

/* BenchKind.check and BenchKind.sweep of steps. */
Status bench_steps_check(const BenchPlan *plan, BillowError *error);
Status bench_steps_sweep(const BenchPlan *plan, Bench *bench, BillowError *error);

/* Fills the triad_fraction of every kernel. */
void bench_compare_kernels(Bench *bench);

/* -- reports ----------------------------------------------------------------------------------- */

/* "64x96x64" */
void bench_grid_text(const int grid[3], char *text, size_t size);
/* Adds such a cell to a table. */
void bench_grid_cell(TextTable *table, const int grid[3]);
/* Adds the headings of a table. names ends with NULL. */
void bench_headings(TextTable *table, const char *const *names);
/* Adds a cell with a number, or an empty cell if it is not finite. */
void bench_number_cell(TextTable *table, const char *format, double value);
/* Adds a number to a row. */
void bench_number(BenchRow *row, const char *name, double value);

/* Prints the tables of the kind, in aligned Markdown. */
void bench_print(const Bench *bench, FILE *stream);
/* Files are written whole or not at all. path "-" is standard output. */
bool bench_write_json(const Bench *bench, const char *path, BillowError *error);
bool bench_write_csv(const Bench *bench, const char *path, BillowError *error);

/* Plots ms per step against cells as SVG, both logarithmic, by gnuplot: one line per number of
 * threads, the least time that the measured bandwidth allows, 60 and 30 steps per second, and the
 * baseline if it was timed. Needs a result. */
bool bench_write_plot(const Bench *bench, const char *path, BillowError *error);

#endif
