/* SPDX-License-Identifier: MIT */
#include "base/fail.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/values.h"
#include "scene/scene_checkpoint.h"
#include "scene/scene_write.h"

#include <math.h>

typedef struct CheckSettings {
    CommandScene scene;
    const char *write; /* NULL: nothing is written */
    int ranks;         /* 0: not given */
    Network network;   /* all 0: not given */
} CheckSettings;

static const ArgsOption options[] = {
    ARGS_ROW_TEXT(
        "write", "OUT", CheckSettings, write,
        "write the scene of one FILE, with --grid and --set, to a file that loads back to the "
        "same values; OUT may be - for standard output; default: nothing is written"),
    ARGS_ROW_WHOLE("ranks", "R", CheckSettings, ranks, 2, 4096,
                   "also predict memory, exchanges and time of a step on so many ranks of mpirun; "
                   "the scene may need more memory than this machine has"),
    ARGS_ROW_PARSED("network", "GBITS,US", CheckSettings, network, values_parse_network,
                    "network between the ranks: bandwidth, Gb/s, and latency, us; default 25,5"),
    {.type = ARGS_END},
};

static void print_checkpoint(const char *path, const CheckpointRun *run, FILE *stream)
{
    number_fprint(stream,
                  "%s: ok, a checkpoint of %s at %ux%ux%u after %llu steps, %.6g s, written by %s, "
                  "version %u",
                  path, run->scene, run->grid[0], run->grid[1], run->grid[2],
                  (unsigned long long)run->steps, run->time, run->program, CHECKPOINT_VERSION);
    if (run->fps > 0)
        number_fprint(stream, ", %llu frames, %.6g a second", (unsigned long long)run->frames,
                      run->fps);
    fprintf(stream, "\n");
}

/* Writes the scene to the file of --write, if given. */
static Status write_scene(const CheckSettings *check, const Scene *scene, BillowError *error)
{
    Outputs outputs = {.force = check->scene.force};
    outputs_add(&outputs, "--write", check->write);
    Status status = outputs_probe(&outputs, error);
    if (status == STATUS_DONE && check->write != NULL && !scene_save(scene, check->write, error))
        status = STATUS_FAILED;
    return status;
}

static void print_written(const CheckSettings *check)
{
    if (check->write != NULL)
        outputs_print(&(OutputName){.text = check->write}, 1, 1, "");
}

/* Describes a checkpoint, and writes its scene with --write. */
static Status check_checkpoint(const CheckSettings *check, const char *path, BillowError *error)
{
    CheckpointReader reader;
    Scene scene;
    SceneRequest request = command_scene_request(&check->scene, "check");
    request.name_or_path = path;
    if (check->ranks > 0)
        return status_fail(STATUS_USAGE, error,
                           "%.200s is a checkpoint; --ranks predicts from a scene", path);
    if (!scene_checkpoint_open(&reader, path, &scene, error))
        return STATUS_FAILED;
    const CheckpointRun run = reader.run;
    BillowDef def = scene_def(&scene);
    SceneDriver driver = {.sim = NULL}; /* the whole state is loaded, as by --resume */
    bool good = scene_start_check_memory(path, &def, 0, error) &&
                scene_checkpoint_start(&reader, &scene, &def, &driver, error);
    scene_driver_destroy(&driver);
    checkpoint_close(&reader);
    if (!good)
        return STATUS_FAILED;
    if (!scene_change(&request, &scene, error))
        return STATUS_USAGE;
    Status status = write_scene(check, &scene, error);
    if (status != STATUS_DONE)
        return status;
    print_checkpoint(path, &run, output_is_stdout(check->write) ? stderr : stdout);
    print_written(check);
    return STATUS_DONE;
}

/* Says how much of the smoke at the start is in the box, unless it is all of it. */
static void note_initial(const Scene *scene, const ScenePlay *play)
{
    double file, box;
    BillowError notice;
    scene_play_initial_mass(play, &file, &box);
    if (fabs(file - box) <= 0.01 * file)
        return;
    fail(&notice,
         "notice: %.200s holds %.4g m3 of smoke at density 1, of which %.4g m3 are in the box",
         scene->initial.vdb, file, box);
    report_notice(&notice);
}

