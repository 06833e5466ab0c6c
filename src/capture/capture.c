/* SPDX-License-Identifier: MIT */
#include "capture/capture.h"

#include "base/fail.h"
#include "base/system.h"
#include "capture/camera_path.h"
#include "capture/picture_loop.h"
#include "capture/scene_start.h"
#include "capture/sound_track.h"
#include "io/atomic_file.h"
#include "io/video.h"
#include "mpi/cluster.h"
#include "play/sound_feed.h"
#include "render/frame/legend.h"
#include "render/gl/context.h"
#include "render/motion.h"
#include "render/pass/develop.h"
#include "render/pass/exposures.h"
#include "render/pass/slab_march.h"
#include "render/readback.h"
#include "render/upload.h"
#include "scene/scene_play.h"

#include <math.h>
#include <stdlib.h>

typedef struct Session {
    RenderContext *context;
    Renderer *renderer;
    SceneRun *run; /* the capture's */
    SliceAsk ask;
    FieldSlice slice;    /* values NULL: no slice is drawn */
    size_t slice_floats; /* memory of its values */
    Caption *letters;    /* letters of the slice's legend; NULL: no legend */
    Video *video;        /* NULL: the output is no video */
    Flipbook *book;      /* NULL: the output is no flipbook */
    SoundTrack track;    /* the sound of the video, if the run gives it its steps */
    PictureLoop loop;
    float *motion;      /* motion vectors of the frame, which a picture has; NULL: none */
    CameraPath cameras; /* of the written frames, for capture->camera_out */
    bool together;      /* whether all ranks draw, each its own planes */
    int coarsened;      /* factor of the last notice of note_coarseness; 0: none yet */
    const Capture *capture;
} Session;

static bool writes_floats(const Capture *capture)
{
    return capture->output.picture->storage == PICTURE_FLOATS && capture->columns == 0;
}

/* The format in which frames are drawn. Those of a flipbook are bytes in memory. */
static const PictureFormat *frame_format(const Capture *capture)
{
    return capture->columns > 0 ? picture_format("a.png") : capture->output.picture;
}

static bool writes_video(const Capture *capture)
{
    return capture->output.picture->storage == PICTURE_VIDEO;
}

/* Whether every frame is written, not only the last. */
static bool writes_all(const Capture *capture)
{
    return capture->output.sequence || writes_video(capture) || capture->columns > 0;
}

static bool open_renderer(Session *session, const Capture *capture, BillowError *error)
{
    system_hush_graphics();
    session->context = render_context_open(error);
    if (session->context == NULL)
        return false;
    session->renderer = renderer_create(capture->shader_folder, error);
    if (session->renderer != NULL)
        renderer_light_as(session->renderer, writes_all(capture) ? LIGHT_FRAME : LIGHT_STILL);
    return session->renderer != NULL;
}

/* Takes the bands of a frame that fades. */
typedef struct FadingTake {
    PictureFile *file;
    LoopFrame *fading;
    int finer;
} FadingTake;

/* Adds a band and the opacity of its smoke. A finer frame counts in the middle of a pixel. */
static bool take_fading(void *context, const Band *band, BillowError *error)
{
    const FadingTake *take = context;
    const int finer = take->finer, width = take->file->image.width;
    for (int y = 0; y < band->rows && band->through != NULL; y++) {
        const int row = band->first + y;
        for (int x = 0; x < width && row % finer == finer / 2; x++) {
            const float *through = band->through + 4 * ((size_t)y * (size_t)(width * finer) +
                                                        (size_t)(x * finer + finer / 2));
            const float opacity = 1 - (through[0] + through[1] + through[2]) / 3;
            take->fading->smoke[(size_t)(row / finer) * (size_t)width + (size_t)x] =
                (uint8_t)(255 * fminf(fmaxf(opacity, 0), 1) + 0.5f);
        }
    }
    return picture_file_take(take->file, band, error);
}

/* fading: receives the opacity of the smoke, if it has room for it; NULL: the frame does not fade.
 */
