/* SPDX-License-Identifier: MIT */
#include "capture/scene_start.h"

#include "base/fail.h"
#include "base/render_settings.h"
#include "base/system.h"
#include "capture/sound_track.h"
#include "io/checkpoint.h"
#include "io/paths.h"
#include "mpi/cluster.h"
#include "scene/scene_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- recordings -------------------------------------------------------------------------------- */

/* Share of a step by which a frame's time may be missed, because of rounding. */
#define ROUNDING 1e-6

int replay_run_frames(const SimRecording *recording, const Scene *scene, double fps)
{
    double frames = ceil(replay_seconds(recording, scene) * fps - ROUNDING);
    return (int)fmin(fmax(frames, 1), 1e9);
}

bool replay_run_open(ReplayRun *run, const SimRecording *recording, const Scene *scene,
                     const BillowDef *def, const SceneDriver *driver, SimJoin *start,
                     BillowError *error)
{
    *run = (ReplayRun){.replay = {.recording = recording}};
    if (start != NULL) {
        run->shared = start->shared;
        start->shared = (Shared){.driver = {.sim = NULL}};
    } else if (!shared_open(&run->shared, def, driver->play, scene, (double)scene->step))
        return fail(error, "not enough memory to replay a recording");
    run->shared.driver = *driver;
    run->shared.seen = UINT64_MAX; /* frames are drawn from the present state */
    return true;
}

const RenderCamera *replay_run_view(const ReplayRun *run)
{
    return sim_recording_view(run->replay.recording, run->steps);
}

static bool apply(Shared *shared, const SimCommand *command, BillowError *error)
{
    BillowError
        refusal; /* settings that the simulation refuses had no effect either when recorded */
    if (command->kind != SIM_SETTINGS) {
        shared_apply(shared, command, &refusal);
        return true;
    }
    SimSettings *settings = shared_settings(shared, command->settings, error);
    if (settings == NULL)
        return false;
    shared_apply(shared, &(SimCommand){SIM_SETTINGS, .settings = settings}, &refusal);
    free(settings);
    return true;
}

bool replay_run_step(ReplayRun *run, double until, BillowError *error)
{
    Shared *shared = &run->shared;
    const SimCommand *command;
    error->text[0] = 0;
    if (run->steps >= run->replay.recording->steps ||
        run->played + ROUNDING * shared->step >= until)
        return false;
    while ((command = replay_next(&run->replay, run->steps)) != NULL)
        if (!apply(shared, command, error))
            return false;
    shared_step(shared);
    run->played += shared->step;
    run->steps++;
    replay_check(&run->replay, run->steps, shared->driver.sim);
    return true;
}

void replay_run_close(ReplayRun *run)
{
    run->shared.driver.sim = NULL;
    shared_close(&run->shared);
}

/* -- scenes ------------------------------------------------------------------------------------ */

bool scene_start_check_memory(const char *name_or_path, const BillowDef *def, double picture_bytes,
                              BillowError *error)
{
    char what[256];
    snprintf(what, sizeof what, "%.200s at %dx%dx%d", name_or_path, def->nx, def->ny, def->nz);
    const double finer = (double)def->refine * def->refine * def->refine;
    double cells = finer * def->nx * def->ny * def->nz;
    double share = cluster_share();
    return system_check_memory(
        ((double)billow_bytes_needed(def) + picture_bytes * cells) * share, what,
        def->refine > 1 ? "a smaller --grid or --refine" : "a smaller --grid", error);
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
    if (scene_play_unusual(play, &notice))
        report_notice(&notice);
}

static Status open_scene(SceneRun *run, double picture_bytes, BillowError *error)
{
    const SceneRequest *request = run->request;
    run->name = request->name_or_path;
    if (run->name == NULL)
        return status_fail(STATUS_USAGE, error,
                           "'%s' needs a scene, such as 'billow %s plume', or --resume FILE",
                           request->command, request->command);
    if (checkpoint_is_one(run->name))
        return status_fail(STATUS_USAGE, error,
                           "%.200s is a checkpoint: 'billow %s --resume %.200s' continues it",
                           run->name, request->command, run->name);
    return scene_start_load(request, &run->scene, &run->def, picture_bytes, error);
}

/* Fails if --grid is given and differs from the checkpoint's grid. */
static bool same_grid(const SceneRequest *request, const Scene *scene, BillowError *error)
{
    Scene asked = *scene;
    BillowError reason;
    if (request->grid == NULL)
        return true;
    const BillowDef here = scene_def(scene);
    bool same = scene_set_grid(&asked, request->grid, &reason);
    if (same) {
        const BillowDef def = scene_def(&asked);
        same = def.nx == here.nx && def.ny == here.ny && def.nz == here.nz;
    }
    return same || fail(error, "--grid %s: %.200s has %dx%dx%d cells; leave --grid out",
                        request->grid, request->resume, here.nx, here.ny, here.nz);
}

