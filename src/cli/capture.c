/* SPDX-License-Identifier: MIT */
#include "capture.h"

#include "atomic_file.h"
#include "command.h"
#include "context.h"
#include "fail.h"
#include "flipbook.h"
#include "host.h"
#include "keeper.h"
#include "legend.h"
#include "picture_file.h"
#include "renderer.h"
#include "scene_play.h"
#include "system.h"
#include "video.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Studio {
    RenderContext *context;
    Renderer *renderer;
    ScenePlay *play;
    BillowSim *sim;
    SliceAsk ask;
    FieldSlice slice; /* values NULL: none is drawn */
    Caption *letters; /* of its legend; NULL: it has none */
    Video *video;     /* NULL: pictures go to files of their own */
    Flipbook *book;   /* NULL: likewise */
    Keeper keeper;
    int coarsened; /* as renderer_coarsened was told last; 0: it never was */
    int before;    /* frames that there were already */
    int written;   /* number of the last frame written; 0 of none */
} Studio;

static bool writes_floats(const Capture *capture)
{
    return capture->output.picture->storage == PICTURE_FLOATS;
}

static bool writes_video(const Capture *capture)
{
    return capture->output.picture->storage == PICTURE_VIDEO;
}

static void close_studio(Studio *studio)
{
    keeper_close(&studio->keeper);
    caption_close(studio->letters);
    free(studio->slice.values);
    billow_destroy(studio->sim);
    scene_play_destroy(studio->play);
    renderer_destroy(studio->renderer);
    render_context_close(studio->context);
}

static bool open_renderer(Studio *studio, const Capture *capture, BillowError *error)
{
    system_hush_graphics();
    studio->context = render_context_open(error);
    if (studio->context == NULL)
        return false;
    studio->renderer = renderer_create(capture->shader_folder, error);
    if (studio->renderer != NULL)
        renderer_fine_light(studio->renderer, true);
    return studio->renderer != NULL;
}

static bool draw(Studio *studio, const BillowView *view, const RenderSettings *render,
                 const RenderFrame *frame, int channels, PictureFile *file, BillowError *error)
{
    return renderer_upload(studio->renderer, view, render, error) &&
           renderer_bands(studio->renderer, render, frame, channels, picture_file_take, file,
                          error);
}

/* The slice's memory and place, and the letters of its legend. */
static bool open_slice(Studio *studio, const Capture *capture, BillowError *error)
{
    const BillowDef *def = capture->def;
    SliceAsk *ask = &studio->ask;
    *ask = capture->slice;
    if (!ask->given)
        return true;
    if (!slice_ask_settle(ask, def, &capture->scene->render.camera, error))
        return false;
    studio->slice = (FieldSlice){.kind = ask->kind, .axis = ask->axis, .position = ask->position};
    studio->slice.values = malloc(field_slice_floats(def->nx, def->ny, def->nz) * sizeof(float));
    if (studio->slice.values == NULL)
        return fail(error, "picture: no memory for a slice of %dx%dx%d cells", def->nx, def->ny,
                    def->nz);
    BillowError reason;
    const Image size = {.width = capture->size.width, .height = capture->size.height};
    bool legend = !ask->no_legend && !writes_floats(capture);
    if (legend)
        studio->letters = legend_letters(&size, &reason);
    if (legend && studio->letters == NULL && !capture->quiet)
        fprintf(stderr, "billow: the slice has no legend: %s\n", reason.text);
    return true;
}

/* Any upload can be the first that does not fit. */
static void note_coarseness(Studio *studio, const Capture *capture)
{
    int factor = renderer_coarsened(studio->renderer);
    if (factor > 1 && factor != studio->coarsened && !capture->quiet)
        fprintf(stderr,
                "billow: notice: %dx%dx%d cells are more than this graphics driver holds; drawn "
                "at 1/%d of their resolution\n",
                capture->def->nx, capture->def->ny, capture->def->nz, factor);
    studio->coarsened = factor;
}

/* Large pictures alone can need more memory than there is: as 8-bit pixels for a PNG, and as linear
 * light where bloom or exposure needs the whole picture. What is drawn at once comes to less. */
static bool check_picture_memory(const Capture *capture, BillowError *error)
{
    const RenderPicture *picture = &capture->scene->render.picture;
    bool whole = !writes_floats(capture) && (picture->bloom > 0 || picture->auto_exposure);
    double pixel = (writes_floats(capture) ? 0 : 4) + (whole ? 17 : 0);
    int finer = capture->finer > 1 ? capture->finer : 1;
    double bytes = pixel * finer * finer * capture->size.width * capture->size.height;
    char what[64];
    snprintf(what, sizeof what, "a picture of %dx%d", capture->size.width, capture->size.height);
    return host_check_memory(bytes, what,
                             whole ? "a smaller --size, or picture.bloom=0 and "
                                     "picture.auto_exposure=false"
                                   : "a smaller --size",
                             error);
}

