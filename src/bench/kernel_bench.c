/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include "atomic_file.h"
#include "clock.h"
#include "fail.h"
#include "host.h"
#include "json.h"
#include "multigrid.h"
#include "relaxation.h"
#include "report.h"
#include "system.h"
#include "text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sweeps of one run, so many that starting the threads takes no time in comparison. */
enum { SWEEPS = 8 };

typedef struct Box {
    Grid grid;
    Multigrid multigrid;
    Relaxation relaxation;
    int threads;
    double *planes;
    float *memory; /* aligned start within arena */
    void *arena;   /* heap memory of all arrays */
    double seconds, left;
} Box;

static float noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f - 0.5f;
}

static void fill_right_hand_side(const Level *level)
{
    uint32_t state = 1;
    float row[BILLOW_GRID_MAX];
    for (int k = 0; k < level->cells[2]; k++)
        for (int j = 0; j < level->cells[1]; j++) {
            for (int i = 0; i < level->cells[0]; i++)
                row[i] = noise(&state);
            level_pack_row(level, row, j, k, level->rhs);
        }
}

static void lay_out(Box *box)
{
    size_t levels = (multigrid_floats(&box->grid) + 15) / 16 * 16;
    static const LevelSide sides[BILLOW_SIDES] = {[BILLOW_CEILING] = SIDE_OUTSIDE};
    multigrid_prepare(&box->multigrid, &box->grid, kernels_pick()->relax, sides, box->memory);
    float *field = box->memory + levels + box->grid.stride_z + box->grid.stride_y;
    Level *level = &box->multigrid.levels[0];
    level->x = grid_packed(&box->grid, field);
    level->rhs = grid_packed(&box->grid, field + box->grid.field_floats);
    box->multigrid.smoothing = 2;
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
    size_t floats = multigrid_floats(&box->grid) + 2 * box->grid.field_floats + 48;
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

static double run_relaxation(void *state)
{
    Box *box = state;
    team_run(box->threads, relax_task, box);
    return box->seconds;
}

static void cycle_task(void *context, Team team)
{
    Box *box = context;
    team_barrier(team);
    double start = clock_seconds();
    double left = multigrid_cycle(&box->multigrid, 0, team);
    if (team.index == 0) {
        box->seconds = clock_seconds() - start;
        box->left = left;
    }
}

static double run_cycle(void *state)
{
    Box *box = state;
    team_run(box->threads, cycle_task, box);
    double cells = (double)box->grid.nx * box->grid.ny * box->grid.nz;
    return box->left > 0 && box->left < 0.1 * sqrt(cells) ? box->seconds : (double)NAN;
}

/* A sweep reads and writes x and reads the right-hand side: 12 bytes a cell. */
const BenchKernel kernel_relaxation = {"relaxation, 8 sweeps", 12 * SWEEPS, 12, create_box,
                                       run_relaxation,         destroy_box};
/* Counts the traffic of its relaxation sweeps, four on each level. */
const BenchKernel kernel_cycle = {"V(2,2) cycle", 12 * 4 * 8 / 7.0, 12,
                                  create_box,     run_cycle,        destroy_box};

enum { RUNS_MIN = 8, RUNS_MAX = 20000, TRIES = 3 };
#define SECONDS_MIN 0.25 /* runs are repeated for this long, s */

static void *create_stream(const int grid[3], int threads)
{
    return stream_create((ptrdiff_t)grid[0] * grid[1] * grid[2], threads);
}

static void destroy_stream(void *state)
{
    stream_destroy(state);
}

static double run_copy(void *state)
{
    return stream_run(state, STREAM_COPY);
}

static double run_scale(void *state)
{
    return stream_run(state, STREAM_SCALE);
}

static double run_triad(void *state)
{
    return stream_run(state, STREAM_TRIAD);
}

static const BenchKernel kernel_copy = {"copy",        STREAM_COPY_BYTES, 12,
                                        create_stream, run_copy,          destroy_stream};
static const BenchKernel kernel_scale = {"scale",       STREAM_SCALE_BYTES, 12,
                                         create_stream, run_scale,          destroy_stream};
static const BenchKernel kernel_triad = {"triad",       STREAM_TRIAD_BYTES, 12,
                                         create_stream, run_triad,          destroy_stream};

const BenchKernel *const bench_kernels[] = {&kernel_triad,      &kernel_copy,  &kernel_scale,
                                            &kernel_relaxation, &kernel_cycle, NULL};

static int kernel_count(void)
{
    int count = 0;
    while (bench_kernels[count] != NULL)
        count++;
    return count;
}

/* "64" is a cube. */
static void grid_cells(const char *text, int cells[3])
{
    if (sscanf(text, "%dx%dx%d", &cells[0], &cells[1], &cells[2]) == 1)
        cells[1] = cells[2] = cells[0];
}

bool kernel_bench_check(const BenchGrids *grids, BillowError *error)
{
    for (int index = 0; index < grids->count; index++)
        for (int kernel = 0; bench_kernels[kernel] != NULL; kernel++) {
            int grid[3];
            char what[96];
            grid_cells(grids->items[index], grid);
            snprintf(what, sizeof what, "the kernel '%s' at %dx%dx%d", bench_kernels[kernel]->name,
                     grid[0], grid[1], grid[2]);
            double cells = (double)grid[0] * grid[1] * grid[2];
            if (!host_check_memory(bench_kernels[kernel]->memory_per_cell * cells, what,
                                   "smaller --grids", error))
                return false;
        }
    return true;
}

/* Runs the kernel repeatedly. Keeps the least time and the largest share of the processors. */
static Status time_runs(const BenchKernel *kernel, void *state, KernelFigure *figure,
                        BillowError *error)
{
    kernel->run(state); /* untimed: the first run touches the memory and starts the threads */
    QuietWatch watch = quiet_watch();
    double end = watch.start + SECONDS_MIN;
    for (int run = 0; run < RUNS_MIN || (run < RUNS_MAX && clock_seconds() < end); run++) {
        if (system_interrupted())
            return STATUS_INTERRUPTED;
        double seconds = kernel->run(state);
        if (isnan(seconds)) {
            fail(error, "the kernel '%s' computed something wrong", kernel->name);
            return STATUS_FAILED;
        }
        if (seconds > 0 && 1e3 * seconds < figure->ms_min)
            figure->ms_min = 1e3 * seconds;
    }
    figure->processor_share =
        fmax(figure->processor_share, quiet_share_since(watch, figure->threads));
    return STATUS_DONE;
}

/* Times the next figure, and again up to TRIES times while other programs disturb it. */
static Status time_kernel(const BenchKernel *kernel, const int grid[3], int threads,
                          KernelBench *bench, BillowError *error)
{
    void *state = kernel->create(grid, threads);
    if (state == NULL) {
        fail(error, "no memory for the kernel '%s' at %dx%dx%d", kernel->name, grid[0], grid[1],
             grid[2]);
        return STATUS_FAILED;
    }
    KernelFigure figure = {
        .name = kernel->name,
        .threads = threads,
        .bytes = kernel->bytes_per_cell * grid[0] * grid[1] * grid[2],
        .ms_min = INFINITY,
        .processor_share = (double)NAN,
    };
    memcpy(figure.grid, grid, sizeof figure.grid);
    Status status = STATUS_DONE;
    for (int tries = 0; tries < TRIES && status == STATUS_DONE; tries++) {
        if (tries > 0 && !kernel_bench_disturbed(bench, &figure))
            break;
        status = time_runs(kernel, state, &figure, error);
    }
    kernel->destroy(state);
    figure.gbs = 1e-6 * figure.bytes / figure.ms_min;
    if (status == STATUS_DONE)
        bench->figures[bench->figure_count++] = figure;
    return status;
}

bool kernel_bench_disturbed(const KernelBench *bench, const KernelFigure *figure)
{
    return quiet_disturbed(figure->processor_share, figure->threads, bench->cores);
}

/* The triad of the figure's grid and threads; NULL: not timed. */
static const KernelFigure *triad_of(const KernelBench *bench, const KernelFigure *figure)
{
    for (int index = 0; index < bench->figure_count; index++) {
        const KernelFigure *triad = &bench->figures[index];
        if (strcmp(triad->name, kernel_triad.name) == 0 && triad->threads == figure->threads &&
            memcmp(triad->grid, figure->grid, sizeof triad->grid) == 0)
            return triad;
    }
    return NULL;
}

void kernel_bench_compare(KernelBench *bench)
{
    for (int index = 0; index < bench->figure_count; index++) {
        KernelFigure *figure = &bench->figures[index];
        const KernelFigure *triad = triad_of(bench, figure);
        figure->triad_fraction = (double)NAN;
        if (triad != NULL && !kernel_bench_disturbed(bench, triad) &&
            !kernel_bench_disturbed(bench, figure) && figure->gbs <= KERNEL_PLAUSIBLE * triad->gbs)
            figure->triad_fraction = figure->gbs / triad->gbs;
    }
}

static Status sweep_kernels(const int grid[3], int threads, Progress *progress, KernelBench *bench,
                            BillowError *error)
{
    Status status = STATUS_DONE;
    for (int kernel = 0; bench_kernels[kernel] != NULL && status == STATUS_DONE; kernel++) {
        status = time_kernel(bench_kernels[kernel], grid, threads, bench, error);
        progress_update(progress, "kernel", bench->figure_count, bench->planned);
    }
    return status;
}

Status kernel_bench_sweep(const BenchGrids *grids, const BenchThreads *threads, bool quiet,
                          KernelBench *bench, BillowError *error)
{
    bench->cores = system_cores();
    system_cpu_name(bench->cpu, sizeof bench->cpu);
    bench->planned = grids->count * threads->count * kernel_count();
    bench->figures = calloc((size_t)bench->planned, sizeof *bench->figures);
    if (bench->figures == NULL) {
        fail(error, "no memory for the results");
        return STATUS_FAILED;
    }
    Status status = STATUS_DONE;
    Progress progress = progress_start(quiet);
    for (int index = 0; index < grids->count; index++)
        for (int count = 0; count < threads->count && status == STATUS_DONE; count++) {
            int grid[3];
            grid_cells(grids->items[index], grid);
            status = sweep_kernels(grid, threads->items[count], &progress, bench, error);
        }
    progress_end(&progress);
    kernel_bench_compare(bench);
    return status;
}

/* Prints which figures were disturbed and why some have no share of the triad. */
static void print_disturbance(const KernelBench *bench, FILE *stream)
{
    QuietTally tally = {.noun = "results", .cores = bench->cores};
    bool left_out = false;
    for (int index = 0; index < bench->figure_count; index++) {
        const KernelFigure *figure = &bench->figures[index];
        char what[96];
        snprintf(what, sizeof what, "%s at %dx%dx%d", figure->name, figure->grid[0],
                 figure->grid[1], figure->grid[2]);
        quiet_count(&tally, figure->processor_share, figure->threads, what);
        left_out |= !isfinite(figure->triad_fraction);
    }
    quiet_print(&tally, stream);
    if (left_out)
        fprintf(stream,
                "\nNo share is given where the kernel or its triad was disturbed, or came "
                "out above %.0f %%,\nwhich says that the triad was held up.\n",
                100 * KERNEL_PLAUSIBLE);
}

void kernel_bench_print(const KernelBench *bench, FILE *stream)
{
    bench_print_machine(bench->cpu, bench->cores, stream);
    if (bench->figure_count < bench->planned)
        fprintf(stream, "not finished: %d of %d results\n", bench->figure_count, bench->planned);
    fputc('\n', stream);
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        static const char *const names[] = {"kernel", "grid", "threads", "traffic",
                                            "ms",     "GB/s", "of triad"};
        for (size_t column = 0; column < sizeof names / sizeof names[0]; column++)
            text_table_cell(&table, "%s", names[column]);
        for (int index = 0; index < bench->figure_count; index++) {
            const KernelFigure *figure = &bench->figures[index];
            char grid[40], bytes[32], share[16] = "";
            report_bytes(figure->bytes, bytes, sizeof bytes);
            bench_grid_text(figure->grid, grid, sizeof grid);
            if (isfinite(figure->triad_fraction))
                snprintf(share, sizeof share, "%.0f %%", 100 * figure->triad_fraction);
            text_table_row(&table);
            text_table_cell(&table, "%s", figure->name);
            text_table_cell(&table, "%s", grid);
            text_table_cell(&table, "%d", figure->threads);
            text_table_cell(&table, "%s", bytes);
            text_table_cell(&table, "%.4f", figure->ms_min);
            text_table_cell(&table, "%.1f", figure->gbs);
            text_table_cell(&table, "%s", share);
        }
    }
    print_disturbance(bench, stream);
}

