/* SPDX-License-Identifier: MIT
 * Starts, changes, shares and ends the simulation of a scene. */
#include "play/world.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/system.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- what stays the same for every simulation -------------------------------------------------- */

void world_send(World *world, const SimCommand *command)
{
    if (world->sim != NULL)
        sim_thread_send(world->sim, command);
}

void world_set_exact(World *world, bool exact)
{
    world->exact = exact;
    world_send(world, &(SimCommand){SIM_EXACT, .on = exact});
}

void world_set_memory(World *world, double bytes)
{
    world->past_bytes = bytes;
    world_send(world, &(SimCommand){SIM_MEMORY, .value = bytes});
}

void world_set_aim(World *world, const GridAim *aim)
{
    if (!(world->aim.fps > 0))
        return;
    if (world->aim.exact != aim->exact)
        world_set_exact(world, aim->exact);
    world->aim = *aim;
    if (world->grid.count > 0)
        grid_choice_aim(&world->grid, aim);
}

/* Sets the speed of the present simulation and of all later ones. */
static void set_speed(World *world, double speed)
{
    world->speed = speed;
    world_send(world, &(SimCommand){SIM_SPEED, .value = speed > 0 ? speed : 1});
}

double world_change_speed(World *world, int doublings)
{
    double speed = ldexp(world->speed > 0 ? world->speed : 1, doublings);
    set_speed(world, fmin(fmax(speed, 0.125), 2));
    return world->speed;
}

void world_reset(World *world)
{
    world->checkpoint[0] = 0;
    world_send(world, &(SimCommand){.kind = SIM_RESET});
}

void world_replay(World *world, SimRecording *script)
{
    assert(world->sim != NULL && world->script == NULL);
    world->script = script;
    sim_thread_send(world->sim, &(SimCommand){SIM_REPLAY, .replay = script});
}

/* Frees the recorder, if there is one, and keeps why it has failed. */
static void free_recorder(World *world)
{
    if (world->recorder != NULL && world->recorder->failed)
        world->record_error = world->recorder->error;
    replay_recorder_free(world->recorder);
    world->recorder = NULL;
}

bool world_record(World *world, const char *path, bool goes_on, BillowError *error)
{
    if (world->recorder != NULL && !atomic_load(&world->recorder->ended))
        return fail(error, "hands are being recorded to %.300s", world->recorder->path);
    free_recorder(world);
    world->recorder =
        replay_recorder_create(path, &world->scene, world_newest_play(world), goes_on, error);
    if (world->recorder == NULL)
        return false;
    sim_thread_send(world->sim,
                    &(SimCommand){SIM_RECORD, .recording = &world->recorder->recording});
    world->viewed = (RenderCamera){.distance = 0};
    return true;
}

void world_follow_record(World *world)
{
    const RenderCamera *camera = &world->render.camera;
    if (world->recorder == NULL || world->changing ||
        memcmp(camera, &world->viewed, sizeof *camera) == 0)
        return;
    world->viewed = *camera;
    world_send(world, &(SimCommand){SIM_VIEW, .camera = *camera});
}

ReplayRecorder *world_recorded(World *world)
{
    ReplayRecorder *recorder = world->recorder;
    if (recorder == NULL || !recorder->recording.goes_on || !atomic_load(&recorder->ended))
        return NULL;
    world->recorder = NULL;
    return recorder;
}

bool world_close_record(World *world, BillowError *error)
{
    free_recorder(world);
    if (world->record_error.text[0] == '\0')
        return true;
    *error = world->record_error;
    return false;
}

/* -- what a simulation uses -------------------------------------------------------------------- */

static void add_play(World *world, ScenePlay *play)
{
    world->plays[world->play_count++] = (WorldPlay){play, world->settings};
}

/* Destroys a play that the simulation no longer uses. */
static void drop_play(World *world, int index)
{
    scene_play_destroy(world->plays[index].play);
    world->play_count--;
    memmove(&world->plays[index], &world->plays[index + 1],
            (size_t)(world->play_count - index) * sizeof world->plays[0]);
}

