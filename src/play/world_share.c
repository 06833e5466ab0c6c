/* SPDX-License-Identifier: MIT
 * Shares the simulation of a window with others: hosting, joining, and following the host. */
#include "play/world_parts.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/system.h"
#include <stdlib.h>
#include <string.h>

/* Time after an own change of shared settings in which those of others are not shown, s. */
#define WISH_SECONDS 0.5

bool world_follows(const World *world)
{
    if (world->share == NULL)
        return false;
    const ShareStatus status = share_status(world->share);
    return !status.host && !status.ended;
}

void world_attach(World *world)
{
    if (world->share == NULL)
        return;
    share_attach(world->share, world->sim);
    if (share_status(world->share).host)
        sim_thread_send(world->sim, &(SimCommand){SIM_SHARE, .share = share_table(world->share)});
}

void world_share(World *world, Share *share)
{
    world->share = share;
    world_attach(world);
}

bool world_refuse_following(const World *world, BillowError *error)
{
    return world_follows(world) && !fail(error, "only the host of a shared scene can do this");
}

void world_free_join(SimJoin **join)
{
    if (*join != NULL)
        sim_join_free(*join);
    free(*join);
    *join = NULL;
}

/* Reads a state of the session, which `next` then starts from. Frees the bytes. */
static bool take_shared(World *world, unsigned char *bytes, size_t count, BillowError *error)
{
    TurnReader from = {bytes, count, 0};
    SimJoin *join = calloc(1, sizeof *join);
    bool good = join != NULL ? sim_join_read(&from, join, error)
                             : fail(error, "not enough memory for the host's smoke");
    free(bytes);
    if (!good) {
        free(join);
        return false;
    }
    world_free_join(&world->next_join);
    world->next_join = join;
    world->next = join->scene;
    if (strcmp(world->from, join->scene.name) != 0) {
        snprintf(world->from, sizeof world->from, "%s", join->scene.name);
        world->opened = join->scene;
    }
    return true;
}

bool world_start_following(World *world, BillowError *error)
{
    SimJoin *join = world->next_join;
    world->next_join = NULL;
    world->join = join;
    world->grid = (GridChoice){.count = 0};
    if (system_check_memory(world_bytes_for(&join->shared.def), join->scene.name,
                            "a host with fewer cells", error))
        world->sim = sim_thread_join(join, world->threads, share_table(world->share), error);
    if (world->sim == NULL)
        world_free_join(&world->join);
    return world->sim != NULL;
}

bool world_open_shared(World *world, const SceneRequest *request, Share *share,
                       unsigned char *bytes, size_t count, int threads, BillowError *error)
{
    *world = (World){.request = *request, .threads = threads, .share = share};
    if (!take_shared(world, bytes, count, error))
        return false;
    if (!world_start(world, &world->next, error))
        return false;
    if (sim_thread_wait(world->sim, error) != SIM_THREAD_FAILED)
        return true;
    world_stop(world);
    return false;
}

/* Whether the host would take new settings. Shapes from files are the host's. */
static bool can_wish(const World *world, const Scene *scene, BillowError *error)
{
    BillowDef def = scene_def(scene);
    ScenePlay *play = scene_play_renew(world_newest_play(world), scene, &def, error);
    scene_play_destroy(play);
    if (play == NULL)
        return false;
    for (int entry = 0; entry < BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX; entry++) {
        const SceneForm *form = entry < BILLOW_EMITTERS_MAX
                                    ? &scene->emitter_forms[entry]
                                    : &scene->solid_forms[entry - BILLOW_EMITTERS_MAX];
        if (strncmp(form->mesh, TURN_FOLDER, strlen(TURN_FOLDER)) == 0 ||
            strncmp(form->font, TURN_FOLDER, strlen(TURN_FOLDER)) == 0)
            return fail(error, "only the host can change a shared scene with files of its own");
    }
    return true;
}

bool world_wish(World *world, const Scene *scene, bool keep_view, BillowError *error)
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
    world_follow_scene(world, scene, keep_view);
    world->wished = clock_seconds();
    return true;
}

bool world_follow_session(World *world, BillowError *error)
{
    unsigned char *bytes;
    size_t count;
    Scene scene;
    if (world->share == NULL || world->changing)
        return true;
    if (share_state(world->share, &bytes, &count)) {
        if (!take_shared(world, bytes, count, error)) {
            share_leave(world->share, error->text);
            return false;
        }
        world->keep_view = strcmp(world->scene.name, world->next.name) == 0;
        world->why[0] = 0;
        world->has_good = false;
        world_drop_taken(world);
        world_drop_next_script(world);
        world_start_change(world);
        return true;
    }
    if (clock_seconds() - world->wished < WISH_SECONDS || !share_scene(world->share, &scene))
        return true;
    Brush brush = world->brush;
    world_follow_scene(world, &scene, true);
    world->brush = brush;
    return true;
}
