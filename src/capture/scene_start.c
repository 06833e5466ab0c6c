/* SPDX-License-Identifier: MIT */
#include "scene_start.h"

#include "checkpoint.h"
#include "cluster.h"
#include "fail.h"
#include "paths.h"
#include "render_ramp.h"
#include "scene_write.h"
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
    double share = cluster_share();
    return system_check_memory(((double)billow_bytes_needed(def) + picture_bytes * cells) * share,
                               what, "a smaller --grid", error);
}

Status scene_start_read(const SceneRequest *request, Scene *scene, BillowError *error)
{
    if (!scene_exists(request->name_or_path, error))
        return STATUS_USAGE;
    if (!scene_load(request->name_or_path, scene, error) ||
        !scene_raise_quality(request->quality, scene, error))
        return STATUS_FAILED;
    return scene_change(request, scene, error) ? STATUS_DONE : STATUS_USAGE;
}

Status scene_start_load(const SceneRequest *request, Scene *scene, BillowDef *def,
                        double picture_bytes, BillowError *error)
{
    Status status = scene_start_read(request, scene, error);
    if (status != STATUS_DONE)
        return status;
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

void scene_start_note_memory(const ScenePlay *play)
{
    BillowError notice;
    if (scene_play_memory(play, &notice))
        report_notice(&notice);
}

static Status open_scene(const SceneAsk *ask, double picture_bytes, SceneStart *start,
                         BillowError *error)
{
    start->name = ask->request.name_or_path;
    if (start->name == NULL) {
        fail(error, "'%s' needs a scene, such as 'billow %s plume', or --resume FILE", ask->command,
             ask->command);
        return STATUS_USAGE;
    }
    if (checkpoint_is_one(start->name)) {
        fail(error, "%.200s is a checkpoint: 'billow %s --resume %.200s' continues it", start->name,
             ask->command, start->name);
        return STATUS_USAGE;
    }
    return scene_start_load(&ask->request, &start->scene, &start->def, picture_bytes, error);
}

/* Fails if --grid is given and differs from the checkpoint's grid. */
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
    return same || fail(error, "--grid %s: %.200s has %dx%dx%d cells; leave --grid out",
                        ask->request.grid, ask->resume, here.nx, here.ny, here.nz);
}

static bool change(const SceneAsk *ask, SceneStart *start, BillowError *error)
{
    SceneRequest request = ask->request;
    request.name_or_path = ask->resume;
    request.grid = NULL;
    start->scene = start->saved;
    if (!same_grid(ask, &start->saved, error) || !scene_change(&request, &start->scene, error))
        return false;
    const SceneDifference found = scene_difference(&start->saved, &start->scene);
    return (found.effects & SCENE_EFFECT_REBUILD) == 0 ||
           fail(error,
                "--set %s: this value of %.200s is fixed; only a new simulation can change "
                "it",
                found.rebuild, ask->resume);
}

static Status open_checkpoint(const SceneAsk *ask, double picture_bytes, SceneStart *start,
                              BillowError *error)
{
    if (ask->request.name_or_path != NULL) {
        fail(error, "--resume %.200s: the checkpoint contains its scene; leave '%.200s' out",
             ask->resume, ask->request.name_or_path);
        return STATUS_USAGE;
    }
    start->name = ask->resume;
    if (!scene_checkpoint_open(&start->reader, ask->resume, &start->saved, error))
        return STATUS_FAILED;
    start->resumed = true;
    start->run = start->reader.run;
    if (!change(ask, start, error))
        return STATUS_USAGE;
    start->def = scene_def(&start->scene);
    BillowDef def = start->def; /* with the box of the checkpoint, which may have grown */
    def.nx = (int)start->run.grid[0];
    def.ny = (int)start->run.grid[1];
    def.nz = (int)start->run.grid[2];
    return scene_start_check_memory(ask->resume, &def, picture_bytes, error) ? STATUS_DONE
                                                                             : STATUS_FAILED;
}

/* Says that the states of a replay are not compared. */
static void note_other(const SceneStart *start, const BillowDef *recorded)
{
    BillowError notice;
    const BillowDef *def = &start->def;
    if (def->nx != recorded->nx || def->ny != recorded->ny || def->nz != recorded->nz)
        fail(&notice,
             "notice: %.200s was recorded at %dx%dx%d; at %dx%dx%d its states are not compared",
             start->name, recorded->nx, recorded->ny, recorded->nz, def->nx, def->ny, def->nz);
    else
        fail(&notice, "notice: %.200s was recorded with other values; its states are not compared",
             start->name);
    report_notice(&notice);
}

