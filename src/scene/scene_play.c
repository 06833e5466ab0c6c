/* SPDX-License-Identifier: MIT */
#include "scene_play.h"

#include "scene_form.h"

#include "fail.h"

#include <stdlib.h>

struct ScenePlay {
    BillowVolume volumes[BILLOW_EMITTERS_MAX];
};

static bool make_volumes(ScenePlay *play, const Scene *scene, BillowDef *def, BillowError *error)
{
    for (int e = 0; e < def->emitter_count; e++) {
        BillowEmitter *emitter = &def->emitters[e];
        char label[32];
        snprintf(label, sizeof label, "emitters[%d]", e);
        if (emitter->shape != BILLOW_VOLUME)
            continue;
        const SceneBody body = {label, &scene->emitter_forms[e], emitter->size[0],
                                emitter->rotation};
        if (!scene_form_make(&body, def, &play->volumes[e], error))
            return false;
        emitter->volume = &play->volumes[e];
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
        scene_form_free(&play->volumes[e]);
    free(play);
}
