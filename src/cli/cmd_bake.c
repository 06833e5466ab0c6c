/* SPDX-License-Identifier: MIT */
#include "atomic_file.h"
#include "command.h"
#include "fail.h"
#include "keeper.h"
#include "system.h"
#include "values.h"

#include <string.h>

typedef struct BakeSettings {
    CommandScene scene;
    ValuesVolumes volumes;
    unsigned fields; /* 0: all there are */
    ValuesUp up;
    bool whole_floats;
    double threshold; /* negative: none was asked for */
} BakeSettings;

static const ArgsOption options[] = {
    {.name = "out",
     .placeholder = "FILE",
     .help = "a.vdb: the last frame; f_%04d.vdb: every frame, numbered from 1; a.vti, f_%04d.vti: "
             "the same for ParaView, and f.pvd, which lists them; vdb:- or vti:-: the last frame "
             "to standard output; must be given",
     .type = ARGS_PARSED,
     .parse = values_parse_volumes,
     .offset = offsetof(BakeSettings, volumes)},
    {.name = "fields",
     .placeholder = "FIELD,...",
     .help =
         "which to write: density, temperature, flame, fuel, velocity, color; default: all that "
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
     .help = "numbers of 32 bits in .vdb, where they have 16 otherwise; not for .vti, which has 32",
     .type = ARGS_FLAG,
     .offset = offsetof(BakeSettings, whole_floats)},
    {.name = "threshold",
     .placeholder = "D",
     .help = "density below which a cell of a .vdb counts as empty; default 0.0001; not for "
             ".vti, which has all cells",
     .type = ARGS_NUMBER,
     .least = 0,
     .most = 1,
     .offset = offsetof(BakeSettings, threshold)},
    {.type = ARGS_END},
};

/* What a cell needs of memory besides the simulation: its numbers, those of a sparse grid, and what
 * they are compressed to. */
#define BYTES_PER_CELL 120.0
/* Less is left out of a .vdb unless --threshold says otherwise. */
#define DENSITY_SEEN 1e-4f

typedef struct Bake {
    const BakeSettings *settings;
    int frames;
    double fps;
    ScenePlay *play;
    BillowSim *sim;
    VolumeFrame frame;
    Keeper keeper;
    double step; /* s; the longest one */
    int before;  /* frames that there were already */
    int written; /* number of the last frame written; 0 of none */
} Bake;

static int frames_of(const BakeSettings *settings)
{
    return settings->scene.frames > 0 ? settings->scene.frames : COMMAND_FRAMES;
}

/* -- the list of a .vti sequence ----------------------------------------------------------------
 */

static bool has_list(const BakeSettings *settings)
{
    return settings->volumes.format->listed && settings->volumes.output.sequence;
}

static bool name_frame(const void *output, int number, char *name, BillowError *error)
{
    return values_output_path(output, number, name, PVD_NAME, error);
}

/* f_%04d.vti has its list in f.pvd, and %04d.vti in frames.pvd. */
static bool list_path(const ValuesOutput *output, char *path, size_t size, BillowError *error)
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

/* Of those that were there already, too, where they lie there. */
static int first_listed(const Bake *bake)
{
    char path[4096];
    BillowError error;
    int first = bake->before + 1;
    while (
        first > 1 &&
        values_output_path(&bake->settings->volumes.output, first - 1, path, sizeof path, &error) &&
        atomic_file_stands(path))
        first--;
    return first;
}

/* Also after an interrupt: of the frames there are. */
static bool write_list(const Bake *bake, BillowError *error)
{
    char path[4096];
    const ValuesOutput *output = &bake->settings->volumes.output;
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
    if (!values_output_path(&settings->volumes.output, number, path, sizeof path, error))
        return false;
    volume_frame_fill(&bake->frame, &view);
    return settings->volumes.format->write(path, &bake->frame, error);
}

static Status run_frames(Bake *bake, Progress *progress, BillowError *error)
{
    const BakeSettings *settings = bake->settings;
    Status status = STATUS_DONE;
    for (int frame = 1; frame <= bake->frames && status == STATUS_DONE; frame++) {
        int number = bake->before + frame;
        status = command_play_frame(bake->play, bake->sim, 1 / bake->fps, bake->step,
                                    &bake->keeper.run, error);
        if (status != STATUS_DONE)
            break;
        bool wanted = settings->volumes.output.sequence || frame == bake->frames;
        if (wanted && !write_frame(bake, number, error))
            return STATUS_FAILED;
        bake->written = wanted ? number : bake->written;
        keeper_note_frame(&bake->keeper);
        progress_update(progress, "frame", frame, bake->frames);
    }
    return status;
}

static void say_where(const Bake *bake)
{
    char list[4096], more[4096 + 16] = "";
    BillowError error;
    const ValuesOutput *output = &bake->settings->volumes.output;
    if (has_list(bake->settings) && list_path(output, list, sizeof list, &error))
        snprintf(more, sizeof more, ", listed in %s", list);
    command_say_written(output, bake->before + 1, bake->written, more);
}

