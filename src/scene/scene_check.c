/* SPDX-License-Identifier: MIT */
#include "scene_check.h"

#include <stdio.h>

/* A volume is what a mesh or a text makes. */
bool scene_check_form(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                      BillowShape shape, const SceneForm *form)
{
    bool mesh = form != NULL && form->mesh[0] != '\0', text = form != NULL && form->text[0] != '\0';
    const char *wrong = NULL;
    if (mesh && text)
        wrong = "takes its shape from a mesh or from a text, not from both";
    else if (shape == BILLOW_VOLUME && !mesh && !text)
        wrong = "has the shape of a volume, but neither a mesh nor a text";
    else if (shape != BILLOW_VOLUME && (mesh || text))
        wrong = "takes its shape from a mesh or a text; leave 'shape' out";
    return wrong == NULL ||
           scene_yaml_fail(source, mark->line, mark->column, "'%s' %s", label, wrong);
}

bool scene_check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                         const BillowEmitter *emitter, const SceneForm *form)
{
    if (!scene_check_form(source, mark, label, emitter->shape, form))
        return false;
    if (emitter->end >= emitter->start)
        return true;
    return scene_yaml_fail(source, mark->line, mark->column,
                           "'%s' would end at %g s, before it starts at %g s", label, emitter->end,
                           emitter->start);
}

bool scene_check_force(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       const BillowForce *force)
{
    const float *v = force->velocity;
    bool axis = v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f;
    if (force->end < force->start)
        return scene_yaml_fail(source, mark->line, mark->column,
                               "'%s' would end at %g s, before it starts at %g s", label,
                               force->end, force->start);
    if (force->kind == BILLOW_VORTEX && !axis)
        return scene_yaml_fail(source, mark->line, mark->column,
                               "'%s' is a vortex and needs a velocity other than 0 for its axis",
                               label);
    return (force->kind != BILLOW_WIND || force->strength >= 0.0f) ||
           scene_yaml_fail(source, mark->line, mark->column,
                           "'%s' is a wind, whose strength must not be below 0, and it is %g",
                           label, (double)force->strength);
}

static bool cells_fit(const BillowDef *def)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    for (int axis = 0; axis < 3; axis++)
        if (cells[axis] < BILLOW_GRID_MIN || cells[axis] > BILLOW_GRID_MAX)
            return false;
    return true;
}

/* The least count along the longest axis with which one count for all fits; 0 where none does, or
 * where each axis has its own. */
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
    const double least = 1e-5, most = 1e4; /* m: BillowDef.cell_size */
    const BillowDef def = scene_def(scene);
    const int cells[3] = {def.nx, def.ny, def.nz};
    if (!cells_fit(&def)) {
        char advice[80] = "change domain.size or the number of cells";
        int enough = least_cells(scene);
        if (enough > 0)
            snprintf(advice, sizeof advice, "the longest axis needs %d or more", enough);
        return scene_yaml_fail(source, mark->line, mark->column,
                               "the domain needs %d x %d x %d cells; each must be %d to %d: %s",
                               cells[0], cells[1], cells[2], BILLOW_GRID_MIN, BILLOW_GRID_MAX,
                               advice);
    }
    if ((double)def.cell_size < least || (double)def.cell_size > most) {
        return scene_yaml_fail(source, mark->line, mark->column,
                               "cells of this domain would be %g m wide; they must be %g to %g m: "
                               "change domain.size or domain.cells",
                               (double)def.cell_size, least, most);
    }
    return true;
}

int scene_check_face_to_blame(const Scene *scene)
{
    const BillowFace *faces = scene->domain.faces;
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (faces[side] == BILLOW_PERIODIC && faces[side ^ 1] != BILLOW_PERIODIC)
            return side;
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (faces[side] == BILLOW_INFLOW)
            return side;
    return -1;
}

bool scene_check_faces(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene)
{
    const BillowDef def = scene_def(scene);
    BillowError refused;
    return billow_check_faces(&def, &refused) ||
           scene_yaml_fail(source, mark->line, mark->column, "domain: %s", refused.text);
}

/* The key of an emitter that means nothing in the scene's fluid; NULL where all mean something. */
static const char *idle_key(const Scene *scene, const BillowEmitter *emitter)
{
    const float *color = emitter->color;
    bool white = color[0] == 1.0f && color[1] == 1.0f && color[2] == 1.0f;
    if (!scene->fire && emitter->fuel != 0.0f)
        return "fuel";
    if (scene->tracers == 0 && emitter->tracers != 0.0f)
        return "tracers";
    return !scene->color && !white ? "color" : NULL;
}

bool scene_check_idle(const Scene *scene, SceneIdle *idle)
{
    const BillowEmitter *const named[] = {&scene->brush, &scene->detonation};
    static const char *const names[] = {"brush", "detonation"};
    char label[32];
    *idle = (SceneIdle){.emitter = -1};
    for (int e = 0; e < scene->emitter_count + 2 && idle->key == NULL; e++) {
        int other = e - scene->emitter_count;
        idle->key = idle_key(scene, other < 0 ? &scene->emitters[e] : named[other]);
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
