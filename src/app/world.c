/* SPDX-License-Identifier: MIT */
#include "world.h"

#include "app.h"
#include "host.h"

#include <string.h>

void world_set_exact(World *world, bool exact)
{
    world->exact = exact;
    if (world->sim != NULL)
        sim_thread_exact(world->sim, exact);
}

static bool start(World *world, const Scene *scene, BillowError *error)
{
    BillowDef def = scene_def(scene);
    def.threads = world->threads;
    double cells = (double)def.nx * def.ny * def.nz;
    double bytes = (double)billow_bytes_needed(&def) + APP_BYTES_PER_CELL * cells;
    if (!host_check_memory(bytes, scene->name, error))
        return false;
    world->play = scene_play_create(scene, &def, error);
    if (world->play != NULL)
        world->sim = sim_thread_start(&def, world->play, (double)scene->step, error);
    if (world->sim == NULL) {
        scene_play_destroy(world->play);
        world->play = NULL;
        return false;
    }
    world_set_exact(world, world->exact);
    world->scene = *scene;
    world->look = scene->look;
    world->timed = scene->look.camera;
    world->camera_control = camera_control_for(scene);
    world->brush = brush_for_next(&world->brush, scene);
    return true;
}

static void stop(World *world)
{
    if (world->sim == NULL)
        return;
    const SimSnapshot *last = sim_thread_snapshot(world->sim);
    if (last != NULL)
        world->steps_before += last->steps;
    sim_thread_destroy(world->sim);
    scene_play_destroy(world->play);
    world->sim = NULL;
    world->play = NULL;
}

bool world_open(World *world, const SceneRequest *request, int threads, bool exact,
                BillowError *error)
{
    *world = (World){.request = *request, .threads = threads, .exact = exact};
    if (!scene_open(request, &world->next, error) || !start(world, &world->next, error))
        return false;
    if (sim_thread_wait(world->sim, error) != SIM_THREAD_FAILED)
        return true;
    stop(world);
    return false;
}

void world_close(World *world)
{
    stop(world);
}

bool world_change(World *world, const char *name, BillowError *error)
{
    SceneRequest request = world->request;
    request.name_or_path = name;
    if (!scene_open(&request, &world->next, error))
        return false;
    world->changing = true;
    if (world->sim != NULL)
        sim_thread_quit(world->sim);
    return true;
}

WorldEvent world_poll(World *world, BillowError *error)
{
    SimThreadState state =
        world->sim != NULL ? sim_thread_state(world->sim, error) : SIM_THREAD_ENDED;
    if (world->changing && (state == SIM_THREAD_ENDED || state == SIM_THREAD_FAILED)) {
        stop(world);
        world->changing = false;
        return start(world, &world->next, error) ? WORLD_CHANGED : WORLD_FAILED;
    }
    if (!world->changing && state == SIM_THREAD_FAILED) {
        stop(world);
        return WORLD_FAILED;
    }
    return WORLD_NOTHING;
}

void world_look_at(World *world, double time)
{
    Look then = world->scene.look;
    if (world->scene.track_count == 0)
        return;
    scene_play_look(&world->scene, time, &then);
    LookCamera camera = world->look.camera;
    bool moved = memcmp(&camera, &world->timed, sizeof camera) != 0;
    world->timed = then.camera;
    world->look = then;
    if (moved)
        world->look.camera = camera;
}

const SimSnapshot *world_snapshot(World *world)
{
    return world->sim != NULL ? sim_thread_snapshot(world->sim) : NULL;
}