static bool draw(Session *session, const BillowView *view, const RenderSettings *render,
                 const RenderFrame *frame, int channels, PictureFile *file, LoopFrame *fading,
                 BillowError *error)
{
    const bool opens = frame->exposures > 0 && render->lens.shutter > 0;
    FadingTake fades = {file, fading, session->capture->finer};
    const bool takes = fading != NULL && fading->smoke != NULL;
    return (!opens || renderer_upload_shutter(session->renderer, view, render, error)) &&
           renderer_bands(session->renderer, render, frame, channels,
                          takes ? take_fading : picture_file_take,
                          takes ? (void *)&fades : (void *)file, error);
}

/* Draws the frame again, without smoke. */
static bool draw_still(Session *session, const BillowView *view, const RenderSettings *render,
                       const RenderFrame *frame, const PictureFile *file, LoopFrame *fading,
                       BillowError *error)
{
    PictureFile still;
    RenderFrame plain = *frame;
    RenderSettings clear = *render;
    const int finer = session->capture->finer;
    clear.smoke.extinction = clear.smoke.glow = clear.smoke.flame = 0;
    clear.tracers.opacity = clear.tracers.glow = 0;
    clear.picture.haze = 0;
    plain.depth = false;
    plain.aside = true;
    if (!picture_file_open(&still, file->path, &plain, file->format, finer, &clear, view, NULL,
                           error))
        return false;
    const bool good = renderer_bands(session->renderer, &clear, &plain, file->image.channels,
                                     picture_file_take, &still, error);
    fading->still = still.image;
    still.image.pixels = NULL; /* belongs to the frame now */
    picture_file_free(&still);
    return good;
}

/* Allocates the slice's values for the present box. */
static bool fit_slice(Session *session, BillowError *error)
{
    const BillowView view = billow_view(session->run->driver.sim);
    size_t floats = field_slice_floats(view.nx, view.ny, view.nz);
    if (floats <= session->slice_floats)
        return true;
    free(session->slice.values);
    session->slice.values = malloc(floats * sizeof(float));
    session->slice_floats = session->slice.values != NULL ? floats : 0;
    return session->slice.values != NULL ||
           fail(error, "picture: no memory for a slice of %dx%dx%d cells", view.nx, view.ny,
                view.nz);
}

/* Finds the slice's plane, allocates its values and opens the letters of its legend. */
static bool open_slice(Session *session, const Capture *capture, BillowError *error)
{
    const BillowDef *def = &capture->run->def;
    SliceAsk *ask = &session->ask;
    *ask = capture->slice;
    if (!ask->given)
        return true;
    if (!slice_ask_settle(ask, def, &capture->run->scene.render.camera, error))
        return false;
    session->slice = (FieldSlice){.kind = ask->kind, .axis = ask->axis, .position = ask->position};
    if (!fit_slice(session, error))
        return false;
    BillowError reason;
    const Image size = {.width = capture->width, .height = capture->height};
    bool legend = !ask->no_legend && !writes_floats(capture);
    if (legend)
        session->letters = legend_letters(&size, &reason);
    if (legend && session->letters == NULL && !capture->quiet)
        fprintf(stderr, "billow: the slice has no legend: %s\n", reason.text);
    return true;
}

/* Prints a notice if the driver coarsened the volume. Called after each upload, because any of them
 * can be the first that does not fit. */
static void note_coarseness(Session *session, const Capture *capture)
{
    int factor = renderer_coarsened(session->renderer);
    if (factor > 1 && factor != session->coarsened && !capture->quiet)
        fprintf(
            stderr,
            "billow: notice: %dx%dx%d cells do not fit into this graphics driver's textures; drawn "
            "at 1/%d of their resolution\n",
            capture->run->def.nx, capture->run->def.ny, capture->run->def.nz, factor);
    session->coarsened = factor;
}

/* Checks the memory of a large picture: its 8-bit pixels, and its linear light if bloom or
 * automatic exposure needs the whole picture. Otherwise only a part of the linear light is in
 * memory. */
