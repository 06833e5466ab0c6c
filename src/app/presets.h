/* SPDX-License-Identifier: MIT
 *
 * Named sets of values, for a group of a scene's keys each. */
#ifndef APP_PRESETS_H
#define APP_PRESETS_H

#include "scene.h"

enum { PRESET_VALUES_MAX = 8 };

typedef struct Preset {
    const char *group, *name, *does;
    /* "sun.elevation=4"; or "smoke.extinction*0.4", a factor on the number that the scene was
     * loaded with. NULL past the last. */
    const char *values[PRESET_VALUES_MAX];
} Preset;

const Preset *preset_at(int index); /* NULL past the last; those of a group stand together */

/* Onto a scene that was loaded as given. On failure *scene is left as it was. */
bool preset_apply(const Preset *preset, const Scene *given, Scene *scene, BillowError *error);

#endif