const ScenePlay *world_newest_play(const World *world)
{
    if (world->play_count > 0)
        return world->plays[world->play_count - 1].play;
    return world->join != NULL ? world->join->play : NULL;
}

static void free_join(SimJoin **join)
{
    if (*join != NULL)
        sim_join_free(*join);
    free(*join);
    *join = NULL;
}

/* Drops the checkpoint, the recording and the state that `next` would start from. */
static void drop_next(World *world)
{
    free(world->taken.state);
    scene_play_destroy(world->taken.play);
    world->taken = (WorldTaken){.play = NULL};
    if (world->next_script != NULL)
        sim_recording_free(world->next_script);
    free(world->next_script);
    world->next_script = NULL;
    free_join(&world->next_join);
}

/* Memory of a simulation of this definition with what is drawn of it, bytes. */
static double bytes_for(const BillowDef *def)
{
    const double finer = (double)def->refine * def->refine * def->refine;
    const double winds = (double)def->nx * def->ny * def->nz;
    return (double)billow_bytes_needed(def) +
           (WORLD_BYTES_PER_CELL * finer + WORLD_BYTES_PER_WIND_CELL) * winds;
}

/* -- a session with others --------------------------------------------------------------------- */

bool world_follows(const World *world)
{
    if (world->share == NULL)
        return false;
    const ShareStatus status = share_status(world->share);
    return !status.host && !status.ended;
}

/* Attaches the simulation, which has just started, to the session, if there is one. */
static void attach(World *world)
{
    if (world->share == NULL)
        return;
    share_attach(world->share, world->sim);
    const ShareStatus status = share_status(world->share);
    if (status.host)
        sim_thread_send(world->sim, &(SimCommand){SIM_SHARE, .share = share_table(world->share)});
    if (status.watches && world->join != NULL)
        share_shown(world->share, world->join->steps);
}

void world_share(World *world, Share *share)
{
    world->share = share;
    attach(world);
}

void world_hear(World *world, SoundFeed *feed)
{
    world->sound = feed;
    if (world->sim != NULL)
        sim_thread_sound(world->sim, feed);
}

/* Returns true with a message if the simulation follows a host. */
static bool refuse_following(const World *world, BillowError *error)
{
    return world_follows(world) && !fail(error, "only the host of a shared scene can do this");
}

/* Reads a state of the session. Frees the bytes. Returns NULL with a message if it cannot be read.
 */
static SimJoin *read_shared(unsigned char *bytes, size_t count, BillowError *error)
{
    TurnReader from = {bytes, count, 0};
    SimJoin *join = calloc(1, sizeof *join);
    bool good = join != NULL ? sim_join_read(&from, join, error)
                             : fail(error, "not enough memory for the host's smoke");
    free(bytes);
    if (good)
        return join;
    free(join);
    return NULL;
}

/* Lets `next` start from a state of the session. */
static void take_shared(World *world, SimJoin *join)
{
    drop_next(world);
    world->next_join = join;
    world->next = join->scene;
    if (strcmp(world->from, join->scene.name) != 0) {
        snprintf(world->from, sizeof world->from, "%s", join->scene.name);
        world->opened = join->scene;
    }
}

/* -- simulations ------------------------------------------------------------------------------- */

/* How deep to crease the smoke, so that the picture in motion resembles the scene's poster: as deep
 * as the poster erodes the smoke, and at least as deep as its folds look, which the picture in
 * motion lacks. Folds of half a cell are hardly seen. */
static float poster_creases(const Scene *scene)
{
    Scene poster = *scene;
    scene_refine_as_poster(&poster, 0);
    if (poster.upres.factor < BILLOW_UPRES_MIN)
        return 0;
    return fminf(fmaxf(poster.upres.erosion, 0.25f * (poster.upres.turbulence - 0.5f)), 1);
}

