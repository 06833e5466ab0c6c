/* SPDX-License-Identifier: MIT
 * The benchmark of what one sees: the window's own loop, off screen, one scene after the other. */
#include "app/app.h"
#include "base/fail.h"
#include "bench/bench.h"
#include "capture/scene_start.h"

#include <math.h>
#include <string.h>

static Status run_scene(const BenchPlan *plan, const char *scene, LiveFigure *figure,
                        BillowError *error)
{
    AppPictures pictures = {0};
    AppReport report = {0};
    AppOptions options = app_default_options();
    options.scene = plan->request;
    options.scene.name_or_path = scene;
    options.scene.threads = plan->threads.items[0];
    options.width = plan->sizes.items[0].width;
    options.height = plan->sizes.items[0].height;
    options.seconds = plan->live_seconds;
    options.interrupted = system_interrupted;
    options.pictures = &pictures;
    const bool good = app_run(&options, &report, error);
    if (good) {
        *figure = (LiveFigure){
            .width = pictures.width,
            .height = pictures.height,
            .threads = report.threads,
            .fps = report.fps,
            .frame_ms = report.frame_ms_median,
            .pace = report.clock.clock > 0 ? report.clock.simulated / report.clock.clock : 0,
            .step_ms = report.step_ms_median,
            .light_ms = report.light_ms_median,
            .upload_ms = report.upload_ms_median,
            .march_ms = report.march_ms_median,
        };
        snprintf(figure->scene, sizeof figure->scene, "%s", report.scene);
        memcpy(figure->smoke, report.grid, sizeof figure->smoke);
        memcpy(figure->wind, report.wind, sizeof figure->wind);
        sharpness_compare(pictures.live, pictures.still, pictures.smoke, pictures.width,
                          pictures.height, figure->contrast);
    }
    app_pictures_free(&pictures);
    return system_interrupted() ? STATUS_INTERRUPTED : good ? STATUS_DONE : STATUS_FAILED;
}

static Status sweep_live(const BenchPlan *plan, Bench *bench, BillowError *error)
{
    Status status = STATUS_DONE;
    for (int s = 0; s < plan->scenes.count && status == STATUS_DONE; s++) {
        Scene scene;
        BillowDef def;
        SceneRequest request = plan->request;
        request.name_or_path = plan->scenes.items[s];
        status = scene_start_load(&request, &scene, &def, 0, error);
    }
    bench->live = bench_allocate(bench, plan->scenes.count, sizeof *bench->live, error);
    system_hush_graphics();
    if (status != STATUS_DONE || bench->live == NULL || !app_go_off_screen(error))
        return status != STATUS_DONE ? status : STATUS_FAILED;
    Progress progress = progress_start(plan->request.quiet);
    for (int s = 0; s < plan->scenes.count && status == STATUS_DONE; s++) {
        progress_update(&progress, "scene", s + 1, plan->scenes.count);
        status = run_scene(plan, plan->scenes.items[s], &bench->live[s], error);
        bench->result_count += status == STATUS_DONE;
    }
    progress_end(&progress);
    return status;
}

static void live_row(TextTable *table, const Bench *bench, int index)
{
    const LiveFigure *figure = &bench->live[index];
    text_table_row(table);
    text_table_cell(table, "%s", figure->scene);
    text_table_cell(table, "%dx%dx%d", figure->wind[0], figure->wind[1], figure->wind[2]);
    text_table_cell(table, "%dx%dx%d", figure->smoke[0], figure->smoke[1], figure->smoke[2]);
    text_table_cell(table, "%.1f", figure->fps);
    text_table_cell(table, "%.2f", figure->pace);
    const double parts[] = {figure->step_ms, figure->light_ms, figure->upload_ms, figure->march_ms};
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
        text_table_cell(table, "%.2f", parts[part]);
    for (int octave = 0; octave < SHARPNESS_OCTAVES; octave++)
        bench_number_cell(table, "%.2f", figure->contrast[octave]);
}

static void print_live(const Bench *bench, FILE *stream)
{
    static const char *const names[] = {"scene", "wind",  "smoke",  "frames/s", "pace",
                                        "step",  "light", "upload", "march",    "2 px",
                                        "4 px",  "8 px",  "16 px",  "32 px",    NULL};
    _Static_assert(SHARPNESS_OCTAVES == 5, "a heading for every octave");
    fprintf(stream,
            "the window at %dx%d; medians of a step, of light, upload and march, ms; contrast of "
            "details of 2 to 4 pixels and so on, over that of a still\n\n",
            bench->live[0].width, bench->live[0].height);
    bench_table(bench, bench->result_count, names, live_row, stream);
}

static void row_of_live(const Bench *bench, int index, BenchRow *row)
{
    const LiveFigure *figure = &bench->live[index];
    row->text = figure->scene;
    row->grid = figure->wind;
    bench_number(row, "smoke_nx", figure->smoke[0]);
    bench_number(row, "smoke_ny", figure->smoke[1]);
    bench_number(row, "smoke_nz", figure->smoke[2]);
    bench_number(row, "width", figure->width);
    bench_number(row, "height", figure->height);
    bench_number(row, "threads", figure->threads);
    bench_number(row, "fps", figure->fps);
    bench_number(row, "frame_ms_median", figure->frame_ms);
    bench_number(row, "pace", figure->pace);
    bench_number(row, "step_ms", figure->step_ms);
    bench_number(row, "light_ms", figure->light_ms);
    bench_number(row, "upload_ms", figure->upload_ms);
    bench_number(row, "march_ms", figure->march_ms);
    for (int octave = 0; octave < SHARPNESS_OCTAVES; octave++) {
        char name[32];
        snprintf(name, sizeof name, "contrast_%d_px", 2 << octave);
        bench_number(row, name, figure->contrast[octave]);
    }
}

const BenchKind bench_live = {.list = "live",
                              .text_name = "scene",
                              .text_column = "scene,",
                              .more_columns = "",
                              .machine_column = "simd",
                              .sweep = sweep_live,
                              .print = print_live,
                              .row = row_of_live};
