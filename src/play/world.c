/* SPDX-License-Identifier: MIT
 * Starts, changes and ends the simulation of a scene. */
#include "play/world_parts.h"

#include "base/fail.h"
#include "base/render_settings.h"
#include "base/system.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void world_set_exact(World *world, bool exact)
{
    world->exact = exact;
    if (world->sim != NULL)
        sim_thread_send(world->sim, &(SimCommand){SIM_EXACT, .on = exact});
}

void world_set_memory(World *world, double bytes)
{
    world->past_bytes = bytes;
    if (world->sim != NULL)
        sim_thread_send(world->sim, &(SimCommand){SIM_MEMORY, .value = bytes});
}

void world_reset(World *world)
{
    world->checkpoint[0] = 0;
    if (world->sim != NULL)
        sim_thread_send(world->sim, &(SimCommand){.kind = SIM_RESET});
}

void world_replay(World *world, SimRecording *script)
{
    assert(world->sim != NULL && world->script == NULL);
    world->script = script;
    sim_thread_send(world->sim, &(SimCommand){SIM_REPLAY, .replay = script});
}

bool world_record(World *world, const char *path, BillowError *error)
{
    world->recorder = replay_recorder_create(path, &world->scene,
                                             world->plays[world->play_count - 1].play, error);
    if (world->recorder == NULL)
        return false;
    sim_thread_send(world->sim,
                    &(SimCommand){SIM_RECORD, .recording = &world->recorder->recording});
    return true;
}

bool world_close_record(World *world, BillowError *error)
{
    bool good = world->recorder == NULL || !world->recorder->failed;
    if (!good)
        *error = world->recorder->error;
    replay_recorder_free(world->recorder);
    world->recorder = NULL;
    return good;
}

void world_drop_next_script(World *world)
{
    if (world->next_script != NULL)
        sim_recording_free(world->next_script);
    free(world->next_script);
    world->next_script = NULL;
}

void world_set_speed(World *world, double speed)
{
    world->speed = speed;
    if (world->sim != NULL)
        sim_thread_send(world->sim, &(SimCommand){SIM_SPEED, .value = speed > 0 ? speed : 1});
}

double world_change_speed(World *world, int doublings)
{
    double speed = ldexp(world->speed > 0 ? world->speed : 1, doublings);
    world_set_speed(world, fmin(fmax(speed, 0.125), 2));
    return world->speed;
}

/* -- simulations ------------------------------------------------------------------------------- */

double world_bytes_for(const BillowDef *def)
{
    double cells = (double)def->nx * def->ny * def->nz;
    return (double)billow_bytes_needed(def) + WORLD_BYTES_PER_CELL * cells;
}

void world_follow_scene(World *world, const Scene *scene, bool keep_view)
{
    const RenderCamera camera = world->render.camera;
    world->scene = *scene;
    world->render = scene->render;
    if (keep_view)
        world->render.camera = camera;
    else
        world->timed = scene->render.camera;
    world->camera_control = camera_control_for(scene);
    world->brush = brush_for_next(&world->brush, scene);
}

void world_drop_taken(World *world)
{
    free(world->taken.state);
    scene_play_destroy(world->taken.play);
    world->taken = (WorldTaken){.play = NULL};
}

/* Whether the user has chosen the number of cells for a scene. */
static bool chose_grid(const World *world, const Scene *scene)
{
    const SceneRequest *request = &world->request;
    static const char key[] = "domain.cells";
    for (int o = 0; o < request->override_count; o++)
        if (strncmp(request->overrides[o], key, sizeof key - 1) == 0)
            return true;
    return request->grid != NULL ||
           memcmp(scene->domain.cells, world->opened.domain.cells, sizeof scene->domain.cells) != 0;
}

/* Chooses the grid that a scene starts on. def: the scene's own one, which is replaced. */
static void choose_grid(World *world, const Scene *scene, BillowDef *def)
{
    world->grid = (GridChoice){.count = 0};
    if (!(world->aim.fps > 0) || chose_grid(world, scene))
        return;
    world->grid = grid_choice_start(scene, def, &world->aim);
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
        system_check_memory(world_bytes_for(&taken.def), scene->name, "fewer domain.cells", error))
        world->sim = sim_thread_start(&taken.def, taken.play, scene, (double)scene->step,
                                      taken.state, taken.bytes, error);
    if (world->sim != NULL) {
        world_add_play(world, taken.play);
        return true;
    }
    free(taken.state);
    scene_play_destroy(taken.play);
    return false;
}

bool world_start(World *world, const Scene *scene, BillowError *error)
{
    if (!(world->next_join != NULL ? world_start_following(world, error)
                                   : start_thread(world, scene, error)))
        return false;
    world_attach(world);
    world_set_exact(world, world->exact);
    world_set_memory(world, world->past_bytes);
    if (!world_follows(world))
        world_set_speed(world, world->speed);
    if (world->keep_pause)
        sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = true});
    world_follow_scene(world, scene, world->keep_view);
    if (world->next_script != NULL)
        world_replay(world, world->next_script);
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

