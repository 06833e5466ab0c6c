/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strncasecmp */
#include "scene/scene_panel.h"

#include "scene/scene_keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *scene_panel_first(const Scene *scene)
{
    return scene->panel[0] != '\0' ? scene->panel
                                   : "emitters[0].smoke emitters[0].heat solver.vorticity "
                                     "smoke.extinction sun.azimuth exposure";
}

const char *scene_panel_next(const char *list, char *name, size_t size)
{
    list += strspn(list, " ");
    const int length = (int)strcspn(list, " ");
    snprintf(name, size, "%.*s", length, list);
    return list + length;
}

bool scene_panel_shows(const char *path)
{
    const SceneKeyTable *table = scene_keys();
    const size_t length = strlen(path);
    if (strcmp(path, "name") == 0 || strcmp(path, "title") == 0)
        return true;
    for (int row = 0; row < table->count; row++)
        if (strncmp(table->rows[row].path, path, length) == 0 &&
            strchr(".", table->rows[row].path[length]) != NULL)
            return table->rows[row].effect != SCENE_EFFECT_NAME;
    return true;
}

static bool contains(const char *text, const char *word)
{
    for (; *text != '\0'; text++)
        if (strncasecmp(text, word, strlen(word)) == 0)
            return true;
    return false;
}

bool scene_panel_finds(const char *const *texts, const char *words)
{
    char word[64];
    for (words = scene_panel_next(words, word, sizeof word); word[0] != '\0';
         words = scene_panel_next(words, word, sizeof word)) {
        bool found = false;
        for (int t = 0; texts[t] != NULL && !found; t++)
            found = contains(texts[t], word);
        if (!found)
            return false;
    }
    return true;
}
