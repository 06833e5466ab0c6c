/* SPDX-License-Identifier: MIT
 *
 * YAML nodes into the places that the key table names, each value checked. */
#ifndef SCENE_SCENE_BIND_H
#define SCENE_SCENE_BIND_H

#include "scene_keys.h"
#include "scene_yaml.h"

/* A group of keys that nodes may be bound to: all of a scene, "solver", an emitter. */
typedef struct SceneTarget {
    const SceneKeyTable *table;
    void *base;        /* what the table's offsets count from */
    const char *group; /* path inside the table; "" for all of it */
    const char *label; /* how messages name base: "" for the scene, "emitters[0]" */
    SceneForm *form;   /* where base may have the shape of a volume; else NULL, as is shape */
    BillowShape *shape;
} SceneTarget;

/* The target that all of a scene is. */
SceneTarget scene_bind_root(Scene *scene);

/* All keys of a mapping. On failure some may have been set: bind into a copy. */
bool scene_bind_group(const SceneSource *source, yaml_document_t *document, SceneTarget target,
                      const yaml_node_t *node);

/* The value of one key of the target's table. */
bool scene_bind_key(const SceneSource *source, yaml_document_t *document, SceneTarget target,
                    const SceneKey *key, const yaml_node_t *node);

/* "key 'x' is not known here; ..." with a suggestion or the list of what is known. */
bool scene_bind_unknown(const SceneSource *source, SceneTarget target, const char *name,
                        const char *quoted, const yaml_mark_t *mark);

#endif
