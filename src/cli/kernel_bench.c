/* SPDX-License-Identifier: MIT */
#include "kernel_bench.h"

#include "clock.h"
#include "fail.h"
#include "host.h"
#include "stream.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MIN = 8, RUNS_MAX = 20000 };
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
            if (!host_check_memory(bench_kernels[kernel]->memory_per_cell * cells, what, error))
                return false;
        }
    return true;
}

/* The least time of a run. */
static Status time_runs(const BenchKernel *kernel, void *state, double *least, BillowError *error)
{
    double end = clock_seconds() + SECONDS_MIN;
    kernel->run(state); /* untimed: the first touches memory and wakes the threads */
    *least = INFINITY;
    for (int run = 0; run < RUNS_MIN || (run < RUNS_MAX && clock_seconds() < end); run++) {
        if (system_interrupted())
            return STATUS_INTERRUPTED;
        double seconds = kernel->run(state);
        if (isnan(seconds)) {
            fail(error, "the kernel '%s' computed something wrong", kernel->name);
            return STATUS_FAILED;
        }
        if (seconds > 0 && seconds < *least)
            *least = seconds;
    }
    return STATUS_DONE;
}

static Status time_kernel(const BenchKernel *kernel, const int grid[3], int threads,
                          KernelBench *bench, BillowError *error)
{
    void *state = kernel->create(grid, threads);
    if (state == NULL) {
        fail(error, "no memory for the kernel '%s' at %dx%dx%d", kernel->name, grid[0], grid[1],
             grid[2]);
        return STATUS_FAILED;
    }
    double least;
    Status status = time_runs(kernel, state, &least, error);
    kernel->destroy(state);
    if (status == STATUS_DONE) {
        KernelFigure *figure = &bench->figures[bench->figure_count++];
        *figure = (KernelFigure){
            .name = kernel->name,
            .threads = threads,
            .bytes = kernel->bytes_per_cell * grid[0] * grid[1] * grid[2],
            .ms_min = 1e3 * least,
        };
        memcpy(figure->grid, grid, sizeof figure->grid);
        figure->gbs = 1e-9 * figure->bytes / least;
    }
    return status;
}

void kernel_bench_compare(KernelBench *bench)
{
    for (int index = 0; index < bench->figure_count; index++) {
        KernelFigure *figure = &bench->figures[index];
        figure->triad_fraction = (double)NAN;
        for (int other = 0; other < bench->figure_count; other++) {
            const KernelFigure *triad = &bench->figures[other];
            if (strcmp(triad->name, kernel_triad.name) == 0 && triad->threads == figure->threads &&
                memcmp(triad->grid, figure->grid, sizeof triad->grid) == 0)
                figure->triad_fraction = figure->gbs / triad->gbs;
        }
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
