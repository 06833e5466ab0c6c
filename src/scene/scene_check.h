/* SPDX-License-Identifier: MIT
 *
 * Checks of values that depend on each other, and values without effect. */
#ifndef SCENE_SCENE_CHECK_H
#define SCENE_SCENE_CHECK_H

#include "scene/scene_keys.h"
#include "scene/scene_yaml.h"

/* Check a single entry. mark: position in the file for messages. form: NULL if the entry cannot
 * have a form. */
bool scene_check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                         const BillowEmitter *emitter, const SceneForm *form);
bool scene_check_entry(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       const SceneList *list, const void *entry, const SceneForm *form);
bool scene_check_domain(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* Checks that the assignments of the poster can be set. */
bool scene_check_poster(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* The face that most likely made `billow_check_faces` fail: the first periodic face whose opposite
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

/* Receives a message about a value that has no effect, for example "smoke.glow_range has no use
 * without smoke.glow". place: position of the value's entry in the file; NULL if the value is not
 * in an entry of a list. */
typedef void SceneUselessTake(void *context, const ScenePlace *place, const char *text);

/* Reports values of keys that only older files have, and values that differ from their defaults but
 * have no effect in the scene, in the order of the keys. A value is not reported if a track of the
 * timeline may give it an effect. */
void scene_useless(const Scene *scene, SceneUselessTake *take, void *context);

#endif
