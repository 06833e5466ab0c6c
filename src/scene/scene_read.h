/* SPDX-License-Identifier: MIT
 *
 * From YAML nodes to a Scene: values are bound to the places that the key tables name, each one is
 * checked against its range, and then values that must agree with each other are checked. */
#ifndef SCENE_SCENE_READ_H
#define SCENE_SCENE_READ_H

#include "scene_keys.h"
#include "scene_yaml.h"

/* -- binding (scene_bind.c) -------------------------------------------------------------------- */

/* A group of keys that nodes are bound to: all of a scene, "solver", an emitter. */
typedef struct SceneTarget {
    const SceneKeyTable *table;
    void *base;         /* structure in which the table's offsets count */
    const char *group;  /* path inside the table; "" for all of it */
    const char *label;  /* name of base in messages: "" for the scene, "emitters[0]" */
    SceneForm *form;    /* form of base; NULL where it cannot have one */
    BillowShape *shape; /* shape of base; NULL where it has no form */
} SceneTarget;

/* The target that all of a scene is. */
SceneTarget scene_bind_root(Scene *scene);

/* Binds all keys of a mapping. On failure some may have been set: bind into a copy. */
bool scene_bind_group(const SceneSource *source, yaml_document_t *document, SceneTarget target,
                      const yaml_node_t *node);

/* Binds the value of one key of the target's table. */
bool scene_bind_key(const SceneSource *source, yaml_document_t *document, SceneTarget target,
                    const SceneKey *key, const yaml_node_t *node);

/* "key 'x' is not known here; ..." with a suggestion or the list of what is known. */
bool scene_bind_unknown(const SceneSource *source, SceneTarget target, const char *name,
                        const char *quoted, const yaml_mark_t *mark);

/* -- one value by its path (scene_set.c) ------------------------------------------------------- */

/* scene_set without the check of the timeline. On failure *scene is left as it was. */
bool scene_assign(Scene *scene, const char *assignment, BillowError *error);

/* -- checks of several values (scene_check.c) -------------------------------------------------- */

/* The mark is the place in the file that messages name; form is NULL for what cannot have one. */
bool scene_check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                         const BillowEmitter *emitter, const SceneForm *form);
bool scene_check_entry(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       const SceneList *list, const void *entry, const SceneForm *form);
bool scene_check_domain(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* Checks faces and boundaries once the whole scene is read, as one change may make up for another.
 */
bool scene_check_faces(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* The face that scene_check_faces most likely complains about: the first that is periodic alone,
 * else the first inflow; -1 where there is neither. */
int scene_check_face_to_blame(const Scene *scene);

/* An emitter's value that the scene's fluid does not use. */
typedef struct SceneIdle {
    int emitter;       /* index in the list; -1: brush or detonation */
    const char *group; /* "emitters", "brush" or "detonation" */
    const char *key;   /* "fuel" */
    char text[128];    /* "emitters[2].fuel has no use without fluid.fire" */
} SceneIdle;

/* Finds the first one; false where there is none. */
bool scene_check_idle(const Scene *scene, SceneIdle *idle);

#endif
