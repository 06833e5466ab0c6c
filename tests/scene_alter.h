/* SPDX-License-Identifier: MIT
 * Gives any key of a scene another value in its range. */
#ifndef TESTS_SCENE_ALTER_H
#define TESTS_SCENE_ALTER_H

#include "scene/scene_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static inline double altered_number(const SceneKey *key, double value)
{
    double other = value != 0 ? 0.875 * value : fmin(key->maximum, 0.25);
    return other < key->minimum ? key->minimum + 0.125 * fabs(key->minimum) : other;
}

static inline void alter_floats(const SceneKey *key, float *value, int count)
{
    for (int i = 0; i < count; i++)
        value[i] = (float)altered_number(key, (double)value[i]);
}

static inline void alter_word(const SceneKey *key, void *at)
{
    const char *const *choices = key->choices;
    int word, count = 0;
    while (choices[count] != NULL && strcmp(choices[count], "volume") != 0)
        count++;
    memcpy(&word, at, sizeof word);
    word = (word + 1) % count;
    memcpy(at, &word, sizeof word);
}

/* base: the scene, entry or form that has the key. Lists are not supported. */
static inline void scene_alter(const SceneKey *key, void *base)
{
    static const float turned[4] = {0, 0.6f, 0, 0.8f};
    void *at = (char *)base + key->offset;
    switch (key->type) {
    case SCENE_KEY_FLOAT:
        alter_floats(key, at, 1);
        break;
    case SCENE_KEY_DOUBLE:
        *(double *)at = altered_number(key, *(double *)at);
        break;
    case SCENE_KEY_INT:
        *(int *)at += *(int *)at > key->minimum ? -1 : 1;
        break;
    case SCENE_KEY_SEED:
        *(uint32_t *)at += 1;
        break;
    case SCENE_KEY_BOOL:
        *(bool *)at = !*(bool *)at;
        break;
    case SCENE_KEY_VECTOR:
    case SCENE_KEY_SIZE:
    case SCENE_KEY_COLOR:
        alter_floats(key, at, 3);
        break;
    case SCENE_KEY_ROTATION:
        memcpy(at, turned, sizeof turned);
        break;
    case SCENE_KEY_CELLS:
        ((int *)at)[0] += 2;
        break;
    case SCENE_KEY_NAME:
    case SCENE_KEY_TEXT:
    case SCENE_KEY_FILE:
    case SCENE_KEY_FORM_TEXT:
    case SCENE_KEY_FORM_FONT:
        strcat(at, strcmp(key->path, "poster.set") == 0 ? " smoke.glow=3" : "x");
        break;
    default:
        alter_word(key, at);
    }
}

#endif
