/* SPDX-License-Identifier: MIT */
#include "scene/scene_check.h"

#include "base/number.h"
#include "scene/scene_reel.h"
#include "scene/scene_timeline.h"
#include "scene/scene_value.h"

#include <stdio.h>
#include <string.h>

/* Checks that an entry of shape volume has a mesh or a text, and that an entry of another shape has
 * neither. */
static bool check_form(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       BillowShape shape, const SceneForm *form)
{
    bool mesh = form != NULL && form->mesh[0] != '\0', text = form != NULL && form->text[0] != '\0';
    bool vdb = form != NULL && form->vdb[0] != '\0';
    bool particles = form != NULL && form->particles[0] != '\0';
    const char *wrong = NULL;
    if (mesh && text)
        wrong = "takes its shape from a mesh or from a text, not from both";
    else if (vdb && (mesh || text))
        wrong = "takes its shape from a .vdb file or from a mesh or text, not from both";
    else if (vdb && shape != BILLOW_VOLUME)
        wrong = "takes its shape from a .vdb file; leave 'shape' out";
    else if (particles && (mesh || text || vdb))
        wrong = "takes its shape from particles or from another file or text, not from both";
    else if (particles && shape != BILLOW_VOLUME)
        wrong = "takes its shape from particles; leave 'shape' out";
    else if (shape == BILLOW_VOLUME && !mesh && !text && !vdb && !particles)
        wrong = "has the shape of a volume, but neither a mesh nor a text";
    else if (shape != BILLOW_VOLUME && (mesh || text))
        wrong = "takes its shape from a mesh or a text; leave 'shape' out";
    return wrong == NULL || scene_yaml_fail(source, mark, "'%s' %s", label, wrong);
}

bool scene_check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                         const BillowEmitter *emitter, const SceneForm *form)
{
    if (!check_form(source, mark, label, emitter->shape, form))
        return false;
    if (emitter->end >= emitter->start)
        return true;
    return scene_yaml_fail(source, mark, "'%s' would end at %g s, before it starts at %g s", label,
                           emitter->end, emitter->start);
}

static bool check_force(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                        const BillowForce *force)
{
    const float *v = force->velocity;
    bool axis = v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f;
    if (force->end < force->start)
        return scene_yaml_fail(source, mark, "'%s' would end at %g s, before it starts at %g s",
                               label, force->end, force->start);
    if (force->kind == BILLOW_VORTEX && !axis)
        return scene_yaml_fail(
            source, mark, "'%s' is a vortex and needs a velocity other than 0 for its axis", label);
    return (force->kind != BILLOW_WIND || force->strength >= 0.0f) ||
           scene_yaml_fail(source, mark,
                           "'%s' is a wind, whose strength must not be below 0, and it is %g",
                           label, (double)force->strength);
}

bool scene_check_entry(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       const SceneList *list, const void *entry, const SceneForm *form)
{
    const BillowSolid *solid = entry;
    switch (list->type) {
    case SCENE_KEY_EMITTERS:
        return scene_check_emitter(source, mark, label, entry, form);
    case SCENE_KEY_SOLIDS:
        if (solid->motion == BILLOW_FALLING && scene_form_is_reel(form))
            return scene_yaml_fail(
                source, mark, "'%s' moves as its files say and cannot fall; leave 'motion' out",
                label);
        if (solid->motion == BILLOW_FALLING && solid->shape == BILLOW_PLANE &&
            solid->density > 0.0f)
            return scene_yaml_fail(
                source, mark, "'%s' is a plane, which has no end and no mass; leave 'density' out",
                label);
        if (form != NULL && form->particles[0] != '\0')
            return scene_yaml_fail(source, mark,
                                   "'%s' has particles, which only an emitter can follow", label);
        return check_form(source, mark, label, solid->shape, form);
    case SCENE_KEY_FORCES:
        return check_force(source, mark, label, entry);
    default:
        return true; /* the values of a lamp do not depend on each other */
    }
}

