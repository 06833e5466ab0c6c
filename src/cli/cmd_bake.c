/* SPDX-License-Identifier: MIT */
#include "base/fail.h"
#include "base/system.h"
#include "capture/scene_start.h"
#include "cli/command.h"
#include "cli/values.h"
#include "io/atomic_file.h"
#include "mpi/cluster.h"

#include <string.h>

/* What a program expects in files. */
typedef struct Program {
    const char *name;
    VolumeUp up;
    const char *velocity, *color; /* names of fields */
} Program;

static const Program programs[] = {{"blender", VOLUME_UP_Z, "velocity", "color"},
                                   {"houdini", VOLUME_UP_Y, "vel", "Cd"}};

typedef struct BakeSettings {
    CommandScene scene;
    OutputName output;
    unsigned fields; /* to write, a bit for each; 0: all that the scene has */
    ValuesUp up;
    const Program *program; /* NULL: the usual names and axis of the format */
    bool whole_floats;
    double threshold; /* density below which a cell is empty; negative: not given */
} BakeSettings;

static bool parse_program(const char *text, void *destination, BillowError *error)
{
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        if (strcmp(text, programs[p].name) == 0) {
            *(const Program **)destination = &programs[p];
            return true;
        }
    return fail(error, "must be blender or houdini, not '%.100s'", text);
}

static const ArgsOption options[] = {
    ARGS_ROW_PARSED(
        "out", "FILE", BakeSettings, output, values_parse_volumes,
        "a.vdb: the last frame; f_%04d.vdb: every frame, numbered from 1; a.vti, "
        "f_%04d.vti: the same for ParaView, with a list of the files in f.pvd; a.nvdb: "
        "for NanoVDB; a.npz: for NumPy; vdb:-, nvdb:-, vti:- or npz:-: the last frame on "
        "standard output; required"),
    ARGS_ROW_NAMES("fields", "FIELD,...", BakeSettings, fields, values_parse_fields,
                   volume_field_name, "fields to write; default: all that the scene has"),
    ARGS_ROW_PARSED("up", "AXIS", BakeSettings, up, values_parse_up,
                    "axis of the file that points up: z, as in Blender, or y, as in Houdini and "
                    "ParaView; default: z for .vdb and .nvdb, y for .vti and .npz"),
    ARGS_ROW_PARSED("for", "PROGRAM", BakeSettings, program, parse_program,
                    "blender: the names below, z up; houdini: vel and Cd for velocity and color, "
                    "y up; default: the names below"),
    ARGS_ROW_FLAG("float32", BakeSettings, whole_floats,
                  "write 32-bit numbers into a .vdb; default: 16-bit. Others always have 32"),
    ARGS_ROW_NUMBER(
        "threshold", "D", BakeSettings, threshold, 0, 1,
        "density below which a cell of a .vdb or .nvdb counts as empty; default 0.0001. A .vti "
        "has all cells"),
    {.type = ARGS_END},
};

/* Memory of a cell besides the simulation, bytes: its values, a sparse grid of them, and the
 * compressed file. */
#define BYTES_PER_CELL 120.0
#define THRESHOLD      1e-4f /* default of --threshold */

typedef struct Bake {
    const BakeSettings *settings;
    OutputName output; /* as in the settings, with another ending where ranks write together */
    OutputName piece;  /* the files of this rank; text NULL: none */
    char output_text[OUTPUT_PATH], piece_text[OUTPUT_PATH];
    bool together; /* whether all ranks write; only the first has standard output */
    double fps;
    SceneRun *run;
    VolumeFrame frame;
} Bake;

static int frames_of(const BakeSettings *settings)
{
    return settings->scene.frames > 0 ? settings->scene.frames : COMMAND_FRAMES;
}

/* -- the list of a .vti sequence --------------------------------------------------------------- */

static bool has_list(const Bake *bake)
{
    return bake->output.volume->listed && bake->output.sequence;
}