static Status change_recording(const SceneAsk *ask, ReplayFile *file, SceneStart *start,
                               BillowError *error)
{
    const BillowDef recorded = scene_def(&file->scene);
    SceneRequest request = ask->request;
    bool same;
    request.name_or_path = ask->replay;
    if (!replay_file_change(file, &request, &same, error))
        return STATUS_USAGE;
    start->scene = file->scene;
    start->def = scene_def(&start->scene);
    if (!same && !ask->quiet)
        note_other(start, &recorded);
    return STATUS_DONE;
}

static Status open_recording(const SceneAsk *ask, double picture_bytes, SceneStart *start,
                             BillowError *error)
{
    if (cluster_ranks() > 1) {
        fail(error, "%.200s: a recording of hands is replayed by one process", ask->replay);
        return STATUS_USAGE;
    }
    ReplayFile *file = malloc(sizeof *file);
    if (file == NULL || !replay_file_read(ask->replay, file, error)) {
        if (file == NULL)
            fail(error, "%.200s: not enough memory to replay it", ask->replay);
        free(file);
        return STATUS_FAILED;
    }
    start->name = ask->replay;
    start->replays = true;
    Status status = change_recording(ask, file, start, error);
    start->recording = file->recording;
    memcpy(start->shapes, file->shapes, sizeof start->shapes);
    free(file);
    return status != STATUS_DONE ||
                   scene_start_check_memory(ask->replay, &start->def, picture_bytes, error)
               ? status
               : STATUS_FAILED;
}

/* Whether all ranks have the same scene. */
static bool same_scene(const Scene *scene, BillowError *error)
{
    char *text = scene_checkpoint_text(scene, error);
    bool same = cluster_agree(text != NULL, error) && cluster_same(text, "scenes", error);
    free(text);
    return same;
}

Status scene_start_open(const SceneAsk *ask, double picture_bytes, SceneStart *start,
                        BillowError *error)
{
    *start = (SceneStart){.resumed = false};
    Status status = ask->resume != NULL   ? open_checkpoint(ask, picture_bytes, start, error)
                    : ask->replay != NULL ? open_recording(ask, picture_bytes, start, error)
                                          : open_scene(ask, picture_bytes, start, error);
    start->def.threads = ask->threads;
    status = cluster_status(status, error);
    return status != STATUS_DONE || cluster_ranks() == 1 || same_scene(&start->scene, error)
               ? status
               : STATUS_FAILED;
}

void scene_start_close(SceneStart *start)
{
    checkpoint_close(&start->reader);
    sim_recording_free(&start->recording);
    scene_shapes_free(start->shapes);
}

bool scene_start_fps(const SceneStart *start, double asked, double *fps, BillowError *error)
{
    double saved = start->run.fps;
    *fps = asked > 0 ? asked : saved > 0 ? saved : SCENE_START_FPS;
    return !(saved > 0) || *fps == saved ||
           fail(error, "--fps %g: %.200s has %g frames per second, and its frames are continued",
                asked, start->name, saved);
}

int scene_start_poster_frames(const SceneStart *start, double fps)
{
    return (int)fmax(1, round((double)start->scene.poster.time * fps));
}

bool scene_start_check_finite(const BillowSim *sim, BillowError *error)
{
    BillowStats stats = billow_stats(sim);
    return stats.nonfinite == 0 ||
           fail(error,
                "%llu cells hold infinity or NaN after %.4g s; a shorter time.step or gentler "
                "emitters would help",
                (unsigned long long)stats.nonfinite, stats.time);
}

bool scene_start_check_every(const SceneAsk *ask, BillowError *error)
{
    return ask->checkpoint != NULL || ask->every == 0 ||
           fail(error, "--every %d needs --checkpoint FILE", ask->every);
}

/* -- running ----------------------------------------------------------------------------------- */