static bool change(SceneRun *run, BillowError *error)
{
    SceneRequest request = *run->request;
    request.name_or_path = request.resume;
    request.grid = NULL;
    run->scene = run->saved;
    if (!same_grid(run->request, &run->saved, error) || !scene_change(&request, &run->scene, error))
        return false;
    const SceneDifference found = scene_difference(&run->saved, &run->scene);
    return (found.effects & SCENE_EFFECT_REBUILD) == 0 ||
           fail(error,
                "--set %s: this value of %.200s is fixed; only a new simulation can change "
                "it",
                found.rebuild, request.resume);
}

static Status open_checkpoint(SceneRun *run, double picture_bytes, BillowError *error)
{
    const SceneRequest *request = run->request;
    if (request->name_or_path != NULL)
        return status_fail(STATUS_USAGE, error,
                           "--resume %.200s: the checkpoint contains its scene; leave '%.200s' out",
                           request->resume, request->name_or_path);
    run->name = request->resume;
    if (!scene_checkpoint_open(&run->reader, request->resume, &run->saved, error))
        return STATUS_FAILED;
    run->resumed = true;
    run->progress = run->reader.run;
    if (!change(run, error))
        return STATUS_USAGE;
    run->def = scene_def(&run->scene);
    BillowDef def = run->def; /* with the box of the checkpoint, which may have grown */
    def.nx = (int)run->progress.grid[0];
    def.ny = (int)run->progress.grid[1];
    def.nz = (int)run->progress.grid[2];
    return scene_start_check_memory(request->resume, &def, picture_bytes, error) ? STATUS_DONE
                                                                                 : STATUS_FAILED;
}

/* Says that the states of a replay are not compared. */
static void note_other(const SceneRun *run, const BillowDef *recorded)
{
    BillowError notice;
    const BillowDef *def = &run->def;
    if (def->nx != recorded->nx || def->ny != recorded->ny || def->nz != recorded->nz)
        fail(&notice,
             "notice: %.200s was recorded at %dx%dx%d; at %dx%dx%d its states are not compared",
             run->name, recorded->nx, recorded->ny, recorded->nz, def->nx, def->ny, def->nz);
    else
        fail(&notice, "notice: %.200s was recorded with other values; its states are not compared",
             run->name);
    report_notice(&notice);
}

static Status change_recording(SceneRun *run, ReplayFile *file, BillowError *error)
{
    const BillowDef recorded = scene_def(&file->scene);
    SceneRequest request = *run->request;
    bool same;
    request.name_or_path = request.replay;
    if (!replay_file_change(file, &request, &same, error))
        return STATUS_USAGE;
    run->scene = file->scene;
    run->def = scene_def(&run->scene);
    if (!same && !request.quiet)
        note_other(run, &recorded);
    return STATUS_DONE;
}

static Status open_recording(SceneRun *run, double picture_bytes, BillowError *error)
{
    const char *replay = run->request->replay;
    if (cluster_ranks() > 1)
        return status_fail(STATUS_USAGE, error,
                           "%.200s: a recording of hands is replayed by one process", replay);
    ReplayFile *file = malloc(sizeof *file);
    if (file == NULL || !replay_file_read(replay, file, error)) {
        if (file == NULL)
            fail(error, "%.200s: not enough memory to replay it", replay);
        free(file);
        return STATUS_FAILED;
    }
    run->name = replay;
    run->replays = true;
    Status status = change_recording(run, file, error);
    run->recording = file->recording;
    run->start = file->start;
    memcpy(run->recorded, file->shapes, sizeof run->recorded);
    free(file);
    return status != STATUS_DONE ||
                   scene_start_check_memory(replay, &run->def, picture_bytes, error)
               ? status
               : STATUS_FAILED;
}

Status scene_run_open(SceneRun *run, const SceneRequest *request, double picture_bytes,
                      BillowError *error)
{
    *run = (SceneRun){.request = request};
    Status status = request->resume != NULL   ? open_checkpoint(run, picture_bytes, error)
                    : request->replay != NULL ? open_recording(run, picture_bytes, error)
                                              : open_scene(run, picture_bytes, error);
    run->def.threads = request->threads;
    run->before = (int)run->progress.frames;
    status = cluster_status(status, error);
    if (status != STATUS_DONE || cluster_ranks() == 1)
        return status;
    char *text = scene_checkpoint_text(&run->scene, error);
    if (!cluster_agree(text != NULL, error) || !cluster_same(text, "scenes", error))
        status = STATUS_FAILED;
    free(text);
    return status;
}