static bool name_frame(const void *output, int number, char *name, BillowError *error)
{
    return output_name_path(output, number, name, PVD_NAME, error);
}

/* Path of the list: f.pvd for f_%04d.vti, frames.pvd for %04d.vti. */
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

/* Number of the first frame in the list. After --resume, the list includes files of the earlier
 * run. */
static int first_listed(const Bake *bake)
{
    char path[4096];
    BillowError error;
    int first = bake->run->before + 1;
    while (first > 1 && output_name_path(&bake->output, first - 1, path, sizeof path, &error) &&
           atomic_file_stands(path))
        first--;
    return first;
}

/* Lists the frames that were written, also after an interruption. */
static bool write_list(const Bake *bake, BillowError *error)
{
    char path[4096];
    const OutputName *output = &bake->output;
    return !has_list(bake) || bake->run->written == 0 || !cluster_leads() ||
           (list_path(output, path, sizeof path, error) &&
            pvd_file_write(path, bake->run->before > 0, first_listed(bake), bake->run->written,
                           bake->fps, name_frame, output, error));
}

/* -- frames ------------------------------------------------------------------------------------ */

/* context: the Bake. */
static bool write_frame(void *context, int number, BillowError *error)
{
    char path[4096];
    Bake *bake = context;
    BillowView view = scene_run_view(bake->run);
    VolumeSlab slab = {.view = &view, .shared = bake->together};
    scene_run_planes(bake->run, &slab.first, &slab.end);
    return output_name_path(&bake->output, number, path, sizeof path, error) &&
           bake->output.volume->write(path, &bake->frame, &slab, error);
}

static void print_where(const Bake *bake)
{
    char list[4096], more[4096 + 16] = "";
    BillowError error;
    const OutputName *output = &bake->output;
    if (has_list(bake) && list_path(output, list, sizeof list, &error))
        snprintf(more, sizeof more, ", listed in %s", list);
    outputs_print(output, bake->run->before + 1, bake->run->written, more);
}

/* -- the command ------------------------------------------------------------------------------- */

static bool choose_fields(const BakeSettings *settings, const char *scene, const BillowDef *def,
                          unsigned *fields, BillowError *error)
{
    unsigned there = volume_fields_of(def);
    *fields = settings->fields != 0 ? settings->fields : there;
    for (int field = 0; volume_field_name(field) != NULL; field++)
        if ((*fields & ~there & 1u << field) != 0)
            return fail(error, "%.200s has no field '%s'; %s adds it", scene,
                        volume_field_name(field),
                        strcmp(volume_field_name(field), "color") == 0 ? "--set fluid.color=true"
                                                                       : "--set fluid.fire=true");
    return true;
}

/* Names what is written. */
static bool name_outputs(Bake *bake, BillowError *error)
{
    const OutputName *asked = &bake->settings->output;
    const VolumeFormat *format = asked->volume;
    bake->output = *asked;
    if (!bake->together)
        return true;
    int stem = (int)(strlen(asked->text) - strlen(format->ending));
    int length = snprintf(bake->output_text, sizeof bake->output_text, "%.*s%s", stem, asked->text,
                          format->shared_ending);
    if (length < 0 || (size_t)length >= sizeof bake->output_text)
        return fail(error, "%.100s...: the name is too long", asked->text);
    if (!output_name_parse(bake->output_text, &bake->output, error))
        return false;
    bake->piece = bake->output;
    bake->piece.text = NULL;
    return format->piece_path == NULL ||
           (format->piece_path(bake->output_text, cluster_exchange()->rank, bake->piece_text,
                               sizeof bake->piece_text, error) &&
            output_name_parse(bake->piece_text, &bake->piece, error));
}