static bool cells_fit(const BillowDef *def)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    for (int axis = 0; axis < 3; axis++)
        if (cells[axis] < BILLOW_GRID_MIN || cells[axis] > BILLOW_GRID_MAX)
            return false;
    return true;
}

/* The smallest number of cells along the longest axis that gives every axis enough cells. 0: no
 * number does, or domain.cells gives each axis its own number. */
static int least_cells(const Scene *scene)
{
    Scene other = *scene;
    if (scene->domain.cells[1] != 0)
        return 0;
    for (int cells = scene->domain.cells[0] + 1; cells <= BILLOW_GRID_MAX; cells++) {
        other.domain.cells[0] = cells;
        const BillowDef def = scene_def(&other);
        if (cells_fit(&def))
            return cells;
    }
    return 0;
}

bool scene_check_domain(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene)
{
    const double least = 1e-5, most = 1e4; /* range of BillowDef.cell_size, m */
    const BillowDef def = scene_def(scene);
    if (!cells_fit(&def)) {
        char advice[80] = "change domain.size or the number of cells";
        int enough = least_cells(scene);
        if (enough > 0)
            snprintf(advice, sizeof advice, "the longest axis needs %d or more", enough);
        return scene_yaml_fail(source, mark,
                               "the domain needs %d x %d x %d cells; each must be %d to %d: %s",
                               def.nx, def.ny, def.nz, BILLOW_GRID_MIN, BILLOW_GRID_MAX, advice);
    }
    if ((double)def.cell_size < least || (double)def.cell_size > most) {
        return scene_yaml_fail(source, mark,
                               "cells of this domain would be %g m wide; they must be %g to %g m: "
                               "change domain.size or domain.cells",
                               (double)def.cell_size, least, most);
    }
    return true;
}

int scene_check_face_to_blame(const Scene *scene)
{
    const BillowFace *faces = scene->def.faces;
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (faces[side] == BILLOW_PERIODIC && faces[side ^ 1] != BILLOW_PERIODIC)
            return side;
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (scene->def.unbounded[side] && faces[side] != BILLOW_OPEN)
            return side;
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (faces[side] == BILLOW_INFLOW)
            return side;
    return -1;
}

bool scene_check_poster(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene)
{
    BillowError wrong;
    Scene poster = *scene;
    return scene_set_poster(&poster, &wrong) ||
           scene_yaml_fail(source, mark, "%s%s", source->assigned == NULL ? "poster.set: " : "",
                           wrong.text);
}

/* The first key of an emitter that is set but has no effect in this scene, for example `fuel` in a
 * scene without fire; NULL if there is none. */
static const char *idle_key(const Scene *scene, const BillowEmitter *emitter)
{
    const float *color = emitter->color;
    bool white = color[0] == 1.0f && color[1] == 1.0f && color[2] == 1.0f;
    if (!scene->def.fire && emitter->fuel != 0.0f)
        return "fuel";
    if (scene->def.tracers == 0 && emitter->tracers != 0.0f)
        return "tracers";
    if (!scene->def.color && emitter->hue_speed != 0.0f)
        return "hue_speed";
    return !scene->def.color && !white ? "color" : NULL;
}

bool scene_check_idle(const Scene *scene, SceneIdle *idle)
{
    const BillowEmitter *const named[] = {&scene->brush, &scene->detonation};
    static const char *const names[] = {"brush", "detonation"};
    char label[32];
    *idle = (SceneIdle){.emitter = -1};
    for (int e = 0; e < scene->def.emitter_count + 2 && idle->key == NULL; e++) {
        int other = e - scene->def.emitter_count;
        idle->key = idle_key(scene, other < 0 ? &scene->def.emitters[e] : named[other]);
        idle->emitter = other < 0 ? e : -1;
        idle->group = other < 0 ? "emitters" : names[other];
        if (other < 0)
            snprintf(label, sizeof label, "emitters[%d]", e);
        else
            snprintf(label, sizeof label, "%s", names[other]);
    }
    if (idle->key == NULL)
        return false;
    const char *needs = idle->key[0] == 'f'   ? "fluid.fire: true"
                        : idle->key[0] == 't' ? "tracers.count"
                                              : "fluid.color: true";
    snprintf(idle->text, sizeof idle->text, "%s.%s has no use without %s", label, idle->key, needs);
    return true;
}

