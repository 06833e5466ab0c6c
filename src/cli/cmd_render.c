/* SPDX-License-Identifier: MIT */
#include "base/fail.h"
#include "capture/camera_path.h"
#include "capture/capture.h"
#include "capture/picture_file.h"
#include "capture/survey.h"
#include "cli/command.h"
#include "cli/values.h"
#include "io/paths.h"
#include "io/video.h"

#include <math.h>
#include <string.h>

typedef struct RenderOptions {
    CommandScene scene;
    OutputName output;
    RenderSize size;      /* 0: not given */
    ValuesTiles flipbook; /* 0: none */
    SixWayEngine six_way;
    unsigned sheets; /* as FlipbookForm has them */
    ValuesCamera camera;
    ValuesQuality quality;
    int samples;   /* 0: not given */
    int exposures; /* 0: not given */
    double turntable;
    double from; /* s; negative: not given */
    double loop; /* s; 0: none */
    bool transparent;
    bool motion;
    bool mute;
    const char *replay; /* NULL: none */
    bool progress;
    const char *shader_folder;
    const char *camera_out; /* NULL: none */
} RenderOptions;

static const ArgsOption options[] = {
    ARGS_ROW_PARSED(
        "out", "FILE", RenderOptions, output, values_parse_output,
        "a.png, a.tga, a.jpg: the last frame; f_%04d.png: every frame, numbered from 1; -: the "
        "last frame on standard output; a.mp4, a.webm, a.mov, a.webp, a.apng, a.gif: a video of "
        "all "
        "frames, made by ffmpeg; a.exr, f_%04d.exr, exr:-: pictures in linear light with depth, "
        "see below; default SCENE.png"),
    ARGS_ROW_PARSED(
        "size", "WxH", RenderOptions, size, values_parse_size,
        "size of the picture, 16 to 16384 pixels each; default 1280x720, and 256x256 for a tile "
        "of a --flipbook; large pictures are drawn in parts"),
    ARGS_ROW_PARSED(
        "flipbook", "CxR", RenderOptions, flipbook, values_parse_tiles,
        "all frames in one a.png, a.tga or a.exr for game engines, in C columns and R rows, 1 to "
        "128 each; motion vectors and a description go into two other files, see below; without "
        "--frames and --fps the tiles span the life of the smoke; default: none"),
    ARGS_ROW_PARSED(
        "six-way", "ENGINE", RenderOptions, six_way, values_parse_six_way,
        "also write a_lights1 and a_lights2, the smoke of a --flipbook under white light from six "
        "sides, as materials of unity or unreal take them; takes up to eight times as long to "
        "draw; default: none"),
    ARGS_ROW_NAMES("sheets", "SHEET,...", RenderOptions, sheets, values_parse_sheets,
                   flipbook_sheet_name,
                   "also write a_emission, the light that the smoke of a --flipbook gives by "
                   "itself, or a_normals; default: none"),
    ARGS_ROW_PARSED(
        "quality", "Q", RenderOptions, quality, values_parse_quality,
        "draft: the scene as the window plays it; good: finer, with the values of the scene's "
        "poster.set; best: 1.5 times the cells on each axis and 4 rays per pixel. Each takes about "
        "five times as long as the one before; default good for one picture and for videos, draft "
        "for sequences, flipbooks, --slice and --replay"),
    ARGS_ROW_PARSED(
        "camera", "A,E,D[,FOV]", RenderOptions, camera, values_parse_camera,
        "azimuth, elevation (degrees), distance from the target (m) and vertical field of view "
        "(degrees); fit: seen as in the scene, so near that the smoke of all frames fills the "
        "picture; scene: the scene's own; default scene, and fit for a --flipbook"),
    ARGS_ROW_TEXT(
        "camera-out", "FILE", RenderOptions, camera_out,
        "write the camera of the drawn frames to a.json, with field of view, lens and exposure, or "
        "to a.glb (glTF), a camera that moves, for Blender and others; metres, y up, the camera "
        "looks along its -z; default: none"),
    ARGS_ROW_NUMBER(
        "turntable", "S", RenderOptions, turntable, 0.01, 1e6,
        "turn the camera once around to the right in S seconds of simulated time; default: "
        "the scene's own camera"),
    ARGS_ROW_NUMBER(
        "from", "S", RenderOptions, from, 0, 1e6,
        "begin a sequence, video or flipbook after S seconds of simulated time; default 0, and the "
        "time of the scene's poster with --loop"),
    ARGS_ROW_NUMBER(
        "loop", "S", RenderOptions, loop, 0.01, 1e6,
        "make a sequence, video or flipbook that repeats without a jump: its last S seconds turn "
        "into the S seconds before its first frame; default: none"),
    ARGS_ROW_WHOLE(
        "samples", "N", RenderOptions, samples, 1, 16,
        "rays per pixel: 1, 4, 9 or 16. More rays give smoother edges and less noise, and take "
        "proportionally longer; default 1, and 4 for --quality best; not for .exr"),
    ARGS_ROW_WHOLE(
        "exposures", "N", RenderOptions, exposures, 1, 4096,
        "pictures whose mean is a frame with depth of field or motion blur (camera.aperture, "
        "camera.shutter). More are smoother, and take proportionally longer; default 32: 8 for "
        "--quality draft, 128 for best"),
    ARGS_ROW_FLAG("transparent", RenderOptions, transparent,
                  "draw the smoke alone, without a backdrop; .png, .tga, .exr, .webm, .mov, .webp "
                  "and .apng keep its "
                  "alpha"),
    ARGS_ROW_FLAG("motion", RenderOptions, motion,
                  "also write into .exr pictures forward.u and forward.v: the motion of smoke and "
                  "solids until the next frame, pixels to the right and upwards"),
    ARGS_ROW_TEXT(
        "replay", "FILE", RenderOptions, replay,
        "draw a recording of F10 or --record-input of 'billow run' instead of SCENE, all of it "
        "unless --frames is given; each frame shows the first recorded step that reaches its "
        "time, from the recorded camera unless --camera is given; without --quality the smoke is "
        "refined as the scene's poster, and the simulation stays; every state is compared with the "
        "recorded one, and a difference is an "
        "error at the end; with --grid, --quality or --set, hands do the same at the same "
        "times in a finer or another simulation, and nothing is compared; a recording may "
        "also be given as SCENE; default: draw a scene"),
    ARGS_ROW_FLAG("progress", RenderOptions, progress,
                  "write the progress as lines on standard error also if it is no terminal"),
    ARGS_ROW_FLAG("mute", RenderOptions, mute, "make videos without sound"),
    ARGS_ROW_TEXT("shaders", "DIR", RenderOptions, shader_folder,
                  "GLSL files to use instead of the built-in ones"),
    {.type = ARGS_END},
};