static bool check_picture_memory(const Capture *capture, BillowError *error)
{
    const RenderPicture *picture = &capture->run->scene.render.picture;
    bool whole = !writes_floats(capture) && (picture->bloom > 0 || picture->auto_exposure);
    double pixel = (writes_floats(capture) ? 0 : 4) + (whole ? 17 : 0);
    /* A loop keeps pictures with and without smoke, its opacity, and layers to mix. */
    double kept = capture->loop > 0 ? 160 + 9.0 * capture->loop : 0;
    double bytes =
        (pixel * capture->finer * capture->finer + kept) * capture->width * capture->height;
    char what[64];
    snprintf(what, sizeof what, "a picture of %dx%d", capture->width, capture->height);
    return system_check_memory(bytes, what,
                               whole ? "a smaller --size, or picture.bloom=0 and "
                                       "picture.auto_exposure=false"
                                     : "a smaller --size",
                               error);
}

static VideoForm video_form(const Capture *capture)
{
    return (VideoForm){.width = capture->width,
                       .height = capture->height,
                       .alpha = capture->transparent,
                       .fps = capture->fps,
                       .instead = CAPTURE_INSTEAD,
                       .sound = !capture->mute};
}

static bool output_possible(const Capture *capture, BillowError *error)
{
    char path[4096];
    VideoForm form = video_form(capture);
    int first = capture->run->before + 1;
    if (writes_video(capture))
        return video_probe(capture->output.text, &form, error);
    return (capture->output.picture->available == NULL ||
            capture->output.picture->available(error)) &&
           output_name_path(&capture->output, first, path, sizeof path, error) &&
           atomic_file_probe(path, error);
}

/* Whether all ranks draw together if they divide the simulation. The rest needs the fields of the
 * whole box. */
static bool can_draw_together(const Capture *capture)
{
    const Scene *scene = &capture->run->scene;
    const bool hazes = scene->render.picture.haze > 0 || scene_start_moves(scene, "picture.haze");
    return cluster_ranks() > 1 && !hazes && !capture->slice.given && capture->columns == 0 &&
           !capture->motion && !scene_start_has_shutter(scene);
}

/* Divides the pictures among the ranks if the simulation is. */
static bool divide_pictures(Session *session, const Capture *capture, BillowError *error)
{
    const RenderRanks ranks = {cluster_exchange(), cluster_agree};
    SceneRun *run = session->run;
    int first, end;
    const BillowView view = billow_view(run->driver.sim);
    const int factor = run->upres_def.factor;
    const int cells[3] = {factor * view.nx, factor * view.ny, factor * view.nz};
    billow_own_planes(run->driver.sim, &first, &end);
    session->together = can_draw_together(capture) && end - first < view.nz;
    const int beside = session->together ? renderer_planes_beside(session->renderer, cells) : 0;
    return scene_run_prepare_frames(run, session->together, beside, error) &&
           (!session->together ||
            renderer_divide(session->renderer, &ranks, cells[2], factor * first, error));
}

/* Makes the sound of a video. All ranks measure it, the first one adds it to the video. */
static void open_sound(Session *session, const Capture *capture)
{
    SceneRun *run = session->run;
    if (capture->mute || !writes_video(capture) || capture->output.picture->silent)
        return;
    billow_listen(run->driver.sim, true);
    if (!cluster_leads())
        return;
    synth_init(&session->track.synth);
    const SynthEar ear = sound_ear(&run->scene.render.camera);
    synth_listen(&session->track.synth, &ear, true);
    run->sound = &session->track;
}

/* Opens what the first rank draws with. */
static bool open_pictures(Session *session, const Capture *capture, BillowError *error)
{
    const CheckpointRun *progress = &capture->run->progress;
    if (!open_slice(session, capture, error) ||
        !picture_loop_open(&session->loop, capture->loop, capture->width, capture->height, error))
        return false;
    /* Automatic exposure continues from that of the checkpoint. */
    renderer_expose(session->renderer, (Exposure){progress->exposed, progress->exposure_metered,
                                                  progress->exposure_stops});
    return true;
}

/* Reports everything that is missing before the first step. */
static bool open_session(Session *session, const Capture *capture, BillowError *error)
{
    const bool leads = cluster_leads(), draws = leads || can_draw_together(capture);
    const bool ready =
        (!leads || (output_possible(capture, error) && check_picture_memory(capture, error))) &&
        (!draws || open_renderer(session, capture, error));
    if (!cluster_agree(ready, error) || !scene_run_begin(session->run, capture->fps, error) ||
        !divide_pictures(session, capture, error) ||
        !cluster_agree(!leads || open_pictures(session, capture, error), error))
        return false;
    open_sound(session, capture);
    scene_run_fetch(session->run);
    bool good = true;
    if (leads || session->together) { /* whether the driver takes a volume of this size */
        const BillowView view = scene_run_view(session->run);
        good = renderer_upload(session->renderer, &view, &capture->run->scene.render, error);
    }
    if (leads && good)
        note_coarseness(session, capture);
    return cluster_agree(good, error);
}