static VideoForm video_form(const Capture *capture)
{
    return (VideoForm){.width = capture->size.width,
                       .height = capture->size.height,
                       .alpha = capture->transparent,
                       .fps = capture->fps,
                       .instead = CAPTURE_INSTEAD};
}

static bool output_possible(const Capture *capture, BillowError *error)
{
    char path[4096];
    VideoForm form = video_form(capture);
    int before = capture->start != NULL ? (int)capture->start->run.frames : 0;
    if (writes_video(capture))
        return video_probe(capture->output.text, &form, error);
    return (capture->output.picture->available == NULL ||
            capture->output.picture->available(error)) &&
           values_output_path(&capture->output, before + 1, path, sizeof path, error) &&
           atomic_file_probe(path, error);
}

/* The eye goes on as it was used to the light. */
static void take_up(Studio *studio, const Capture *capture)
{
    const CheckpointRun *run = &capture->start->run;
    const Exposure exposure = {run->exposed, run->exposure_metered, run->exposure_stops};
    studio->before = (int)run->frames;
    renderer_expose(studio->renderer, exposure);
}

static bool open_simulation(Studio *studio, const Capture *capture, BillowError *error)
{
    if (capture->start == NULL) {
        BillowDef def = *capture->def;
        studio->play = scene_play_create(capture->scene, &def, error);
        studio->sim = studio->play != NULL ? billow_create(&def, error) : NULL;
        return studio->sim != NULL;
    }
    if (!start_play(capture->start, &studio->play, &studio->sim, error) ||
        !keeper_open(&studio->keeper, capture->checkpoint, "render", capture->start, studio->play,
                     studio->sim, error))
        return false;
    studio->keeper.run.fps = capture->fps;
    take_up(studio, capture);
    return true;
}

/* Everything that can be missing is asked for before the first step. */
static bool open_studio(Studio *studio, const Capture *capture, BillowError *error)
{
    if (!output_possible(capture, error) || !open_renderer(studio, capture, error) ||
        !check_picture_memory(capture, error))
        return false;
    if (!open_simulation(studio, capture, error) || !open_slice(studio, capture, error))
        return false;
    /* An upload of the empty box tells whether the GL takes a volume of this size. */
    BillowView view = billow_view(studio->sim);
    if (!renderer_upload(studio->renderer, &view, &capture->scene->render, error))
        return false;
    note_coarseness(studio, capture);
    return true;
}

/* Whether every frame is drawn, and not only the last. */
static bool takes_all(const Capture *capture)
{
    return capture->output.sequence || writes_video(capture) || capture->flipbook.columns > 0;
}

/* The picture that was drawn, to where it is to go. */
static bool deliver(Studio *studio, PictureFile *file, int number, bool drawn, BillowError *error)
{
    if (studio->video == NULL && studio->book == NULL)
        return picture_file_close(file, drawn, error);
    bool written = drawn;
    if (drawn && studio->book != NULL)
        flipbook_picture(studio->book, number - studio->before, &file->image);
    else if (drawn)
        written = video_write(studio->video, file->image.pixels, error);
    reduce_close(&file->reduce);
    image_destroy(&file->image);
    return written;
}

/* Once around, from where the scene has the camera. */
static void turn(const Capture *capture, double time, RenderSettings *render)
{
    if (!(capture->turntable > 0))
        return;
    double way = 360 * time / capture->turntable;
    render->camera.azimuth = (float)fmod((double)render->camera.azimuth + way, 360);
}

/* The look at a time: as the scene's timeline and the turntable have it. */
static bool look_at(const Capture *capture, double time, RenderSettings *render, BillowError *error)
{
    *render = capture->scene->render;
    if (capture->scene->track_count > 0 && !scene_play_look(capture->scene, time, render, error))
        return false;
    turn(capture, time, render);
    return true;
}

/* What the picture had to do without. */
static void note_makeshifts(Studio *studio, const Capture *capture)
{
    BillowError notice;
    note_coarseness(studio, capture);
    if (renderer_notice(studio->renderer, &notice) && !capture->quiet)
        report_notice(&notice);
}

