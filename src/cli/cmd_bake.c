/* SPDX-License-Identifier: MIT */
#include "atomic_file.h"
#include "command.h"
#include "fail.h"
#include "scene_start.h"
#include "system.h"
#include "values.h"

#include <string.h>

typedef struct BakeSettings {
    CommandScene scene;
    OutputName output;
    unsigned fields; /* a bit per field; 0: all that the scene has */
    ValuesUp up;
    bool whole_floats;
    double threshold; /* density; negative: not given */
} BakeSettings;

static const ArgsOption options[] = {
    {.name = "out",
     .placeholder = "FILE",
     .help = "a.vdb: the last frame; f_%04d.vdb: every frame, numbered from 1; a.vti, f_%04d.vti: "
             "the same for ParaView, with f.pvd, the list of the files; vdb:- or vti:-: the last "
             "frame on standard output; required",
     .type = ARGS_PARSED,
     .parse = values_parse_volumes,
     .offset = offsetof(BakeSettings, output)},
    {.name = "fields",
     .placeholder = "FIELD,...",
     .help =
         "fields to write: density, temperature, flame, fuel, velocity, color; default: all that "
         "the scene has",
     .type = ARGS_PARSED,
     .parse = values_parse_fields,
     .offset = offsetof(BakeSettings, fields)},
    {.name = "up",
     .placeholder = "AXIS",
     .help =
         "which axis of the file points up: z, as in Blender, or y, as in Houdini and ParaView; "
         "default: z for .vdb, y for .vti",
     .type = ARGS_PARSED,
     .parse = values_parse_up,
     .offset = offsetof(BakeSettings, up)},
    {.name = "float32",
     .help = "write numbers of 32 bits into a .vdb; default: 16 bits. A .vti always has 32",
     .type = ARGS_FLAG,
     .offset = offsetof(BakeSettings, whole_floats)},
    {.name = "threshold",
     .placeholder = "D",
     .help = "density below which a cell of a .vdb counts as empty; default 0.0001. A .vti has all "
             "cells",
     .type = ARGS_NUMBER,
     .least = 0,
     .most = 1,
     .offset = offsetof(BakeSettings, threshold)},
    {.type = ARGS_END},
};

/* Memory of a cell besides the simulation, bytes: its values, a sparse grid of them, and the
 * compressed file. */
#define BYTES_PER_CELL 120.0
/* Default of --threshold. */
#define DENSITY_SEEN 1e-4f

typedef struct Bake {
    const BakeSettings *settings;
    int frames;
    double fps;
    ScenePlay *play;
    BillowSim *sim;
    VolumeFrame frame;
    RunCheckpoint writer;
    double step; /* longest step, s */
    int before;  /* frames of the checkpoint that it resumes from */
    int written; /* number of the last frame written; 0: none */
} Bake;

static int frames_of(const BakeSettings *settings)
{
    return settings->scene.frames > 0 ? settings->scene.frames : COMMAND_FRAMES;
}

/* -- the list of a .vti sequence ----------------------------------------------------------------
 */

static bool has_list(const BakeSettings *settings)
{
    return settings->output.volume->listed && settings->output.sequence;
}

static bool name_frame(const void *output, int number, char *name, BillowError *error)
{
    return output_name_path(output, number, name, PVD_NAME, error);
}

/* f_%04d.vti has its list in f.pvd, and %04d.vti in frames.pvd. */
static bool list_path(const OutputName *output, char *path, size_t size, BillowError *error)
{
    size_t length = output->number_at;
    while (length > 0 && strchr("_-.", output->text[length - 1]) != NULL)
        length--;
    bool bare = length == 0 || output->text[length - 1] == '/';
    int needed =
        snprintf(path, size, "%.*s%s.pvd", (int)length, output->text, bare ? "frames" : "");
    return (needed > 0 && (size_t)needed < size) ||
           fail(error, "%.100s...: the name is too long", output->text);
}

/* The list also names frames of the run before, as far back as their files exist. */
static int first_listed(const Bake *bake)
{
    char path[4096];
    BillowError error;
    int first = bake->before + 1;
    while (first > 1 &&
           output_name_path(&bake->settings->output, first - 1, path, sizeof path, &error) &&
           atomic_file_stands(path))
        first--;
    return first;
}

/* An interrupted run also writes the list, of the frames that exist. */
static bool write_list(const Bake *bake, BillowError *error)
{
    char path[4096];
    const OutputName *output = &bake->settings->output;
    return !has_list(bake->settings) || bake->written == 0 ||
           (list_path(output, path, sizeof path, error) &&
            pvd_file_write(path, first_listed(bake), bake->written, bake->fps, name_frame, output,
                           error));
}