/* Sets all members that depend on the scene, except the simulation. */
static void follow_scene(World *world, const Scene *scene, bool keep_view)
{
    const RenderCamera camera = world->render.camera;
    const bool other_poster = strcmp(world->scene.poster.set, scene->poster.set) != 0 ||
                              memcmp(&world->scene.upres, &scene->upres, sizeof scene->upres) != 0;
    if (other_poster)
        world->creases = poster_creases(scene);
    world->scene = *scene;
    world->render = scene->render;
    if (keep_view)
        world->render.camera = camera;
    else
        world->timed = scene->render.camera;
    world->camera_control = camera_control_for(scene);
    world->brush = brush_for_next(&world->brush, scene);
}

/* Whether the user has chosen the number of cells for a scene. */
static bool chose_grid(const World *world, const Scene *scene)
{
    return world->request.grid != NULL || scene_request_sets(&world->request, "domain.cells") ||
           memcmp(scene->domain.cells, world->opened.domain.cells, sizeof scene->domain.cells) != 0;
}

/* Whether the user has chosen how fine the smoke of a scene is. */
static bool chose_refine(const World *world, const Scene *scene)
{
    return world->request.refine > 0 || scene_request_sets(&world->request, "domain.refine") ||
           scene->def.refine != world->opened.def.refine;
}

/* Chooses the grid that a scene starts on. def: the scene's own one, which is replaced. */
static void choose_grid(World *world, const Scene *scene, BillowDef *def)
{
    world->grid = (GridChoice){.count = 0};
    if (!(world->aim.fps > 0) || chose_grid(world, scene))
        return;
    world->grid = grid_choice_start(scene, def, chose_refine(world, scene), &world->aim);
    if (world->grid.count > 0)
        grid_choice_apply(&world->grid, def);
}

/* Starts the simulation of a scene, from rest or from a checkpoint. */
static bool start_thread(World *world, const Scene *scene, BillowError *error)
{
    WorldTaken taken = world->taken;
    world->taken = (WorldTaken){.play = NULL};
    bool rest = taken.play == NULL;
    world->grid = (GridChoice){.count = 0};
    world->grids = 0;
    world->grid_waits = false;
    if (rest) {
        taken.def = scene_def(scene);
        taken.def.threads = world->threads;
        taken.play = scene_play_create(scene, &taken.def, error);
        if (taken.play != NULL && world->next_script == NULL)
            choose_grid(world, scene, &taken.def);
    }
    if (taken.play != NULL &&
        system_check_memory(bytes_for(&taken.def), scene->name, "fewer domain.cells", error))
        world->sim = sim_thread_start(&taken.def, taken.play, scene, (double)scene->step,
                                      taken.state, taken.bytes, error);
    if (world->sim != NULL) {
        add_play(world, taken.play);
        return true;
    }
    free(taken.state);
    scene_play_destroy(taken.play);
    return false;
}

/* Starts the simulation of world->next_join, paused: to follow its host, or to replay. */
static bool start_following(World *world, BillowError *error)
{
    SimJoin *join = world->next_join;
    world->next_join = NULL;
    world->join = join;
    world->grid = (GridChoice){.count = 0};
    const bool alone = world->next_script != NULL; /* a replay, which follows nobody */
    if (system_check_memory(bytes_for(&join->shared.def), join->scene.name,
                            alone ? "fewer cells" : "a host with fewer cells", error))
        world->sim =
            sim_thread_join(join, world->threads, alone ? NULL : share_table(world->share), error);
    if (world->sim == NULL)
        free_join(&world->join);
    if (world->sim != NULL && alone) {
        add_play(world, join->play);
        join->play = NULL;
        free_join(&world->join);
    }
    return world->sim != NULL;
}

/* Starts the simulation of a scene, or follows the host's where world->next_join says so. */
static bool start(World *world, const Scene *scene, BillowError *error)
{
    const bool waits = world->next_join != NULL && world->next_script != NULL;
    if (!(world->next_join != NULL ? start_following(world, error)
                                   : start_thread(world, scene, error)))
        return false;
    attach(world);
    sim_thread_sound(world->sim, world->sound);
    world_set_exact(world, world->exact);
    world_set_memory(world, world->past_bytes);
    if (!world_follows(world))
        set_speed(world, world->speed);
    if (world->keep_pause)
        sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = true});
    follow_scene(world, scene, world->keep_view);
    if (world->next_script != NULL)
        world_replay(world, world->next_script);
    if (waits) /* no step may come before the replay */
        sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = false});
    world->next_script = NULL;
    world->keep_view = world->keep_pause = false;
    return true;
}