static Status check_scene(const CheckSettings *check, const char *name_or_path, BillowError *error)
{
    Scene scene;
    SceneRequest request = command_scene_request(&check->scene, "check");
    request.name_or_path = name_or_path;
    Prediction prediction;
    Status status = scene_start_read(&request, &scene, error);
    if (status != STATUS_DONE)
        return status;
    BillowDef def = scene_def(&scene);
    if (check->ranks == 0 && !scene_start_check_memory(name_or_path, &def, 0, error))
        return STATUS_FAILED;
    ScenePlay *play = scene_play_create(&scene, &def, error);
    if (play == NULL)
        return STATUS_FAILED;
    note_initial(&scene, play);
    bool good = scene_play_check(play, error);
    scene_start_note_memory(play);
    scene_play_destroy(play);
    if (!good)
        return STATUS_FAILED;
    scene_start_note(name_or_path, &scene);
    Network network = check->network.gigabits > 0 ? check->network : NETWORK_USUAL;
    if (check->ranks > 0 && !predict_ranks(&scene, check->ranks, network, &prediction, error))
        return STATUS_FAILED;
    status = write_scene(check, &scene, error);
    if (status != STATUS_DONE)
        return status;
    FILE *stream = output_is_stdout(check->write) ? stderr : stdout;
    char bytes[32];
    report_bytes((double)billow_bytes_needed(&def), bytes, sizeof bytes);
    double h = (double)def.cell_size;
    char finer[64] = "";
    if (def.refine > 1)
        snprintf(finer, sizeof finer, ", smoke in %dx%dx%d", def.refine * def.nx,
                 def.refine * def.ny, def.refine * def.nz);
    number_fprint(stream,
                  "%s: ok, %dx%dx%d cells of %.4g m%s, a box of %.4g x %.4g x %.4g m, %s%s\n",
                  name_or_path, def.nx, def.ny, def.nz, h, finer, def.nx * h, def.ny * h,
                  def.nz * h, def.refine > 1 ? "at most " : "", bytes);
    if (check->ranks > 0)
        prediction_print(&prediction, check->ranks, network, stream);
    print_written(check);
    return STATUS_DONE;
}

static Status run(const void *memory, BillowError *error)
{
    const CheckSettings *settings = memory;
    const ArgsTexts *files = &settings->scene.operands;
    Status status = STATUS_DONE;
    if (settings->write != NULL && files->count != 1)
        return status_fail(STATUS_USAGE, error,
                           "--write %.200s: one scene can be written there, and %d are given",
                           settings->write, files->count);
    if (settings->network.gigabits > 0 && settings->ranks == 0)
        return status_fail(STATUS_USAGE, error,
                           "--network is the one between ranks, and needs --ranks");
    for (int index = 0; index < files->count; index++) {
        const char *file = files->items[index];
        Status found = checkpoint_is_one(file) ? check_checkpoint(settings, file, error)
                                               : check_scene(settings, file, error);
        report_status(found, error);
        status = found > status ? found : status;
    }
    error->text[0] = 0; /* a message for each file has been printed */
    return status;
}

const Command command_check = {
    .spec = {.name = "check",
             .summary = "check scene files, and say what is wrong where",
             .examples =
                 "  billow check mine.yaml                      ok, or file, line and column\n"
                 "  billow check plume --grid 1024 --ranks 16   what it needs on 16 machines\n",
             .operand = "FILE...",
             .operand_help = "scene files, names of built-in scenes, or checkpoints",
             .operands_least = 1,
             .operands_most = ARGS_TEXTS_MAX,
             .operands_offset = offsetof(CheckSettings, scene.operands),
             .tables = {options, command_grid_options, command_set_options, command_force_options},
             .notes =
                 "Prints the grid and the memory that each scene needs. Exit status 1 if a scene "
                 "is wrong\nor needs more memory than is available. For a checkpoint it "
                 "prints the scene and the progress;\n--write then writes its scene.\n"
                 "\n"
                 "--ranks simulates a second of the scene here, on at most 2.2 million cells, and "
                 "counts what the\nranks would exchange on the grid that is asked for. Every rank "
                 "is assumed to compute as fast as\nthis machine.\n"},
    .settings_size = sizeof(CheckSettings),
    .run = run,
};
