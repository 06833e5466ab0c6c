/* SPDX-License-Identifier: MIT
 *
 * The benchmark of single kernels: the loops of STREAM and kernels of the solver. The solver's
 * kernels are compared with the triad of STREAM on arrays of the same length. This is the only
 * source outside the solver that includes the solver's own headers.
 *
 * To add a kernel, write its functions and list it in all_kernels. */
#include "bench/bench.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "sim/solver/multigrid.h"
#include "sim/solver/relaxation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct BenchKernel {
    const char *name;
    /* Least memory traffic of one run, bytes per cell. It counts every read and write of an array
     * once. */
    double bytes_per_cell;
    double memory_per_cell; /* size of the kernel's arrays, bytes per cell */
    /* Allocates the kernel's arrays for a grid. Returns NULL if memory is short. */
    void *(*create)(const int grid[3], int threads);
    /* Runs the kernel once. Returns the time of the kernel without its setup, s; NaN if the result
     * is wrong. */
    double (*run)(void *state, StreamLoop loop);
    void (*destroy)(void *state);
    StreamLoop loop; /* of a kernel of STREAM */
} BenchKernel;

/* -- kernels of the solver ----------------------------------------------------------------------
 */

/* Relaxation sweeps per run. They make the time to start the threads negligible. */
enum { SWEEPS = 8 };

/* A pressure problem in a box with a random right-hand side. */
typedef struct Box {
    Grid grid;
    Multigrid multigrid;
    Relaxation relaxation;
    int threads;
    double *planes;
    float *memory;  /* arena, aligned to 64 bytes */
    void *arena;    /* heap memory of the arrays */
    double seconds; /* time of the last run, s */
    double left;    /* residual after the last V-cycle */
} Box;

