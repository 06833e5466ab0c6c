/* SPDX-License-Identifier: MIT */
#include "scene_play.h"

#include "scene_form.h"
#include "scene_timeline.h"

#include "fail.h"

#include <stdlib.h>
#include <string.h>

struct ScenePlay {
    BillowVolume emitters[BILLOW_EMITTERS_MAX], solids[BILLOW_SOLIDS_MAX];
    Scene scene; /* as it is now, without tracks */
    SceneTrack tracks[SCENE_TRACKS_MAX];
    int track_count;
    char now[SCENE_TRACKS_MAX][SCENE_TIMELINE_TEXT]; /* what each track's key is set to */
};

/* With the scene's name before it, or the place in its file that speaks of what is to blame. */
static bool blame(const Scene *scene, const ScenePlace *place, const BillowError *reason,
                  BillowError *error)
{
    if (place != NULL && place->line > 0)
        return fail(error, "%s:%d:%d: %s", scene->file, place->line, place->column, reason->text);
    return fail(error, "%s: %s", scene->file, reason->text);
}

static bool make_volume(const char *list, int index, const SceneForm *form, float size,
                        const float *rotation, const BillowDef *def, BillowVolume *volume,
                        BillowError *error)
{
    char label[32];
    snprintf(label, sizeof label, "%s[%d]", list, index);
    const SceneBody body = {label, form, size, rotation};
    return scene_form_make(&body, def, volume, error);
}

static bool make_volumes(ScenePlay *play, const Scene *scene, BillowDef *def, BillowError *error)
{
    BillowError reason;
    for (int e = 0; e < def->emitter_count; e++) {
        BillowEmitter *emitter = &def->emitters[e];
        if (emitter->shape != BILLOW_VOLUME)
            continue;
        if (!make_volume("emitters", e, &scene->emitter_forms[e], emitter->size[0],
                         emitter->rotation, def, &play->emitters[e], &reason))
            return blame(scene, &scene->emitter_places[e], &reason, error);
        emitter->volume = &play->emitters[e];
    }
    for (int s = 0; s < def->solid_count; s++) {
        BillowSolid *solid = &def->solids[s];
        if (solid->shape != BILLOW_VOLUME)
            continue;
        if (!make_volume("solids", s, &scene->solid_forms[s], solid->size[0], solid->rotation, def,
                         &play->solids[s], &reason))
            return blame(scene, &scene->solid_places[s], &reason, error);
        solid->volume = &play->solids[s];
    }
    return true;
}

/* Sets what differs from what it is now; whether anything did. */
static bool move_to(ScenePlay *play, double time, bool *changed, BillowError *error)
{
    *changed = false;
    for (int t = 0; t < play->track_count; t++) {
        char text[SCENE_TIMELINE_TEXT];
        scene_timeline_text(&play->tracks[t], time, text);
        if (strcmp(text, play->now[t]) == 0)
            continue;
        BillowError reason;
        if (!scene_timeline_apply(&play->tracks[t], 1, time, &play->scene, &reason))
            return fail(error, "timeline at %g s: %.400s", time, reason.text);
        snprintf(play->now[t], sizeof play->now[t], "%s", text);
        *changed = true;
    }
    return true;
}

/* What may change goes into a definition. */
static void define(const ScenePlay *play, BillowDef *def)
{
    const BillowDef now = scene_def(&play->scene);
    def->params = now.params;
    memcpy(def->emitters, now.emitters, sizeof def->emitters);
    memcpy(def->forces, now.forces, sizeof def->forces);
    for (int e = 0; e < def->emitter_count; e++)
        if (def->emitters[e].shape == BILLOW_VOLUME)
            def->emitters[e].volume = &play->emitters[e];
}

static bool check_bodies(const Scene *scene, const BillowDef *def, BillowError *error)
{
    BillowError reason;
    int solid = billow_overlapping(def, &reason);
    if (solid >= 0)
        return blame(scene, &scene->solid_places[solid], &reason, error);
    int emitter = billow_buried(def, &reason);
    return emitter < 0 || blame(scene, &scene->emitter_places[emitter], &reason, error);
}

static bool start_timeline(ScenePlay *play, const Scene *scene, BillowDef *def, BillowError *error)
{
    bool changed;
    BillowError reason;
    play->scene = *scene;
    memcpy(play->tracks, scene->tracks, sizeof play->tracks);
    play->track_count = scene->track_count;
    play->scene.track_count = 0;
    if (!move_to(play, 0, &changed, &reason))
        return blame(scene, NULL, &reason, error);
    if (changed)
        define(play, def);
    return true;
}

bool scene_play_prepare(ScenePlay *play, BillowSim *sim, BillowError *error)
{
    bool changed;
    if (play->track_count == 0)
        return true;
    if (!move_to(play, billow_view(sim).time, &changed, error))
        return false;
    if (!changed)
        return true;
    BillowDef def = scene_def(&play->scene);
    define(play, &def);
    return billow_set_params(sim, &def.params, error) &&
           billow_set_emitters(sim, def.emitters, def.emitter_count, error) &&
           billow_set_forces(sim, def.forces, def.force_count, error);
}

BillowParams scene_play_params(const ScenePlay *play)
{
    return play->scene.params;
}

void scene_play_look(const Scene *scene, double time, Look *look)
{
    Scene then = *scene;
    BillowError error;
    then.track_count = 0;
    /* A track that fails has stopped the simulation already. */
    if (scene_timeline_apply(scene->tracks, scene->track_count, time, &then, &error))
        *look = then.look;
}

ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error)
{
    ScenePlay *play = calloc(1, sizeof *play);
    if (play == NULL) {
        fail(error, "not enough memory to play %s", scene->name);
        return NULL;
    }
    if (start_timeline(play, scene, def, error) && make_volumes(play, scene, def, error) &&
        check_bodies(scene, def, error))
        return play;
    scene_play_destroy(play);
    return NULL;
}

void scene_play_destroy(ScenePlay *play)
{
    for (int e = 0; play != NULL && e < BILLOW_EMITTERS_MAX; e++)
        scene_form_free(&play->emitters[e]);
    for (int s = 0; play != NULL && s < BILLOW_SOLIDS_MAX; s++)
        scene_form_free(&play->solids[s]);
    free(play);
}
