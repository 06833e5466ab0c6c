/* SPDX-License-Identifier: MIT */
#include "scene/scene_ramp.h"

#include <stdio.h>
#include <string.h>

RenderRamp *scene_ramp(const SceneList *list, Scene *scene)
{
    switch (list->type) {
    case SCENE_KEY_SMOKE_RAMP:
        return &scene->render.smoke_ramp;
    case SCENE_KEY_FIRE_RAMP:
        return &scene->render.fire_ramp;
    default:
        return NULL;
    }
}

static const RenderRampPreset *preset(const SceneList *list, int index)
{
    return render_ramp_preset(list->type == SCENE_KEY_FIRE_RAMP, index);
}

bool scene_ramp_name(const SceneList *list, const char *word, Scene *scene)
{
    RenderRamp *ramp = scene_ramp(list, scene);
    if (strcmp(word, "off") == 0) {
        ramp->stop_count = 0;
        return true;
    }
    for (int p = 0; preset(list, p) != NULL; p++)
        if (strcmp(word, preset(list, p)->name) == 0) {
            ramp->stop_count = preset(list, p)->stop_count;
            memcpy(ramp->stops, preset(list, p)->stops, sizeof ramp->stops);
            return true;
        }
    return false;
}

void scene_ramp_words(const SceneList *list, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "off");
    for (int p = 0; preset(list, p) != NULL && length < size; p++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s",
                             preset(list, p + 1) != NULL ? ", " : " or ", preset(list, p)->name);
}

/* The word that names the ramp; NULL: none does. */
static const char *word_of(const SceneList *list, const RenderRamp *ramp)
{
    if (ramp->stop_count == 0)
        return "off";
    for (int p = 0; preset(list, p) != NULL; p++)
        if (ramp->stop_count == preset(list, p)->stop_count &&
            memcmp(ramp->stops, preset(list, p)->stops,
                   (size_t)ramp->stop_count * sizeof ramp->stops[0]) == 0)
            return preset(list, p)->name;
    return NULL;
}

void scene_ramp_format(const SceneList *list, const Scene *scene, char *text, size_t size)
{
    const RenderRamp *ramp = scene_ramp(list, (Scene *)scene); /* only read */
    const char *word = word_of(list, ramp);
    if (word != NULL) {
        snprintf(text, size, "%s", word);
        return;
    }
    const SceneKey *at = scene_keys_find(scene_stop_keys(), "at"),
                   *color = scene_keys_find(scene_stop_keys(), "color");
    size_t length = 0;
    for (int s = 0; s < ramp->stop_count && length < size; s++) {
        char place[32], rgb[96];
        scene_keys_format(at, &ramp->stops[s], place, sizeof place);
        scene_keys_format(color, &ramp->stops[s], rgb, sizeof rgb);
        length +=
            (size_t)snprintf(text + length, size - length, "%s{at: %s, color: %s}%s",
                             s == 0 ? "[" : ", ", place, rgb, s + 1 == ramp->stop_count ? "]" : "");
    }
}