/* -- values without use ------------------------------------------------------------------------ */

/* A key that has an effect only if another key, `needed`, has a certain value. */
typedef struct Rule {
    const char *key, *needed;
    const char *wanted; /* value that `needed` must have, in the message: ": true" or " above 0" */
    /* NULL: whether `needed` has the value of `wanted`, or is a list with entries. */
    bool (*used)(const void *entry);
} Rule;

typedef struct Search {
    const Scene *scene;
    SceneUselessTake *take;
    void *context;
} Search;

static bool is_default(const SceneKey *key, const void *entry, const void *plain)
{
    char given[128], usual[128];
    return !scene_keys_format(key, entry, given, sizeof given) ||
           !scene_keys_format(key, plain, usual, sizeof usual) || strcmp(given, usual) == 0;
}

/* Whether the key that a rule needs has its value. */
static bool is_met(const SceneKeyTable *table, const Rule *rule, const void *entry)
{
    char value[128];
    if (rule->used != NULL)
        return rule->used(entry);
    const SceneKey *key = scene_keys_find(table, rule->needed);
    if (scene_list_of(key->type) != NULL)
        return *scene_list_count(scene_list_of(key->type), (Scene *)entry /* only read */) > 0;
    scene_keys_format(key, entry, value, sizeof value);
    return strcmp(rule->wanted, " above 0") == 0 ? number_read(value, NULL) > 0
                                                 : strcmp(rule->wanted + strlen(": "), value) == 0;
}

/* Reports the keys of one entry that have no effect. label: prefix of the keys' paths, for example
 * "emitters[0].". plain: an entry with all values at their defaults. */
static void search(const Search *search, const SceneKeyTable *table, const Rule *rules,
                   const char *label, const void *entry, const void *plain, const ScenePlace *place)
{
    for (const Rule *rule = rules; rule->key != NULL; rule++) {
        const SceneKey *key = scene_keys_find(table, rule->key);
        char needed[96], text[200];
        snprintf(needed, sizeof needed, "%s%s", label, rule->needed);
        if (is_met(table, rule, entry) || is_default(key, entry, plain) ||
            scene_track_of(search->scene, needed) >= 0) /* the timeline may set it */
            continue;
        snprintf(text, sizeof text, "%s%s has no use without %s%s", label, rule->key, needed,
                 rule->wanted);
        search->take(search->context, place, text);
    }
}

/* -- rules of the scene ------------------------------------------------------------------------ */

static bool converges(const void *entry)
{
    return ((const Scene *)entry)->def.params.pressure != BILLOW_RELAXATION;
}

static bool diffuses(const void *entry)
{
    const BillowParams *params = &((const Scene *)entry)->def.params;
    return params->viscosity > 0 || params->smoke_diffusion > 0 || params->heat_diffusion > 0;
}

/* Whether the ignition temperature has an effect. Shredding has its full strength from there on. */
static bool ignites(const void *entry)
{
    const BillowDef *def = &((const Scene *)entry)->def;
    return def->fire || def->params.shredding > 0;
}