SimClock world_clock(World *world)
{
    SimClock sum = world->clock_before;
    const SimSnapshot *last = world->sim != NULL ? sim_thread_snapshot(world->sim) : NULL;
    if (last != NULL) {
        sum.clock += last->clock.clock;
        sum.simulated += last->clock.simulated;
        sum.owed += last->clock.owed;
        sum.dropped += last->clock.dropped;
    }
    return sum;
}

static void stop(World *world)
{
    if (world->sim == NULL)
        return;
    const SimSnapshot *last = sim_thread_snapshot(world->sim);
    if (last != NULL)
        world->steps_before += last->steps;
    world->clock_before = world_clock(world);
    if (world->share != NULL)
        share_attach(world->share, NULL);
    sim_thread_destroy(world->sim);
    while (world->play_count > 0)
        drop_play(world, 0);
    if (world->script != NULL)
        sim_recording_free(world->script);
    free(world->script);
    free_join(&world->join);
    world->sim = NULL;
    world->script = NULL;
    world->settings = 0;
}

/* -- opening and changing ---------------------------------------------------------------------- */

/* Reads a checkpoint. If it is of a built-in scene, `from` and `opened` become that scene.
 * Otherwise they become the checkpoint and the scene in it. */
static bool take(World *world, const char *checkpoint, Scene *scene, BillowError *error)
{
    CheckpointReader reader;
    WorldTaken taken = {.play = NULL};
    SceneRequest request = world->request;
    if (!scene_checkpoint_open(&reader, checkpoint, scene, error))
        return false;
    taken.def = scene_def(scene);
    taken.def.threads = world->threads;
    char name[sizeof reader.run.scene];
    memcpy(name, reader.run.scene, sizeof name);
    request.name_or_path = name;
    bool good = system_check_memory((double)reader.bytes, checkpoint, "less --rewind", error) &&
                scene_checkpoint_take(&reader, scene, &taken.def, &taken.play, &taken.state,
                                      &taken.bytes, error);
    checkpoint_close(&reader);
    if (!good)
        return false;
    drop_next(world);
    world->taken = taken;
    bool builtin = scene_is_builtin(name) && scene_open(&request, &world->opened, NULL);
    snprintf(world->from, sizeof world->from, "%s", builtin ? name : checkpoint);
    snprintf(world->checkpoint, sizeof world->checkpoint, "%s", checkpoint);
    if (!builtin)
        world->opened = *scene;
    return true;
}

/* Reads a recording of hands and its scene. */
static bool take_recording(World *world, const char *path, Scene *scene, BillowError *error)
{
    ReplayFile file;
    bool same;
    SimRecording *script = calloc(1, sizeof *script);
    if (script == NULL)
        return fail(error, "%s: not enough memory", path);
    if (!replay_file_read(path, &file, error)) {
        free(script);
        return false;
    }
    WorldTaken taken = {.play = NULL};
    const bool good = replay_file_change(&file, &world->request, &same, error);
    if (good && file.start == NULL) {
        taken.def = scene_def(&file.scene);
        taken.def.threads = world->threads;
        taken.play = scene_play_create_of(file.shapes, &file.scene, &taken.def, error);
    }
    if (!good || (file.start == NULL && taken.play == NULL)) {
        replay_file_free(&file);
        free(script);
        return false;
    }
    scene_shapes_free(file.shapes);
    drop_next(world);
    world->taken = taken;
    world->next_join = file.start;
    *script = file.recording;
    *scene = file.scene;
    world->next_script = script;
    return true;
}

