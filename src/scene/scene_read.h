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
    void *base;         /* structure that the table's offsets refer to */
    const char *group;  /* path inside the table; "" for all of it */
    const char *label;  /* name of base in messages: "" for the scene, "emitters[0]" */
    SceneForm *form;    /* form of base; NULL where it cannot have one */
    BillowShape *shape; /* shape of base; NULL where it has no form */
} SceneTarget;

/* The target for a whole scene. */
SceneTarget scene_bind_root(Scene *scene);

/* Binds all keys of a mapping. A failure leaves some keys set, so bind into a copy. */
bool scene_bind_group(const SceneSource *source, yaml_document_t *document, SceneTarget target,
                      const yaml_node_t *node);

/* Binds the value of one key of the target's table. */
bool scene_bind_key(const SceneSource *source, yaml_document_t *document, SceneTarget target,
                    const SceneKey *key, const yaml_node_t *node);

/* Fails with "key 'x' is not known here; ..." and a suggestion or the list of known keys. */
bool scene_bind_unknown(const SceneSource *source, SceneTarget target, const char *name,
                        const char *quoted, const yaml_mark_t *mark);

/* -- one value by its path (scene_set.c) ------------------------------------------------------- */

/* scene_set without checking the timeline. On failure *scene is unchanged. */
bool scene_assign(Scene *scene, const char *assignment, BillowError *error);

/* -- checks of several values (scene_check.c) -------------------------------------------------- */

/* Checks of single entries. mark: place in the file for messages. form: NULL if the entry cannot
 * have one. */
bool scene_check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                         const BillowEmitter *emitter, const SceneForm *form);
bool scene_check_entry(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       const SceneList *list, const void *entry, const SceneForm *form);
bool scene_check_domain(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* Checks faces and boundaries after the whole scene is read, since one change may depend on
 * another. */
bool scene_check_faces(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* The face that a failure of scene_check_faces most likely concerns: the first periodic face
 * without a periodic opposite, else the first inflow; -1 if there is neither. */
int scene_check_face_to_blame(const Scene *scene);

/* An emitter's value that has no effect in the scene's fluid. */
typedef struct SceneIdle {
    int emitter;       /* index in the list; -1: brush or detonation */
    const char *group; /* "emitters", "brush" or "detonation" */
    const char *key;   /* "fuel" */
    char text[128];    /* "emitters[2].fuel has no use without fluid.fire" */
} SceneIdle;

/* Finds the first such value. Returns false if there is none. */
bool scene_check_idle(const Scene *scene, SceneIdle *idle);

#endif