/* Draws what the other sheets of a flipbook show of a frame, without bloom and exposure. */
static bool draw_sheets(Session *session, const RenderSettings *render, const RenderFrame *frame,
                        int at, BillowError *error)
{
    RenderFrame linear = *frame;
    linear.linear = linear.aside = true;
    linear.depth = false;
    linear.slice.field = NULL;
    for (int drawn = 0; drawn < FLIPBOOK_DRAWN; drawn++) {
        const bool plain = drawn == FLIPBOOK_LINEAR;
        if (!flipbook_needs(session->book, drawn) ||
            (!plain && !six_way_shows(render, (SixWay)drawn)))
            continue;
        const RenderSettings lit = plain ? *render : six_way_settings(render, (SixWay)drawn);
        FlipbookTake take = {session->book, at, drawn};
        if (!renderer_bands(session->renderer, &lit, &linear, 0, flipbook_take, &take, error))
            return false;
    }
    return true;
}

/* Keeps the drawn frame for the fade, or fades it. */
static bool fade(Session *session, PictureFile *file, int at, LoopFrame *fading, BillowError *error)
{
    PictureLoop *loop = &session->loop;
    fading->shown = file->image;
    file->image.pixels = NULL;
    if (at <= 0) {
        picture_loop_keep(loop, at, fading);
        return true;
    }
    bool good = picture_loop_fade(loop, at, session->capture->frames, fading, error) &&
                (session->book == NULL || flipbook_fade(session->book, at, &loop->flow, error));
    file->image = fading->shown;
    fading->shown.pixels = NULL;
    return good;
}

/* Passes the drawn picture to its file, the video or the flipbook. */
static bool deliver(Session *session, PictureFile *file, int at, bool drawn, BillowError *error)
{
    if (at <= 0) {
        picture_file_free(file);
        return drawn;
    }
    if (session->video == NULL && session->book == NULL)
        return picture_file_close(file, drawn, error);
    bool written = drawn;
    if (drawn && session->book != NULL)
        flipbook_picture(session->book, at, &file->image);
    else if (drawn)
        written = video_write(session->video, file->image.pixels, error);
    picture_file_free(file);
    return written;
}

/* Replaces the render settings by those that a recording has by now. What refines the picture
 * stays, and so does the camera if the recording has none. */
static bool follow_recording(const SceneRun *run, double time, RenderSettings *render,
                             BillowError *error)
{
    const Scene *scene = run->replay.shared.scene;
    const RenderCamera *view = replay_run_view(&run->replay);
    const RenderSettings own = *render;
    *render = scene->render;
    if (scene->track_count > 0 && !scene_play_render(scene, time, render, error))
        return false;
    render->camera = view != NULL ? *view : own.camera;
    render->picture.filter = own.picture.filter;
    return true;
}

/* The render settings at a time, with the scene's timeline and the turntable. */
static bool settings_at(const Capture *capture, double time, RenderSettings *render,
                        BillowError *error)
{
    const Scene *scene = &capture->run->scene;
    *render = scene->render;
    if ((scene->track_count > 0 && !scene_play_render(scene, time, render, error)) ||
        (capture->run->replays && !follow_recording(capture->run, time, render, error)))
        return false;
    if (capture->turntable > 0) {
        double turned = 360 * time / capture->turntable; /* degrees */
        render->camera.azimuth = (float)fmod((double)render->camera.azimuth + turned, 360);
    }
    return true;
}

/* Sets the exposures of a frame whose lens or shutter is on. moves: receives the cameras when the
 * shutter opens and when it closes; middle: time of the view, s. */