/* Loads the scene, checkpoint or recording to play next. Changes nothing if loading fails. */
static bool load(World *world, const char *name, bool checkpoint, BillowError *error)
{
    Scene scene;
    SceneRequest request = world->request;
    request.name_or_path = name;
    const bool replays = !checkpoint && replay_file_is_one(name);
    if (!(checkpoint ? take(world, name, &scene, error)
          : replays  ? take_recording(world, name, &scene, error)
                     : scene_open(&request, &scene, error)))
        return false;
    if (!checkpoint && !replays)
        drop_next(world);
    if (!checkpoint) {
        snprintf(world->from, sizeof world->from, "%s", name);
        world->opened = scene;
        world->checkpoint[0] = 0;
    }
    world->next = scene;
    world->keep_view = world->keep_pause = world->has_good = false;
    world->why[0] = 0;
    return true;
}

/* Starts the simulation of world->next, and waits until it exists. */
static bool start_and_wait(World *world, BillowError *error)
{
    if (!start(world, &world->next, error))
        return false;
    if (sim_thread_wait(world->sim, error) != SIM_THREAD_FAILED)
        return true;
    stop(world);
    return false;
}

bool world_open(World *world, const SceneRequest *request, const char *checkpoint, int threads,
                bool exact, const GridAim *aim, BillowError *error)
{
    const char *name = checkpoint != NULL ? checkpoint : request->name_or_path;
    *world = (World){.request = *request, .threads = threads, .exact = exact};
    if (aim != NULL)
        world->aim = *aim;
    return load(world, name, checkpoint != NULL, error) && start_and_wait(world, error);
}

bool world_open_shared(World *world, const SceneRequest *request, Share *share,
                       unsigned char *bytes, size_t count, int threads, BillowError *error)
{
    *world = (World){.request = *request, .threads = threads, .share = share};
    SimJoin *join = read_shared(bytes, count, error);
    if (join == NULL)
        return false;
    take_shared(world, join);
    return start_and_wait(world, error);
}

void world_close(World *world)
{
    drop_next(world);
    stop(world);
}

/* Starts the change to world->next: asks the present simulation to end. */
static void start_change(World *world)
{
    world->changing = true;
    world_send(world, &(SimCommand){.kind = SIM_QUIT});
}

bool world_change(World *world, const char *name, BillowError *error)
{
    if (refuse_following(world, error) || !load(world, name, checkpoint_is_one(name), error))
        return false;
    start_change(world);
    return true;
}

const Scene *world_scene(const World *world)
{
    return world->changing ? &world->next : &world->scene;
}

/* -- other values for the scene that plays ----------------------------------------------------- */

static bool has_volumes(const Scene *scene)
{
    bool has = false;
    for (int e = 0; e < scene->def.emitter_count; e++)
        has = has || scene->def.emitters[e].shape == BILLOW_VOLUME;
    for (int s = 0; s < scene->def.solid_count; s++)
        has = has || scene->def.solids[s].shape == BILLOW_VOLUME;
    return has;
}

/* Whether a scene can probably start. The memory of the present simulation counts as free, because
 * that simulation ends first. */
static bool can_start(const World *world, const Scene *scene, BillowError *error)
{
    BillowDef def = scene_def(scene);
    double used = 0;
    if (world->sim != NULL) {
        const BillowDef now = scene_def(&world->scene);
        used = bytes_for(&now);
    }
    double more = bytes_for(&def) - used;
    if (more > 0 && !system_check_memory(more, scene->name, "fewer domain.cells", error))
        return false;
    ScenePlay *play = scene_play_create(scene, &def, error);
    scene_play_destroy(play);
    return play != NULL;
}

/* Starts the change to a new simulation, of this scene. */
static void rebuild(World *world, const Scene *scene, bool keep_view)
{
    world->keep_view = keep_view;
    world->keep_pause = world->sim != NULL && sim_thread_paused(world->sim);
    if (world->sim != NULL && !world->changing) {
        world->good = world->scene;
        world->has_good = true;
    }
    world->next = *scene;
    world->checkpoint[0] = 0;
    drop_next(world);
    start_change(world);
}