/* Applies --set to the resumed simulation. */
static bool apply_changes(const SceneStart *start, const BillowDef *before, SceneRun *run,
                          BillowError *error)
{
    const SceneDifference found = scene_difference(&start->saved, &start->scene);
    if ((found.effects & SCENE_EFFECTS_LIVE) == 0)
        return true;
    BillowDef def = start->def;
    BillowError reason;
    ScenePlay *changed = scene_play_renew(run->driver.play, &start->scene, &def, error);
    if (changed == NULL)
        return false;
    if (!scene_running_change(run->driver.sim, before, &def, &reason)) {
        scene_play_destroy(changed);
        return fail(error, "--set: %.200s cannot take this change: %.300s", start->name,
                    reason.text);
    }
    scene_play_destroy(run->driver.play);
    run->driver.play = changed;
    return true;
}

static bool create_sim(SceneRun *run, SceneStart *start, BillowError *error)
{
    BillowDef def = start->def;
    if (start->resumed) {
        def = scene_def(&start->saved);
        def.threads = start->def.threads;
        return scene_checkpoint_start(&start->reader, &start->saved, &def, &run->driver, error) &&
               apply_changes(start, &def, run, error);
    }
    if (start->replays) {
        ScenePlay *play = scene_play_create_of(start->shapes, &start->scene, &def, error);
        return play != NULL && scene_driver_start(&run->driver, play, &def, NULL, error) &&
               replay_run_open(&run->replay, &start->recording, &start->scene, &def, &run->driver,
                               error);
    }
    if (!scene_driver_create(&run->driver, &start->scene, &def, cluster_exchange(), error))
        return false;
    if (!run->ask->quiet)
        scene_start_note_memory(run->driver.play);
    return true;
}

static bool allocate_checkpoint(SceneRun *run, const SceneStart *start, BillowError *error)
{
    if (run->ask->checkpoint == NULL)
        return true;
    scene_play_shapes(run->driver.play, run->shapes);
    run->bytes = billow_state_bytes(run->driver.sim);
    if (!system_check_memory((double)run->bytes * cluster_share(), "writing checkpoints",
                             "no --checkpoint", error))
        return false;
    run->room = run->bytes;
    run->state = malloc(run->room); /* ranks touch only their own parts */
    if (run->state == NULL)
        return fail(error, "not enough memory to write checkpoints");
    run->text = scene_checkpoint_text(&start->scene, error);
    return run->text != NULL;
}

bool scene_start_has_shutter(const Scene *scene)
{
    bool opens = scene->render.lens.shutter > 0;
    for (int t = 0; t < scene->track_count; t++)
        opens = opens || strcmp(scene->tracks[t].key, "camera.shutter") == 0;
    return opens;
}

/* Whether this rank writes frames. */
static bool writes_frames(const SceneRun *run)
{
    return run->together || cluster_leads();
}

/* Allocates the up-resolution for the present box, if this rank needs one. */
static bool fit_upres(SceneRun *run, BillowError *error)
{
    const BillowView view = billow_view(run->driver.sim);
    const int n[3] = {view.nx, view.ny, view.nz};
    if (!writes_frames(run) || run->upres_def.factor < BILLOW_UPRES_MIN ||
        memcmp(n, run->upres_n, sizeof n) == 0)
        return true;
    billow_upres_destroy(run->upres);
    run->upres = NULL;
    double share = run->together ? cluster_share() : 1;
    if (!system_check_memory(share * billow_upres_bytes(&view, &run->upres_def),
                             "the up-resolution", "a smaller upres.factor", error))
        return false;
    int planes[2] = {0, view.nz}, factor = run->upres_def.factor;
    if (run->together)
        cluster_planes(run->driver.sim, view.nz, &planes[0], &planes[1]);
    run->upres = billow_upres_create_exchanging(&view, &run->upres_def,
                                                run->together ? cluster_exchange() : NULL, planes,
                                                (run->beside + factor - 1) / factor, error);
    memcpy(run->upres_n, n, sizeof n);
    return run->upres != NULL;
}

/* The up-resolution of a scene's frames. */
static BillowUpresDef upres_for(const SceneAsk *ask, const SceneStart *start)
{
    BillowUpresDef def = start->scene.upres;
    def.threads = start->def.threads;
    def.velocity = ask->velocity || scene_start_has_shutter(&start->scene) ||
                   render_ramp_follows(&start->scene.render, RENDER_RAMP_SPEED);
    return def;
}

bool scene_run_prepare_frames(SceneRun *run, bool together, int beside, BillowError *error)
{
    run->together = together;
    run->beside = beside;
    return cluster_agree(fit_upres(run, error), error);
}