static bool open_shutter(const Capture *capture, double middle, const RenderSettings *render,
                         RenderFrame *frame, RenderCamera moves[2], BillowError *error)
{
    const double half = 0.5 * (double)render->lens.shutter;
    if (!(render->lens.aperture > 0 || render->lens.shutter > 0))
        return true;
    frame->exposures = capture->exposures;
    if (!(half > 0))
        return true;
    for (int end = 0; end < 2; end++) {
        RenderSettings then;
        double time = fmax(middle + (end == 0 ? -half : half), 0);
        if (!settings_at(capture, time, &then, error))
            return false;
        moves[end] = then.camera;
    }
    frame->moves = moves;
    return true;
}

/* Describes the frame of the present state. moves, solids: memory for its members. */
static bool describe(Session *session, const BillowView *view, const RenderSettings *render,
                     RenderFrame *frame, RenderCamera moves[2], BillowSolid *solids,
                     BillowError *error)
{
    const Capture *capture = session->capture;
    *frame = render_still_frame(capture->finer * capture->width, capture->finer * capture->height);
    frame->transparent = capture->transparent;
    frame->seconds = writes_all(capture) ? (float)(1 / capture->fps) : 0;
    if (session->slice.values != NULL) {
        if (!fit_slice(session, error))
            return false;
        const BillowView simulated = billow_view(session->run->driver.sim);
        field_slice_fill(&session->slice, &simulated);
        frame->slice = slice_ask_drawn(&session->ask, &session->slice);
    }
    frame->solids = solids;
    while (billow_solid(session->run->driver.sim, frame->solid_count) != NULL) {
        solids[frame->solid_count] = *billow_solid(session->run->driver.sim, frame->solid_count);
        frame->solid_count++;
    }
    return open_shutter(capture, view->time, render, frame, moves, error);
}

/* Draws a frame with what it needs besides: the picture without smoke, its motion, its legend. at:
 * its number among those that are written. */
static bool complete(Session *session, const BillowView *view, const RenderSettings *render,
                     const RenderFrame *frame, int channels, int at, PictureFile *file,
                     BillowError *error)
{
    const Capture *capture = session->capture;
    const bool fades = picture_loop_needs(capture->loop, at, capture->frames);
    const bool still = fades && (!frame->transparent || frame->solid_count > 0);
    RenderFrame deep = *frame;
    RenderSettings next;
    LoopFrame fading = {.smoke = NULL};
    deep.depth = deep.depth || still;
    bool good = !still || loop_frame_smoke(&fading, capture->width, capture->height, error);
    good =
        good && draw(session, view, render, &deep, channels, file, fades ? &fading : NULL, error);
    BillowError notice; /* of what the driver could not draw as the scene says */
    note_coarseness(session, capture);
    if (renderer_notice(session->renderer, &notice) && !capture->quiet)
        report_notice(&notice);
    if (good && session->book != NULL) {
        good = settings_at(capture, view->time + 1 / capture->fps, &next, error);
        if (good)
            flipbook_motion(session->book, at, session->run->driver.sim, render, &next.camera);
        good = good && draw_sheets(session, render, frame, at, error);
    }
    good = good && (!still || draw_still(session, view, render, frame, file, &fading, error)) &&
           (!fades || fade(session, file, at, &fading, error));
    loop_frame_free(&fading);
    if (good && at > 0 && session->letters != NULL) {
        Legend legend = legend_for(&frame->slice);
        good = legend_draw(&legend, session->letters, &file->image, error);
    }
    return good;
}

/* Uploads the present state on all ranks that draw. ready: whether this rank can go on. */
static bool upload(Session *session, bool ready, const BillowView *view,
                   const RenderSettings *render, BillowError *error)
{
    if (session->together ? !cluster_agree(ready, error) : !ready)
        return false;
    return renderer_upload(session->renderer, view, render, error);
}

/* Marches the smoke of this rank's planes for the first rank. */
static bool help_draw(Session *session, BillowError *error)
{
    RenderSettings render;
    const BillowView view = scene_run_view(session->run);
    const bool ready = settings_at(session->capture, view.time, &render, error);
    if (!upload(session, ready, &view, &render, error))
        return false;
    renderer_serve(session->renderer);
    return true;
}

