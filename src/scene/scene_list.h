/* SPDX-License-Identifier: MIT
 *
 * The lists of a scene: emitters, solids, forces, lamps. One row here makes a list of entries that
 * files write one after the other and --set reaches as emitters[0].smoke. */
#ifndef SCENE_SCENE_LIST_H
#define SCENE_SCENE_LIST_H

#include "scene_keys.h"
#include "scene_yaml.h"

typedef struct SceneList {
    SceneKeyType type;
    const char *name, *entry, *an_entry; /* "emitters", "emitter", "an emitter" */
    const SceneKeyTable *keys;           /* offsets into an entry */
    size_t items, count, forms, places;  /* offsets into Scene; forms 0: entries have none, nor
                                            places */
    size_t size, shape; /* bytes of an entry; offset of its shape, if it has forms */
    int most;
    void (*reset)(void *entry); /* every value at its default */
    bool (*check)(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                  const void *entry, const SceneForm *form);
} SceneList;

/* NULL past the end; by a key's type, NULL where that is no list. */
const SceneList *scene_list_at(int index);
const SceneList *scene_list_of(SceneKeyType type);

/* An entry of a scene, its form (NULL where it has none), its place and its shape (likewise). */
void *scene_list_entry(const SceneList *list, Scene *scene, int index);
SceneForm *scene_list_form(const SceneList *list, Scene *scene, int index);
ScenePlace *scene_list_place(const SceneList *list, Scene *scene, int index);
BillowShape *scene_list_shape(const SceneList *list, void *entry);
int *scene_list_count(const SceneList *list, Scene *scene);

#endif
