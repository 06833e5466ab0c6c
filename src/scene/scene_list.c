/* SPDX-License-Identifier: MIT */
#include "scene_list.h"

#include "scene_check.h"

static void reset_emitter(void *entry)
{
    *(BillowEmitter *)entry = billow_default_emitter();
}

static bool check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                          const void *entry, const SceneForm *form)
{
    return scene_check_emitter(source, mark, label, entry, form);
}

static void reset_solid(void *entry)
{
    *(BillowSolid *)entry = billow_default_solid();
}

static bool check_solid(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                        const void *entry, const SceneForm *form)
{
    const BillowSolid *solid = entry;
    return scene_check_form(source, mark, label, solid->shape, form);
}

static void reset_force(void *entry)
{
    *(BillowForce *)entry = billow_default_force();
}

static bool check_force(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                        const void *entry, const SceneForm *form)
{
    (void)form;
    return scene_check_force(source, mark, label, entry);
}

static void reset_lamp(void *entry)
{
    *(RenderLamp *)entry = scene_default_lamp();
}

static bool check_lamp(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       const void *entry, const SceneForm *form)
{
    (void)source, (void)mark, (void)label, (void)entry, (void)form; /* no two values can disagree */
    return true;
}

static const SceneList lists[] = {
    {SCENE_KEY_EMITTERS, "emitters", "emitter", "an emitter", &scene_emitter_keys,
     offsetof(Scene, emitters), offsetof(Scene, emitter_count), offsetof(Scene, emitter_forms),
     offsetof(Scene, emitter_places), sizeof(BillowEmitter), offsetof(BillowEmitter, shape),
     BILLOW_EMITTERS_MAX, reset_emitter, check_emitter},
    {SCENE_KEY_SOLIDS, "solids", "solid", "a solid", &scene_solid_keys, offsetof(Scene, solids),
     offsetof(Scene, solid_count), offsetof(Scene, solid_forms), offsetof(Scene, solid_places),
     sizeof(BillowSolid), offsetof(BillowSolid, shape), BILLOW_SOLIDS_MAX, reset_solid,
     check_solid},
    {SCENE_KEY_FORCES, "forces", "force", "a force", &scene_force_keys, offsetof(Scene, forces),
     offsetof(Scene, force_count), 0, 0, sizeof(BillowForce), 0, BILLOW_FORCES_MAX, reset_force,
     check_force},
    {SCENE_KEY_LAMPS, "lamps", "lamp", "a lamp", &scene_lamp_keys, offsetof(Scene, render.lamps),
     offsetof(Scene, render.lamp_count), 0, 0, sizeof(RenderLamp), 0, RENDER_LAMPS_MAX, reset_lamp,
     check_lamp},
};

const SceneList *scene_list_at(int index)
{
    return index < (int)(sizeof lists / sizeof lists[0]) ? &lists[index] : NULL;
}

const SceneList *scene_list_of(SceneKeyType type)
{
    for (int l = 0; scene_list_at(l) != NULL; l++)
        if (lists[l].type == type)
            return &lists[l];
    return NULL;
}

void *scene_list_entry(const SceneList *list, Scene *scene, int index)
{
    return (char *)scene + list->items + (size_t)index * list->size;
}

SceneForm *scene_list_form(const SceneList *list, Scene *scene, int index)
{
    return list->forms != 0 ? (SceneForm *)((char *)scene + list->forms) + index : NULL;
}

ScenePlace *scene_list_place(const SceneList *list, Scene *scene, int index)
{
    return list->forms != 0 ? (ScenePlace *)((char *)scene + list->places) + index : NULL;
}

BillowShape *scene_list_shape(const SceneList *list, void *entry)
{
    return list->forms != 0 ? (BillowShape *)((char *)entry + list->shape) : NULL;
}

int *scene_list_count(const SceneList *list, Scene *scene)
{
    return (int *)((char *)scene + list->count);
}
