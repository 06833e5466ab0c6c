/* SPDX-License-Identifier: MIT */
#include "kernel_bench.h"

#include "clock.h"
#include "fail.h"
#include "host.h"
#include "quiet.h"
#include "stream.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MIN = 8, RUNS_MAX = 20000, TRIES = 3 };
#define SECONDS_MIN 0.25 /* short runs go on until then */

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

bool kernel_bench_check(const ValuesGrids *grids, BillowError *error)
{
    for (int index = 0; index < grids->count; index++)
        for (int kernel = 0; bench_kernels[kernel] != NULL; kernel++) {
            int grid[3];
            char what[96];
            values_grid_cells(grids->items[index], grid);
            snprintf(what, sizeof what, "the kernel '%s' at %dx%dx%d", bench_kernels[kernel]->name,
                     grid[0], grid[1], grid[2]);
            double cells = (double)grid[0] * grid[1] * grid[2];
            if (!host_check_memory(bench_kernels[kernel]->memory_per_cell * cells, what,
                                   "smaller --grids", error))
                return false;
        }
    return true;
}

/* The least time of a run, where it is less than the figure's, and the better share. */
static Status time_runs(const BenchKernel *kernel, void *state, KernelFigure *figure,
                        BillowError *error)
{
    kernel->run(state); /* untimed: the first touches memory and wakes the threads */
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

/* The next figure; timed again, up to TRIES times, while other programs disturb it. */
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

Status kernel_bench_sweep(const ValuesGrids *grids, const ArgsWholes *threads, bool quiet,
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
            values_grid_cells(grids->items[index], grid);
            status = sweep_kernels(grid, threads->items[count], &progress, bench, error);
        }
    progress_end(&progress);
    kernel_bench_compare(bench);
    return status;
}
