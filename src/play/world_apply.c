/* SPDX-License-Identifier: MIT
 * Gives other values to the scene that plays: to its simulation where that can use them, otherwise
 * to a new one. */
#include "play/world_parts.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/system.h"
#include <stdlib.h>
#include <string.h>

void world_add_play(World *world, ScenePlay *play)
{
    world->plays[world->play_count++] = (WorldPlay){play, world->settings};
}

void world_drop_play(World *world, int index)
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
        used = world_bytes_for(&now);
    }
    double more = world_bytes_for(&def) - used;
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
    world_drop_taken(world);
    world_drop_next_script(world);
    world_start_change(world);
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
    if (copy == NULL)
        return fail(error, "not enough memory for new settings");
    SimSent sent = sim_thread_send(world->sim, &(SimCommand){SIM_SETTINGS, .settings = copy});
    if (sent == SIM_NOT_SENT) {
        free(copy);
        return fail(error, "not enough memory for new settings");
    }
    world->settings = settings->serial;
    if (sent == SIM_SENT_INSTEAD)
        world_drop_play(world, world->play_count - 1);
    world_add_play(world, settings->play);
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
        return world_wish(world, scene, (found.effects & SCENE_EFFECT_CAMERA) == 0, error);
    /* Others see what is only drawn differently, too. */
    if (world->share != NULL && (found.effects & ~(unsigned)SCENE_EFFECT_CAMERA) != 0)
        found.effects |= SCENE_EFFECTS_LIVE;
    if (world->share != NULL)
        world->wished = clock_seconds(); /* while the own hand drags, others wait to be shown */
    const ScenePlay *before =
        remake_shapes && world->join == NULL ? NULL : world_newest_play(world);
    if (((found.effects & SCENE_EFFECTS_LIVE) != 0 || remake_shapes) &&
        !apply_live(world, scene, before, error))
        return false;
    Brush brush = world->brush;
    world_follow_scene(world, scene, (found.effects & SCENE_EFFECT_CAMERA) == 0);
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
    if (world_refuse_following(world, error))
        return false;
    if (!can_start(world, scene, error))
        return false;
    rebuild(world, scene, false);
    world->has_good = false;
    world->why[0] = 0;
    snprintf(world->from, sizeof world->from, "%s", from);
    world->opened = *opened;
    return true;
}

void world_follow_settings(World *world)
{
    const SimSnapshot *snapshot = sim_thread_snapshot(world->sim);
    if (snapshot == NULL)
        return;
    for (int p = world->play_count - 1; p >= 0; p--)
        if (world->plays[p].serial < snapshot->settings)
            world_drop_play(world, p);
    if (snapshot->settings_seen != world->settings || snapshot->settings == world->settings)
        return;
    snprintf(world->why, sizeof world->why, "the simulation starts again: %.150s",
             snapshot->refusal.text);
    rebuild(world, &world->scene, true);
    world->has_good = false;
}
