/* SPDX-License-Identifier: MIT */
#include "presets.h"

#include "scene_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Preset presets[] = {
    {"solver",
     "calm",
     "a fifth of the vorticity confinement: soft, slow smoke",
     {"solver.vorticity*0.2"}},
    {"solver", "turbulent", "three times the vorticity confinement", {"solver.vorticity*3"}},
    {"solver",
     "sharp",
     "conservative advection: sharp edges, no smoke lost",
     {"solver.advection=conservative"}},
    {"solver",
     "as in 1999",
     "Stam's method: semi-Lagrangian, 20 sweeps of relaxation",
     {"solver.advection=semi_lagrangian", "solver.pressure=relaxation", "solver.sweeps=20"}},
    {"smoke", "thin", "a third of the smoke's thickness", {"smoke.extinction*0.33"}},
    {"smoke", "thick", "three times the smoke's thickness", {"smoke.extinction*3"}},
    {"smoke", "steam", "white, scatters nearly all light", {"smoke.albedo=[0.995, 0.995, 0.995]"}},
    {"smoke",
     "soot",
     "black, absorbs most of the light",
     {"smoke.albedo=[0.25, 0.235, 0.22]", "smoke.extinction*1.5"}},
    {"sun",
     "day",
     "a high, white sun and a blue sky",
     {"sun.elevation=48", "sun.intensity=12", "sun.color=[1, 0.95, 0.88]", "sky.intensity=1",
      "sky.zenith=[0.11, 0.25, 0.6]", "sky.horizon=[0.6, 0.74, 0.92]"}},
    {"sun",
     "dusk",
     "a low, orange sun",
     {"sun.elevation=6", "sun.intensity=9", "sun.color=[1, 0.48, 0.2]", "sky.intensity=0.55",
      "sky.zenith=[0.1, 0.16, 0.38]", "sky.horizon=[0.95, 0.55, 0.35]"}},
    {"sun",
     "night",
     "moonlight; fire and lamps stand out",
     {"sun.elevation=35", "sun.intensity=0.12", "sun.color=[0.6, 0.72, 1]", "sky.intensity=0.02",
      "sky.zenith=[0.1, 0.16, 0.4]", "sky.horizon=[0.2, 0.28, 0.5]"}},
};

const Preset *preset_at(int index)
{
    return index >= 0 && index < (int)(sizeof presets / sizeof presets[0]) ? &presets[index] : NULL;
}

/* Turns "smoke.extinction*0.4" into "smoke.extinction=8", within the key's range. */
static void multiply(const char *value, const Scene *given, char assignment[160])
{
    const char *star = strchr(value, '*');
    char path[96];
    snprintf(assignment, 160, "%s", value);
    if (star == NULL)
        return;
    snprintf(path, sizeof path, "%.*s", (int)(star - value), value);
    const SceneKey *key = scene_keys_find(scene_keys(), path);
    if (key == NULL || key->type != SCENE_KEY_FLOAT)
        return;
    double number = (double)*(const float *)((const char *)given + key->offset) * atof(star + 1);
    snprintf(assignment, 160, "%s=%.4g", path, fmin(fmax(number, key->minimum), key->maximum));
}

bool preset_apply(const Preset *preset, const Scene *given, Scene *scene, BillowError *error)
{
    Scene changed = *scene;
    for (int v = 0; v < PRESET_VALUES_MAX && preset->values[v] != NULL; v++) {
        char assignment[160];
        multiply(preset->values[v], given, assignment);
        if (!scene_set(&changed, assignment, error))
            return false;
    }
    *scene = changed;
    return true;
}
