/* SPDX-License-Identifier: MIT
 *
 * Reads YAML nodes into a `Scene`. Each value is checked against its key's range and stored at the
 * offset that the table of keys gives. Then values that depend on each other are checked. */
#ifndef SCENE_SCENE_READ_H
#define SCENE_SCENE_READ_H

#include "scene/scene_keys.h"
#include "scene/scene_yaml.h"

/* -- binding (scene_bind.c) -------------------------------------------------------------------- */

/* A group of keys to which nodes are bound: the whole scene, "solver", or an emitter. */
typedef struct SceneTarget {
    const SceneKeyTable *table;
    void *base;         /* structure that the table's offsets refer to */
    const char *group;  /* path of the group in the table; "" for the whole table */
    const char *label;  /* name of base in messages: "" for the scene, "emitters[0]" */
    SceneForm *form;    /* form of base; NULL if base cannot have a form */
    BillowShape *shape; /* shape of base; NULL if base cannot have a form */
} SceneTarget;

/* The target for a whole scene. */
SceneTarget scene_bind_root(Scene *scene);

/* Binds all keys of a mapping. On failure some keys are already set, so bind into a copy. */
bool scene_bind_group(const SceneSource *source, yaml_document_t *document, SceneTarget target,
                      const yaml_node_t *node);

/* Binds the value of one key of the target's table. */
bool scene_bind_key(const SceneSource *source, yaml_document_t *document, SceneTarget target,
                    const SceneKey *key, const yaml_node_t *node);

/* Fails with "key 'x' is not known here; ..." and a suggestion or the list of known keys. */
bool scene_bind_unknown(const SceneSource *source, SceneTarget target, const char *name,
                        const char *quoted, const yaml_mark_t *mark);

/* -- one value by its path (scene_set.c) ------------------------------------------------------- */

/* Like `scene_set`, but does not check the timeline. On failure *scene is unchanged. */
bool scene_assign(Scene *scene, const char *assignment, BillowError *error);

/* Finds the value that a path names: its key and the structure that the key's offset refers to.
 * Returns false if it names none. */
bool scene_find(Scene *scene, const char *path, const SceneKey **key, void **base);

/* Sets the values of the poster, and removes their tracks. On failure *scene is unchanged. */
bool scene_set_poster(Scene *scene, BillowError *error);

/* -- checks of several values (scene_check.c) -------------------------------------------------- */

/* Check a single entry. mark: position in the file for messages. form: NULL if the entry cannot
 * have a form. */
bool scene_check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                         const BillowEmitter *emitter, const SceneForm *form);
bool scene_check_entry(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       const SceneList *list, const void *entry, const SceneForm *form);
bool scene_check_domain(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* Checks that every name in scene->panel is the name of a value. */
bool scene_check_panel(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* Checks that the assignments of the poster can be set. */
bool scene_check_poster(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* Checks faces and boundaries. Call it after the whole scene is read, because one key may correct
 * another. */
bool scene_check_faces(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* The face that most likely made `scene_check_faces` fail: the first periodic face whose opposite
 * face is not periodic, else the first inflow; -1 if there is neither. */
int scene_check_face_to_blame(const Scene *scene);

/* A value of an emitter that has no effect in the scene's fluid. */
typedef struct SceneIdle {
    int emitter;       /* index in the list; -1: brush or detonation */
    const char *group; /* "emitters", "brush" or "detonation" */
    const char *key;   /* "fuel" */
    char text[128];    /* "emitters[2].fuel has no use without fluid.fire" */
} SceneIdle;

/* Finds the first emitter value without effect. Returns false if there is none. */
bool scene_check_idle(const Scene *scene, SceneIdle *idle);

#endif