/* Whether anything in the scene warms the air. */
static bool is_warmed(const void *entry)
{
    const Scene *scene = entry;
    bool warmed = scene->def.fire || scene->initial.vdb[0] != '\0';
    for (int side = 0; side < BILLOW_SIDES; side++)
        warmed = warmed || scene->def.boundaries[side].heat > 0 ||
                 scene->def.boundaries[side].temperature > 0;
    for (int e = 0; e < scene->def.emitter_count; e++)
        warmed = warmed || scene->def.emitters[e].heat > 0;
    for (int s = 0; s < scene->def.solid_count; s++)
        warmed = warmed || scene->def.solids[s].temperature > 0;
    for (int t = 0; t < scene->track_count; t++) {
        const char *name = scene_keys_last_name(scene->tracks[t].key);
        warmed = warmed || strcmp(name, "heat") == 0 || strcmp(name, "temperature") == 0;
    }
    return warmed;
}

/* Whether the scene has one of the two that eddies need. The other was then chosen for a while. */
static bool may_fold(const void *entry)
{
    const BillowDef *def = &((const Scene *)entry)->def;
    return def->refine > 1 || def->params.advection == BILLOW_CONSERVATIVE ||
           def->params.advection == BILLOW_CONSERVATIVE_SMOOTH;
}

static bool has_colors(const void *entry)
{
    const Scene *scene = entry;
    return scene->def.color || scene->render.smoke_ramp.stop_count > 0;
}

static bool has_sparks(const void *entry)
{
    const BillowDef *def = &((const Scene *)entry)->def;
    return def->tracers > 0 && def->tracer_lag > 0;
}

static bool has_panorama(const void *entry)
{
    const RenderSurroundings *around = &((const Scene *)entry)->render.surroundings;
    return around->kind != RENDER_PANORAMA || around->file[0] != '\0';
}

static const Rule scene_rules[] = {
    {"solver.tolerance", "solver.pressure", ": multigrid", converges},
    {"solver.cycles", "solver.pressure", ": multigrid", converges},
    {"solver.sweeps", "solver.pressure", ": relaxation", NULL},
    {"solver.overrelaxation", "solver.pressure", ": relaxation", NULL},
    {"solver.diffusion_sweeps", "fluid.viscosity", " or another diffusion", diffuses},
    {"solver.disturbance_size", "solver.disturbance", " above 0", NULL},
    {"solver.disturbance_speed", "solver.disturbance", " above 0", NULL},
    {"solver.disturbance_density", "solver.disturbance", " above 0", NULL},
    {"solver.shredding", "emitters", " with heat, or fire", is_warmed},
    {"solver.eddies", "domain.refine", " above 1 and solver.advection: conservative", may_fold},
    {"fluid.ignition", "fluid.fire", ": true", ignites},
    {"fluid.burn_rate", "fluid.fire", ": true", NULL},
    {"fluid.burn_rich", "fluid.fire", ": true", NULL},
    {"fluid.burn_heat", "fluid.fire", ": true", NULL},
    {"fluid.burn_smoke", "fluid.fire", ": true", NULL},
    {"fluid.burn_expansion", "fluid.fire", ": true", NULL},
    {"surroundings.kind", "surroundings.file", "", has_panorama},
    {"surroundings.file", "surroundings.kind", ": hdri", NULL},
    {"surroundings.haze", "surroundings.kind", ": sky", NULL},
    {"surroundings.color", "surroundings.kind", ": studio", NULL},
    {"solid.color", "solids", "", NULL},
    {"smoke.tint_extinction", "fluid.color", ": true", has_colors},
    {"smoke.back_anisotropy", "smoke.backscatter", " above 0", NULL},
    {"smoke.ramp_by", "smoke.ramp", "", NULL},
    {"smoke.ramp_low", "smoke.ramp", "", NULL},
    {"smoke.ramp_high", "smoke.ramp", "", NULL},
    {"fire.ramp_by", "fire.ramp", "", NULL},
    {"fire.ramp_low", "fire.ramp", "", NULL},
    {"fire.ramp_high", "fire.ramp", "", NULL},
    {"smoke.glow_kelvin", "smoke.glow", " above 0", NULL},
    {"smoke.glow_range", "smoke.glow", " above 0", NULL},
    {"smoke.flame", "fluid.fire", ": true", NULL},
    {"tracers.lag", "tracers.count", " above 0", NULL},
    {"tracers.sparks", "tracers.lag", " above 0", has_sparks},
    {"tracers.sparks", "fluid.fire", ": true", NULL},
    {"tracers.speed", "tracers.lag", " above 0", has_sparks},
    {"tracers.life", "tracers.lag", " above 0", has_sparks},
    {"tracers.kelvin", "tracers.lag", " above 0", has_sparks},
    {"tracers.streak", "tracers.lag", " above 0", has_sparks},
    {"tracers.size", "tracers.count", " above 0", NULL},
    {"tracers.color", "tracers.count", " above 0", NULL},
    {"tracers.opacity", "tracers.count", " above 0", NULL},
    {"tracers.glow", "tracers.count", " above 0", NULL},
    {"camera.focus", "camera.aperture", " above 0", NULL},
    {"camera.iso", "camera.aperture", " above 0", NULL},
    {"camera.iso", "camera.shutter", " above 0", NULL},
    {0},
};