static void set_defaults(void *memory)
{
    RenderOptions *settings = memory;
    settings->from = -1;
}

static bool is_flipbook(const RenderOptions *settings)
{
    return settings->flipbook.columns > 0;
}

/* Whether only the last frame is drawn. */
static bool is_still(const RenderOptions *settings)
{
    return !is_flipbook(settings) && !settings->output.sequence &&
           settings->output.picture->storage != PICTURE_VIDEO;
}

/* Whether the pictures hold distances, which do not mix. */
static bool has_distances(const RenderOptions *settings)
{
    return settings->output.picture->storage == PICTURE_FLOATS && !is_flipbook(settings);
}

/* Most cells along an axis of refined smoke in recordings, near those of posters. */
enum { POSTER_CELLS = 400 };

/* Slices show the simulation as it is, and replays as it was: that is never a finer one. */
static SceneQuality quality_of(const RenderOptions *settings)
{
    if (settings->quality.given)
        return settings->quality.quality;
    const bool plain = settings->replay == NULL && !settings->scene.slice.given;
    const bool video = settings->output.picture->storage == PICTURE_VIDEO;
    return (is_still(settings) || video) && plain ? SCENE_GOOD : SCENE_DRAFT;
}

/* The size of --size, or the next larger one that the format can have. */
static RenderSize picture_size(const RenderOptions *settings)
{
    const RenderSize usual =
        is_flipbook(settings) ? (RenderSize){256, 256} : (RenderSize){1280, 720};
    const RenderSize asked = settings->size.width > 0 ? settings->size : usual;
    RenderSize size = asked;
    picture_format_fit(settings->output.picture, &size.width, &size.height);
    if (!settings->scene.request.quiet &&
        (size.width != asked.width || size.height != asked.height))
        fprintf(stderr, "billow: notice: %s files have even widths and heights: drawn at %dx%d\n",
                settings->output.picture->ending, size.width, size.height);
    return size;
}