BillowView scene_run_view(const SceneRun *run)
{
    const BillowView view = billow_view(run->driver.sim);
    return run->upres != NULL ? billow_upres_view(run->upres, &view) : view;
}

void scene_run_planes(const SceneRun *run, int *first, int *end)
{
    const int factor = run->upres_def.factor;
    *first = 0;
    *end = billow_view(run->driver.sim).nz;
    if (run->together)
        cluster_planes(run->driver.sim, *end, first, end);
    *first *= factor;
    *end *= factor;
}

bool scene_run_open(SceneRun *run, const SceneAsk *ask, SceneStart *start, double fps,
                    BillowError *error)
{
    *run = (SceneRun){.ask = ask,
                      .step = (double)start->scene.step,
                      .before = (int)start->run.frames,
                      .upres_def = upres_for(ask, start),
                      .saved = ask->checkpoint != NULL && ask->resume != NULL &&
                               paths_same(ask->checkpoint, ask->resume),
                      .progress = start->run};
    CheckpointRun *progress = &run->progress;
    progress->fps = fps;
    if (fps <= 0)
        progress->frames = progress->part = progress->parts = 0;
    if (!start->resumed)
        snprintf(progress->scene, sizeof progress->scene, "%s", start->name);
    return create_sim(run, start, error) &&
           cluster_agree(allocate_checkpoint(run, start, error), error);
}

void scene_run_close(SceneRun *run)
{
    free(run->text);
    free(run->state);
    replay_run_close(&run->replay);
    billow_upres_destroy(run->upres);
    scene_driver_destroy(&run->driver);
}

/* Makes room for the state of a box that has grown. */
static bool fit_state(SceneRun *run, BillowError *error)
{
    run->bytes = billow_state_bytes(run->driver.sim);
    if (run->bytes <= run->room)
        return true;
    void *larger = realloc(run->state, run->bytes);
    if (larger == NULL)
        return fail(error, "not enough memory to write checkpoints");
    run->state = larger;
    run->room = run->bytes;
    return true;
}

static bool save(SceneRun *run, BillowError *error)
{
    run->unsaved = 0;
    if (!fit_state(run, error))
        return false;
    scene_checkpoint_describe(run->driver.sim, &run->progress);
    billow_save_state(run->driver.sim, run->state);
    const SceneCheckpoint checkpoint = {.run = run->progress,
                                        .text = run->text,
                                        .shapes = run->shapes,
                                        .state = run->state,
                                        .bytes = run->bytes,
                                        .sim = run->driver.sim,
                                        .replaces = run->saved};
    bool written = scene_checkpoint_write(&checkpoint, run->ask->checkpoint, error);
    run->saved = run->saved || written;
    return written;
}

/* Whether checkpoints are written and the state is finite. */
static bool can_save(const SceneRun *run)
{
    return run->text != NULL && billow_stats(run->driver.sim).nonfinite == 0;
}

/* Says once that the box no longer grows. */
static void note_growth(SceneRun *run)
{
    BillowError notice;
    const char *why = billow_growth_notice(run->driver.sim);
    if (why[0] == '\0' || run->growth_said)
        return;
    run->growth_said = true;
    fail(&notice, "notice: %s", why);
    if (!run->ask->quiet)
        report_notice(&notice);
}

void scene_run_step_done(SceneRun *run)
{
    BillowError reason, notice;
    note_growth(run);
    run->unsaved++;
    if (run->ask->every == 0 || run->unsaved < run->ask->every || !can_save(run) ||
        save(run, &reason))
        return;
    fail(&notice, "notice: no checkpoint after %.6g s: %.400s", run->progress.time, reason.text);
    report_notice(&notice);
}

/* Writes the checkpoint that a signal asks for, and says so. */
static void save_asked(SceneRun *run)
{
    BillowError reason, notice;
    if (run->ask->checkpoint == NULL)
        fail(&notice, "notice: SIGUSR2 writes a checkpoint only with --checkpoint FILE");
    else if (scene_start_check_finite(run->driver.sim, &reason) && save(run, &reason))
        fail(&notice, "notice: wrote %.300s at %.6g s", run->ask->checkpoint, run->progress.time);
    else
        fail(&notice, "notice: no checkpoint after %.6g s: %.400s", run->progress.time,
             reason.text);
    if (!run->ask->quiet)
        report_notice(&notice);
}