/* -- frames -------------------------------------------------------------------------------------
 */

static bool write_frame(Bake *bake, int number, BillowError *error)
{
    char path[4096];
    const BakeSettings *settings = bake->settings;
    BillowView view = billow_view(bake->sim);
    if (!output_name_path(&settings->output, number, path, sizeof path, error))
        return false;
    volume_frame_fill(&bake->frame, &view);
    return settings->output.volume->write(path, &bake->frame, error);
}

static Status run_frames(Bake *bake, Progress *progress, BillowError *error)
{
    const BakeSettings *settings = bake->settings;
    Status status = STATUS_DONE;
    for (int frame = 1; frame <= bake->frames && status == STATUS_DONE; frame++) {
        int number = bake->before + frame;
        status = scene_start_frame(bake->play, bake->sim, 1 / bake->fps, bake->step,
                                   &bake->writer.run, error);
        if (status != STATUS_DONE)
            break;
        bool wanted = settings->output.sequence || frame == bake->frames;
        if (wanted && !write_frame(bake, number, error))
            return STATUS_FAILED;
        bake->written = wanted ? number : bake->written;
        run_checkpoint_note_frame(&bake->writer);
        progress_update(progress, "frame", frame, bake->frames);
    }
    return status;
}

static void say_where(const Bake *bake)
{
    char list[4096], more[4096 + 16] = "";
    BillowError error;
    const OutputName *output = &bake->settings->output;
    if (has_list(bake->settings) && list_path(output, list, sizeof list, &error))
        snprintf(more, sizeof more, ", listed in %s", list);
    outputs_say(output, bake->before + 1, bake->written, more);
}

/* -- the command --------------------------------------------------------------------------------
 */

static bool choose_fields(const BakeSettings *settings, const char *scene, const BillowDef *def,
                          unsigned *fields, BillowError *error)
{
    unsigned there = volume_fields_of(def);
    *fields = settings->fields != 0 ? settings->fields : there;
    for (int field = 0; volume_field_name(field) != NULL; field++)
        if ((*fields & ~there & 1u << field) != 0)
            return fail(error, "%.200s has no field '%s'; %s brings it", scene,
                        volume_field_name(field),
                        strcmp(volume_field_name(field), "color") == 0 ? "--set fluid.color=true"
                                                                       : "--set fluid.fire=true");
    return true;
}

static bool open_bake(Bake *bake, const SceneAsk *ask, SceneStart *start, unsigned fields,
                      BillowError *error)
{
    const BakeSettings *settings = bake->settings;
    const VolumeUp up = settings->up == VALUES_UP_Y   ? VOLUME_UP_Y
                        : settings->up == VALUES_UP_Z ? VOLUME_UP_Z
                                                      : settings->output.volume->up;
    bake->step = (double)start->scene.step;
    bake->before = (int)start->run.frames;
    if (!scene_start_play(start, &bake->play, &bake->sim, error) ||
        !run_checkpoint_open(&bake->writer, ask, start, bake->play, bake->sim, error))
        return false;
    bake->writer.run.fps = bake->fps;
    bake->writer.run.exposed = false; /* nothing is drawn */
    if (!volume_frame_create(&bake->frame, &start->def, fields, up,
                             settings->threshold < 0 ? DENSITY_SEEN : (float)settings->threshold,
                             start->scene.name, error))
        return false;
    bake->frame.whole_floats = settings->whole_floats;
    return true;
}

static Status bake_scene(const BakeSettings *settings, const SceneAsk *ask, SceneStart *start,
                         double fps, unsigned fields, BillowError *error)
{
    Bake bake = {.settings = settings, .frames = frames_of(settings), .fps = fps};
    BillowError list_error;
    system_watch_interrupts();
    Status status = STATUS_FAILED;
    if (open_bake(&bake, ask, start, fields, error)) {
        Progress progress = progress_start(settings->scene.quiet);
        status = run_frames(&bake, &progress, error);
        progress_end(&progress);
        if (!write_list(&bake, &list_error) && status != STATUS_FAILED) {
            *error = list_error;
            status = STATUS_FAILED;
        }
    }
    say_where(&bake);
    status = run_checkpoint_finish(&bake.writer, status, error);
    run_checkpoint_close(&bake.writer);
    volume_frame_destroy(&bake.frame);
    billow_destroy(bake.sim);
    scene_play_destroy(bake.play);
    return status;
}

