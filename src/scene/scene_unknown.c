/* SPDX-License-Identifier: MIT */
#include "scene_bind.h"
#include "scene_suggest.h"

#include <stdio.h>
#include <string.h>

enum { KNOWN_MAX = 64 }; /* more names than any group has */

static const char *nearest_of(const char *name, char known[][SCENE_KEYS_NAME_SIZE], int count)
{
    const char *nearest = NULL;
    int least = 1000;
    for (int i = 0; i < count; i++) {
        int distance;
        if (scene_suggest_near(name, known[i], &distance) && distance < least) {
            nearest = known[i];
            least = distance;
        }
    }
    return nearest;
}

/* The one key elsewhere in the scene whose last name is this or nearest to it; NULL where there is
 * none, or several as near. Among so many names some short one is near to anything: less than a
 * third of the letters may differ. */
static const char *found_elsewhere(const char *name)
{
    const char *found = NULL;
    int least = 1000;
    for (int row = 0; row < scene_keys.count; row++) {
        const char *path = scene_keys.rows[row].path;
        const char *dot = strrchr(path, '.');
        int distance;
        if (!scene_suggest_near(name, dot != NULL ? dot + 1 : path, &distance) ||
            distance > least || 3 * distance >= (int)strlen(name))
            continue;
        found = distance < least ? path : NULL;
        least = distance;
    }
    return found;
}

bool scene_bind_unknown(const SceneSource *source, SceneTarget target, const char *name,
                        const char *quoted, const yaml_mark_t *mark)
{
    char known[KNOWN_MAX][SCENE_KEYS_NAME_SIZE];
    int count = scene_keys_children(target.table, target.group, known, KNOWN_MAX);
    const char *nearest = nearest_of(name, known, count);
    if (nearest == NULL)
        nearest = found_elsewhere(name);
    if (nearest != NULL) {
        return scene_yaml_fail(source, mark->line, mark->column,
                               "key %s is not known here; did you mean '%s'?", quoted, nearest);
    }
    char list[400];
    size_t length = 0;
    for (int i = 0; i < count && length < sizeof list; i++) {
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "",
                                   known[i]);
    }
    return scene_yaml_fail(source, mark->line, mark->column,
                           "key %s is not known here; known are: %s", quoted, list);
}
