/* SPDX-License-Identifier: MIT */
#include "capture.h"
#include "command.h"
#include "fail.h"
#include "paths.h"
#include "picture_file.h"
#include "values.h"
#include "video.h"

#include <string.h>

typedef struct RenderOptions {
    CommandScene scene;
    OutputName output;
    ValuesSize size;      /* 0: not given */
    ValuesTiles flipbook; /* 0: none */
    ValuesCamera camera;
    ValuesQuality quality;
    int samples; /* 0: not given */
    double turntable;
    bool transparent;
    const char *shader_folder;
} RenderOptions;

static const ArgsOption options[] = {
    ARGS_ROW_PARSED(
        "out", "FILE", RenderOptions, output, values_parse_output,
        "a.png: the last frame; f_%04d.png: every frame, numbered from 1; -: the last frame on "
        "standard output; a.mp4, a.webm, a.gif: a video of all frames, made by ffmpeg; a.exr, "
        "f_%04d.exr, exr:-: pictures in linear light with depth, see below; default SCENE.png"),
    ARGS_ROW_PARSED(
        "size", "WxH", RenderOptions, size, values_parse_size,
        "size of the picture, 16 to 16384 pixels each; default 1280x720, and 256x256 for a tile "
        "of a --flipbook; large pictures are drawn in parts"),
    ARGS_ROW_PARSED(
        "flipbook", "CxR", RenderOptions, flipbook, values_parse_tiles,
        "all frames in one a.png for game engines, in C columns and R rows, 1 to 128 each; "
        "motion vectors and a description go into two other files, see below; one frame per "
        "tile unless --frames is given; default: none"),
    ARGS_ROW_PARSED(
        "quality", "Q", RenderOptions, quality, values_parse_quality,
        "draft: the scene as the window plays it; good: finer, with the values of the scene's "
        "poster.set; best: 1.5 times the cells on each axis and 4 rays per pixel. Each takes about "
        "five times as long as the one before; default good"),
    ARGS_ROW_PARSED(
        "camera", "A,E,D[,FOV]", RenderOptions, camera, values_parse_camera,
        "azimuth, elevation (degrees), distance from the target (m) and vertical field of view "
        "(degrees); default: the scene's own"),
    ARGS_ROW_NUMBER(
        "turntable", "S", RenderOptions, turntable, 0.01, 1e6,
        "turn the camera once around to the right in S seconds of simulated time; default: "
        "the scene's own camera"),
    ARGS_ROW_WHOLE(
        "samples", "N", RenderOptions, samples, 1, 16,
        "rays per pixel: 1, 4, 9 or 16. More rays give smoother edges and less noise, and take "
        "proportionally longer; default 1, and 4 for --quality best; not for .exr"),
    ARGS_ROW_FLAG("transparent", RenderOptions, transparent,
                  "draw the smoke alone, without a backdrop; .png, .exr and .webm keep its alpha"),
    ARGS_ROW_TEXT("shaders", "DIR", RenderOptions, shader_folder,
                  "GLSL files to use instead of the built-in ones"),
    {.type = ARGS_END},
};

