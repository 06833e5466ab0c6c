/* SPDX-License-Identifier: MIT */
#include "scene_play.h"

#include "scene_form.h"

#include "fail.h"

#include <stdlib.h>

struct ScenePlay {
    BillowVolume emitters[BILLOW_EMITTERS_MAX], solids[BILLOW_SOLIDS_MAX];
};

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
    for (int e = 0; e < def->emitter_count; e++) {
        BillowEmitter *emitter = &def->emitters[e];
        if (emitter->shape != BILLOW_VOLUME)
            continue;
        if (!make_volume("emitters", e, &scene->emitter_forms[e], emitter->size[0],
                         emitter->rotation, def, &play->emitters[e], error))
            return false;
        emitter->volume = &play->emitters[e];
    }
    for (int s = 0; s < def->solid_count; s++) {
        BillowSolid *solid = &def->solids[s];
        if (solid->shape != BILLOW_VOLUME)
            continue;
        if (!make_volume("solids", s, &scene->solid_forms[s], solid->size[0], solid->rotation, def,
                         &play->solids[s], error))
            return false;
        solid->volume = &play->solids[s];
    }
    return true;
}

ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error)
{
    ScenePlay *play = calloc(1, sizeof *play);
    if (play == NULL) {
        fail(error, "not enough memory to play %s", scene->name);
        return NULL;
    }
    if (make_volumes(play, scene, def, error))
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