/* Fails if the flipbook cannot be written as asked. */
static bool check_flipbook(const Capture *capture, BillowError *error)
{
    const FlipbookForm form = capture_flipbook(capture);
    const bool stills = form.format->storage != PICTURE_VIDEO && form.format->alpha;
    if (!stills || !paths_end_in(form.path, form.format->ending) || capture->output.sequence)
        return fail(error,
                    "--flipbook writes one sheet, such as a.png; '%.200s' does not name one .png, "
                    ".tga or .exr file",
                    form.path);
    return flipbook_fits(&form, error);
}

/* Fails if --from and --loop have nothing to apply to. */
static bool check_times(const RenderOptions *settings, const SceneRequest *request,
                        BillowError *error)
{
    const char *option = settings->loop > 0 ? "--loop" : settings->from >= 0 ? "--from" : NULL;
    if (option == NULL)
        return true;
    if (is_still(settings))
        return fail(error,
                    "%s: a still has one frame; write a sequence (f_%%04d.png), a video or a "
                    "--flipbook",
                    option);
    if (request->resume != NULL || request->checkpoint != NULL)
        return fail(error, "%s does not go with %s", option,
                    request->resume != NULL ? "--resume" : "--checkpoint");
    return !(settings->loop > 0) || !has_distances(settings) ||
           fail(error, "--loop: EXR files hold distances, which do not mix; use .png");
}

/* Adds the output files: frames, or a flipbook with its other files. */
static bool list_outputs(const RenderOptions *settings, const Capture *capture, Outputs *outputs,
                         FlipbookPaths *paths, BillowError *error)
{
    const int before = capture->run->before;
    outputs_add_frames(outputs, "--out", &settings->output, before + 1, before + capture->frames);
    outputs_add(outputs, "--camera-out", settings->camera_out);
    if (!is_flipbook(settings))
        return true;
    const FlipbookForm form = capture_flipbook(capture);
    if (!flipbook_paths(&form, paths, error))
        return false;
    for (int sheet = FLIPBOOK_PICTURE + 1; sheet < FLIPBOOK_SHEETS; sheet++)
        if (paths->sheets[sheet][0] != 0)
            outputs_add(outputs, "--flipbook", paths->sheets[sheet]);
    outputs_add(outputs, "--flipbook", paths->description);
    return true;
}

/* Names the output after a scene, such as plume.png for scenes/plume.yaml. */
static bool name_output(const char *scene, char name[PATHS_SIZE], OutputName *output,
                        BillowError *error)
{
    const char *base = paths_last_part(scene);
    size_t length = strcspn(base, ".");
    if (length == 0 || length + sizeof ".png" > PATHS_SIZE || memchr(base, '%', length) != NULL)
        return fail(error, "'render' needs --out FILE, such as --out plume.png");
    snprintf(name, PATHS_SIZE, "%.*s.png", (int)length, base);
    return values_parse_output(name, output, error);
}

/* Checks what does not go together with a recording. */
static bool check_replay(const RenderOptions *settings, BillowError *error)
{
    const CommandScene *scene = &settings->scene;
    if (settings->replay == NULL)
        return true;
    if (scene->request.resume != NULL || scene->request.checkpoint != NULL ||
        (scene->operands.count > 0 && scene->operands.items[0] != settings->replay))
        return fail(error,
                    "--replay contains its scene and starts at rest: give no SCENE, --resume "
                    "or --checkpoint");
    return settings->camera.view != VALUES_VIEW_FIT ||
           fail(error, "--camera fit does not go with --replay: what hands do is not known before");
}

