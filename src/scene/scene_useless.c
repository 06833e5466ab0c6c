/* SPDX-License-Identifier: MIT */
#include "scene_useless.h"

#include "scene_keys.h"

#include <stdio.h>
#include <string.h>

/* A key that is of use only where another one has it so. */
typedef struct Rule {
    const char *key, *needed;
    bool (*used)(const void *entry);
    const char *wanted; /* how the other one would have to be */
} Rule;

typedef struct Search {
    const Scene *scene;
    SceneUselessTake *take;
    void *context;
} Search;

/* Whether a track changes the key that is needed. */
static bool may_come(const Scene *scene, const char *label, const char *needed)
{
    char path[96];
    snprintf(path, sizeof path, "%s%s", label, needed);
    for (int t = 0; t < scene->track_count; t++)
        if (strcmp(scene->tracks[t].key, path) == 0)
            return true;
    return false;
}

static bool is_default(const SceneKey *key, const void *entry, const void *plain)
{
    char given[128], usual[128];
    return !scene_keys_format(key, entry, given, sizeof given) ||
           !scene_keys_format(key, plain, usual, sizeof usual) || strcmp(given, usual) == 0;
}

/* label: what is before the keys' own names, "emitters[0]."; plain: an entry as it is by itself. */
static void search(const Search *search, const SceneKeyTable *table, const Rule *rules,
                   const char *label, const void *entry, const void *plain, const ScenePlace *place)
{
    for (const Rule *rule = rules; rule->key != NULL; rule++) {
        const SceneKey *key = scene_keys_find(table, rule->key);
        char text[200];
        if (rule->used(entry) || is_default(key, entry, plain) ||
            may_come(search->scene, label, rule->needed))
            continue;
        snprintf(text, sizeof text, "%s%s has no use without %s%s%s", label, rule->key, label,
                 rule->needed, rule->wanted);
        search->take(search->context, place, text);
    }
}

/* -- of the scene ------------------------------------------------------------------------------ */

static bool relaxes(const void *entry)
{
    return ((const Scene *)entry)->params.pressure == BILLOW_RELAXATION;
}

static bool converges(const void *entry)
{
    return !relaxes(entry);
}

static bool diffuses(const void *entry)
{
    const BillowParams *params = &((const Scene *)entry)->params;
    return params->viscosity > 0 || params->smoke_diffusion > 0 || params->heat_diffusion > 0;
}

static bool burns(const void *entry)
{
    return ((const Scene *)entry)->fire;
}

static bool has_solids(const void *entry)
{
    return ((const Scene *)entry)->solid_count > 0;
}

static bool has_colors(const void *entry)
{
    return ((const Scene *)entry)->color;
}

static bool scatters_back(const void *entry)
{
    return ((const Scene *)entry)->render.smoke.backscatter > 0;
}

static bool glows(const void *entry)
{
    return ((const Scene *)entry)->render.smoke.glow > 0;
}

/* Detail that is turned off needs nothing. */
static bool has_detail(const void *entry)
{
    const Scene *scene = entry;
    return scene->texture_period > 0 || scene->render.smoke.detail <= 0;
}

static bool has_tracers(const void *entry)
{
    return ((const Scene *)entry)->tracers > 0;
}

