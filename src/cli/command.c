/* SPDX-License-Identifier: MIT */
#include "command.h"

#include "atomic_file.h"
#include "fail.h"
#include "host.h"
#include "system.h"
#include "values.h"

#include <math.h>
#include <string.h>

const ArgsOption command_grid_options[] = {
    {.name = "grid",
     .placeholder = "N",
     .help =
         "cells along the longest axis, or NXxNYxNZ, 8 to 2048 each, which makes the box longer "
         "where the cubes need it; default: the scene's own",
     .type = ARGS_PARSED,
     .parse = values_parse_grid,
     .offset = offsetof(CommandScene, grid)},
    {.type = ARGS_END},
};

const ArgsOption command_set_options[] = {
    {.name = "set",
     .placeholder = "KEY=VALUE",
     .help = "override a value of the scene, such as solver.vorticity=8; may be repeated; "
             "'billow scenes --keys' lists the keys",
     .type = ARGS_TEXTS,
     .offset = offsetof(CommandScene, overrides)},
    {.type = ARGS_END},
};

const ArgsOption command_threads_options[] = {
    {.name = "threads",
     .placeholder = "T",
     .help = "threads of the simulation; default: one per core; the result is the same to the bit "
             "with any number",
     .type = ARGS_WHOLE,
     .least = 1,
     .most = 1024,
     .offset = offsetof(CommandScene, threads)},
    {.type = ARGS_END},
};

const ArgsOption command_frames_options[] = {
    {.name = "frames",
     .placeholder = "N",
     .help = "frames to simulate; default 120",
     .type = ARGS_WHOLE,
     .least = 1,
     .most = 1000000,
     .offset = offsetof(CommandScene, frames)},
    {.name = "fps",
     .placeholder = "F",
     .help = "frames per second of simulated time; default 30",
     .type = ARGS_NUMBER,
     .least = 0.1,
     .most = 1000,
     .offset = offsetof(CommandScene, fps)},
    {.type = ARGS_END},
};

const ArgsOption command_quiet_options[] = {
    {.name = "quiet",
     .help = "no progress and no notices on standard error",
     .type = ARGS_FLAG,
     .offset = offsetof(CommandScene, quiet)},
    {.type = ARGS_END},
};

const ArgsOption command_force_options[] = {
    {.name = "force",
     .help = "write over files that are there; otherwise they are refused before the first step",
     .type = ARGS_FLAG,
     .offset = offsetof(CommandScene, force)},
    {.type = ARGS_END},
};

const ArgsOption command_slice_options[] = {
    {.name = "slice",
     .placeholder = "FIELD[,...]",
     .help = "numbers in colours on a plane through the smoke, with a legend: density, "
             "temperature, speed, vorticity, curl, pressure, divergence, u, v, w, fuel, flame or "
             "solid; see below",
     .type = ARGS_PARSED,
     .parse = values_parse_slice,
     .offset = offsetof(CommandScene, slice)},
    {.type = ARGS_END},
};

const ArgsOption command_checkpoint_options[] = {
    {.name = "checkpoint",
     .placeholder = "FILE",
     .help =
         "write a file that --resume goes on from, at the end and where it is interrupted, over "
         "the one before; default: none",
     .type = ARGS_TEXT,
     .offset = offsetof(CommandScene, checkpoint)},
    {.name = "every",
     .placeholder = "N",
     .help =
         "write the checkpoint after every N steps of 'sim', or N frames of 'render' and 'bake', "
         "as well; default: at the end alone",
     .type = ARGS_WHOLE,
     .least = 1,
     .most = 10000000,
     .offset = offsetof(CommandScene, every)},
    {.name = "resume",
     .placeholder = "FILE",
     .help = "go on from a checkpoint, in place of SCENE; steps or frames then come on top of "
             "those it has, whose numbers go on; default: a scene from its beginning",
     .type = ARGS_TEXT,
     .offset = offsetof(CommandScene, resume)},
    {.type = ARGS_END},
};

SceneRequest command_scene_request(const CommandScene *settings)
{
    const ArgsTexts *operands = &settings->operands;
    return (SceneRequest){
        .name_or_path = operands->count > 0 ? operands->items[0] : COMMAND_DEFAULT_SCENE,
        .grid = settings->grid,
        .overrides = settings->overrides.items,
        .override_count = settings->overrides.count,
    };
}

bool command_draws(const void *settings)
{
    (void)settings;
    return true;
}