/* Checks what needs no scene. finer: samples of a pixel along each edge. */
static bool check_usage(const RenderOptions *settings, const SceneRequest *request, int *finer,
                        BillowError *error)
{
    const VideoForm form = {
        .alpha = settings->transparent, .fps = settings->scene.fps, .instead = CAPTURE_INSTEAD};
    if (!check_replay(settings, error) ||
        (settings->camera_out != NULL && !camera_path_takes(settings->camera_out, error)))
        return false;
    if (!is_flipbook(settings) && (settings->six_way != SIX_WAY_NONE || settings->sheets != 0))
        return fail(error, "%s needs --flipbook, such as --flipbook 8x8",
                    settings->six_way != SIX_WAY_NONE ? "--six-way" : "--sheets");
    if (settings->motion && !has_distances(settings))
        return fail(error,
                    "--motion needs --out FILE.exr; a flipbook has its motion vectors beside it");
    if (settings->quality.given && request->resume != NULL)
        return fail(error, "--quality has no use with --resume: the run continues on the grid and "
                           "with the values of its checkpoint");
    if (!scene_start_check_every(request, error) || !check_times(settings, request, error) ||
        (settings->transparent &&
         !picture_format_check_alpha(settings->output.picture, settings->output.text,
                                     CAPTURE_INSTEAD, error)) ||
        (settings->output.picture->storage == PICTURE_VIDEO &&
         !video_takes(settings->output.text, &form, error)))
        return false;
    const bool floats = has_distances(settings);
    *finer = 1;
    const int usual = quality_of(settings) == SCENE_BEST && !floats ? 4 : 1;
    const int samples = settings->samples > 0 ? settings->samples : usual;
    while (*finer * *finer < samples)
        ++*finer;
    if (*finer * *finer != samples || (*finer > 1 && floats))
        return fail(error, "--samples: must be %s, not %d",
                    floats ? "1 for EXR files, as distances have no mean" : "1, 4, 9 or 16",
                    samples);
    return true;
}

/* Pictures of a frame with depth of field or motion blur. */
static int exposures_of(const RenderOptions *settings)
{
    if (settings->exposures > 0)
        return settings->exposures;
    const SceneQuality quality = quality_of(settings);
    return quality == SCENE_DRAFT ? 8 : quality == SCENE_BEST ? 128 : CAPTURE_EXPOSURES;
}

static void turn_camera(const ValuesCamera *camera, SceneRun *run)
{
    static const char *const views[] = {"camera.target", "camera.distance", "camera.azimuth",
                                        "camera.elevation", "camera.fov"}; /* not the lens */
    Scene *scene = &run->scene;
    if (camera->view == VALUES_VIEW_GIVEN || camera->view == VALUES_VIEW_SCENE)
        run->recording.view_count = 0;
    if (camera->view != VALUES_VIEW_GIVEN)
        return;
    for (size_t view = 0; view < sizeof views / sizeof views[0]; view++)
        scene_drop_tracks(scene, views[view]);
    scene->render.camera.azimuth = camera->azimuth;
    scene->render.camera.elevation = camera->elevation;
    scene->render.camera.distance = camera->distance;
    if (camera->fov > 0)
        scene->render.camera.fov = camera->fov;
}

/* Whether the tiles of a flipbook are to span the life of the smoke. */
static bool spans_life(const RenderOptions *settings)
{
    const CommandScene *scene = &settings->scene;
    return is_flipbook(settings) && settings->replay == NULL && scene->frames == 0 &&
           !(scene->fps > 0) && settings->from < 0 && !(settings->loop > 0) &&
           scene->request.resume == NULL && scene->request.checkpoint == NULL;
}

/* Whether the camera is to be fitted to the smoke. */
static bool fits_camera(const RenderOptions *settings, const Scene *scene)
{
    const CommandScene *command = &settings->scene;
    bool chosen = command->request.resume != NULL || settings->replay != NULL ||
                  scene_start_moves(scene, "camera.");
    for (int i = 0; i < command->overrides.count; i++)
        chosen = chosen || strncmp(command->overrides.items[i], "camera.", 7) == 0;
    return settings->camera.view == VALUES_VIEW_FIT ||
           (settings->camera.view == VALUES_VIEW_USUAL && is_flipbook(settings) && !chosen);
}

