/* SPDX-License-Identifier: MIT
 * The benchmark of pictures: draws a scene at several grids and picture sizes. */
#include "bench/bench.h"

#include "base/fail.h"
#include "base/system.h"
#include "capture/capture.h"
#include "render/gl/context.h"
#include "render/upload.h"

#include <math.h>
#include <stdlib.h>

/* Before timing, the flow develops for WARM_SECONDS or WARM_STEPS steps, whichever is longer. A
 * plume then fills the height of its box. These steps need not be accurate: they are WARM_STRIDE
 * times as long as the scene's and have the tolerance WARM_TOLERANCE. */
enum { WARM_STEPS = 20 };
#define WARM_SECONDS   4.0
#define WARM_STRIDE    2.0f
#define WARM_TOLERANCE 0.01f

typedef struct Stage {
    RenderContext *context;
    Renderer *renderer;
    SceneDriver driver;
} Stage;

/* Simulates one grid up to the state that is drawn. */
static Status develop(Stage *stage, const BenchPlan *plan, const Scene *scene, const BillowDef *def,
                      BillowError *error)
{
    BillowDef played = *def;
    double step = (double)(WARM_STRIDE * scene->step);
    int steps = (int)fmax(ceil(WARM_SECONDS / step - 1e-6), WARM_STEPS);
    played.params.tolerance = fmaxf(played.params.tolerance, WARM_TOLERANCE);
    char what[64];
    snprintf(what, sizeof what, "%dx%dx%d: step", def->nx, def->ny, def->nz);
    if (!scene_driver_create(&stage->driver, scene, &played, NULL, error))
        return STATUS_FAILED;
    Progress progress = progress_start(plan->request.quiet);
    bool good = true;
    for (int taken = 0; taken < steps && good && !system_interrupted(); taken++) {
        good = scene_driver_step(&stage->driver, step, error);
        progress_update(&progress, what, taken + 1, steps);
    }
    progress_end(&progress);
    return !good ? STATUS_FAILED : system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
}

static double whole(const RenderTimes *times)
{
    return times->light_ms + times->upload_ms + times->march_ms + times->composite_ms;
}

/* Measures one figure. Draws the same view repeatedly and uploads all fields for each frame. */
static Status time_frames(Stage *stage, const Scene *scene, int count, RenderFigure *figure,
                          BillowError *error)
{
    enum { WARM_FRAMES = 3 };
    double *ms = malloc((size_t)count * sizeof *ms);
    if (ms == NULL)
        return status_fail(STATUS_FAILED, error, "no memory for the times of %d frames", count);
    BillowView view = billow_view(stage->driver.sim);
    RenderFrame frame = render_default_frame();
    frame.width = figure->width;
    frame.height = figure->height;
    figure->ms_min = INFINITY;
    bool good = true;
    int taken = 0;
    for (int number = -WARM_FRAMES; number < count && good && !system_interrupted(); number++) {
        frame.frame = (unsigned)(number + WARM_FRAMES);
        good = renderer_upload_whole(stage->renderer, &view, &scene->render, error) &&
               renderer_draw(stage->renderer, &scene->render, &frame, error);
        RenderTimes times = renderer_times(stage->renderer);
        times.composite_ms +=
            times.backdrop_ms; /* backdrop_ms is 0 if the backdrop was not redrawn */
        if (!good || number < 0)
            continue;
        ms[taken++] = whole(&times);
        if (whole(&times) < figure->ms_min) {
            figure->ms_min = whole(&times);
            figure->fastest = times;
        }
    }
    if (taken > 0)
        figure->ms_median = measure_median(ms, taken);
    free(ms);
    return !good ? STATUS_FAILED : taken < count ? STATUS_INTERRUPTED : STATUS_DONE;
}