static bool apply_by_rebuilding(World *world, const Scene *scene, const SceneDifference *found,
                                BillowError *error)
{
    if (world_follows(world))
        return fail(error, "%s: only the host of a shared scene can change this",
                    found->rebuild[0] != 0 ? found->rebuild : "the scene");
    if (!can_start(world, scene, error))
        return false;
    bool keep_view =
        (found->effects & SCENE_EFFECT_CAMERA) == 0 && strcmp(world->scene.name, scene->name) == 0;
    rebuild(world, scene, keep_view);
    if (found->rebuild[0] != 0)
        snprintf(world->why, sizeof world->why, "%s changed: the simulation starts again",
                 found->rebuild);
    return true;
}

/* Sends new settings to the simulation and keeps their play. */
static bool send_settings(World *world, const SimSettings *settings, BillowError *error)
{
    SimSettings *copy = sim_settings_copy(settings);
    SimSent sent = SIM_NOT_SENT;
    if (copy != NULL)
        sent = sim_thread_send(world->sim, &(SimCommand){SIM_SETTINGS, .settings = copy});
    if (sent == SIM_NOT_SENT) {
        free(copy);
        return fail(error, "not enough memory for new settings");
    }
    world->settings = settings->serial;
    if (sent == SIM_SENT_INSTEAD)
        drop_play(world, world->play_count - 1);
    add_play(world, settings->play);
    return true;
}

/* Applies a scene to the running simulation. before: play whose shapes are used again; NULL: all
 * shapes are made again. */
static bool apply_live(World *world, const Scene *scene, const ScenePlay *before,
                       BillowError *error)
{
    BillowDef def = scene_def(scene);
    def.threads = world->threads;
    ScenePlay *play = scene_play_renew(before, scene, &def, error);
    if (play == NULL)
        return false;
    if (world->play_count == WORLD_PLAYS_MAX) {
        scene_play_destroy(play);
        return fail(error, "too many changes at once; try again");
    }
    const SimSettings settings = {def, play, (double)scene->step, world->settings + 1, scene};
    if (send_settings(world, &settings, error))
        return true;
    scene_play_destroy(play);
    return false;
}

/* Time after an own change of shared settings in which those of others are not shown, s. */
#define WISH_SECONDS 0.5

/* Whether the host would take new settings. Shapes from files are the host's. */
static bool can_wish(const World *world, const Scene *scene, BillowError *error)
{
    BillowDef def = scene_def(scene);
    ScenePlay *play = scene_play_renew(world_newest_play(world), scene, &def, error);
    scene_play_destroy(play);
    if (play == NULL)
        return false;
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        const SceneForm *form = scene_form_of(scene, entry);
        if (strncmp(form->mesh, TURN_FOLDER, strlen(TURN_FOLDER)) == 0 ||
            strncmp(form->font, TURN_FOLDER, strlen(TURN_FOLDER)) == 0)
            return fail(error, "only the host can change a shared scene with files of its own");
    }
    return true;
}

/* Asks the host for new settings, and shows them already. Returns false with a message if the host
 * would refuse them. */
static bool wish(World *world, const Scene *scene, bool keep_view, BillowError *error)
{
    if (!can_wish(world, scene, error))
        return false;
    const SimSettings settings = {
        .def = scene_def(scene), .step = (double)scene->step, .scene = scene};
    SimSettings *copy = sim_settings_copy(&settings);
    if (copy == NULL ||
        sim_thread_send(world->sim, &(SimCommand){SIM_WISH, .settings = copy}) == SIM_NOT_SENT) {
        free(copy);
        return fail(error, "not enough memory for new settings");
    }
    follow_scene(world, scene, keep_view);
    world->wished = clock_seconds();
    return true;
}