/* Chooses times and camera by a first pass, if they depend on it. */
static Status survey(const RenderOptions *settings, Capture *capture, BillowError *error)
{
    Scene *scene = &capture->run->scene;
    const bool life = spans_life(settings), fit = fits_camera(settings, scene);
    if (!life && !fit)
        return STATUS_DONE;
    Survey found;
    /* Longest time for which the smoke is watched, s: some never leaves the box or dissipates. */
    const double life_most = fmax(4, 1.5 * (double)scene->poster.time);
    const SurveyAsk ask = {.scene = scene,
                           .from = life ? 0 : (capture->skip + 1) / capture->fps,
                           .to =
                               life ? life_most : (capture->skip + capture->frames) / capture->fps,
                           .threads = settings->scene.request.threads,
                           .quiet = capture->quiet};
    Status status = survey_run(&ask, &found, error);
    if (status == STATUS_DONE && life && found.last > found.first) {
        double fps = capture->frames / (found.last - found.first);
        capture->fps = fmin(fmax(round(100 * fps) / 100, 0.1), 1000);
        capture->skip = (int)(found.first * capture->fps);
    }
    if (status == STATUS_DONE && fit) {
        scene_drop_tracks(scene, "camera.");
        survey_fit(&found, capture->width, capture->height, capture->turntable > 0,
                   &scene->render.camera);
    }
    survey_free(&found);
    return status;
}

/* Simulated time before the first frame, s. */
static double time_before(const RenderOptions *settings, const SceneRun *run)
{
    const double usual = settings->loop > 0 ? (double)run->scene.poster.time : 0;
    return settings->from >= 0 ? settings->from : usual;
}

/* Fits the frames to a recording: all of it, unless --frames says less. */
static bool span_recording(const RenderOptions *settings, Capture *capture, BillowError *error)
{
    const SceneRun *run = capture->run;
    if (!run->replays)
        return true;
    const double seconds = replay_seconds(&run->recording, &run->scene);
    const bool chosen = settings->scene.frames > 0 || settings->scene.fps > 0;
    if (is_flipbook(settings) && !chosen && seconds > 0)
        capture->fps = fmin(fmax(capture->frames / seconds, 0.1), 1000);
    const int all = replay_run_frames(&run->recording, &run->scene, capture->fps);
    const double before = round(time_before(settings, run) * capture->fps);
    if (settings->scene.frames == 0 && !is_flipbook(settings))
        capture->frames = (int)fmax(all - before, 1);
    return before + capture->frames <= all ||
           fail(
               error,
               "%.200s lasts %.4g s: %d frames at %.4g a second; give fewer --frames or an earlier "
               "--from",
               run->name, seconds, all, capture->fps);
}

/* Sets the frames before the first and those that fade. */
static bool set_times(const RenderOptions *settings, Capture *capture, BillowError *error)
{
    const double from = time_before(settings, capture->run);
    capture->skip = (int)fmin(round(from * capture->fps), 1e9);
    capture->loop =
        settings->loop > 0 ? (int)fmax(1, fmin(settings->loop * capture->fps + 1e-6, 1e9)) : 0;
    if (capture->loop > capture->skip)
        return fail(error,
                    "--loop %g: the run begins only %g s before the first frame; give a later "
                    "--from or a shorter --loop",
                    settings->loop, from);
    if (capture->loop > 0 && capture->loop >= capture->frames)
        return fail(error,
                    "--loop %g: %d frames at %g a second are not longer than it; give more "
                    "--frames or a shorter --loop",
                    settings->loop, capture->frames, capture->fps);
    const double seconds = capture->frames / capture->fps;
    const double turns = capture->turntable > 0 ? seconds / capture->turntable : 0;
    return capture->loop == 0 || fabs(turns - round(turns)) < 1e-3 ||
           fail(error,
                "--turntable %g: in a loop the turn must take as long as all frames: give "
                "--turntable %g",
                settings->turntable, seconds);
}