static void fill_right_hand_side(const Level *level)
{
    uint32_t state = 1;
    float row[BILLOW_GRID_MAX];
    for (int k = 0; k < level->cells[2]; k++)
        for (int j = 0; j < level->cells[1]; j++) {
            for (int i = 0; i < level->cells[0]; i++) {
                state = state * 1664525u + 1013904223u;
                row[i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
            }
            level_pack_row(level, row, j, k, level->rhs);
        }
}

static void lay_out(Box *box)
{
    size_t levels = (multigrid_floats(&box->grid) + 15) / 16 * 16;
    static const LevelSide sides[BILLOW_SIDES] = {[BILLOW_CEILING] = SIDE_OUTSIDE};
    multigrid_prepare(&box->multigrid, &box->grid, kernels_pick()->relax, sides, box->memory);
    size_t fields = 2 * box->grid.field_floats;
    multigrid_place_corrections(&box->multigrid, box->memory + levels + fields);
    float *field = box->memory + levels + box->grid.stride_z + box->grid.stride_y;
    Level *level = &box->multigrid.levels[0];
    level->x = grid_packed(&box->grid, field);
    level->rhs = grid_packed(&box->grid, field + box->grid.field_floats);
    box->multigrid.smoothing = (Smoothing){2, 2};
    box->multigrid.plane_squares = box->planes;
    box->relaxation = (Relaxation){.level = level,
                                   .omega = 1,
                                   .sweeps = SWEEPS,
                                   .plane_squares = box->planes,
                                   .plane_sums = box->planes + box->grid.nz};
}

static void destroy_box(void *state)
{
    Box *box = state;
    free(box->planes);
    free(box->arena);
    free(box);
}

static void *create_box(const int grid[3], int threads)
{
    Box *box = calloc(1, sizeof *box);
    if (box == NULL)
        return NULL;
    box->grid = grid_make(grid[0], grid[1], grid[2]);
    box->threads = threads;
    size_t floats = multigrid_floats(&box->grid) + 2 * box->grid.field_floats +
                    multigrid_corrections_floats(&box->grid) + 48;
    box->planes = calloc(2 * (size_t)grid[2], sizeof *box->planes);
    box->arena = calloc(floats, sizeof(float));
    if (box->planes == NULL || box->arena == NULL) {
        destroy_box(box);
        return NULL;
    }
    size_t past = (uintptr_t)box->arena % 64 / sizeof(float);
    box->memory = (float *)box->arena + (16 - past) % 16;
    lay_out(box);
    fill_right_hand_side(box->relaxation.level);
    return box;
}

static void relax_task(void *context, Team team)
{
    Box *box = context;
    team_barrier(team);
    double start = clock_seconds();
    relaxation_solve(&box->relaxation, team);
    if (team.index == 0)
        box->seconds = clock_seconds() - start;
}

static double run_relaxation(void *state, StreamLoop unused)
{
    (void)unused;
    Box *box = state;
    team_run(box->threads, relax_task, box);
    return box->seconds;
}

static void cycle_task(void *context, Team team)
{
    Box *box = context;
    team_barrier(team);
    double start = clock_seconds();
    double left = multigrid_cycle(&box->multigrid, box->multigrid.smoothing, 0, team);
    if (team.index == 0) {
        box->seconds = clock_seconds() - start;
        box->left = left;
    }
}

static double run_cycle(void *state, StreamLoop unused)
{
    (void)unused;
    Box *box = state;
    team_run(box->threads, cycle_task, box);
    double cells = (double)box->grid.nx * box->grid.ny * box->grid.nz;
    return box->left > 0 && box->left < 0.1 * sqrt(cells) ? box->seconds : (double)NAN;
}

/* -- kernels of STREAM --------------------------------------------------------------------------
 */

static void *create_stream(const int grid[3], int threads)
{
    return stream_create((ptrdiff_t)grid[0] * grid[1] * grid[2], threads);
}

static void destroy_stream(void *state)
{
    stream_destroy(state);
}

static double run_stream(void *state, StreamLoop loop)
{
    return stream_run(state, loop);
}

/* -- the sweep --------------------------------------------------------------------------------- */

enum { RUNS_MIN = 8, RUNS_MAX = 20000, TRIES = 3 };
#define SECONDS_MIN 0.25 /* the runs of a kernel are repeated for at least this time, s */

/* The triad comes first. An interrupted sweep can then still compare its kernels with the triad. A
 * sweep of the relaxation reads and writes x and reads the right-hand side: 12 bytes a cell. The
 * cycle counts only the relaxation sweeps: four per level. All levels together have 8/7 of the
 * finest level's cells. */
static const BenchKernel all_kernels[] = {
    {KERNEL_TRIAD, STREAM_TRIAD_BYTES, 12, create_stream, run_stream, destroy_stream, STREAM_TRIAD},
    {"copy", STREAM_COPY_BYTES, 12, create_stream, run_stream, destroy_stream, STREAM_COPY},
    {"scale", STREAM_SCALE_BYTES, 12, create_stream, run_stream, destroy_stream, STREAM_SCALE},
    {"relaxation, 8 sweeps", 12 * SWEEPS, 12, create_box, run_relaxation, destroy_box, 0},
    {"V(2,2) cycle", 12 * 4 * 8 / 7.0, 12, create_box, run_cycle, destroy_box, 0},
};
enum { KERNELS = sizeof all_kernels / sizeof all_kernels[0] };

/* Parses a grid. "64" means a cube of 64^3 cells. */
static void grid_cells(const char *text, int cells[3])
{
    if (sscanf(text, "%dx%dx%d", &cells[0], &cells[1], &cells[2]) == 1)
        cells[1] = cells[2] = cells[0];
}

static Status check_kernels(const BenchPlan *plan, BillowError *error)
{
    for (int index = 0; index < plan->grids.count * KERNELS; index++) {
        const BenchKernel *kernel = &all_kernels[index % KERNELS];
        int grid[3];
        char what[96];
        grid_cells(plan->grids.items[index / KERNELS], grid);
        snprintf(what, sizeof what, "the kernel '%s' at %dx%dx%d", kernel->name, grid[0], grid[1],
                 grid[2]);
        if (!system_check_memory(kernel->memory_per_cell * measure_cells(grid), what,
                                 "smaller --grids", error))
            return STATUS_FAILED;
    }
    return STATUS_DONE;
}

/* Runs the kernel repeatedly. Updates figure->ms_min (least time) and figure->processor_share
 * (largest share). */
static Status time_runs(const BenchKernel *kernel, void *state, KernelFigure *figure,
                        BillowError *error)
{
    if (system_interrupted())
        return STATUS_INTERRUPTED;
    kernel->run(
        state, kernel->loop); /* untimed: the first run touches the memory and starts the threads */
    QuietWatch watch = quiet_watch();
    double end = watch.start + SECONDS_MIN;
    for (int run = 0; run < RUNS_MIN || (run < RUNS_MAX && clock_seconds() < end); run++) {
        if (system_interrupted())
            return STATUS_INTERRUPTED;
        double seconds = kernel->run(state, kernel->loop);
        if (isnan(seconds))
            return status_fail(STATUS_FAILED, error, "the kernel '%s' gave a wrong result",
                               kernel->name);
        if (seconds > 0 && 1e3 * seconds < figure->ms_min)
            figure->ms_min = 1e3 * seconds;
    }
    figure->processor_share =
        fmax(figure->processor_share, quiet_share_since(watch, figure->threads));
    return STATUS_DONE;
}

/* Times the next kernel. Repeats the measurement if other programs disturbed it, up to TRIES in
 * total. */
static Status time_kernel(const BenchKernel *kernel, const int grid[3], int threads, Bench *bench,
                          BillowError *error)
{
    void *state = kernel->create(grid, threads);
    if (state == NULL)
        return status_fail(STATUS_FAILED, error, "no memory for the kernel '%s' at %dx%dx%d",
                           kernel->name, grid[0], grid[1], grid[2]);
    KernelFigure figure = {
        .name = kernel->name,
        .threads = threads,
        .bytes = kernel->bytes_per_cell * measure_cells(grid),
        .ms_min = INFINITY,
        .processor_share = (double)NAN,
    };
    memcpy(figure.grid, grid, sizeof figure.grid);
    Status status = STATUS_DONE;
    for (int tries = 0; tries < TRIES && status == STATUS_DONE; tries++) {
        if (tries > 0 && !quiet_disturbed(figure.processor_share, threads, bench->cores))
            break;
        status = time_runs(kernel, state, &figure, error);
    }
    kernel->destroy(state);
    figure.gbs = 1e-6 * figure.bytes / figure.ms_min;
    if (status == STATUS_DONE)
        bench->kernels[bench->result_count++] = figure;
    return status;
}

static Status sweep_kernels(const BenchPlan *plan, Bench *bench, BillowError *error)
{
    const BenchThreads *threads = &plan->threads;
    Status status = check_kernels(plan, error);
    if (status != STATUS_DONE)
        return status;
    bench->kernels = bench_allocate(bench, plan->grids.count * threads->count * KERNELS,
                                    sizeof *bench->kernels, error);
    if (bench->kernels == NULL)
        return STATUS_FAILED;
    Progress progress = progress_start(plan->request.quiet);
    for (int index = 0; index < bench->planned && status == STATUS_DONE; index++) {
        int grid[3], pass = index / KERNELS;
        grid_cells(plan->grids.items[pass / threads->count], grid);
        status = time_kernel(&all_kernels[index % KERNELS], grid,
                             threads->items[pass % threads->count], bench, error);
        progress_update(&progress, "kernel", bench->result_count, bench->planned);
    }
    progress_end(&progress);
    bench_compare_kernels(bench);
    return status;
}

/* -- the report -------------------------------------------------------------------------------- */

/* Prints which kernels were disturbed, and why some have no triad_fraction. */
static void print_disturbance(const Bench *bench, FILE *stream)
{
    QuietTally tally = {.noun = "results", .cores = bench->cores};
    bool left_out = false;
    for (int index = 0; index < bench->result_count; index++) {
        const KernelFigure *figure = &bench->kernels[index];
        char what[96];
        snprintf(what, sizeof what, "%s at %dx%dx%d", figure->name, figure->grid[0],
                 figure->grid[1], figure->grid[2]);
        quiet_count(&tally, figure->processor_share, figure->threads, what);
        left_out |= !isfinite(figure->triad_fraction);
    }
    quiet_print(&tally, stream);
    if (left_out)
        number_fprint(
            stream,
            "\nNo share of the triad is given if other programs disturbed the kernel or the "
            "triad. A share above\n%.0f %% is a sign of that.\n",
            100 * KERNEL_PLAUSIBLE);
}

static void kernel_row(TextTable *table, const Bench *bench, int index)
{
    const KernelFigure *figure = &bench->kernels[index];
    char bytes[32], grid[40];
    report_bytes(figure->bytes, bytes, sizeof bytes);
    bench_grid_text(figure->grid, grid, sizeof grid);
    text_table_row(table);
    text_table_cell(table, "%s", figure->name);
    text_table_cell(table, "%s", grid);
    text_table_cell(table, "%d", figure->threads);
    text_table_cell(table, "%s", bytes);
    text_table_cell(table, "%.4f", figure->ms_min);
    text_table_cell(table, "%.1f", figure->gbs);
    bench_number_cell(table, "%.0f %%", 100 * figure->triad_fraction);
}

static void print_kernels(const Bench *bench, FILE *stream)
{
    static const char *const names[] = {"kernel", "grid", "threads",  "traffic",
                                        "ms",     "GB/s", "of triad", NULL};
    fputc('\n', stream);
    bench_table(bench, bench->result_count, names, kernel_row, stream);
    print_disturbance(bench, stream);
}

static void row_of_kernel(const Bench *bench, int index, BenchRow *row)
{
    const KernelFigure *figure = &bench->kernels[index];
    row->text = figure->name;
    row->grid = figure->grid;
    bench_number(row, "threads", figure->threads);
    bench_number(row, "bytes", figure->bytes);
    bench_number(row, "ms_min", figure->ms_min);
    bench_number(row, "gbs", figure->gbs);
    bench_number(row, "triad_fraction", figure->triad_fraction);
    bench_number(row, "processor_share", figure->processor_share);
}

const BenchKind bench_kernels = {.list = "kernels",
                                 .text_name = "name",
                                 .text_column = "kernel,",
                                 .more_columns = "",
                                 .machine_column = "simd",
                                 .sweep = sweep_kernels,
                                 .print = print_kernels,
                                 .row = row_of_kernel};