static bool apply(World *world, const Scene *scene, bool remake_shapes, SceneDifference *difference,
                  BillowError *error)
{
    SceneDifference found = scene_difference(world_scene(world), scene);
    if (difference != NULL)
        *difference = found;
    if (found.effects == 0 && !remake_shapes && world->sim != NULL)
        return true;
    if (world->sim == NULL || world->changing || (found.effects & SCENE_EFFECT_REBUILD) != 0)
        return apply_by_rebuilding(world, scene, &found, error);
    if (world_follows(world))
        return wish(world, scene, (found.effects & SCENE_EFFECT_CAMERA) == 0, error);
    /* Others, and recordings, see what is only drawn differently, too. */
    if ((world->share != NULL || world->recorder != NULL) &&
        (found.effects & ~(unsigned)SCENE_EFFECT_CAMERA) != 0)
        found.effects |= SCENE_EFFECTS_LIVE;
    if (world->share != NULL)
        world->wished = clock_seconds(); /* while the own hand drags, others wait to be shown */
    const ScenePlay *before =
        remake_shapes && world->join == NULL ? NULL : world_newest_play(world);
    if (((found.effects & SCENE_EFFECTS_LIVE) != 0 || remake_shapes) &&
        !apply_live(world, scene, before, error))
        return false;
    Brush brush = world->brush;
    follow_scene(world, scene, (found.effects & SCENE_EFFECT_CAMERA) == 0);
    if ((found.effects & SCENE_EFFECT_HAND) == 0) {
        brush.extinction = world->brush.extinction;
        world->brush = brush;
    }
    return true;
}

bool world_apply(World *world, const Scene *scene, SceneDifference *difference, BillowError *error)
{
    return apply(world, scene, false, difference, error);
}

bool world_reload(World *world, const Scene *scene, SceneDifference *difference, BillowError *error)
{
    if (!apply(world, scene, has_volumes(scene), difference, error))
        return false;
    world->opened = *scene;
    return true;
}

bool world_go_back(World *world, const Scene *scene, const Scene *opened, const char *from,
                   BillowError *error)
{
    if (refuse_following(world, error) || !can_start(world, scene, error))
        return false;
    rebuild(world, scene, false);
    world->has_good = false;
    world->why[0] = 0;
    snprintf(world->from, sizeof world->from, "%s", from);
    world->opened = *opened;
    return true;
}

/* Destroys plays that are older than the newest snapshot's settings. If the simulation refused the
 * newest settings, starts a new simulation with them. */
static void follow_settings(World *world)
{
    const SimSnapshot *snapshot = sim_thread_snapshot(world->sim);
    if (snapshot == NULL)
        return;
    for (int p = world->play_count - 1; p >= 0; p--)
        if (world->plays[p].serial < snapshot->settings)
            drop_play(world, p);
    if (snapshot->settings_seen != world->settings || snapshot->settings == world->settings)
        return;
    snprintf(world->why, sizeof world->why, "the simulation starts again: %.150s",
             snapshot->refusal.text);
    rebuild(world, &world->scene, true);
    world->has_good = false;
}

/* -- from frame to frame ----------------------------------------------------------------------- */

/* Shows a state in the simulation that watches, if that has its fields. Frees it then. */
static bool show_shared(World *world, SimJoin *join)
{
    SimJoin *shown = world->join;
    if (world->sim == NULL || shown == NULL || !share_status(world->share).watches ||
        !sim_join_shows(shown, join))
        return false;
    if (memcmp(&shown->scene, &join->scene, sizeof shown->scene) != 0) {
        const Brush brush = world->brush;
        shown->scene = join->scene;
        follow_scene(world, &join->scene, true);
        world->brush = brush;
    }
    SimCommand command = {SIM_SHOW, .state = {join->state, join->bytes, join->steps}};
    if (sim_thread_send(world->sim, &command) != SIM_NOT_SENT)
        join->state = NULL;
    share_shown(world->share, join->steps);
    free_join(&join);
    return true;
}

/* Looks for a new state of the host's, and for settings that others have changed. Returns false if
 * the session had to be left. */
static bool follow_session(World *world, BillowError *error)
{
    unsigned char *bytes;
    size_t count;
    Scene scene;
    if (world->share == NULL || world->changing)
        return true;
    if (share_state(world->share, &bytes, &count)) {
        SimJoin *join = read_shared(bytes, count, error);
        if (join == NULL) {
            share_leave(world->share, error->text);
            return false;
        }
        if (show_shared(world, join))
            return true;
        take_shared(world, join);
        world->keep_view = strcmp(world->scene.name, world->next.name) == 0;
        world->why[0] = 0;
        world->has_good = false;
        start_change(world);
        return true;
    }
    if (clock_seconds() - world->wished < WISH_SECONDS || !share_scene(world->share, &scene))
        return true;
    Brush brush = world->brush;
    follow_scene(world, &scene, true);
    world->brush = brush;
    return true;
}