static void set_defaults(void *memory)
{
    RenderOptions *settings = memory;
    settings->quality.quality = SCENE_GOOD;
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

static int frames_of(const RenderOptions *settings)
{
    if (settings->scene.frames > 0)
        return settings->scene.frames;
    return is_flipbook(settings) ? settings->flipbook.columns * settings->flipbook.rows
                                 : COMMAND_FRAMES;
}

/* The size of --size, or the next larger one that the format can have. */
static ValuesSize picture_size(const RenderOptions *settings)
{
    const ValuesSize usual =
        is_flipbook(settings) ? (ValuesSize){256, 256} : (ValuesSize){1280, 720};
    const ValuesSize asked = settings->size.width > 0 ? settings->size : usual;
    ValuesSize size = asked;
    picture_format_fit(settings->output.picture, &size.width, &size.height);
    if (!settings->scene.quiet && (size.width != asked.width || size.height != asked.height))
        fprintf(stderr, "billow: notice: %s files have even widths and heights: drawn at %dx%d\n",
                settings->output.picture->ending, size.width, size.height);
    return size;
}

/* Fails if the flipbook cannot be written as asked. */
static bool check_flipbook(const Capture *capture, BillowError *error)
{
    const FlipbookForm form = capture_flipbook(capture);
    if (!paths_end_in(form.path, ".png") || capture->output.sequence)
        return fail(error,
                    "--flipbook writes one sheet, such as a.png; '%.200s' does not name one .png "
                    "file",
                    form.path);
    return flipbook_fits(&form, error);
}

/* Adds the output files: frames from number `first` on, or a flipbook with its other files. */
static bool list_outputs(const RenderOptions *settings, int first, int frames, Outputs *outputs,
                         FlipbookPaths *paths, BillowError *error)
{
    outputs_add_frames(outputs, "--out", &settings->output, first, first + frames - 1);
    if (!is_flipbook(settings))
        return true;
    if (!flipbook_paths(settings->output.text, paths, error))
        return false;
    outputs_add(outputs, "--flipbook", paths->motion);
    outputs_add(outputs, "--flipbook", paths->description);
    return true;
}

/* Names the output after a scene, such as plume.png for scenes/plume.yaml. */
static bool name_output(const char *scene, char name[PATHS_SIZE], OutputName *output,
                        BillowError *error)
{
    const char *slash = strrchr(scene, '/'), *base = slash != NULL ? slash + 1 : scene;
    size_t length = strcspn(base, ".");
    if (length == 0 || length + sizeof ".png" > PATHS_SIZE || memchr(base, '%', length) != NULL)
        return fail(error, "'render' needs --out FILE, such as --out plume.png");
    snprintf(name, PATHS_SIZE, "%.*s.png", (int)length, base);
    return values_parse_output(name, output, error);
}

/* Checks what needs no scene. finer: samples of a pixel along each edge. */
static bool check_usage(const RenderOptions *settings, const SceneAsk *ask, int *finer,
                        BillowError *error)
{
    const VideoForm form = {
        .alpha = settings->transparent, .fps = settings->scene.fps, .instead = CAPTURE_INSTEAD};
    if (settings->quality.given && ask->resume != NULL)
        return fail(error, "--quality has no use with --resume: the run continues on the grid and "
                           "with the values of its checkpoint");
    if (!scene_start_check_every(ask, error) ||
        (settings->transparent &&
         !picture_format_check_alpha(settings->output.picture, settings->output.text,
                                     CAPTURE_INSTEAD, error)) ||
        (settings->output.picture->storage == PICTURE_VIDEO &&
         !video_takes(settings->output.text, &form, error)))
        return false;
    const bool floats = settings->output.picture->storage == PICTURE_FLOATS;
    *finer = 1;
    const int usual = settings->quality.quality == SCENE_BEST && !floats ? 4 : 1;
    const int samples = settings->samples > 0 ? settings->samples : usual;
    while (*finer * *finer < samples)
        ++*finer;
    if (*finer * *finer != samples || (*finer > 1 && floats))
        return fail(error, "--samples: must be %s, not %d",
                    floats ? "1 for EXR files, as distances have no mean" : "1, 4, 9 or 16",
                    samples);
    return true;
}

static void turn_camera(const ValuesCamera *camera, Scene *scene)
{
    if (!camera->given)
        return;
    scene_drop_tracks(scene, "camera.");
    scene->render.camera.azimuth = camera->azimuth;
    scene->render.camera.elevation = camera->elevation;
    scene->render.camera.distance = camera->distance;
    if (camera->fov > 0)
        scene->render.camera.fov = camera->fov;
}

static Status draw(const RenderOptions *settings, Capture *capture, Outputs *outputs,
                   BillowError *error)
{
    FlipbookPaths paths;
    SceneStart *start = capture->start;
    Status status = scene_start_open(capture->ask, CAPTURE_CELL_BYTES, start, error);
    if (status != STATUS_DONE)
        return status;
    SliceAsk slice = capture->slice;
    if (!scene_start_fps(start, settings->scene.fps, &capture->fps, error) ||
        (slice.given && !slice_ask_settle(&slice, &start->def, &start->scene.render.camera, error)))
        return STATUS_USAGE;
    if (!capture->quiet && !start->resumed)
        scene_start_note(start->name, &start->scene);
    turn_camera(&settings->camera, &start->scene);
    if (is_still(settings) && settings->scene.frames == 0 && !start->resumed)
        capture->frames = scene_start_poster_frames(start, capture->fps);
    if (!list_outputs(settings, (int)start->run.frames + 1, capture->frames, outputs, &paths,
                      error))
        return STATUS_FAILED;
    status = outputs_probe(outputs, error);
    if (status != STATUS_DONE)
        return status;
    const FlipbookForm form = capture_flipbook(capture);
    if (is_flipbook(settings) && !flipbook_memory(&form, error))
        return STATUS_FAILED;
    return capture_run(capture, error);
}

static Status run(const void *memory, BillowError *error)
{
    RenderOptions given = *(const RenderOptions *)memory;
    const RenderOptions *settings = &given;
    char name[PATHS_SIZE];
    const CommandScene *scene = &settings->scene;
    SceneAsk ask = command_scene_ask(scene, "render");
    ask.request.quality = settings->quality.quality;
    SceneStart start;
    Outputs outputs = {.force = scene->force};
    int finer = 1;
    const char *named = ask.resume != NULL                 ? ask.resume
                        : ask.request.name_or_path != NULL ? ask.request.name_or_path
                                                           : "scene"; /* refused when opened */
    if (given.output.text == NULL && !name_output(named, name, &given.output, error))
        return STATUS_USAGE;
    if (!check_usage(settings, &ask, &finer, error))
        return STATUS_USAGE;
    outputs_add_checkpoint(&outputs, scene->checkpoint, scene->resume);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    const ValuesSize size = picture_size(settings);
    Capture capture = {.start = &start,
                       .ask = &ask,
                       .output = settings->output,
                       .width = size.width,
                       .height = size.height,
                       .columns = settings->flipbook.columns,
                       .rows = settings->flipbook.rows,
                       .frames = frames_of(settings),
                       .finer = finer,
                       .turntable = settings->turntable,
                       .slice = scene->slice,
                       .transparent = settings->transparent || is_flipbook(settings),
                       .shader_folder = settings->shader_folder,
                       .quiet = scene->quiet};
    if (is_flipbook(settings) && !check_flipbook(&capture, error))
        return STATUS_USAGE;
    status = draw(settings, &capture, &outputs, error);
    scene_start_close(&start);
    return status;
}

static const char notes[] =
    "Frame n shows the simulated time n/F. A still a.png equals the last picture of the sequence\n"
    "f_%04d.png, except with automatic exposure, which adapts from frame to frame in a sequence.\n"
    "Ctrl-C stops within one step and leaves no incomplete picture; a video then ends early.\n\n"
    "Videos need ffmpeg. .mp4 is H.264. .webm is VP9 and can be --transparent. .gif has 256\n"
    "colours and at most 50 frames a second. If ffmpeg fails, the frames so far are saved as\n"
    "NAME.partial.mp4 and so on.\n\n"
    "A flipbook a.png holds its frames row by row from the top left; unused tiles are empty. Its\n"
    "background is transparent, its alpha straight. a_motion.png has half the resolution. It "
    "holds\n"
    "the visible motion from each frame to the next, in pixels of a tile: red to the right, green\n"
    "down, each byte/255 = 0.5 + motion/(2 S). Its blue is the opacity. a.json holds S as\n"
    "motion.scale_pixels, and columns, rows, frames, fps and the rest. An interrupted run writes\n"
    "none of the three files.\n\n" COMMAND_CHECKPOINT_NOTES
    "A resumed sequence continues its numbers; a video or a flipbook starts a new file. Repeat\n"
    "--size and the other options of the picture: the pictures then equal those of an\n"
    "uninterrupted run to the byte.\n\n"
    "EXR files hold the radiance before exposure and tone curve. The scene's exposure is not\n"
    "applied; it is noted as billow:exposure. R G B A: linear, Rec. 709 primaries, premultiplied,\n"
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
             "  billow render explosion --out e.png --flipbook 8x8   a sheet for game engines\n",
         COMMAND_SCENE_OPERAND("not with --resume"),
         .tables = {options, command_frames_options, command_grid_options, command_set_options,
                    command_threads_options, command_slice_options, command_checkpoint_options,
                    command_quiet_options, command_force_options},
         .notes = notes},
    .settings_size = sizeof(RenderOptions),
    .set_defaults = set_defaults,
    .run = run,
    .draws = command_draws,
};
