/* SPDX-License-Identifier: MIT */
#include "scene/scene_write.h"

#include "base/render_settings.h"

#include <string.h>

static void note(SceneDifference *found, SceneEffect effect, const char *label, const char *path)
{
    char whole[SCENE_DIFFERENCE_PATH];
    snprintf(whole, sizeof whole, "%s%s", label, path);
    if (found->count++ == 0)
        memcpy(found->first, whole, sizeof whole);
    if (effect == SCENE_EFFECT_REBUILD && !(found->effects & SCENE_EFFECT_REBUILD))
        memcpy(found->rebuild, whole, sizeof whole);
    found->effects |= effect;
}

/* The same entry in two scenes. The two forms are NULL if the entry cannot have a form. */
typedef struct Pair {
    const void *before, *after;
    const SceneForm *form_before, *form_after;
} Pair;

static void compare_entries(SceneDifference *found, const SceneKeyTable *table, SceneEffect effect,
                            const char *label, const Pair *pair)
{
    for (int row = 0; row < table->count; row++) {
        const SceneKey *key = &table->rows[row];
        bool of_form = scene_key_is_form(key);
        if (of_form && pair->form_before == NULL)
            continue;
        if (!scene_keys_equal(key, of_form ? pair->form_before : pair->before,
                              of_form ? pair->form_after : pair->after))
            note(found, effect, label, key->path);
    }
}

static void compare_lists(SceneDifference *found, const SceneList *list, Scene *before,
                          Scene *after)
{
    const SceneKey *row = scene_keys_find(scene_keys(), list->name);
    SceneEffect effect = row->effect;
    int a = *scene_list_count(list, before), b = *scene_list_count(list, after);
    for (int i = 0; i < a && i < b; i++) {
        char label[32];
        snprintf(label, sizeof label, "%s[%d].", list->name, i);
        const Pair pair = {scene_list_entry(list, before, i), scene_list_entry(list, after, i),
                           scene_list_form(list, before, i), scene_list_form(list, after, i)};
        compare_entries(found, list->keys(), effect, label, &pair);
    }
    /* A different number of solids needs a new simulation. */
    if (a != b)
        note(found, effect == SCENE_EFFECT_SOLIDS ? SCENE_EFFECT_REBUILD : effect, "", list->name);
}

static bool same_track(const SceneTrack *a, const SceneTrack *b)
{
    if (strcmp(a->key, b->key) != 0 || a->smooth != b->smooth || a->count != b->count ||
        a->parts != b->parts)
        return false;
    for (int m = 0; m < a->count; m++)
        if (memcmp(&a->times[m], &b->times[m], sizeof a->times[m]) != 0 ||
            memcmp(a->values[m], b->values[m], (size_t)a->parts * sizeof(float)) != 0)
            return false;
    return true;
}

static void compare_timelines(SceneDifference *found, const Scene *before, const Scene *after)
{
    bool same = before->track_count == after->track_count;
    for (int t = 0; same && t < before->track_count; t++)
        same = same_track(&before->tracks[t], &after->tracks[t]);
    if (!same)
        note(found, SCENE_EFFECT_TIMELINE, "", "timeline");
}

static bool releases_tracers(const Scene *scene)
{
    for (int e = 0; e < scene->def.emitter_count; e++)
        if (scene->def.emitters[e].tracers > 0)
            return true;
    return false;
}

/* Whether the scene's simulation keeps the age of the smoke. */
static bool keeps_age(const Scene *scene)
{
    return scene->def.age || render_ramp_follows(&scene->render, RENDER_RAMP_AGE);
}

SceneDifference scene_difference(const Scene *before, const Scene *after)
{
    SceneDifference found = {0};
    /* not modified: scene_list_* take a non-const Scene because writers use them too */
    Scene *a = (Scene *)before, *b = (Scene *)after;
    for (int row = 0; row < scene_keys()->count; row++) {
        const SceneKey *key = &scene_keys()->rows[row];
        SceneEffect effect = key->effect;
        char label[sizeof key->path + 1];
        snprintf(label, sizeof label, "%s.", key->path);
        const Pair pair = {(const char *)before + key->offset, (const char *)after + key->offset,
                           NULL, NULL};
        if (scene_list_of(key->type) != NULL)
            compare_lists(&found, scene_list_of(key->type), a, b);
        else if (key->type == SCENE_KEY_EMITTER)
            compare_entries(&found, scene_emitter_keys(), effect, label, &pair);
        else if (key->type == SCENE_KEY_TIMELINE)
            compare_timelines(&found, before, after);
        else if (!scene_keys_equal(key, before, after))
            note(&found, effect, "", key->path);
    }
    /* When the simulation is created, it is decided whether tracers start everywhere in the box or
     * only in emitters. This cannot change later. Sparks never start everywhere. */
    if (before->def.tracers > 0 && !(before->def.tracer_lag > 0) &&
        releases_tracers(before) != releases_tracers(after))
        note(&found, SCENE_EFFECT_REBUILD, "", "emitters");
    /* A ramp by age lets the simulation keep the smoke's age. */
    if (before->def.age == after->def.age && keeps_age(before) != keeps_age(after))
        note(&found, SCENE_EFFECT_REBUILD, "", "fluid.age");
    return found;
}

/* -- on a running simulation ----------------------------------------------------------------------
 */

void scene_running_merge(const BillowSolid *before, const BillowSolid *after, BillowSolid *solid)
{
    for (int row = 0; row < scene_solid_keys()->count; row++) {
        const SceneKey *key = &scene_solid_keys()->rows[row];
        bool of_volume = scene_key_is_form(key);
        if (!of_volume && !scene_keys_equal(key, before, after))
            scene_keys_copy(key, after, solid);
    }
    solid->volume = after->volume;
}

/* Solids are set before emitters, because an emitter may move to a place that a solid has just
 * left. */
static bool set_all(BillowSim *sim, const BillowDef *def, const BillowSolid *solids,
                    BillowError *error)
{
    return billow_set_solids(sim, solids, def->solid_count, error) &&
           billow_set_first_solids(sim, def->solids, def->solid_count, error) &&
           billow_set_emitters(sim, def->emitters, def->emitter_count, error) &&
           billow_set_forces(sim, def->forces, def->force_count, error) &&
           billow_set_params(sim, &def->params, error);
}

bool scene_running_change(BillowSim *sim, const BillowDef *before, const BillowDef *after,
                          BillowError *error)
{
    BillowSolid now[BILLOW_SOLIDS_MAX], then[BILLOW_SOLIDS_MAX];
    for (int s = 0; s < after->solid_count; s++) {
        now[s] = then[s] = *billow_solid(sim, s);
        scene_running_merge(&before->solids[s], &after->solids[s], &then[s]);
    }
    if (set_all(sim, after, then, error))
        return true;
    set_all(sim, before, now, NULL);
    return false;
}