/* A simulation that cannot follow leaves the session. */
static WorldEvent give_up(World *world, const BillowError *error)
{
    BillowError reason;
    if (world_follows(world))
        share_leave(world->share, error->text);
    bool returns = world->has_good;
    world->has_good = false;
    return returns && start(world, &world->good, &reason) ? WORLD_RETURNED : WORLD_FAILED;
}

WorldEvent world_poll(World *world, BillowError *error)
{
    follow_session(world, error);
    SimThreadState state =
        world->sim != NULL ? sim_thread_state(world->sim, error) : SIM_THREAD_ENDED;
    if (world->changing && (state == SIM_THREAD_ENDED || state == SIM_THREAD_FAILED)) {
        stop(world);
        world->changing = false;
        return start(world, &world->next, error) ? WORLD_CHANGED : give_up(world, error);
    }
    if (!world->changing && state == SIM_THREAD_FAILED) {
        stop(world);
        return give_up(world, error);
    }
    if (!world->changing && state == SIM_THREAD_RUNNING) {
        world->has_good = false;
        follow_settings(world);
    }
    return WORLD_NOTHING;
}

/* Asks the simulation to continue on the chosen grid, if there is memory for both. */
static void send_grid(World *world)
{
    BillowDef def = scene_def(&world->scene);
    const struct SimGrid grid = {world->grid.rungs[world->grid.rung], world->grids + 1};
    grid_rung_apply(&grid.rung, &def);
    if (!system_check_memory(bytes_for(&def), world->scene.name, "fewer domain.cells", NULL)) {
        grid_choice_return(&world->grid, true);
        return;
    }
    world->grids++;
    world->grid_waits = true;
    sim_thread_send(world->sim, &(SimCommand){SIM_GRID, .grid = grid});
}

bool world_overloaded(const World *world, const GridTimes *times)
{
    const double OVERLOAD = 4, limit = world->grid.step_limit_ms;
    return limit > 0 && fmax(times->step_ms, world->grid.step_ms) > OVERLOAD * limit;
}

void world_adapt_grid(World *world, const SimSnapshot *snapshot, const GridTimes *times,
                      double interval_ms)
{
    GridChoice *choice = &world->grid;
    if (world->changing || choice->count < 2 || snapshot->grid != world->grids)
        return; /* there is no choice, or the last change is not done */
    if (world->grid_waits && snapshot->grid_result != SIM_GRID_DONE)
        grid_choice_return(choice, snapshot->grid_result == SIM_GRID_REFUSED);
    world->grid_waits = false;
    choice->step_limit_ms = 1e3 * (double)world->scene.step / world->aim.pace;
    if (grid_choice_observe(choice, times, interval_ms))
        send_grid(world);
}

void world_look_at(World *world, double time)
{
    RenderSettings then = world->scene.render;
    BillowError error;
    if (world->scene.track_count == 0 || !scene_play_render(&world->scene, time, &then, &error))
        return;
    RenderCamera camera = world->render.camera;
    bool moved = memcmp(&camera, &world->timed, sizeof camera) != 0;
    world->timed = then.camera;
    world->render = then;
    if (moved)
        world->render.camera = camera;
}

const SimSnapshot *world_snapshot(World *world)
{
    if (world->sim == NULL)
        return NULL;
    sim_thread_want_velocity(
        world->sim, world->creases > 0 || render_ramp_follows(&world->render, RENDER_RAMP_SPEED));
    return sim_thread_snapshot(world->sim);
}

bool world_show_is_over(const World *world, const SimSnapshot *snapshot)
{
    const double show = (double)world->scene.show;
    return show > 0 && snapshot != NULL && snapshot->view.time >= show;
}
