/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include "atomic_file.h"
#include "capture.h"
#include "context.h"
#include "fail.h"
#include "json.h"
#include "scene_play.h"
#include "system.h"
#include "text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Before timing, the flow develops for WARM_SECONDS or WARM_STEPS steps, whichever is longer; a
 * plume then fills the height of its box. These steps are WARM_STRIDE times as long as the scene's
 * and use a looser WARM_TOLERANCE, because only the result matters. */
enum { WARM_STEPS = 20 };
#define WARM_SECONDS   4.0
#define WARM_STRIDE    2.0f
#define WARM_TOLERANCE 0.01f

typedef struct Stage {
    RenderContext *context;
    Renderer *renderer;
    ScenePlay *play;
    BillowSim *sim;
} Stage;

static void drop_sim(Stage *stage)
{
    billow_destroy(stage->sim);
    scene_play_destroy(stage->play);
    stage->sim = NULL;
    stage->play = NULL;
}

/* Simulates one grid up to the state that is drawn. */
static Status develop(Stage *stage, const RenderPlan *plan, const Scene *scene,
                      const BillowDef *def, BillowError *error)
{
    BillowDef played = *def;
    double step = (double)(WARM_STRIDE * scene->step);
    int steps = (int)fmax(ceil(WARM_SECONDS / step - 1e-6), WARM_STEPS);
    played.params.tolerance = fmaxf(played.params.tolerance, WARM_TOLERANCE);
    char what[64];
    snprintf(what, sizeof what, "%dx%dx%d: step", def->nx, def->ny, def->nz);
    stage->play = scene_play_create(scene, &played, error);
    stage->sim = stage->play != NULL ? billow_create(&played, error) : NULL;
    if (stage->sim == NULL)
        return STATUS_FAILED;
    Progress progress = progress_start(plan->quiet);
    bool good = true;
    for (int taken = 0; taken < steps && good && !system_interrupted(); taken++) {
        good = scene_play_prepare(stage->play, stage->sim, step, error);
        if (good)
            billow_step(stage->sim, step);
        progress_update(&progress, what, taken + 1, steps);
    }
    progress_end(&progress);
    if (!good || !scene_start_check_finite(stage->sim, error))
        return STATUS_FAILED;
    return system_interrupted() ? STATUS_INTERRUPTED : STATUS_DONE;
}

static double whole(const RenderTimes *times)
{
    return times->light_ms + times->upload_ms + times->march_ms + times->composite_ms;
}

/* Measures one figure: draws the same view repeatedly, each time with a full upload. */
static Status time_frames(Stage *stage, const Scene *scene, int count, RenderFigure *figure,
                          BillowError *error)
{
    enum { WARM_FRAMES = 3 };
    double *ms = malloc((size_t)count * sizeof *ms);
    if (ms == NULL) {
        fail(error, "no memory for the times of %d frames", count);
        return STATUS_FAILED;
    }
    BillowView view = billow_view(stage->sim);
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
            times.backdrop_ms; /* the backdrop is drawn mostly in the first frame */
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

static Status bench_grid(Stage *stage, const RenderPlan *plan, const char *grid, RenderBench *bench,
                         BillowError *error)
{
    Scene scene;
    BillowDef def;
    SceneRequest request = plan->request;
    request.grid = grid;
    Status status = scene_start_load(&request, &scene, &def, CAPTURE_CELL_BYTES, error);
    if (status != STATUS_DONE)
        return status;
    def.threads = plan->threads;
    status = develop(stage, plan, &scene, &def, error);
    for (int size = 0; size < plan->sizes.count && status == STATUS_DONE; size++) {
        RenderFigure *figure = &bench->figures[bench->figure_count];
        *figure = (RenderFigure){.grid = {def.nx, def.ny, def.nz},
                                 .width = plan->sizes.items[size].width,
                                 .height = plan->sizes.items[size].height};
        status = time_frames(stage, &scene, plan->frames, figure, error);
        bench->figure_count += status == STATUS_DONE;
    }
    drop_sim(stage);
    return status;
}

static bool open_stage(Stage *stage, RenderBench *bench, BillowError *error)
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

Status render_bench_sweep(const RenderPlan *plan, RenderBench *bench, BillowError *error)
{
    Stage stage = {0};
    bench->cores = system_cores();
    bench->frames = plan->frames;
    bench->planned = plan->grids.count * plan->sizes.count;
    system_cpu_name(bench->cpu, sizeof bench->cpu);
    bench->figures = calloc((size_t)bench->planned, sizeof *bench->figures);
    if (bench->figures == NULL) {
        fail(error, "no memory for the results");
        return STATUS_FAILED;
    }
    Status status = open_stage(&stage, bench, error) ? STATUS_DONE : STATUS_FAILED;
    for (int grid = 0; grid < plan->grids.count && status == STATUS_DONE; grid++)
        status = bench_grid(&stage, plan, plan->grids.items[grid], bench, error);
    drop_sim(&stage);
    renderer_destroy(stage.renderer);
    render_context_close(stage.context);
    return status;
}

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