/* Computes the motion vectors of the frame for its file. */
static bool fill_motion(Session *session, const RenderSettings *render, const RenderFrame *frame,
                        BillowError *error)
{
    const Capture *capture = session->capture;
    const BillowView view = billow_view(session->run->driver.sim);
    const size_t pixels = (size_t)frame->width * (size_t)frame->height;
    RenderSettings next;
    if (!capture->motion)
        return true;
    if (session->motion == NULL)
        session->motion = malloc(pixels * MOTION_VECTOR_FLOATS * sizeof(float));
    if (session->motion == NULL)
        return fail(error, "picture: no memory for its motion vectors");
    if (!settings_at(capture, view.time + 1 / capture->fps, &next, error))
        return false;
    motion_vectors_fill(&(MotionVectorsAsk){.view = &view,
                                            .smoke = &render->smoke,
                                            .solids = frame->solids,
                                            .solid_count = frame->solid_count,
                                            .camera = &render->camera,
                                            .next = &next.camera,
                                            .seconds = 1 / capture->fps,
                                            .width = frame->width,
                                            .height = frame->height,
                                            .across = frame->width,
                                            .down = frame->height},
                        session->motion);
    for (size_t p = 0; p < pixels; p++) /* compositing programs count upwards */
        session->motion[MOTION_VECTOR_FLOATS * p + 1] *= -1;
    return true;
}

/* Draws the present state as a frame and writes it. */
static bool draw_frame(Session *session, int number, int at, BillowError *error)
{
    const Capture *capture = session->capture;
    char path[4096];
    BillowView view = scene_run_view(session->run);
    RenderSettings render;
    RenderFrame frame;
    RenderCamera moves[2];
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    PictureFile file;
    int channels = 0;
    bool ready =
        settings_at(capture, view.time, &render, error) &&
        describe(session, &view, &render, &frame, moves, solids, error) &&
        output_name_path(&capture->output, number - capture->skip, path, sizeof path, error);
    if (ready && capture->camera_out != NULL && at > 0)
        ready =
            camera_path_add(&session->cameras, number - capture->skip, view.time, &render, error);
    if (ready && fill_motion(session, &render, &frame, error)) {
        const PictureFormat *format = frame_format(capture);
        channels = picture_file_ask(&frame, format);
        ready = picture_file_open(&file, path, &frame, format, capture->finer, &render, &view,
                                  session->motion, error);
    } else {
        ready = false;
    }
    if (ready && session->run->sound != NULL) {
        const SynthEar ear = sound_ear(&render.camera);
        synth_listen(&session->track.synth, &ear, true);
    }
    const bool opened = ready;
    bool drawn = upload(session, ready, &view, &render, error);
    if (!opened)
        return false;
    if (writes_floats(capture))
        frame.slice.field = NULL; /* not drawn: the file has channels for it */
    if (drawn) {
        drawn = complete(session, &view, &render, &frame, channels, at, &file, error);
        if (session->together)
            renderer_release(session->renderer);
    }
    const Exposure exposure = renderer_exposure(session->renderer);
    session->run->progress.exposed = exposure.known;
    session->run->progress.exposure_metered = exposure.metered;
    session->run->progress.exposure_stops = exposure.stops;
    return deliver(session, &file, at, drawn, error);
}

/* Adds the sound of the steps before a frame to the video; a loop keeps or fades it. */
static bool deliver_sound(Session *session, int at, BillowError *error)
{
    const int loop = session->capture->loop, fades = at - (session->capture->frames - loop);
    SoundTrack *track = session->run->sound;
    if (track == NULL)
        return true;
    if (at > -loop && at <= 0)
        sound_track_keep(track);
    else if (loop > 0 && fades > 0)
        sound_track_fade(track, (fades - 1.0) / loop, (double)fades / loop);
    if (track->failed)
        return fail(error, "not enough memory for the sound of the video");
    const bool good = at <= 0 || video_sound(session->video, track->samples, track->count, error);
    sound_track_next(track);
    return good;
}

/* Writes the present state as a frame. context: the Session. */
static bool write_frame(void *context, int number, BillowError *error)
{
    Session *session = context;
    /* Its number among those that are written: 1 for the first, 0 and below before. */
    const int at = number - session->run->before - session->capture->skip;
    const bool needed = at > -session->capture->loop;
    if (!cluster_leads())
        return !needed || help_draw(session, error);
    return (!needed || draw_frame(session, number, at, error)) && deliver_sound(session, at, error);
}