static bool open_bake(Bake *bake, unsigned fields, BillowError *error)
{
    const BakeSettings *settings = bake->settings;
    const Program *program = settings->program;
    const VolumeUp up = settings->up == VALUES_UP_Y   ? VOLUME_UP_Y
                        : settings->up == VALUES_UP_Z ? VOLUME_UP_Z
                        : program != NULL             ? program->up
                                                      : settings->output.volume->up;
    const int factor = bake->run->scene.upres.factor;
    BillowDef fine = bake->run->def;
    fine.nx *= factor;
    fine.ny *= factor;
    fine.nz = 1; /* the planes are given by write_frame */
    fine.cell_size /= (float)factor;
    if (!scene_run_begin(bake->run, bake->fps, error) ||
        !scene_run_prepare_frames(bake->run, bake->together, 0, error))
        return false;
    bool created =
        (!bake->together && !cluster_leads()) ||
        volume_frame_create(&bake->frame, &fine, fields, up,
                            settings->threshold < 0 ? THRESHOLD : (float)settings->threshold,
                            bake->run->scene.name, error);
    if (!cluster_agree(created, error))
        return false;
    bake->run->progress.exposed = false; /* nothing is drawn */
    bake->frame.whole_floats = settings->whole_floats;
    bake->frame.fps = bake->fps;
    for (int f = 0; program != NULL && f < bake->frame.field_count; f++) {
        const char **name = &bake->frame.fields[f].of.name;
        *name = strcmp(*name, "velocity") == 0 ? program->velocity
                : strcmp(*name, "color") == 0  ? program->color
                                               : *name;
    }
    return true;
}

static Status bake_scene(Bake *bake, unsigned fields, BillowError *error)
{
    BillowError reason;
    Status status = STATUS_FAILED;
    if (open_bake(bake, fields, error)) {
        status = scene_run_frames(bake->run, frames_of(bake->settings), bake->output.sequence,
                                  write_frame, bake, error);
        if (!write_list(bake, &reason) && status != STATUS_FAILED) {
            *error = reason;
            status = STATUS_FAILED;
        }
    }
    print_where(bake);
    status = scene_run_finish(bake->run, status, error);
    volume_frame_destroy(&bake->frame);
    return status;
}

/* Refuses options that have no meaning for the format. */
static bool check_stray(const BakeSettings *settings, BillowError *error)
{
    const VolumeFormat *format = settings->output.volume;
    if (settings->whole_floats && strcmp(format->ending, ".vdb") != 0)
        return fail(error,
                    "--float32: numbers of a %s are of 32 bits always; the option is for .vdb",
                    format->ending);
    return settings->threshold < 0 || format->sparse ||
           fail(error,
                "--threshold: cells of a %s are all written, empty or not; the option is "
                "for .vdb",
                format->ending);
}

static void set_defaults(void *memory)
{
    BakeSettings *settings = memory;
    settings->threshold = -1;
}

/* Adds the output files. list: buffer for the path of the sequence's list. */
static bool list_outputs(const Bake *bake, Outputs *outputs, char *list, size_t size,
                         BillowError *error)
{
    int first = bake->run->before + 1, last = first + frames_of(bake->settings) - 1;
    outputs_add_frames(outputs, "--out", &bake->output, first, last);
    if (bake->piece.text != NULL) {
        outputs_add_frames(outputs, "--out", &bake->piece, first, last);
        outputs->items[outputs->count - 1].own = true;
    }
    if (!has_list(bake))
        return true;
    if (!list_path(&bake->output, list, size, error))
        return false;
    outputs_add(outputs, "--out", list);
    /* A resumed run replaces the list by one with its own frames added. */
    outputs->items[outputs->count - 1].replace = bake->run->before > 0;
    return true;
}