static Status draw(const RenderOptions *settings, const SceneRequest *request, Capture *capture,
                   Outputs *outputs, BillowError *error)
{
    FlipbookPaths paths;
    SceneRun *run = capture->run;
    Status status = scene_run_open(run, request, CAPTURE_CELL_BYTES, error);
    if (status != STATUS_DONE)
        return status;
    SliceAsk slice = capture->slice;
    if (!scene_start_fps(run, settings->scene.fps, &capture->fps, error) ||
        (slice.given && !slice_ask_settle(&slice, &run->def, &run->scene.render.camera, error)))
        return STATUS_USAGE;
    if (!capture->quiet && !run->resumed)
        scene_start_note(run->name, &run->scene);
    turn_camera(&settings->camera, run);
    if (run->replays && !settings->quality.given && !settings->scene.slice.given)
        scene_refine_as_poster(&run->scene, POSTER_CELLS);
    /* Depth of field or motion blur, now or by the timeline. */
    const bool blurs = run->scene.render.lens.aperture > 0 ||
                       scene_start_moves(&run->scene, "camera.aperture") ||
                       scene_start_has_shutter(&run->scene);
    if (settings->exposures > 0 && !blurs)
        return status_fail(STATUS_USAGE, error,
                           "--exposures %d needs camera.aperture or camera.shutter above 0",
                           settings->exposures);
    if (settings->samples == 0 && blurs)
        capture->finer = 1; /* the exposures are at different places of a pixel */
    if (is_still(settings) && settings->scene.frames == 0 && !run->resumed)
        capture->frames = scene_start_poster_frames(run, capture->fps);
    if (!span_recording(settings, capture, error) || !set_times(settings, capture, error))
        return STATUS_USAGE;
    if (!list_outputs(settings, capture, outputs, &paths, error))
        return STATUS_FAILED;
    system_watch_interrupts();
    status = outputs_check(outputs, error);
    status = status == STATUS_DONE ? outputs_probe(outputs, error) : status;
    if (status != STATUS_DONE)
        return status;
    const FlipbookForm form = capture_flipbook(capture);
    if (is_flipbook(settings) && !flipbook_memory(&form, error))
        return STATUS_FAILED;
    status = survey(settings, capture, error);
    return status == STATUS_DONE ? capture_run(capture, error) : status;
}

static Status run(const void *memory, BillowError *error)
{
    RenderOptions given = *(const RenderOptions *)memory;
    const RenderOptions *settings = &given;
    char name[PATHS_SIZE];
    const CommandScene *scene = &settings->scene;
    const ArgsTexts *operands = &scene->operands;
    SceneRequest request = command_scene_request(scene, "render");
    if (settings->progress)
        system_show_progress();
    if (given.replay == NULL && operands->count == 1 && replay_file_is_one(operands->items[0]))
        given.replay = operands->items[0];
    request.replay = given.replay;
    SceneRun run = {.request = &request};
    Outputs outputs = {.force = scene->force};
    int finer = 1;
    const char *named = request.resume != NULL         ? request.resume
                        : request.replay != NULL       ? request.replay
                        : request.name_or_path != NULL ? request.name_or_path
                                                       : "scene"; /* refused when opened */
    if (given.output.text == NULL && !name_output(named, name, &given.output, error))
        return STATUS_USAGE;
    request.quality = quality_of(settings);
    if (!check_usage(settings, &request, &finer, error))
        return STATUS_USAGE;
    outputs_add_checkpoint(&outputs, request.checkpoint, request.resume);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    const RenderSize size = picture_size(settings);
    const int usual_frames = is_flipbook(settings)
                                 ? settings->flipbook.columns * settings->flipbook.rows
                                 : COMMAND_FRAMES;
    Capture capture = {.run = &run,
                       .output = settings->output,
                       .width = size.width,
                       .height = size.height,
                       .columns = settings->flipbook.columns,
                       .rows = settings->flipbook.rows,
                       .six_way = settings->six_way,
                       .sheets = settings->sheets,
                       .frames = scene->frames > 0 ? scene->frames : usual_frames,
                       .finer = finer,
                       .exposures = exposures_of(settings),
                       .turntable = settings->turntable,
                       .slice = scene->slice,
                       .transparent = settings->transparent || is_flipbook(settings),
                       .shader_folder = settings->shader_folder,
                       .motion = settings->motion,
                       .camera_out = settings->camera_out,
                       .mute = settings->mute,
                       .quiet = request.quiet};
    if (is_flipbook(settings) && !check_flipbook(&capture, error))
        return STATUS_USAGE;
    status = draw(settings, &request, &capture, &outputs, error);
    scene_run_close(&run);
    return status;
}