static bool write_frame(Studio *studio, const Capture *capture, int number, BillowError *error)
{
    char path[4096];
    BillowView view = billow_view(studio->sim);
    RenderSettings render, next;
    if (!look_at(capture, view.time, &render, error) ||
        (studio->book != NULL && !look_at(capture, view.time + 1 / capture->fps, &next, error)))
        return false;
    RenderFrame frame = render_default_frame();
    int finer = capture->finer > 1 ? capture->finer : 1;
    frame.width = finer * capture->size.width;
    frame.height = finer * capture->size.height;
    frame.scale = 1;
    frame.step = 0.5f;
    frame.transparent = capture->transparent;
    frame.seconds = takes_all(capture) ? (float)(1 / capture->fps) : 0;
    if (studio->slice.values != NULL) {
        field_slice_fill(&studio->slice, &view);
        frame.slice = slice_ask_drawn(&studio->ask, &studio->slice);
    }
    int channels = picture_file_ask(&frame, capture->output.picture);
    PictureFile file;
    if (!values_output_path(&capture->output, number, path, sizeof path, error) ||
        !picture_file_open(&file, path, &frame, capture->output.picture, finer, &render, &view,
                           error))
        return false;
    if (writes_floats(capture))
        frame.slice.field = NULL; /* the file has its values */
    bool drawn = draw(studio, &view, &render, &frame, channels, &file, error);
    note_makeshifts(studio, capture);
    if (drawn && studio->letters != NULL) {
        Legend legend = legend_for(&frame.slice);
        drawn = legend_draw(&legend, studio->letters, &file.image, error);
    }
    if (drawn && studio->book != NULL)
        flipbook_motion(studio->book, number - studio->before, studio->sim, &render, &next.camera);
    return deliver(studio, &file, number, drawn, error);
}

/* One more frame is done. */
static void note_frame(Studio *studio)
{
    const Exposure exposure = renderer_exposure(studio->renderer);
    CheckpointRun *run = &studio->keeper.run;
    run->exposed = exposure.known;
    run->exposure_metered = exposure.metered;
    run->exposure_stops = exposure.stops;
    keeper_note_frame(&studio->keeper);
}

static Status run_frames(Studio *studio, const Capture *capture, Progress *progress,
                         BillowError *error)
{
    for (int frame = 1; frame <= capture->frames; frame++) {
        int number = studio->before + frame;
        Status status =
            command_play_frame(studio->play, studio->sim, 1 / capture->fps,
                               (double)capture->scene->step, &studio->keeper.run, error);
        if (status != STATUS_DONE)
            return status;
        bool wanted = takes_all(capture) || frame == capture->frames;
        if (wanted && !write_frame(studio, capture, number, error))
            return STATUS_FAILED;
        studio->written = wanted ? number : studio->written;
        note_frame(studio);
        progress_update(progress, "frame", frame, capture->frames);
    }
    return STATUS_DONE;
}

/* The same with a video around it, which ends whole where it is interrupted. */
static Status run_video(Studio *studio, const Capture *capture, Progress *progress,
                        BillowError *error)
{
    VideoForm form = video_form(capture);
    studio->video = video_open(capture->output.text, &form, error);
    if (studio->video == NULL)
        return STATUS_FAILED;
    Status status = run_frames(studio, capture, progress, error);
    if (status == STATUS_FAILED || studio->written == 0)
        video_give_up(studio->video, error);
    else if (!video_finish(studio->video, error))
        status = STATUS_FAILED;
    studio->video = NULL;
    if (status == STATUS_FAILED)
        studio->written = 0;
    return status;
}

/* The same for a sheet, of which nothing is left where it is interrupted. */
static Status run_flipbook(Studio *studio, const Capture *capture, Progress *progress,
                           BillowError *error)
{
    const FlipbookForm form = {.path = capture->output.text,
                               .columns = capture->flipbook.columns,
                               .rows = capture->flipbook.rows,
                               .frames = capture->frames,
                               .width = capture->size.width,
                               .height = capture->size.height,
                               .fps = capture->fps};
    studio->book = flipbook_open(&form, error);
    if (studio->book == NULL)
        return STATUS_FAILED;
    Status status = run_frames(studio, capture, progress, error);
    if (status == STATUS_DONE && !flipbook_write(studio->book, error))
        status = STATUS_FAILED;
    flipbook_close(studio->book);
    studio->book = NULL;
    if (status != STATUS_DONE)
        studio->written = 0;
    return status;
}

static void say_where(const Capture *capture, const Studio *studio)
{
    char more[32] = "";
    int count = studio->written - studio->before;
    if (writes_video(capture))
        snprintf(more, sizeof more, ", %d frame%s", count, count > 1 ? "s" : "");
    if (capture->flipbook.columns > 0 && studio->written > 0)
        flipbook_say(capture->output.text, count);
    else
        command_say_written(&capture->output, studio->before + 1, studio->written, more);
}

Status capture_run(const Capture *capture)
{
    Studio studio = {0};
    BillowError error;
    system_watch_interrupts();
    Status status = STATUS_FAILED;
    if (open_studio(&studio, capture, &error)) {
        Progress progress = progress_start(capture->quiet);
        status = (capture->flipbook.columns > 0 ? run_flipbook
                  : writes_video(capture)       ? run_video
                                                : run_frames)(&studio, capture, &progress, &error);
        progress_end(&progress);
    }
    if (!capture->silent)
        say_where(capture, &studio);
    status = keeper_finish(&studio.keeper, status, &error);
    close_studio(&studio);
    return status;
}