bool scene_run_signalled(SceneRun *run)
{
    enum { END = 1, CHECKPOINT = 2 };
    unsigned flags = cluster_union((system_interrupted() ? END : 0u) |
                                   (system_checkpoint_asked() ? CHECKPOINT : 0u));
    if ((flags & CHECKPOINT) != 0)
        save_asked(run);
    return (flags & END) != 0;
}

void scene_run_fetch(SceneRun *run)
{
    /* The faces at the end of a slab are in the next plane. */
    const int reach = run->upres != NULL ? billow_upres_reach(run->upres) : run->beside;
    if (run->together)
        billow_fetch_planes(run->driver.sim, reach > 1 ? reach : 1);
    else
        billow_collect_state(run->driver.sim);
}

/* Lets the first rank write a frame of the whole box, or all ranks together. */
static bool write_frame(SceneRun *run, SceneWrite *write, void *context, int number,
                        BillowError *error)
{
    scene_run_fetch(run);
    return cluster_agree(!writes_frames(run) || write(context, number, error), error);
}

/* Checks a finished frame. */
static Status end_frame(SceneRun *run, BillowError *error)
{
    bool good = scene_start_check_finite(run->driver.sim, error) && fit_upres(run, error);
    return cluster_agree(good, error) ? STATUS_DONE : STATUS_FAILED;
}

/* Replays the steps until a time, s. */
static Status replay_frame(SceneRun *run, double until, BillowError *error)
{
    while (replay_run_step(&run->replay, until, error))
        if (scene_run_signalled(run))
            return STATUS_INTERRUPTED;
    return error->text[0] == 0 ? end_frame(run, error) : STATUS_FAILED;
}

/* Advances by a frame of so many seconds. */
static Status run_frame(SceneRun *run, double seconds, BillowError *error)
{
    CheckpointRun *progress = &run->progress;
    if (progress->part == 0) {
        double parts = ceil(seconds / run->step - 1e-6); /* rounding must not add a step */
        progress->parts = parts < 1 ? 1 : (uint32_t)parts;
    }
    while (progress->part < progress->parts) {
        if (!scene_driver_step(&run->driver, seconds / progress->parts, error))
            return STATUS_FAILED;
        progress->part++;
        if (scene_run_signalled(run))
            return STATUS_INTERRUPTED;
    }
    return end_frame(run, error);
}

Status scene_run_frames(SceneRun *run, int frames, bool all, SceneWrite *write, void *context,
                        BillowError *error)
{
    Progress progress = progress_start(run->ask->quiet);
    Status status = STATUS_DONE;
    for (int frame = 1; frame <= frames && status == STATUS_DONE; frame++) {
        status = run->replay.replay.recording != NULL
                     ? replay_frame(run, frame / run->progress.fps, error)
                     : run_frame(run, 1 / run->progress.fps, error);
        if (status != STATUS_DONE)
            break;
        if (all || frame == frames) {
            if (!write_frame(run, write, context, run->before + frame, error)) {
                status = STATUS_FAILED;
                break;
            }
            run->written = run->before + frame;
        }
        run->progress.frames++;
        run->progress.part = run->progress.parts = 0;
        scene_run_step_done(run);
        progress_update(&progress, "frame", frame, frames);
    }
    progress_end(&progress);
    return status;
}

Status scene_run_finish(SceneRun *run, Status status, BillowError *error)
{
    BillowError reason;
    const uint64_t differs = run->replay.replay.differs;
    status = cluster_status(status, error);
    if (status == STATUS_INTERRUPTED)
        error->text[0] = 0;
    if (differs > 0 && status == STATUS_DONE) {
        fail(error, "%.300s: the replay differs from the recording from step %llu on",
             run->ask->replay, (unsigned long long)differs);
        return STATUS_FAILED;
    }
    if (run->text == NULL || !can_save(run))
        return status;
    if (!save(run, &reason)) {
        if (status != STATUS_FAILED)
            *error = reason;
        return STATUS_FAILED;
    }
    if (status == STATUS_INTERRUPTED)
        fail(error, "interrupted; 'billow %s --resume %.300s' continues from %.6g s",
             run->ask->command, run->ask->checkpoint, run->progress.time);
    return status;
}