static const char notes[] =
    "Frame n shows the simulated time --from + n/F. A still a.png equals the last picture of the "
    "sequence\n"
    "f_%04d.png, except with automatic exposure, which adapts from frame to frame in a sequence.\n"
    "Ctrl-C stops within one step and leaves no incomplete picture; a video then ends early.\n\n"
    "Videos need ffmpeg. .mp4 is H.264, .webm VP9, .mov ProRes 4444. .webp, .apng and .gif "
    "repeat,\n"
    "without sound, at most 90 frames a second, .gif 50 in 256 colours. If ffmpeg fails, the "
    "frames\n"
    "so far are saved as NAME.partial.mp4 and so on.\n\n"
    "A flipbook a.png holds its frames row by row from the top left; unused tiles are empty. Its\n"
    "background is transparent, its alpha straight. A first pass on a coarse grid finds where the\n"
    "smoke is in all frames, which the camera then fits, and how long it lives: from the first\n"
    "visible smoke until it has gone, at most 4 s or 1.5 times the time of the scene's poster, if\n"
    "that is longer. Numbers of --camera, --set camera..., a camera on the timeline and --resume\n"
    "leave the camera as it is; --frames, --fps, --from, --loop, --checkpoint and --resume leave\n"
    "the time as it is: 30 frames a second. a_motion.png has half the resolution. It "
    "holds\n"
    "the visible motion from each frame to the next, in pixels of a tile: red to the right, green\n"
    "down, each byte/255 = 0.5 + motion/(2 S). Its blue is the opacity. a.json holds S as\n"
    "motion.scale_pixels, and columns, rows, frames, fps and the rest. An interrupted run writes\n"
    "none of the files, which a.json explains.\n\n"
    "--loop displaces the smoke of both moments so that their features meet, and mixes it; sky,\n"
    "ground and solids stay; where solids move or the camera turns, both moments mix as they are.\n"
    "S counts whole frames. It suits smoke that no longer changes on the whole: let --from be "
    "late\n"
    "enough. A --turntable loops too if it takes as long as all frames together.\n"
    "Memory: up to 9 bytes a pixel for each frame of the fade, and 160 bytes a "
    "pixel.\n\n" COMMAND_CHECKPOINT_NOTES
    "A resumed sequence continues its numbers; a video or a flipbook starts a new file. Repeat\n"
    "--size and the other options of the picture: the pictures then equal those of an\n"
    "uninterrupted run to the byte.\n\n"
    "EXR files hold the radiance before exposure and tone curve. The scene's exposure is only\n"
    "noted, as billow:exposure. R G B A: linear, Rec. 709 primaries, premultiplied,\n"
    "16 bits. transmittance.R .G .B: share of the light from behind that passes the smoke, 16\n"
    "bits. smoke.Z: mean distance of the visible smoke. Z: distance of the solid or the ground\n"
    "behind it. Distances are in metres along the view axis, 32 bits, and 1e10 where there is\n"
    "nothing, as in Blender. Nuke's depth.z is 1/Z, and 0 where there is nothing. --slice speed\n"
    "adds slice.speed, the value where a pixel's ray meets the plane, m/s, and slice.Z, the\n"
    "distance of that point; likewise for the other fields. It does not change the light: range,\n"
    "contours, veil and legend have no effect.\n\n" COMMAND_SLICE_NOTES;

const Command command_render = {
    .spec =
        {.name = "render",
         .summary = "simulate and draw pictures, with no window",
         .examples =
             "  billow render plume                         a still, plume.png\n"
             "  billow render fire --out fire.mp4           a video of 120 frames, 4 s\n"
             "  billow render ink --out f_%04d.png          pictures f_0001.png to f_0120.png\n"
             "  billow render explosion --out e.png --flipbook 8x8   a sheet for game engines\n"
             "  billow render --replay hands.bwr --out h.mp4         what hands did in a window\n",
         COMMAND_SCENE_OPERAND("not with --resume"),
         .tables = {options, command_frames_options, command_grid_options, command_set_options,
                    command_threads_options, command_slice_options, command_checkpoint_options,
                    command_quiet_options, command_force_options},
         .notes = notes},
    .settings_size = sizeof(RenderOptions),
    .set_defaults = set_defaults,
    .run = run,
    .divides = command_always,
    .draws = command_always,
};