static Status bench_grid(Stage *stage, const BenchPlan *plan, const char *grid, Bench *bench,
                         BillowError *error)
{
    Scene scene;
    BillowDef def;
    SceneRequest request = plan->request;
    request.name_or_path = plan->scenes.items[0];
    request.grid = grid;
    Status status = scene_start_load(&request, &scene, &def, CAPTURE_CELL_BYTES, error);
    if (status != STATUS_DONE)
        return status;
    def.threads = plan->threads.items[0];
    status = develop(stage, plan, &scene, &def, error);
    for (int size = 0; size < plan->sizes.count && status == STATUS_DONE; size++) {
        RenderFigure *figure = &bench->pictures[bench->result_count];
        *figure = (RenderFigure){.grid = {def.nx, def.ny, def.nz},
                                 .width = plan->sizes.items[size].width,
                                 .height = plan->sizes.items[size].height};
        status = time_frames(stage, &scene, plan->steps, figure, error);
        bench->result_count += status == STATUS_DONE;
    }
    scene_driver_destroy(&stage->driver);
    return status;
}

static bool open_stage(Stage *stage, Bench *bench, BillowError *error)
{
    system_hush_graphics();
    stage->context = render_context_open(error);
    if (stage->context == NULL)
        return false;
    stage->renderer = renderer_create(NULL, error);
    if (stage->renderer == NULL)
        return false;
    renderer_timed(stage->renderer, true);
    bench->limits = renderer_limits(stage->renderer);
    return true;
}

static Status sweep_pictures(const BenchPlan *plan, Bench *bench, BillowError *error)
{
    Stage stage = {0};
    bench->pictures = bench_allocate(bench, plan->grids.count * plan->sizes.count,
                                     sizeof *bench->pictures, error);
    if (bench->pictures == NULL)
        return STATUS_FAILED;
    Status status = open_stage(&stage, bench, error) ? STATUS_DONE : STATUS_FAILED;
    for (int grid = 0; grid < plan->grids.count && status == STATUS_DONE; grid++)
        status = bench_grid(&stage, plan, plan->grids.items[grid], bench, error);
    scene_driver_destroy(&stage.driver);
    renderer_destroy(stage.renderer);
    render_context_close(stage.context);
    return status;
}

static void picture_row(TextTable *table, const Bench *bench, int index)
{
    const RenderFigure *figure = &bench->pictures[index];
    const RenderTimes *times = &figure->fastest;
    const double columns[] = {times->light_ms,     times->upload_ms, times->march_ms,
                              times->composite_ms, figure->ms_min,   figure->ms_median};
    bench_grid_row(table, figure->grid);
    text_table_cell(table, "%dx%d", figure->width, figure->height);
    for (size_t column = 0; column < sizeof columns / sizeof columns[0]; column++)
        text_table_cell(table, "%.2f", columns[column]);
}

static void print_pictures(const Bench *bench, FILE *stream)
{
    static const char *const names[] = {"grid", "picture",  "light",  "upload", "march",
                                        "rest", "ms/frame", "median", NULL};
    fprintf(stream, "OpenGL %s on %s, times by %s, fastest and median of %d frames\n\n",
            bench->limits.version, bench->limits.renderer,
            bench->limits.software ? "the clock" : "timer queries", bench->steps);
    bench_table(bench, bench->result_count, names, picture_row, stream);
}

static void describe_pictures(const Bench *bench, Json *json, cJSON *machine)
{
    json_text(json, machine, "gl_renderer", bench->limits.renderer);
    json_text(json, machine, "gl_version", bench->limits.version);
    json_flag(json, machine, "software", bench->limits.software);
    json_number(json, json->root, "frames", bench->steps);
}

static void row_of_picture(const Bench *bench, int index, BenchRow *row)
{
    const RenderFigure *figure = &bench->pictures[index];
    row->grid = figure->grid;
    row->machine = bench->limits.renderer;
    bench_number(row, "width", figure->width);
    bench_number(row, "height", figure->height);
    bench_number(row, "light_ms", figure->fastest.light_ms);
    bench_number(row, "upload_ms", figure->fastest.upload_ms);
    bench_number(row, "march_ms", figure->fastest.march_ms);
    bench_number(row, "composite_ms", figure->fastest.composite_ms);
    bench_number(row, "ms_min", figure->ms_min);
    bench_number(row, "ms_median", figure->ms_median);
}

const BenchKind bench_pictures = {.list = "pictures",
                                  .text_column = "",
                                  .more_columns = "",
                                  .machine_column = "gl_renderer",
                                  .sweep = sweep_pictures,
                                  .print = print_pictures,
                                  .describe = describe_pictures,
                                  .row = row_of_picture};