static bool is_free(const CommandScene *settings, const char *path, BillowError *error)
{
    return settings->force || !atomic_file_stands(path) ||
           fail(error, "%.300s is there already; --force writes over it", path);
}

bool command_may_write(const CommandScene *settings, const char *path, BillowError *error)
{
    return path == NULL || (is_free(settings, path, error) && atomic_file_probe(path, error));
}

bool command_may_write_frames(const CommandScene *settings, const ValuesOutput *output, int first,
                              int frames, BillowError *error)
{
    char path[4096];
    int last = output->sequence ? first + frames - 1 : first;
    for (int frame = last; frame >= first; frame--)
        if (!values_output_path(output, frame, path, sizeof path, error) ||
            !is_free(settings, path, error))
            return false;
    return atomic_file_probe(path, error);
}

bool command_has_output(const ValuesOutput *output, const char *command, const char *example,
                        BillowError *error)
{
    return output->text != NULL ||
           fail(error, "'%s' needs --out FILE, such as --out %s", command, example);
}

void command_say_written(const ValuesOutput *output, int first, int written, const char *more)
{
    char begin[4096], last[4096];
    BillowError error;
    if (written == 0 || strcmp(output->text, "-") == 0 ||
        !values_output_path(output, first, begin, sizeof begin, &error) ||
        !values_output_path(output, written, last, sizeof last, &error))
        return;
    if (output->sequence && written > first)
        printf("wrote %s to %s%s\n", begin, last, more);
    else
        printf("wrote %s%s\n", last, more);
}

bool command_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

bool command_check_memory(const char *name_or_path, const BillowDef *def, double picture_bytes,
                          BillowError *error)
{
    char what[256];
    snprintf(what, sizeof what, "%.200s at %dx%dx%d", name_or_path, def->nx, def->ny, def->nz);
    double cells = (double)def->nx * def->ny * def->nz;
    return host_check_memory((double)billow_bytes_needed(def) + picture_bytes * cells, what,
                             "a smaller --grid", error);
}

Status command_open_scene(const SceneRequest *request, Scene *scene, BillowDef *def,
                          double picture_bytes, BillowError *error)
{
    if (!scene_load(request->name_or_path, scene, error))
        return STATUS_FAILED;
    if (!scene_change(request, scene, error))
        return STATUS_USAGE;
    *def = scene_def(scene);
    return command_check_memory(request->name_or_path, def, picture_bytes, error) ? STATUS_DONE
                                                                                  : STATUS_FAILED;
}

static void note_box(const char *name_or_path, const Scene *scene, const BillowDef *def)
{
    BillowError notice;
    const float *size = scene->domain.size;
    if (!scene_outgrows_size(scene))
        return;
    double h = (double)def->cell_size;
    fail(&notice,
         "notice: %.200s at %dx%dx%d is a box of %.4g x %.4g x %.4g m, as cells are cubes; its "
         "domain.size is %.4g x %.4g x %.4g m",
         name_or_path, def->nx, def->ny, def->nz, def->nx * h, def->ny * h, def->nz * h,
         (double)size[0], (double)size[1], (double)size[2]);
    report_notice(&notice);
}

void command_note_scene(const char *name_or_path, const Scene *scene)
{
    const BillowDef def = scene_def(scene);
    note_box(name_or_path, scene, &def);
    scene_play_notice(scene, &def, report_notice);
}

bool command_check_finite(const BillowSim *sim, BillowError *error)
{
    BillowStats stats = billow_stats(sim);
    return stats.nonfinite == 0 ||
           fail(error,
                "%llu cells are no finite numbers after %.4g s; a shorter time.step or gentler "
                "emitters would help",
                (unsigned long long)stats.nonfinite, stats.time);
}

Status command_play_frame(ScenePlay *play, BillowSim *sim, double seconds, double step,
                          CheckpointRun *run, BillowError *error)
{
    if (run->part == 0) {
        double parts = ceil(seconds / step - 1e-6); /* rounding must not add one */
        run->parts = parts < 1 ? 1 : (uint32_t)parts;
    }
    while (run->part < run->parts) {
        if (!scene_play_prepare(play, sim, seconds / run->parts, error))
            return STATUS_FAILED;
        billow_step(sim, seconds / run->parts);
        run->part++;
        if (system_interrupted())
            return STATUS_INTERRUPTED;
    }
    return command_check_finite(sim, error) ? STATUS_DONE : STATUS_FAILED;
}
