/* SPDX-License-Identifier: MIT */
#include "play/shared.h"

#include "base/fail.h"
#include "scene/scene_write.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- opening and closing ----------------------------------------------------------------------- */

bool shared_open(Shared *shared, const BillowDef *def, ScenePlay *play, const Scene *scene,
                 double step)
{
    *shared = (Shared){.def = *def, .driver = {.play = play}, .step = step};
    shared->hands.steps = 1;
    if (scene == NULL)
        return true;
    shared->scene = malloc(sizeof *scene);
    if (shared->scene != NULL)
        *shared->scene = *scene;
    return shared->scene != NULL;
}

void shared_close(Shared *shared)
{
    billow_destroy(shared->driver.sim);
    for (int p = 0; p < shared->own_play_count; p++)
        scene_play_destroy(shared->own_plays[p].play);
    free(shared->own_plays);
    free(shared->scene);
    *shared = (Shared){.driver = {.sim = NULL}};
}

/* -- commands ---------------------------------------------------------------------------------- */

static void follow_scene(Shared *shared, const Scene *scene)
{
    if (shared->scene != NULL && scene != NULL) {
        *shared->scene = *scene;
        return;
    }
    free(shared->scene);
    shared->scene = NULL;
}

/* Changes the simulation to new settings. Copies the members of the definition that settings may
 * change. The other members stay, because other threads read them. */
static bool take_settings(Shared *shared, const SimSettings *settings, BillowError *error)
{
    const BillowDef *def = &settings->def;
    if (!scene_running_change(shared->driver.sim, &shared->def, def, error))
        return false;
    hands_follow(&shared->hands, &shared->def, def);
    shared->def.params = def->params;
    shared->def.emitter_count = def->emitter_count;
    shared->def.force_count = def->force_count;
    memcpy(shared->def.emitters, def->emitters, sizeof def->emitters);
    memcpy(shared->def.forces, def->forces, sizeof def->forces);
    memcpy(shared->def.solids, def->solids, sizeof def->solids);
    shared->changes++;
    for (int p = 0; p < shared->own_play_count; p++)
        if (shared->own_plays[p].play == shared->driver.play)
            shared->own_plays[p].replaced = shared->changes;
    shared->driver.play = settings->play;
    shared->dropped = false;
    shared->step = settings->step;
    follow_scene(shared, settings->scene);
    return true;
}

bool shared_apply(Shared *shared, const SimCommand *command, BillowError *error)
{
    if (hands_apply(&shared->hands, &shared->def, command))
        return true;
    switch (command->kind) {
    case SIM_RESET:
        scene_driver_reset(&shared->driver);
        hands_reset(&shared->hands);
        return true;
    case SIM_SETTINGS:
        return take_settings(shared, command->settings, error);
    case SIM_CYCLES:
        shared->cycles = command->count;
        return true;
    default:
        assert(!"a command that decides the state has a case here");
        return true;
    }
}

/* Takes over a play. Returns false if memory is short. */
static bool own_play(Shared *shared, ScenePlay *play)
{
    size_t count = (size_t)shared->own_play_count;
    SharedPlay *plays = realloc(shared->own_plays, (count + 1) * sizeof *plays);
    if (plays == NULL)
        return false;
    plays[count] = (SharedPlay){.play = play};
    shared->own_plays = plays;
    shared->own_play_count++;
    return true;
}

/* Destroys plays of earlier settings whose shapes nobody reads. */
static void drop_plays(Shared *shared)
{
    int kept = 0;
    for (int p = 0; p < shared->own_play_count; p++) {
        const SharedPlay own = shared->own_plays[p];
        if (own.play == shared->driver.play || own.replaced > shared->seen)
            shared->own_plays[kept++] = own;
        else
            scene_play_destroy(own.play);
    }
    shared->own_play_count = kept;
}

SimSettings *shared_settings(Shared *shared, const SimSettings *recorded, BillowError *error)
{
    SimSettings *settings = sim_settings_copy(recorded);
    if (settings == NULL) {
        fail(error, "not enough memory to replay settings");
        return NULL;
    }
    settings->play = NULL;
    drop_plays(shared);
    if (settings->scene == NULL)
        return settings;
    settings->def = scene_def(settings->scene);
    settings->play = scene_play_renew(shared->driver.play, settings->scene, &settings->def, error);
    if (settings->play != NULL && own_play(shared, settings->play))
        return settings;
    if (settings->play != NULL)
        fail(error, "not enough memory to replay settings");
    scene_play_destroy(settings->play);
    free(settings);
    return NULL;
}

/* -- a step ------------------------------------------------------------------------------------ */

/* Applies the timeline. This also sets the number of pressure cycles to the scene's value. A
 * timeline that sets an invalid value may have set a part of them: the definition's then hold. */
static void follow_timeline(Shared *shared)
{
    const BillowDef *def = &shared->def;
    if (shared->driver.play == NULL || shared->dropped)
        return;
    if (scene_driver_prepare(&shared->driver, shared->step, NULL)) {
        shared->def.params = scene_play_params(shared->driver.play);
        return;
    }
    shared->dropped = true;
    billow_set_params(shared->driver.sim, &def->params, NULL);
    billow_set_emitters(shared->driver.sim, def->emitters, def->emitter_count, NULL);
    billow_set_forces(shared->driver.sim, def->forces, def->force_count, NULL);
}

static void limit_cycles(Shared *shared)
{
    BillowParams params = shared->def.params;
    if (shared->cycles == 0)
        return;
    *(params.pressure == BILLOW_RELAXATION ? &params.sweeps : &params.cycles) = shared->cycles;
    billow_set_params(shared->driver.sim, &params, NULL);
}

void shared_step(Shared *shared)
{
    follow_timeline(shared);
    hands_act(&shared->hands, shared->driver.sim, &shared->def, shared->step);
    limit_cycles(shared);
    billow_step(shared->driver.sim, shared->step);
}

/* -- replays ----------------------------------------------------------------------------------- */

const SimCommand *replay_next(Replay *replay, uint64_t steps)
{
    const SimRecording *recording = replay->recording;
    if (recording == NULL || replay->next >= recording->count ||
        recording->commands[replay->next].step > steps)
        return NULL;
    return &recording->commands[replay->next++].command;
}

void replay_check(Replay *replay, uint64_t steps, const BillowSim *sim)
{
    const SimRecording *recording = replay->recording;
    if (recording == NULL || replay->hash >= recording->hash_count ||
        recording->hashes[replay->hash].step != steps)
        return;
    uint64_t hash = recording->hashes[replay->hash++].hash;
    if (billow_state_hash(sim) == hash)
        replay->same++;
    else if (replay->differs == 0)
        replay->differs = steps;
}

double replay_seconds(const SimRecording *recording, const Scene *scene)
{
    double seconds = 0, step = (double)scene->step;
    uint64_t from = 0;
    for (int c = 0; c < recording->count; c++) {
        const SimRecorded *entry = &recording->commands[c];
        if (entry->command.kind != SIM_SETTINGS)
            continue;
        const uint64_t until = entry->step < recording->steps ? entry->step : recording->steps;
        seconds += (double)(until - from) * step;
        from = until;
        step = entry->command.settings->step;
    }
    return seconds + (double)(recording->steps - from) * step;
}
