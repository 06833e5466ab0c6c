/* SPDX-License-Identifier: MIT
 * The figures of single kernels, as a table, JSON and CSV. */
#include "atomic_file.h"
#include "bench_report.h"
#include "json.h"
#include "kernel_bench.h"
#include "quiet.h"
#include "report.h"
#include "text_table.h"

#include <math.h>

/* What was disturbed, and the shares of a triad that was held up. */
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