bool scene_start_fps(const SceneRun *run, double asked, double *fps, BillowError *error)
{
    double saved = run->progress.fps;
    *fps = asked > 0 ? asked : saved > 0 ? saved : SCENE_START_FPS;
    return !(saved > 0) || *fps == saved ||
           fail(error, "--fps %g: %.200s has %g frames per second, and its frames are continued",
                asked, run->name, saved);
}

int scene_start_poster_frames(const SceneRun *run, double fps)
{
    return (int)fmax(1, round((double)run->scene.poster.time * fps));
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

bool scene_start_check_every(const SceneRequest *request, BillowError *error)
{
    return request->checkpoint != NULL || request->every == 0 ||
           fail(error, "--every %d needs --checkpoint FILE", request->every);
}

/* -- running ----------------------------------------------------------------------------------- */

/* Applies --set to the resumed simulation. */
static bool apply_changes(SceneRun *run, const BillowDef *before, BillowError *error)
{
    const SceneDifference found = scene_difference(&run->saved, &run->scene);
    if ((found.effects & SCENE_EFFECTS_LIVE) == 0)
        return true;
    BillowDef def = run->def;
    BillowError reason;
    ScenePlay *changed = scene_play_renew(run->driver.play, &run->scene, &def, error);
    if (changed == NULL)
        return false;
    if (!scene_running_change(run->driver.sim, before, &def, &reason)) {
        scene_play_destroy(changed);
        return fail(error, "--set: %.200s cannot take this change: %.300s", run->name, reason.text);
    }
    scene_play_destroy(run->driver.play);
    run->driver.play = changed;
    return true;
}

static bool create_sim(SceneRun *run, BillowError *error)
{
    BillowDef def = run->def;
    if (run->resumed) {
        def = scene_def(&run->saved);
        def.threads = run->def.threads;
        return scene_checkpoint_start(&run->reader, &run->saved, &def, &run->driver, error) &&
               apply_changes(run, &def, error);
    }
    if (run->replays) {
        SimJoin *start = run->start;
        if (start != NULL) {
            start->shared.def.threads = def.threads;
            def = start->shared.def;
        }
        ScenePlay *play = start != NULL
                              ? start->play
                              : scene_play_create_of(run->recorded, &run->scene, &def, error);
        if (start != NULL)
            start->play = NULL; /* the driver's */
        bool good = play != NULL && scene_driver_start(&run->driver, play, &def, NULL, error) &&
                    (start == NULL ||
                     billow_load_state(run->driver.sim, start->state, start->bytes, error));
        if (good && start != NULL) { /* a state may fill much of the memory */
            free(start->state);
            start->state = NULL;
        }
        return good && replay_run_open(&run->replay, &run->recording, &run->scene, &def,
                                       &run->driver, start, error);
    }
    if (!scene_driver_create(&run->driver, &run->scene, &def, cluster_exchange(), error))
        return false;
    if (!run->request->quiet)
        scene_start_note_memory(run->driver.play);
    return true;
}

/* Makes room for the state of the present box. Ranks touch only their own parts of it. */
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

static bool allocate_checkpoint(SceneRun *run, BillowError *error)
{
    if (run->request->checkpoint == NULL)
        return true;
    scene_play_shapes(run->driver.play, run->shapes);
    if (!system_check_memory((double)billow_state_bytes(run->driver.sim) * cluster_share(),
                             "writing checkpoints", "no --checkpoint", error))
        return false;
    run->text = fit_state(run, error) ? scene_checkpoint_text(&run->scene, error) : NULL;
    return run->text != NULL;
}

bool scene_start_moves(const Scene *scene, const char *beginning)
{
    for (int t = 0; t < scene->track_count; t++)
        if (strncmp(scene->tracks[t].key, beginning, strlen(beginning)) == 0)
            return true;
    return false;
}

bool scene_start_has_shutter(const Scene *scene)
{
    return scene->render.lens.shutter > 0 || scene_start_moves(scene, "camera.shutter");
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

bool scene_run_begin(SceneRun *run, double fps, BillowError *error)
{
    const SceneRequest *request = run->request;
    CheckpointRun *progress = &run->progress;
    run->step = (double)run->scene.step;
    run->upres_def = run->scene.upres;
    run->upres_def.threads = run->def.threads;
    run->written_there = request->checkpoint != NULL && request->resume != NULL &&
                         paths_same(request->checkpoint, request->resume);
    progress->fps = fps;
    if (fps <= 0)
        progress->frames = progress->part = progress->parts = 0;
    if (!run->resumed)
        snprintf(progress->scene, sizeof progress->scene, "%s", run->name);
    return create_sim(run, error) && cluster_agree(allocate_checkpoint(run, error), error);
}

void scene_run_close(SceneRun *run)
{
    free(run->text);
    free(run->state);
    replay_run_close(&run->replay);
    billow_upres_destroy(run->upres);
    scene_driver_destroy(&run->driver);
    checkpoint_close(&run->reader);
    sim_recording_free(&run->recording);
    scene_shapes_free(run->recorded);
    if (run->start != NULL)
        sim_join_free(run->start);
    free(run->start);
    run->start = NULL;
    run->text = NULL;
    run->state = NULL;
    run->upres = NULL;
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
                                        .replaces = run->written_there};
    bool written = scene_checkpoint_write(&checkpoint, run->request->checkpoint, error);
    run->written_there = run->written_there || written;
    return written;
}

/* Whether checkpoints are written and the state is finite. */
static bool can_save(const SceneRun *run)
{
    return run->text != NULL && billow_stats(run->driver.sim).nonfinite == 0;
}

void scene_run_step_done(SceneRun *run)
{
    BillowError reason, notice;
    const char *why = billow_growth_notice(run->driver.sim);
    if (why[0] != '\0' && !run->growth_said) { /* the box no longer grows */
        run->growth_said = true;
        fail(&notice, "notice: %s", why);
        if (!run->request->quiet)
            report_notice(&notice);
    }
    run->unsaved++;
    if (run->request->every == 0 || run->unsaved < run->request->every || !can_save(run) ||
        save(run, &reason))
        return;
    fail(&notice, "notice: no checkpoint after %.6g s: %.400s", run->progress.time, reason.text);
    report_notice(&notice);
}

/* Writes the checkpoint that a signal asks for, and says so. */
static void save_asked(SceneRun *run)
{
    BillowError reason, notice;
    if (run->request->checkpoint == NULL)
        fail(&notice, "notice: SIGUSR2 writes a checkpoint only with --checkpoint FILE");
    else if (scene_start_check_finite(run->driver.sim, &reason) && save(run, &reason))
        fail(&notice, "notice: wrote %.300s at %.6g s", run->request->checkpoint,
             run->progress.time);
    else
        fail(&notice, "notice: no checkpoint after %.6g s: %.400s", run->progress.time,
             reason.text);
    if (!run->request->quiet)
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

/* Checks a finished frame. */
static Status end_frame(SceneRun *run, BillowError *error)
{
    bool good = scene_start_check_finite(run->driver.sim, error) && fit_upres(run, error);
    return cluster_agree(good, error) ? STATUS_DONE : STATUS_FAILED;
}

static void add_sound(SceneRun *run, double seconds)
{
    if (run->sound != NULL)
        sound_track_step(run->sound, run->driver.sim, seconds);
}

/* Replays the steps until a time, s. */
static Status replay_frame(SceneRun *run, double until, BillowError *error)
{
    while (replay_run_step(&run->replay, until, error)) {
        add_sound(run, run->replay.shared.step);
        if (scene_run_signalled(run))
            return STATUS_INTERRUPTED;
    }
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
        add_sound(run, seconds / progress->parts);
        progress->part++;
        if (scene_run_signalled(run))
            return STATUS_INTERRUPTED;
    }
    return end_frame(run, error);
}

Status scene_run_frames(SceneRun *run, int frames, bool all, SceneWrite *write, void *context,
                        BillowError *error)
{
    Progress progress = progress_start(run->request->quiet);
    Status status = STATUS_DONE;
    for (int frame = 1; frame <= frames && status == STATUS_DONE; frame++) {
        status = run->replay.replay.recording != NULL
                     ? replay_frame(run, frame / run->progress.fps, error)
                     : run_frame(run, 1 / run->progress.fps, error);
        if (status != STATUS_DONE)
            break;
        if (all || frame == frames) {
            const int number = run->before + frame;
            scene_run_fetch(run);
            if (!cluster_agree(!writes_frames(run) || write(context, number, error), error)) {
                status = STATUS_FAILED;
                break;
            }
            run->written = number;
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
    if (differs > 0 && status == STATUS_DONE)
        return status_fail(STATUS_FAILED, error,
                           "%.300s: the replay differs from the recording from step %llu on",
                           run->request->replay, (unsigned long long)differs);
    if (run->text == NULL || !can_save(run))
        return status;
    if (!save(run, &reason)) {
        if (status != STATUS_FAILED)
            *error = reason;
        return STATUS_FAILED;
    }
    if (status == STATUS_INTERRUPTED)
        fail(error, "interrupted; 'billow %s --resume %.300s' continues from %.6g s",
             run->request->command, run->request->checkpoint, run->progress.time);
    return status;
}