/* Refuses options that have no meaning for the format. */
static bool check_stray(const BakeSettings *settings, BillowError *error)
{
    const char *stray = settings->whole_floats     ? "--float32: numbers"
                        : settings->threshold >= 0 ? "--threshold: cells"
                                                   : NULL;
    return stray == NULL || settings->output.volume->sparse ||
           fail(error, "%s of a %s are %s; the option is for .vdb", stray,
                settings->output.volume->ending,
                settings->whole_floats ? "of 32 bits always" : "all written, empty or not");
}

static void set_defaults(void *memory)
{
    BakeSettings *settings = memory;
    settings->threshold = -1;
}

/* Lists what is written. list: the path of a sequence's list, where it has one. */
static bool list_outputs(const BakeSettings *settings, const SceneStart *start, Outputs *outputs,
                         char *list, size_t size, BillowError *error)
{
    int first = (int)start->run.frames + 1;
    outputs_add_frames(outputs, "--out", &settings->output, first, first + frames_of(settings) - 1);
    if (!has_list(settings))
        return true;
    if (!list_path(&settings->output, list, size, error))
        return false;
    outputs_add(outputs, "--out", list);
    /* A run that goes on writes the list again, with its own frames added. */
    outputs->items[outputs->count - 1].replace = start->run.frames > 0;
    return true;
}

static Status open_and_bake(const BakeSettings *settings, const SceneAsk *ask, Outputs *outputs,
                            SceneStart *start, BillowError *error)
{
    unsigned fields;
    double fps;
    char list[OUTPUT_PATH];
    const VolumeFormat *format = settings->output.volume;
    Status status = scene_start_open(ask, BYTES_PER_CELL, start, error);
    if (status != STATUS_DONE)
        return status;
    if (!choose_fields(settings, start->name, &start->def, &fields, error) ||
        !scene_start_fps(start, settings->scene.fps, &fps, error))
        return STATUS_USAGE;
    if ((format->available != NULL && !format->available(error)) ||
        !list_outputs(settings, start, outputs, list, sizeof list, error))
        return STATUS_FAILED;
    status = outputs_probe(outputs, error);
    if (status != STATUS_DONE)
        return status;
    if (!settings->scene.quiet && !start->resumed)
        scene_start_note(start->name, &start->scene);
    return bake_scene(settings, ask, start, fps, fields, error);
}

static Status run(const void *memory, BillowError *error)
{
    const BakeSettings *settings = memory;
    const CommandScene *scene = &settings->scene;
    const SceneAsk ask = command_scene_ask(scene, "bake");
    SceneStart start;
    Outputs outputs = {.force = scene->force};
    if (!command_has_output(&settings->output, "bake", "plume_%04d.vdb", error) ||
        !check_stray(settings, error) || !run_checkpoint_check(&ask, error))
        return STATUS_USAGE;
    outputs_add_checkpoint(&outputs, scene->checkpoint, scene->resume);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    status = open_and_bake(settings, &ask, &outputs, &start, error);
    scene_start_close(&start);
    return status;
}

const Command command_bake = {
    .spec =
        {.name = "bake",
         .summary = "simulate and write the fields for other programs: .vdb, .vti",
         .operand = "[SCENE]",
         .operand_help = "a built-in scene ('billow scenes' lists them) or a scene file; none with "
                         "--resume",
         .operands_most = 1,
         .operands_offset = offsetof(CommandScene, operands),
         .tables = {options, command_frames_options, command_grid_options, command_set_options,
                    command_threads_options, command_checkpoint_options, command_quiet_options,
                    command_force_options},
         .notes =
             "Frame n holds the simulated time n/F. Ctrl-C stops within one step; all files that "
             "exist then are\nwhole.\n\n" COMMAND_CHECKPOINT_NOTES "\n"
             "  density      concentration of smoke; times the scene's smoke.extinction it is "
             "1/m\n"
             "  temperature  K above ambient\n"
             "  flame        fuel that burns a second, 1/s; where the scene has fire\n"
             "  fuel         concentration of unburnt fuel; likewise\n"
             "  velocity     m/s, at the cells' centres\n"
             "  color        of the smoke, linear Rec. 709, white where there is none; where the\n"
             "               scene has colours\n\n"
             "In a .vdb each is a grid of that name, in metres, values at the cells' centres, 16 "
             "bits.\nCells are left out where density is below --threshold, temperature within "
             "0.05 K of ambient,\nfuel below 0.0001, flame below 0.001, each part of velocity "
             "below 0.001, color white. With z\nup, x, y, z of the scene are x, z, -y there. In a "
             ".vti they are data of all cells, 32 bits,\nwith their units.\n"},
    .settings_size = sizeof(BakeSettings),
    .set_defaults = set_defaults,
    .run = run,
};
