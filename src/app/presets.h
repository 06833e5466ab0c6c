/* SPDX-License-Identifier: MIT
 *
 * Presets: named sets of values for the groups of the panel. */
#ifndef APP_PRESETS_H
#define APP_PRESETS_H

#include "scene.h"

enum { PRESET_VALUES_MAX = 8 };

typedef struct Preset {
    const char *group; /* heading of the panel under which it stands */
    const char *name, *does;
    /* "sun.elevation=4", or "smoke.extinction*0.4" for a factor on the value that the scene was
     * opened with; NULL past the last. */
    const char *values[PRESET_VALUES_MAX];
} Preset;

const Preset *preset_at(int index); /* NULL past the last; presets of a group stand together */

/* Applies a preset to a scene that was opened as `given`. On failure *scene is left as it was. */
bool preset_apply(const Preset *preset, const Scene *given, Scene *scene, BillowError *error);

#endif