static const Rule scene_rules[] = {
    {"solver.tolerance", "solver.pressure", converges, ": multigrid"},
    {"solver.cycles", "solver.pressure", converges, ": multigrid"},
    {"solver.sweeps", "solver.pressure", relaxes, ": relaxation"},
    {"solver.overrelaxation", "solver.pressure", relaxes, ": relaxation"},
    {"solver.diffusion_sweeps", "fluid.viscosity", diffuses, " or another diffusion"},
    {"fluid.ignition", "fluid.fire", burns, ": true"},
    {"fluid.burn_rate", "fluid.fire", burns, ": true"},
    {"fluid.burn_heat", "fluid.fire", burns, ": true"},
    {"fluid.burn_smoke", "fluid.fire", burns, ": true"},
    {"fluid.burn_expansion", "fluid.fire", burns, ": true"},
    {"solid.color", "solids", has_solids, ""},
    {"smoke.tint_extinction", "fluid.color", has_colors, ": true"},
    {"smoke.back_anisotropy", "smoke.backscatter", scatters_back, " above 0"},
    {"smoke.glow_kelvin", "smoke.glow", glows, " above 0"},
    {"smoke.glow_range", "smoke.glow", glows, " above 0"},
    {"smoke.flame", "fluid.fire", burns, ": true"},
    {"smoke.detail", "fluid.texture_period", has_detail, " above 0"},
    {"smoke.detail_size", "fluid.texture_period", has_detail, " above 0"},
    {"tracers.size", "tracers.count", has_tracers, " above 0"},
    {"tracers.color", "tracers.count", has_tracers, " above 0"},
    {"tracers.opacity", "tracers.count", has_tracers, " above 0"},
    {"tracers.glow", "tracers.count", has_tracers, " above 0"},
    {0},
};

/* -- of what is in lists ----------------------------------------------------------------------- */

static bool grips(const void *entry)
{
    return ((const BillowEmitter *)entry)->grip > 0;
}

static bool flickers(const void *entry)
{
    return ((const BillowEmitter *)entry)->noise > 0;
}

static const Rule emitter_rules[] = {
    {"velocity", "grip", grips, " above 0"},        {"burst", "grip", grips, " above 0"},
    {"noise_scale", "noise", flickers, " above 0"}, {"noise_speed", "noise", flickers, " above 0"},
    {"seed", "noise", flickers, " above 0"},        {0},
};

static bool falls(const void *entry)
{
    return ((const BillowSolid *)entry)->motion == BILLOW_FALLING;
}

static bool is_held(const void *entry)
{
    return ((const BillowSolid *)entry)->isothermal;
}

static const Rule solid_rules[] = {
    {"gravity", "motion", falls, ": falling"},
    {"bounce", "motion", falls, ": falling"},
    {"temperature", "isothermal", is_held, ": true"},
    {0},
};

static bool is_turbulence(const void *entry)
{
    return ((const BillowForce *)entry)->kind == BILLOW_TURBULENCE;
}

static const Rule force_rules[] = {
    {"scale", "kind", is_turbulence, ": turbulence"},
    {"speed", "kind", is_turbulence, ": turbulence"},
    {"seed", "kind", is_turbulence, ": turbulence"},
    {0},
};

void scene_useless(const Scene *scene, SceneUselessTake *take, void *context)
{
    const Search found = {scene, take, context};
    const Scene plain = scene_default();
    const BillowEmitter emitter = billow_default_emitter();
    const BillowSolid solid = billow_default_solid();
    const BillowForce force = billow_default_force();
    char label[32];
    search(&found, &scene_keys, scene_rules, "", scene, &plain, NULL);
    for (int e = 0; e < scene->emitter_count; e++) {
        snprintf(label, sizeof label, "emitters[%d].", e);
        search(&found, &scene_emitter_keys, emitter_rules, label, &scene->emitters[e], &emitter,
               &scene->emitter_places[e]);
    }
    for (int s = 0; s < scene->solid_count; s++) {
        snprintf(label, sizeof label, "solids[%d].", s);
        search(&found, &scene_solid_keys, solid_rules, label, &scene->solids[s], &solid,
               &scene->solid_places[s]);
    }
    for (int f = 0; f < scene->force_count; f++) {
        snprintf(label, sizeof label, "forces[%d].", f);
        search(&found, &scene_force_keys, force_rules, label, &scene->forces[f], &force, NULL);
    }
    search(&found, &scene_emitter_keys, emitter_rules, "brush.", &scene->brush, &plain.brush, NULL);
    search(&found, &scene_emitter_keys, emitter_rules, "detonation.", &scene->detonation,
           &plain.detonation, NULL);
}
