/* SPDX-License-Identifier: MIT */
#include "start.h"

#include "checkpoint.h"
#include "fail.h"
#include "scene_difference.h"

#include <string.h>

static Status open_scene(const CommandScene *settings, const char *command, double picture_bytes,
                         Start *start, BillowError *error)
{
    if (settings->operands.count == 0) {
        fail(error, "'%s' needs SCENE, or --resume FILE; see 'billow %s --help'", command, command);
        return STATUS_USAGE;
    }
    SceneRequest request = command_scene_request(settings);
    start->name = request.name_or_path;
    if (checkpoint_is_one(start->name)) {
        fail(error, "%.200s is a checkpoint: 'billow %s --resume %.200s' goes on from it",
             start->name, command, start->name);
        return STATUS_USAGE;
    }
    return command_open_scene(&request, &start->scene, &start->def, picture_bytes, error);
}

/* Whether --grid, where it is given, asks for the cells that there are. */
static bool same_grid(const CommandScene *settings, const Scene *scene, BillowError *error)
{
    Scene asked = *scene;
    BillowError reason;
    if (settings->grid == NULL)
        return true;
    const BillowDef here = scene_def(scene);
    bool same = scene_set_grid(&asked, settings->grid, &reason);
    if (same) {
        const BillowDef def = scene_def(&asked);
        same = def.nx == here.nx && def.ny == here.ny && def.nz == here.nz;
    }
    return same || fail(error,
                        "--grid %s: %.200s goes on with the %dx%dx%d cells it has; leave --grid "
                        "out",
                        settings->grid, settings->resume, here.nx, here.ny, here.nz);
}

static bool change(const CommandScene *settings, Start *start, BillowError *error)
{
    SceneRequest request = command_scene_request(settings);
    request.name_or_path = settings->resume;
    request.grid = NULL;
    start->scene = start->kept;
    if (!same_grid(settings, &start->kept, error) || !scene_change(&request, &start->scene, error))
        return false;
    const SceneDifference found = scene_difference(&start->kept, &start->scene);
    return (found.effects & SCENE_EFFECT_REBUILD) == 0 ||
           fail(error,
                "--set %s: %.200s cannot go on with another value; only a new simulation can",
                found.rebuild, settings->resume);
}

static Status open_checkpoint(const CommandScene *settings, double picture_bytes, Start *start,
                              BillowError *error)
{
    if (settings->operands.count > 0) {
        fail(error, "--resume %.200s: its scene comes with it; leave '%.200s' out",
             settings->resume, settings->operands.items[0]);
        return STATUS_USAGE;
    }
    start->name = settings->resume;
    if (!scene_checkpoint_open(&start->reader, settings->resume, &start->kept, error))
        return STATUS_FAILED;
    start->resumed = true;
    start->run = start->reader.run;
    if (!change(settings, start, error))
        return STATUS_USAGE;
    start->def = scene_def(&start->scene);
    return command_check_memory(settings->resume, &start->def, picture_bytes, error)
               ? STATUS_DONE
               : STATUS_FAILED;
}

Status start_open(const CommandScene *settings, const char *command, double picture_bytes,
                  Start *start, BillowError *error)
{
    *start = (Start){.resumed = false};
    Status status = settings->resume != NULL
                        ? open_checkpoint(settings, picture_bytes, start, error)
                        : open_scene(settings, command, picture_bytes, start, error);
    start->def.threads = settings->threads;
    return status;
}

/* What --set changes while it goes on. */
static bool apply(const Start *start, const BillowDef *before, ScenePlay **play, BillowSim *sim,
                  BillowError *error)
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

static bool play_on(Start *start, ScenePlay **play, BillowSim **sim, BillowError *error)
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

bool start_play(Start *start, ScenePlay **play, BillowSim **sim, BillowError *error)
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

void start_close(Start *start)
{
    checkpoint_close(&start->reader);
}

bool start_fps(const Start *start, double asked, double *fps, BillowError *error)
{
    double kept = start->run.fps;
    *fps = asked > 0 ? asked : kept > 0 ? kept : COMMAND_FPS;
    return !(kept > 0) || *fps == kept ||
           fail(error, "--fps %g: the frames of %.200s are %g a second, and its numbers go on",
                asked, start->name, kept);
}
