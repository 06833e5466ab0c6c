/* SPDX-License-Identifier: MIT */
#include "scene_start.h"

#include "checkpoint.h"
#include "fail.h"
#include "host.h"
#include "scene_difference.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool scene_start_check_memory(const char *name_or_path, const BillowDef *def, double picture_bytes,
                              BillowError *error)
{
    char what[256];
    snprintf(what, sizeof what, "%.200s at %dx%dx%d", name_or_path, def->nx, def->ny, def->nz);
    double cells = (double)def->nx * def->ny * def->nz;
    return host_check_memory((double)billow_bytes_needed(def) + picture_bytes * cells, what,
                             "a smaller --grid", error);
}

Status scene_start_load(const SceneRequest *request, Scene *scene, BillowDef *def,
                        double picture_bytes, BillowError *error)
{
    if (!scene_load(request->name_or_path, scene, error))
        return STATUS_FAILED;
    if (!scene_change(request, scene, error))
        return STATUS_USAGE;
    *def = scene_def(scene);
    return scene_start_check_memory(request->name_or_path, def, picture_bytes, error)
               ? STATUS_DONE
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

void scene_start_note(const char *name_or_path, const Scene *scene)
{
    const BillowDef def = scene_def(scene);
    note_box(name_or_path, scene, &def);
    scene_play_notice(scene, &def, report_notice);
}

static Status open_scene(const SceneAsk *ask, double picture_bytes, SceneStart *start,
                         BillowError *error)
{
    if (ask->request.name_or_path == NULL) {
        fail(error, "'%s' needs SCENE, or --resume FILE; see 'billow %s --help'", ask->command,
             ask->command);
        return STATUS_USAGE;
    }
    SceneRequest request = ask->request;
    start->name = request.name_or_path;
    if (checkpoint_is_one(start->name)) {
        fail(error, "%.200s is a checkpoint: 'billow %s --resume %.200s' goes on from it",
             start->name, ask->command, start->name);
        return STATUS_USAGE;
    }
    return scene_start_load(&request, &start->scene, &start->def, picture_bytes, error);
}

/* False where --grid is given and differs from the checkpoint's grid. */
static bool same_grid(const SceneAsk *ask, const Scene *scene, BillowError *error)
{
    Scene asked = *scene;
    BillowError reason;
    if (ask->request.grid == NULL)
        return true;
    const BillowDef here = scene_def(scene);
    bool same = scene_set_grid(&asked, ask->request.grid, &reason);
    if (same) {
        const BillowDef def = scene_def(&asked);
        same = def.nx == here.nx && def.ny == here.ny && def.nz == here.nz;
    }
    return same || fail(error,
                        "--grid %s: %.200s goes on with the %dx%dx%d cells it has; leave --grid "
                        "out",
                        ask->request.grid, ask->resume, here.nx, here.ny, here.nz);
}

static bool change(const SceneAsk *ask, SceneStart *start, BillowError *error)
{
    SceneRequest request = ask->request;
    request.name_or_path = ask->resume;
    request.grid = NULL;
    start->scene = start->kept;
    if (!same_grid(ask, &start->kept, error) || !scene_change(&request, &start->scene, error))
        return false;
    const SceneDifference found = scene_difference(&start->kept, &start->scene);
    return (found.effects & SCENE_EFFECT_REBUILD) == 0 ||
           fail(error,
                "--set %s: %.200s cannot go on with another value; only a new simulation can",
                found.rebuild, ask->resume);
}

static Status open_checkpoint(const SceneAsk *ask, double picture_bytes, SceneStart *start,
                              BillowError *error)
{
    if (ask->request.name_or_path != NULL) {
        fail(error, "--resume %.200s: its scene comes with it; leave '%.200s' out", ask->resume,
             ask->request.name_or_path);
        return STATUS_USAGE;
    }
    start->name = ask->resume;
    if (!scene_checkpoint_open(&start->reader, ask->resume, &start->kept, error))
        return STATUS_FAILED;
    start->resumed = true;
    start->run = start->reader.run;
    if (!change(ask, start, error))
        return STATUS_USAGE;
    start->def = scene_def(&start->scene);
    return scene_start_check_memory(ask->resume, &start->def, picture_bytes, error) ? STATUS_DONE
                                                                                    : STATUS_FAILED;
}

Status scene_start_open(const SceneAsk *ask, double picture_bytes, SceneStart *start,
                        BillowError *error)
{
    *start = (SceneStart){.resumed = false};
    Status status = ask->resume != NULL ? open_checkpoint(ask, picture_bytes, start, error)
                                        : open_scene(ask, picture_bytes, start, error);
    start->def.threads = ask->threads;
    return status;
}

/* Applies --set to the resumed simulation. */
static bool apply(const SceneStart *start, const BillowDef *before, ScenePlay **play,
                  BillowSim *sim, BillowError *error)
{
    const SceneDifference found = scene_difference(&start->kept, &start->scene);
    if ((found.effects & SCENE_EFFECTS_LIVE) == 0)
        return true;
    BillowDef def = start->def;
    BillowError reason;
    ScenePlay *changed = scene_play_renew(*play, &start->scene, &def, error);
    if (changed == NULL)
        return false;
    if (!scene_running_change(sim, before, &def, &reason)) {
        scene_play_destroy(changed);
        return fail(error, "--set: %.200s cannot go on so: %.300s", start->name, reason.text);
    }
    scene_play_destroy(*play);
    *play = changed;
    return true;
}

static bool play_on(SceneStart *start, ScenePlay **play, BillowSim **sim, BillowError *error)
{
    BillowDef def = scene_def(&start->kept);
    def.threads = start->def.threads;
    if (!scene_checkpoint_start(&start->reader, &start->kept, &def, play, sim, error))
        return false;
    if (apply(start, &def, play, *sim, error))
        return true;
    billow_destroy(*sim);
    scene_play_destroy(*play);
    *sim = NULL;
    *play = NULL;
    return false;
}

bool scene_start_play(SceneStart *start, ScenePlay **play, BillowSim **sim, BillowError *error)
{
    if (start->resumed)
        return play_on(start, play, sim, error);
    BillowDef def = start->def;
    *play = scene_play_create(&start->scene, &def, error);
    *sim = *play != NULL ? billow_create(&def, error) : NULL;
    if (*sim != NULL)
        return true;
    scene_play_destroy(*play);
    *play = NULL;
    return false;
}

void scene_start_close(SceneStart *start)
{
    checkpoint_close(&start->reader);
}

bool scene_start_fps(const SceneStart *start, double asked, double *fps, BillowError *error)
{
    double kept = start->run.fps;
    *fps = asked > 0 ? asked : kept > 0 ? kept : SCENE_START_FPS;
    return !(kept > 0) || *fps == kept ||
           fail(error, "--fps %g: the frames of %.200s are %g a second, and its numbers go on",
                asked, start->name, kept);
}

bool scene_start_check_finite(const BillowSim *sim, BillowError *error)
{
    BillowStats stats = billow_stats(sim);
    return stats.nonfinite == 0 ||
           fail(error,
                "%llu cells are no finite numbers after %.4g s; a shorter time.step or gentler "
                "emitters would help",
                (unsigned long long)stats.nonfinite, stats.time);
}

Status scene_start_frame(ScenePlay *play, BillowSim *sim, double seconds, double step,
                         CheckpointRun *run, BillowError *error)
{
    if (run->part == 0) {
        double parts = ceil(seconds / step - 1e-6); /* rounding must not add a step */
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
    return scene_start_check_finite(sim, error) ? STATUS_DONE : STATUS_FAILED;
}

bool run_checkpoint_check(const SceneAsk *ask, BillowError *error)
{
    return ask->checkpoint != NULL || ask->every == 0 ||
           fail(error, "--every %d needs --checkpoint FILE, which it is to write", ask->every);
}

bool run_checkpoint_open(RunCheckpoint *writer, const SceneAsk *ask, const SceneStart *start,
                         const ScenePlay *play, const BillowSim *sim, BillowError *error)
{
    *writer = (RunCheckpoint){.path = ask->checkpoint,
                              .command = ask->command,
                              .every = ask->every,
                              .sim = sim,
                              .run = start->run};
    if (writer->path == NULL)
        return true;
    snprintf(writer->run.scene, sizeof writer->run.scene, "%s",
             start->resumed ? start->run.scene : start->name);
    scene_play_shapes(play, writer->shapes);
    writer->bytes = billow_state_bytes(sim);
    if (!host_check_memory((double)writer->bytes, "writing checkpoints", "no --checkpoint", error))
        return false;
    writer->text = scene_checkpoint_text(&start->scene, error);
    if (writer->text == NULL)
        return false;
    writer->state = malloc(writer->bytes);
    return writer->state != NULL || fail(error, "not enough memory to write checkpoints");
}

static bool write_now(RunCheckpoint *writer, BillowError *error)
{
    writer->done = 0;
    scene_checkpoint_describe(writer->sim, &writer->run);
    billow_save_state(writer->sim, writer->state);
    const SceneCheckpoint checkpoint = {.run = writer->run,
                                        .text = writer->text,
                                        .shapes = writer->shapes,
                                        .state = writer->state,
                                        .bytes = writer->bytes};
    return scene_checkpoint_write(&checkpoint, writer->path, error);
}

static bool is_finite(const RunCheckpoint *writer)
{
    return billow_stats(writer->sim).nonfinite == 0;
}

void run_checkpoint_note(RunCheckpoint *writer)
{
    BillowError reason, notice;
    writer->done++;
    if (writer->path == NULL || writer->every == 0 || writer->done < writer->every ||
        !is_finite(writer) || write_now(writer, &reason))
        return;
    fail(&notice, "notice: no checkpoint after %.6g s: %.400s", writer->run.time, reason.text);
    report_notice(&notice);
}

void run_checkpoint_note_frame(RunCheckpoint *writer)
{
    writer->run.frames++;
    writer->run.part = writer->run.parts = 0;
    run_checkpoint_note(writer);
}

Status run_checkpoint_finish(RunCheckpoint *writer, Status status, BillowError *error)
{
    BillowError reason;
    if (status == STATUS_INTERRUPTED)
        error->text[0] = 0;
    if (writer->path == NULL || writer->state == NULL || !is_finite(writer))
        return status;
    if (!write_now(writer, &reason)) {
        if (status != STATUS_FAILED)
            *error = reason;
        return STATUS_FAILED;
    }
    if (status == STATUS_INTERRUPTED)
        fail(error, "interrupted; 'billow %s --resume %.300s' goes on from %.6g s", writer->command,
             writer->path, writer->run.time);
    return status;
}

void run_checkpoint_close(RunCheckpoint *writer)
{
    free(writer->text);
    free(writer->state);
    writer->text = NULL;
    writer->state = NULL;
}