static Status open_and_bake(const BakeSettings *settings, const SceneRequest *request,
                            Outputs *outputs, SceneRun *run, BillowError *error)
{
    unsigned fields;
    char list[OUTPUT_PATH];
    Bake bake = {.settings = settings,
                 .run = run,
                 .together = cluster_ranks() > 1 && !output_is_stdout(settings->output.text)};
    const VolumeFormat *format = settings->output.volume;
    Status status = scene_run_open(run, request, BYTES_PER_CELL * cluster_share(), error);
    if (status != STATUS_DONE)
        return status;
    if (!choose_fields(settings, run->name, &run->def, &fields, error) ||
        !scene_start_fps(run, settings->scene.fps, &bake.fps, error))
        return STATUS_USAGE;
    if (bake.together && format->shared_ending == NULL)
        return status_fail(
            STATUS_USAGE, error,
            "a %s is written by one process alone; write .vdb or .vti, or run without "
            "mpirun",
            format->ending);
    if ((format->available != NULL && !format->available(error)) || !name_outputs(&bake, error) ||
        !list_outputs(&bake, outputs, list, sizeof list, error))
        return STATUS_FAILED;
    system_watch_interrupts();
    status = outputs_probe(outputs, error);
    if (status != STATUS_DONE)
        return status;
    if (!request->quiet && !run->resumed)
        scene_start_note(run->name, &run->scene);
    return bake_scene(&bake, fields, error);
}

static Status run(const void *memory, BillowError *error)
{
    const BakeSettings *settings = memory;
    const CommandScene *scene = &settings->scene;
    SceneRequest request = command_scene_request(scene, "bake");
    SceneRun bake;
    Outputs outputs = {.force = scene->force};
    if (!command_has_output(&settings->output, "bake", "plume_%04d.vdb", error) ||
        !check_stray(settings, error) || !scene_start_check_every(&request, error))
        return STATUS_USAGE;
    outputs_add_checkpoint(&outputs, request.checkpoint, request.resume);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    status = open_and_bake(settings, &request, &outputs, &bake, error);
    scene_run_close(&bake);
    return status;
}

static const char notes[] =
    "Frame n holds the simulated time n/F. Ctrl-C stops within one step and leaves no incomplete\n"
    "file.\n\n" COMMAND_CHECKPOINT_NOTES "\n"
    "  density      concentration of smoke; times the scene's smoke.extinction: extinction, 1/m\n"
    "  temperature  K above ambient\n"
    "  flame        rate at which fuel burns, 1/s; only in scenes with fire\n"
    "  fuel         concentration of unburnt fuel; only in scenes with fire\n"
    "  velocity     m/s, at the cells' centres\n"
    "  color        of the smoke, linear Rec. 709, white in empty cells; only in scenes with\n"
    "               colours\n"
    "  age          mean time since the smoke was released, s; only in scenes with fluid.age or a\n"
    "               ramp by age\n\n"
    "A .vdb holds a grid of each name, in metres, with 16-bit values at the cells' centres. Cells\n"
    "are left out if density is below --threshold, temperature within 0.05 K of ambient, fuel\n"
    "below 0.0001, flame below 0.001, each component of velocity below 0.001, color white. With z\n"
    "up, the scene's x, y, z become x, z, -y. A .vti holds 32-bit values of all cells, with their\n"
    "units. A .nvdb holds the grids of a .vdb with 32 bits. A .npz holds arrays of all cells, of\n"
    "the shape (nz, ny, nx) or (nz, ny, nx, 3), and cell_size, origin, time and fps.\n";

const Command command_bake = {
    .spec = {.name = "bake",
             .summary = "simulate and write the fields for other programs: .vdb, .nvdb, .vti, .npz",
             .examples =
                 "  billow bake plume --out p_%04d.vdb          120 volumes for Blender\n"
                 "  billow bake plume --frames 30 --out p.vti   the last frame for ParaView\n",
             COMMAND_SCENE_OPERAND("not with --resume"),
             .tables = {options, command_frames_options, command_grid_options, command_set_options,
                        command_threads_options, command_checkpoint_options, command_quiet_options,
                        command_force_options},
             .notes = notes},
    .settings_size = sizeof(BakeSettings),
    .set_defaults = set_defaults,
    .run = run,
    .divides = command_always,
};
