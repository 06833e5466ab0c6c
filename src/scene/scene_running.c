/* SPDX-License-Identifier: MIT */
#include "scene_running.h"

#include "scene_difference.h"

void scene_running_merge(const BillowSolid *before, const BillowSolid *after, BillowSolid *solid)
{
    for (int row = 0; row < scene_solid_keys()->count; row++) {
        const SceneKey *key = &scene_solid_keys()->rows[row];
        bool of_form = key->type == SCENE_KEY_FORM_MESH || key->type == SCENE_KEY_FORM_TEXT ||
                       key->type == SCENE_KEY_FORM_FONT; /* these are the volume */
        if (!of_form && !scene_keys_equal(key, before, after))
            scene_keys_copy(key, after, solid);
    }
    solid->volume = after->volume;
}

/* Solids go first: an emitter may move to a place that a solid has just left. */
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