/* -- rules of entries ----------------------------------------------------------------------- */

static bool has_hue(const void *entry)
{
    const float *color = ((const BillowEmitter *)entry)->color;
    return color[0] != color[1] || color[1] != color[2];
}

static const Rule emitter_rules[] = {
    {"hue_speed", "color", " other than grey", has_hue},
    {"velocity", "grip", " above 0", NULL},
    {"burst", "grip", " above 0", NULL},
    {"noise_scale", "noise", " above 0", NULL},
    {"noise_speed", "noise", " above 0", NULL},
    {"seed", "noise", " above 0", NULL},
    {0},
};

static const Rule solid_rules[] = {
    {"gravity", "motion", ": falling", NULL},
    {"bounce", "motion", ": falling", NULL},
    {"density", "motion", ": falling", NULL},
    {"temperature", "isothermal", ": true", NULL},
    {0},
};

static const Rule force_rules[] = {
    {"scale", "kind", ": turbulence", NULL},
    {"speed", "kind", ": turbulence", NULL},
    {"seed", "kind", ": turbulence", NULL},
    {0},
};

static bool is_aimed(const void *entry)
{
    return ((const RenderLamp *)entry)->kind != RENDER_LAMP_POINT;
}

static const Rule lamp_rules[] = {
    {"direction", "kind", ": spot, area or sun", is_aimed},
    {"angle", "kind", ": spot", NULL},
    {"softness", "kind", ": spot", NULL},
    {0},
};

void scene_useless(const Scene *scene, SceneUselessTake *take, void *context)
{
    static const struct {
        SceneKeyType list;
        const Rule *rules;
    } kinds[] = {{SCENE_KEY_EMITTERS, emitter_rules},
                 {SCENE_KEY_SOLIDS, solid_rules},
                 {SCENE_KEY_FORCES, force_rules},
                 {SCENE_KEY_LAMPS, lamp_rules}};
    const Search found = {scene, take, context};
    const Scene *usual = scene_default();
    Scene *searched = (Scene *)scene; /* only read */
    if (scene->gone != NULL)
        take(context, NULL, scene->gone);
    search(&found, scene_keys(), scene_rules, "", scene, usual, NULL);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const SceneList *list = scene_list_of(kinds[k].list);
        for (int e = 0; e < *scene_list_count(list, searched); e++) {
            char label[32];
            snprintf(label, sizeof label, "%s[%d].", list->name, e);
            search(&found, list->keys(), kinds[k].rules, label, scene_list_entry(list, searched, e),
                   list->keys()->defaults, scene_list_place(list, searched, e));
        }
    }
    search(&found, scene_emitter_keys(), emitter_rules, "brush.", &scene->brush, &usual->brush,
           NULL);
    search(&found, scene_emitter_keys(), emitter_rules, "detonation.", &scene->detonation,
           &usual->detonation, NULL);
}