/* -- the command --------------------------------------------------------------------------------
 */

/* Everything that can be missing is asked for before the first step. */
static bool probe(const BakeSettings *settings, const Start *start, BillowError *error)
{
    char path[4096];
    const ValuesOutput *output = &settings->volumes.output;
    if ((settings->volumes.format->available != NULL &&
         !settings->volumes.format->available(error)) ||
        !command_may_write_frames(&settings->scene, output, (int)start->run.frames + 1,
                                  frames_of(settings), error))
        return false;
    CommandScene list = settings->scene; /* one that goes on is written anew */
    list.force = list.force || start->run.frames > 0;
    return !has_list(settings) ||
           (list_path(output, path, sizeof path, error) && command_may_write(&list, path, error));
}

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

static bool open_bake(Bake *bake, Start *start, unsigned fields, BillowError *error)
{
    const BakeSettings *settings = bake->settings;
    const VolumeUp up = settings->up == VALUES_UP_Y   ? VOLUME_UP_Y
                        : settings->up == VALUES_UP_Z ? VOLUME_UP_Z
                                                      : settings->volumes.format->up;
    bake->step = (double)start->scene.step;
    bake->before = (int)start->run.frames;
    if (!start_play(start, &bake->play, &bake->sim, error) ||
        !keeper_open(&bake->keeper, &settings->scene, "bake", start, bake->play, bake->sim, error))
        return false;
    bake->keeper.run.fps = bake->fps;
    bake->keeper.run.exposed = false; /* as nothing is drawn */
    if (!volume_frame_create(&bake->frame, &start->def, fields, up,
                             settings->threshold < 0 ? DENSITY_SEEN : (float)settings->threshold,
                             start->scene.name, error))
        return false;
    bake->frame.whole_floats = settings->whole_floats;
    return true;
}

static Status bake_scene(const BakeSettings *settings, Start *start, double fps, unsigned fields)
{
    Bake bake = {.settings = settings, .frames = frames_of(settings), .fps = fps};
    BillowError error, list_error;
    system_watch_interrupts();
    Status status = STATUS_FAILED;
    if (open_bake(&bake, start, fields, &error)) {
        Progress progress = progress_start(settings->scene.quiet);
        status = run_frames(&bake, &progress, &error);
        progress_end(&progress);
        if (!write_list(&bake, &list_error) && status != STATUS_FAILED) {
            error = list_error;
            status = STATUS_FAILED;
        }
    }
    say_where(&bake);
    status = keeper_finish(&bake.keeper, status, &error);
    keeper_close(&bake.keeper);
    volume_frame_destroy(&bake.frame);
    billow_destroy(bake.sim);
    scene_play_destroy(bake.play);
    return status;
}

/* Options that have no meaning for that kind of file. */
static bool check_stray(const BakeSettings *settings, BillowError *error)
{
    const char *stray = settings->whole_floats     ? "--float32: numbers"
                        : settings->threshold >= 0 ? "--threshold: cells"
                                                   : NULL;
    return stray == NULL || settings->volumes.format->sparse ||
           fail(error, "%s of a %s are %s; the option is for .vdb", stray,
                settings->volumes.format->ending,
                settings->whole_floats ? "of 32 bits always" : "all written, empty or not");
}

static void set_defaults(void *memory)
{
    BakeSettings *settings = memory;
    settings->threshold = -1;
}

/* Says itself what went wrong. */
static Status open_and_bake(const BakeSettings *settings, Start *start)
{
    BillowError error;
    unsigned fields;
    double fps;
    Status status = start_open(&settings->scene, "bake", BYTES_PER_CELL, start, &error);
    if (status != STATUS_DONE)
        return report_status(status, &error);
    if (!choose_fields(settings, start->name, &start->def, &fields, &error) ||
        !start_fps(start, settings->scene.fps, &fps, &error))
        return report_usage(&error);
    if (!probe(settings, start, &error))
        return report_failure(&error);
    if (!settings->scene.quiet && !start->resumed)
        command_note_scene(start->name, &start->scene);
    return bake_scene(settings, start, fps, fields);
}

static Status run(const void *memory)
{
    const BakeSettings *settings = memory;
    BillowError error;
    Start start;
    if (!command_has_output(&settings->volumes.output, "bake", "plume_%04d.vdb", &error) ||
        !check_stray(settings, &error) || !keeper_check(&settings->scene, &error))
        return report_usage(&error);
    Status status = open_and_bake(settings, &start);
    start_close(&start);
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
             "Frame n holds the simulated time n/F. Ctrl-C stops within one step; every file on "
             "disk is then\nwhole.\n\n" COMMAND_CHECKPOINT_NOTES "\n"
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
