/* SPDX-License-Identifier: MIT
 * "Did you mean ...?": the nearest of some known names. */
#include "scene_keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 31, FAR = 1000 };
enum { KNOWN_MAX = 64 }; /* more names than any group has */

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int scene_suggest_distance(const char *from, const char *to)
{
    size_t rows = strlen(from), columns = strlen(to);
    if (rows > LONGEST || columns > LONGEST)
        return FAR;
    /* d[i][j]: distance from the first i letters of one to the first j of the other (Damerau 1964,
     * the restricted form that edits no part twice). */
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; i++) {
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            int replaced = d[i - 1][j - 1] + (same(from[i - 1], to[j - 1]) ? 0 : 1);
            d[i][j] = least(replaced, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && same(from[i - 1], to[j - 2]) && same(from[i - 2], to[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[rows][columns];
}

bool scene_suggest_short(const char *word, const char *name)
{
    if (word[0] == '\0' || !same(word[0], name[0]))
        return false;
    for (; *word != '\0' && *name != '\0'; name++)
        word += same(*word, *name);
    return *word == '\0';
}

bool scene_suggest_near(const char *from, const char *to, int *distance)
{
    size_t longer = strlen(from) > strlen(to) ? strlen(from) : strlen(to);
    *distance = scene_suggest_distance(from, to);
    return *distance <= (int)((longer + 1) / 3);
}

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

/* The key elsewhere in the scene whose last name is nearest to this one; NULL where there is none
 * or more than one. Less than a third of the letters may differ: among so many names, some short
 * one is near to anything. */
static const char *found_elsewhere(const char *name)
{
    const char *found = NULL;
    int least = 1000;
    for (int row = 0; row < scene_keys()->count; row++) {
        const char *path = scene_keys()->rows[row].path;
        int distance;
        if (!scene_suggest_near(name, scene_keys_last_name(path), &distance) || distance > least ||
            3 * distance >= (int)strlen(name))
            continue;
        found = distance < least ? path : NULL;
        least = distance;
    }
    return found;
}

void scene_suggest_key(const SceneKeyTable *table, const char *group, const char *name, char *text,
                       size_t size)
{
    char known[KNOWN_MAX][SCENE_KEYS_NAME_SIZE];
    int count = scene_keys_children(table, group, known, KNOWN_MAX);
    const char *nearest = nearest_of(name, known, count);
    if (nearest == NULL)
        nearest = found_elsewhere(name);
    if (nearest != NULL) {
        snprintf(text, size, "did you mean '%s'?", nearest);
        return;
    }
    size_t length = (size_t)snprintf(text, size, "known are: ");
    for (int i = 0; i < count && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", known[i]);
}
