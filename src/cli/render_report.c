/* SPDX-License-Identifier: MIT
 * The figures of timed pictures, as a table, JSON and CSV. */
#include "atomic_file.h"
#include "bench_report.h"
#include "json.h"
#include "render_bench.h"
#include "text_table.h"

void render_bench_print(const RenderBench *bench, FILE *stream)
{
    bench_print_machine(bench->cpu, bench->cores, stream);
    fprintf(stream, "OpenGL %s on %s, times by %s, fastest and median of %d frames\n",
            bench->limits.version, bench->limits.renderer,
            bench->limits.software ? "the clock" : "timer queries", bench->frames);
    if (bench->figure_count < bench->planned)
        fprintf(stream, "not finished: %d of %d results\n", bench->figure_count, bench->planned);
    fputc('\n', stream);
    TextTable table = {.stream = stream};
    while (text_table_pass(&table)) {
        static const char *const names[] = {"grid",  "picture", "light",    "upload",
                                            "march", "rest",    "ms/frame", "median"};
        for (size_t column = 0; column < sizeof names / sizeof names[0]; column++)
            text_table_cell(&table, "%s", names[column]);
        for (int index = 0; index < bench->figure_count; index++) {
            const RenderFigure *figure = &bench->figures[index];
            char grid[40];
            bench_grid_text(figure->grid, grid, sizeof grid);
            text_table_row(&table);
            text_table_cell(&table, "%s", grid);
            text_table_cell(&table, "%dx%d", figure->width, figure->height);
            text_table_cell(&table, "%.2f", figure->fastest.light_ms);
            text_table_cell(&table, "%.2f", figure->fastest.upload_ms);
            text_table_cell(&table, "%.2f", figure->fastest.march_ms);
            text_table_cell(&table, "%.2f", figure->fastest.composite_ms);
            text_table_cell(&table, "%.2f", figure->ms_min);
            text_table_cell(&table, "%.2f", figure->ms_median);
        }
    }
}

bool render_bench_write_json(const RenderBench *bench, const char *path, BillowError *error)
{
    Json json = json_start();
    json_text(&json, json.root, "version", BILLOW_VERSION);
    json_flag(&json, json.root, "complete", bench->figure_count == bench->planned);
    cJSON *machine = json_object(&json, json.root, "machine");
    json_text(&json, machine, "cpu", bench->cpu);
    json_number(&json, machine, "threads", bench->cores);
    json_text(&json, machine, "gl_renderer", bench->limits.renderer);
    json_text(&json, machine, "gl_version", bench->limits.version);
    json_flag(&json, machine, "software", bench->limits.software);
    json_number(&json, json.root, "frames", bench->frames);
    cJSON *pictures = json_array(&json, json.root, "pictures");
    for (int index = 0; index < bench->figure_count; index++) {
        const RenderFigure *figure = &bench->figures[index];
        cJSON *object = json_object(&json, pictures, NULL);
        json_grid(&json, object, "grid", figure->grid);
        json_number(&json, object, "width", figure->width);
        json_number(&json, object, "height", figure->height);
        json_number(&json, object, "light_ms", figure->fastest.light_ms);
        json_number(&json, object, "upload_ms", figure->fastest.upload_ms);
        json_number(&json, object, "march_ms", figure->fastest.march_ms);
        json_number(&json, object, "composite_ms", figure->fastest.composite_ms);
        json_number(&json, object, "ms_min", figure->ms_min);
        json_number(&json, object, "ms_median", figure->ms_median);
    }
    bool written = json_write(&json, path, error);
    json_finish(&json);
    return written;
}

bool render_bench_write_csv(const RenderBench *bench, const char *path, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    fputs("nx,ny,nz,width,height,light_ms,upload_ms,march_ms,composite_ms,ms_min,ms_median,version,"
          "gl_renderer,cpu\n",
          file.stream);
    for (int index = 0; index < bench->figure_count; index++) {
        const RenderFigure *figure = &bench->figures[index];
        fprintf(file.stream, "%d,%d,%d,%d,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%s,", figure->grid[0],
                figure->grid[1], figure->grid[2], figure->width, figure->height,
                figure->fastest.light_ms, figure->fastest.upload_ms, figure->fastest.march_ms,
                figure->fastest.composite_ms, figure->ms_min, figure->ms_median, BILLOW_VERSION);
        bench_csv_text(file.stream, bench->limits.renderer);
        fputc(',', file.stream);
        bench_csv_text(file.stream, bench->cpu);
        fputc('\n', file.stream);
    }
    return atomic_file_commit(&file, error);
}
