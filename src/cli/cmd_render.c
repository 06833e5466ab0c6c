/* SPDX-License-Identifier: MIT */
#include "capture.h"
#include "command.h"
#include "fail.h"
#include "paths.h"
#include "picture_file.h"
#include "scene_start.h"
#include "values.h"
#include "video.h"

#include <string.h>

typedef struct RenderOptions {
    CommandScene scene;
    OutputName output;
    ValuesSize size;      /* 0: not given */
    ValuesTiles flipbook; /* 0: none */
    ValuesCamera camera;
    int samples;
    double turntable;
    bool transparent;
    const char *shader_folder;
} RenderOptions;

static const ArgsOption options[] = {
    {.name = "out",
     .placeholder = "FILE",
     .help =
         "a.png: the last frame; f_%04d.png: every frame, numbered from 1; -: the last frame on "
         "standard output; a.mp4, a.webm, a.gif: a video of all frames, made by ffmpeg; a.exr, "
         "f_%04d.exr, exr:-: pictures in linear light with depth, see below; required",
     .type = ARGS_PARSED,
     .parse = values_parse_output,
     .offset = offsetof(RenderOptions, output)},
    {.name = "size",
     .placeholder = "WxH",
     .help =
         "size of the picture, 16 to 16384 pixels each; default 1280x720, and 256x256 for a tile "
         "of a --flipbook; large pictures are drawn in parts",
     .type = ARGS_PARSED,
     .parse = values_parse_size,
     .offset = offsetof(RenderOptions, size)},
    {.name = "flipbook",
     .placeholder = "CxR",
     .help = "all frames in one a.png for game engines, in C columns and R rows, 1 to 128 each, "
             "with motion vectors and a description in two other files, see below; one frame per "
             "tile unless --frames is given; default: none",
     .type = ARGS_PARSED,
     .parse = values_parse_tiles,
     .offset = offsetof(RenderOptions, flipbook)},
    {.name = "camera",
     .placeholder = "A,E,D[,FOV]",
     .help =
         "azimuth, elevation (degrees), distance from the target (m) and vertical field of view "
         "(degrees); default: the scene's own",
     .type = ARGS_PARSED,
     .parse = values_parse_camera,
     .offset = offsetof(RenderOptions, camera)},
    {.name = "turntable",
     .placeholder = "S",
     .help = "turn the camera once around to the right in S seconds of simulated time; default: "
             "the scene's own camera",
     .type = ARGS_NUMBER,
     .least = 0.01,
     .most = 1e6,
     .offset = offsetof(RenderOptions, turntable)},
    {.name = "samples",
     .placeholder = "N",
     .help = "rays per pixel: 1, 4, 9 or 16. More rays give smoother edges and less noise for as "
             "many times the work; default 1; not for .exr",
     .type = ARGS_WHOLE,
     .least = 1,
     .most = 16,
     .offset = offsetof(RenderOptions, samples)},
    {.name = "transparent",
     .help = "draw the smoke alone, without a backdrop; .png, .exr and .webm keep its alpha",
     .type = ARGS_FLAG,
     .offset = offsetof(RenderOptions, transparent)},
    {.name = "shaders",
     .placeholder = "DIR",
     .help = "GLSL files to use instead of the built-in ones",
     .type = ARGS_TEXT,
     .offset = offsetof(RenderOptions, shader_folder)},
    {.type = ARGS_END},
};

static void set_defaults(void *memory)
{
    RenderOptions *settings = memory;
    settings->samples = 1;
}