static Status run_frames(Session *session, BillowError *error)
{
    const Capture *capture = session->capture;
    Status status = scene_run_frames(session->run, capture->skip + capture->frames,
                                     writes_all(capture), write_frame, session, error);
    /* Only frames after the skipped ones were written. */
    int written = session->run->written - capture->skip;
    session->run->written = written > session->run->before ? written : 0;
    return status;
}

FlipbookForm capture_flipbook(const Capture *capture)
{
    return (FlipbookForm){.path = capture->output.text,
                          .format = capture->output.picture,
                          .columns = capture->columns,
                          .rows = capture->rows,
                          .frames = capture->frames,
                          .width = capture->width,
                          .height = capture->height,
                          .finer = capture->finer,
                          .fps = capture->fps,
                          .first = capture->run->before + capture->skip + 1,
                          .loop = capture->loop,
                          .six_way = capture->six_way,
                          .sheets = capture->sheets};
}

/* Writes all frames into one flipbook or video. An interrupted video is complete up to its last
 * frame. An interrupted flipbook leaves no file. */
static Status run_one_file(Session *session, BillowError *error)
{
    const Capture *capture = session->capture;
    const bool leads = cluster_leads(), flipbook = capture->columns > 0;
    const FlipbookForm tiles = capture_flipbook(capture);
    const VideoForm form = video_form(capture);
    if (leads && flipbook)
        session->book = flipbook_open(&tiles, error);
    else if (leads)
        session->video = video_open(capture->output.text, &form, error);
    if (!cluster_agree(!leads || session->book != NULL || session->video != NULL, error))
        return STATUS_FAILED;
    Status status = run_frames(session, error);
    if (!leads)
        return status;
    bool good = true;
    if (flipbook)
        good = status != STATUS_DONE || flipbook_write(session->book, error);
    else if (status == STATUS_FAILED || session->run->written == 0)
        video_give_up(session->video, error);
    else
        good = video_finish(session->video, error);
    flipbook_close(session->book);
    session->book = NULL;
    session->video = NULL;
    status = good ? status : STATUS_FAILED;
    if (status == STATUS_FAILED || (flipbook && status != STATUS_DONE))
        session->run->written = 0;
    return status;
}

/* Writes the camera of the frames that were written. */
static Status write_cameras(const Session *session, Status status, BillowError *error)
{
    const char *path = session->capture->camera_out;
    if (path == NULL || status == STATUS_FAILED || session->run->written == 0 ||
        session->cameras.count == 0)
        return status;
    if (!camera_path_write(&session->cameras, path, error))
        return STATUS_FAILED;
    if (!output_is_stdout(session->capture->output.text))
        printf("wrote %s\n", path);
    return status;
}

Status capture_run(const Capture *capture, BillowError *error)
{
    Session session = {
        .capture = capture,
        .run = capture->run,
        .cameras = {.width = capture->width, .height = capture->height, .fps = capture->fps}};
    system_watch_interrupts();
    Status status = STATUS_FAILED;
    if (open_session(&session, capture, error))
        status = capture->columns > 0 || writes_video(capture) ? run_one_file(&session, error)
                                                               : run_frames(&session, error);
    char more[32] = "";
    const int before = capture->run->before, written = capture->run->written;
    if (writes_video(capture))
        snprintf(more, sizeof more, ", %d frame%s", written - before,
                 written - before > 1 ? "s" : "");
    const FlipbookForm tiles = capture_flipbook(capture);
    if (capture->columns > 0 && written > 0)
        flipbook_print(&tiles);
    else
        outputs_print(&capture->output, before + 1, written, more);
    status = scene_run_finish(session.run, status, error);
    status = write_cameras(&session, status, error);
    camera_path_free(&session.cameras);
    session.run->sound = NULL;
    sound_track_free(&session.track);
    picture_loop_close(&session.loop);
    caption_close(session.letters);
    free(session.slice.values);
    free(session.motion);
    renderer_destroy(session.renderer);
    render_context_close(session.context);
    return status;
}