bool kernel_bench_write_json(const KernelBench *bench, const char *path, BillowError *error)
{
    Json json = json_start();
    json_text(&json, json.root, "version", BILLOW_VERSION);
    json_flag(&json, json.root, "complete", bench->figure_count == bench->planned);
    cJSON *machine = json_object(&json, json.root, "machine");
    json_text(&json, machine, "cpu", bench->cpu);
    json_number(&json, machine, "threads", bench->cores);
    json_text(&json, machine, "simd", billow_simd());
    cJSON *kernels = json_array(&json, json.root, "kernels");
    for (int index = 0; index < bench->figure_count; index++) {
        const KernelFigure *figure = &bench->figures[index];
        cJSON *object = json_object(&json, kernels, NULL);
        json_text(&json, object, "name", figure->name);
        json_grid(&json, object, "grid", figure->grid);
        json_number(&json, object, "threads", figure->threads);
        json_number(&json, object, "bytes", figure->bytes);
        json_number(&json, object, "ms_min", figure->ms_min);
        json_number(&json, object, "gbs", figure->gbs);
        json_number(&json, object, "triad_fraction", figure->triad_fraction);
        json_number(&json, object, "processor_share", figure->processor_share);
    }
    bool written = json_write(&json, path, error);
    json_finish(&json);
    return written;
}

bool kernel_bench_write_csv(const KernelBench *bench, const char *path, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    fputs("kernel,nx,ny,nz,threads,bytes,ms_min,gbs,triad_fraction,processor_share,version,simd,"
          "cpu\n",
          file.stream);
    for (int index = 0; index < bench->figure_count; index++) {
        const KernelFigure *figure = &bench->figures[index];
        fprintf(file.stream, "%s,%d,%d,%d,%d,%.9g,%.9g,%.9g,", figure->name, figure->grid[0],
                figure->grid[1], figure->grid[2], figure->threads, figure->bytes, figure->ms_min,
                figure->gbs);
        if (isfinite(figure->triad_fraction))
            fprintf(file.stream, "%.9g", figure->triad_fraction);
        fputc(',', file.stream);
        if (isfinite(figure->processor_share))
            fprintf(file.stream, "%.9g", figure->processor_share);
        fprintf(file.stream, ",%s,%s,", BILLOW_VERSION, billow_simd());
        bench_csv_text(file.stream, bench->cpu);
        fputc('\n', file.stream);
    }
    return atomic_file_commit(&file, error);
}