static bool is_flipbook(const RenderOptions *settings)
{
    return settings->flipbook.columns > 0;
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

/* Refuses a flipbook that cannot be written as asked. */
static bool check_flipbook(const RenderOptions *settings, const FlipbookForm *form,
                           BillowError *error)
{
    const OutputName *output = &settings->output;
    if (!paths_end_in(output->text, ".png") || output->sequence)
        return fail(error,
                    "--flipbook writes one sheet, NAME.png, and two files beside it; "
                    "'%.200s' is none",
                    output->text);
    return flipbook_fits(form, error);
}

/* Lists the files of a run: frames from number first on, or a flipbook with its other files. */
static bool list_outputs(const RenderOptions *settings, int first, Outputs *outputs,
                         FlipbookPaths *paths, BillowError *error)
{
    outputs_add_frames(outputs, "--out", &settings->output, first, first + frames_of(settings) - 1);
    if (!is_flipbook(settings))
        return true;
    if (!flipbook_paths(settings->output.text, paths, error))
        return false;
    outputs_add(outputs, "--flipbook", paths->motion);
    outputs_add(outputs, "--flipbook", paths->description);
    return true;
}

/* Refuses options that the output's format cannot follow. */
static bool check_stray(const RenderOptions *settings, BillowError *error)
{
    const VideoForm form = {
        .alpha = settings->transparent, .fps = settings->scene.fps, .instead = CAPTURE_INSTEAD};
    return settings->output.picture->storage != PICTURE_VIDEO ||
           video_takes(settings->output.text, &form, error);
}

/* Checks what needs no scene. finer: samples of a pixel along each edge. */
static bool check_usage(const RenderOptions *settings, const SceneAsk *ask, int *finer,
                        BillowError *error)
{
    if (!command_has_output(&settings->output, "render", "plume.png", error) ||
        !run_checkpoint_check(ask, error) || !check_stray(settings, error))
        return false;
    const bool floats = settings->output.picture->storage == PICTURE_FLOATS;
    *finer = 1;
    while (*finer * *finer < settings->samples)
        ++*finer;
    if (*finer * *finer != settings->samples || (*finer > 1 && floats))
        return fail(error, "--samples %d: %s", settings->samples,
                    floats ? "EXR files have one, as distances have no mean"
                           : "it must be 1, 4, 9 or 16");
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

static Status draw(const RenderOptions *settings, const SceneAsk *ask, int finer,
                   FlipbookForm *form, Outputs *outputs, SceneStart *start, BillowError *error)
{
    FlipbookPaths paths;
    Status status = scene_start_open(ask, CAPTURE_CELL_BYTES, start, error);
    if (status != STATUS_DONE)
        return status;
    SliceAsk slice = settings->scene.slice;
    if (!scene_start_fps(start, settings->scene.fps, &form->fps, error) ||
        (slice.given && !slice_ask_settle(&slice, &start->def, &start->scene.render.camera, error)))
        return STATUS_USAGE;
    if (!settings->scene.quiet && !start->resumed)
        scene_start_note(start->name, &start->scene);
    turn_camera(&settings->camera, &start->scene);
    if (!list_outputs(settings, (int)start->run.frames + 1, outputs, &paths, error))
        return STATUS_FAILED;
    status = outputs_probe(outputs, error);
    if (status != STATUS_DONE)
        return status;
    if (is_flipbook(settings) && !flipbook_memory(form, error))
        return STATUS_FAILED;
    const Capture capture = {
        .scene = &start->scene,
        .def = &start->def,
        .start = start,
        .ask = ask,
        .output = settings->output,
        .width = form->width,
        .height = form->height,
        .frames = form->frames,
        .columns = settings->flipbook.columns,
        .rows = settings->flipbook.rows,
        .finer = finer,
        .fps = form->fps,
        .turntable = settings->turntable,
        .slice = settings->scene.slice,
        .transparent = settings->transparent || is_flipbook(settings),
        .shader_folder = settings->shader_folder,
        .quiet = settings->scene.quiet,
    };
    return capture_run(&capture, error);
}

static Status run(const void *memory, BillowError *error)
{
    const RenderOptions *settings = memory;
    const CommandScene *scene = &settings->scene;
    const SceneAsk ask = command_scene_ask(scene, "render");
    SceneStart start;
    Outputs outputs = {.force = scene->force};
    int finer;
    if (!check_usage(settings, &ask, &finer, error))
        return STATUS_USAGE;
    outputs_add_checkpoint(&outputs, scene->checkpoint, scene->resume);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    const ValuesSize size = picture_size(settings);
    FlipbookForm form = {.path = settings->output.text,
                         .columns = settings->flipbook.columns,
                         .rows = settings->flipbook.rows,
                         .frames = frames_of(settings),
                         .width = size.width,
                         .height = size.height};
    if (is_flipbook(settings) && !check_flipbook(settings, &form, error))
        return STATUS_USAGE;
    status = draw(settings, &ask, finer, &form, &outputs, &start, error);
    scene_start_close(&start);
    return status;
}

const Command command_render = {
    .spec =
        {.name = "render",
         .summary = "simulate and draw pictures, with no window",
         .operand = "[SCENE]",
         .operand_help = "a built-in scene ('billow scenes' lists them) or a scene file; none with "
                         "--resume",
         .operands_most = 1,
         .operands_offset = offsetof(CommandScene, operands),
         .tables = {options, command_frames_options, command_grid_options, command_set_options,
                    command_threads_options, command_slice_options, command_checkpoint_options,
                    command_quiet_options, command_force_options},
         .notes =
             "Frame n shows the simulated time n/F. The still a.png equals the last picture "
             "of the\nsequence f_%04d.png, except with automatic exposure, which adapts from "
             "frame to frame there.\nCtrl-C stops within one step; all files that exist then "
             "are whole, and a video has the frames\nso far.\n\n"
             "Videos need ffmpeg: .mp4 is H.264, .webm VP9, which keeps --transparent, .gif has "
             "256 colours\nand up to 50 frames a second. Where ffmpeg fails, the frames "
             "so far are kept as\nNAME.partial.mp4 and so on.\n\n"
             "A flipbook a.png has frame 1 at the top left and the next ones to its right, row by "
             "row;\nunused tiles are empty. Its background is transparent, its alpha "
             "straight.\na_motion.png, at half the resolution, has the visible motion "
             "from its frame to the next,\nin pixels of a tile: red to the right, green down, "
             "each byte/255 = 0.5 + motion/(2 S),\nwhere S, motion.scale_pixels, stands in "
             "a.json with columns, rows, frames, fps and the rest.\nIts blue is the opacity. "
             "An interrupted run writes none of the three.\n\n" COMMAND_CHECKPOINT_NOTES
             "A resumed sequence continues its numbers; a video or a flipbook starts a new file. "
             "Repeat --size\nand the other options of the picture: the pictures are then the same "
             "to the byte as without the\nbreak.\n\n"
             "EXR files hold radiance before exposure and tone curve, that is at exposure 1 "
             "whatever the\nscene's own is (it is noted as billow:exposure): R G B A, linear, "
             "Rec. 709 primaries,\npremultiplied, 16 bits. transmittance.R .G .B: what comes "
             "through the smoke of what is\nbehind, 16 bits. smoke.Z: mean distance of the "
             "smoke seen. Z: distance of the solid or the\nground behind it. Distances in "
             "metres along the view axis, 32 bits, 1e10 where there is\nnone, as Blender "
             "has it; in Nuke, 1/Z is its own depth.z, 0 where there is "
             "none. With --slice speed,\nlikewise of any field, slice.speed: its value where a "
             "pixel's ray meets the plane, in m/s,\nand slice.Z: how far that is; the light "
             "stays as it is, and neither range nor contours,\nveil or legend "
             "count.\n\n" COMMAND_SLICE_NOTES},
    .settings_size = sizeof(RenderOptions),
    .set_defaults = set_defaults,
    .run = run,
    .draws = command_draws,
};
