/* SPDX-License-Identifier: MIT
 *
 * Presets: named sets of values, each for one group of a scene's keys. */
#ifndef APP_PRESETS_H
#define APP_PRESETS_H

#include "scene.h"

enum { PRESET_VALUES_MAX = 8 };

typedef struct Preset {
    const char *group, *name, *does;
    /* Each "sun.elevation=4", or "smoke.extinction*0.4", which multiplies the value that the scene
     * was loaded with. NULL past the last. */
    const char *values[PRESET_VALUES_MAX];
} Preset;

const Preset *preset_at(int index); /* NULL past the last; presets of one group are neighbours */

/* Applies a preset to a scene that was loaded as `given`. On failure *scene stays as it was. */
bool preset_apply(const Preset *preset, const Scene *given, Scene *scene, BillowError *error);

#endif