void world_stop(World *world)
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
        world_drop_play(world, 0);
    if (world->script != NULL)
        sim_recording_free(world->script);
    free(world->script);
    world_free_join(&world->join);
    world->sim = NULL;
    world->script = NULL;
    world->settings = 0;
}

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
    world_drop_taken(world);
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
    if (replay_file_change(&file, &world->request, &same, error)) {
        taken.def = scene_def(&file.scene);
        taken.def.threads = world->threads;
        taken.play = scene_play_create_of(file.shapes, &file.scene, &taken.def, error);
    }
    scene_shapes_free(file.shapes);
    if (taken.play == NULL) {
        sim_recording_free(&file.recording);
        free(script);
        return false;
    }
    world_drop_taken(world);
    world->taken = taken;
    *script = file.recording;
    *scene = file.scene;
    world_drop_next_script(world);
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
    if (!replays)
        world_drop_next_script(world);
    if (!checkpoint) {
        if (!replays)
            world_drop_taken(world);
        snprintf(world->from, sizeof world->from, "%s", name);
        world->opened = scene;
        world->checkpoint[0] = 0;
    }
    world->next = scene;
    world->keep_view = world->keep_pause = world->has_good = false;
    world->why[0] = 0;
    return true;
}

bool world_open(World *world, const SceneRequest *request, const char *checkpoint, int threads,
                bool exact, const GridAim *aim, BillowError *error)
{
    const char *name = checkpoint != NULL ? checkpoint : request->name_or_path;
    *world = (World){.request = *request, .threads = threads, .exact = exact};
    if (aim != NULL)
        world->aim = *aim;
    if (!load(world, name, checkpoint != NULL, error) || !world_start(world, &world->next, error))
        return false;
    if (sim_thread_wait(world->sim, error) != SIM_THREAD_FAILED)
        return true;
    world_stop(world);
    return false;
}

void world_close(World *world)
{
    world_free_join(&world->next_join);
    world_drop_taken(world);
    world_drop_next_script(world);
    world_stop(world);
}

void world_start_change(World *world)
{
    world->changing = true;
    if (world->sim != NULL)
        sim_thread_send(world->sim, &(SimCommand){.kind = SIM_QUIT});
}

bool world_change(World *world, const char *name, BillowError *error)
{
    if (world_refuse_following(world, error))
        return false;
    if (!load(world, name, checkpoint_is_one(name), error))
        return false;
    world_start_change(world);
    return true;
}

const Scene *world_scene(const World *world)
{
    return world->changing ? &world->next : &world->scene;
}

static WorldEvent fall_back(World *world)
{
    BillowError error;
    bool returns = world->has_good;
    world->has_good = false;
    return returns && world_start(world, &world->good, &error) ? WORLD_RETURNED : WORLD_FAILED;
}

/* A simulation that cannot follow leaves the session. */
static WorldEvent give_up(World *world, const BillowError *error)
{
    if (world_follows(world))
        share_leave(world->share, error->text);
    return fall_back(world);
}

WorldEvent world_poll(World *world, BillowError *error)
{
    world_follow_session(world, error);
    SimThreadState state =
        world->sim != NULL ? sim_thread_state(world->sim, error) : SIM_THREAD_ENDED;
    if (world->changing && (state == SIM_THREAD_ENDED || state == SIM_THREAD_FAILED)) {
        world_stop(world);
        world->changing = false;
        return world_start(world, &world->next, error) ? WORLD_CHANGED : give_up(world, error);
    }
    if (!world->changing && state == SIM_THREAD_FAILED) {
        world_stop(world);
        return give_up(world, error);
    }
    if (!world->changing && state == SIM_THREAD_RUNNING) {
        world->has_good = false;
        world_follow_settings(world);
    }
    return WORLD_NOTHING;
}

/* Asks the simulation to continue on the chosen grid, if there is memory for both. */
static void send_grid(World *world)
{
    BillowDef def = scene_def(&world->scene);
    const GridRung *rung = &world->grid.rungs[world->grid.rung];
    struct SimGrid grid = {.cell_size = rung->cell_size, .serial = world->grids + 1};
    memcpy(grid.n, rung->n, sizeof grid.n);
    memcpy(grid.origin, rung->origin, sizeof grid.origin);
    grid_choice_apply(&world->grid, &def);
    if (!system_check_memory(world_bytes_for(&def), world->scene.name, "fewer domain.cells",
                             NULL)) {
        grid_choice_return(&world->grid, true);
        return;
    }
    world->grids++;
    world->grid_waits = true;
    sim_thread_send(world->sim, &(SimCommand){SIM_GRID, .grid = grid});
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
    sim_thread_want_velocity(world->sim, render_ramp_follows(&world->render, RENDER_RAMP_SPEED));
    return sim_thread_snapshot(world->sim);
}
