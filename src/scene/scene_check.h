/* SPDX-License-Identifier: MIT
 *
 * What no single key's range can say: values that must agree with each other. */
#ifndef SCENE_SCENE_CHECK_H
#define SCENE_SCENE_CHECK_H

#include "scene.h"
#include "scene_yaml.h"

/* The mark is where a message points to in a file; form is NULL for what has none. */
bool scene_check_emitter(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                         const BillowEmitter *emitter, const SceneForm *form);
bool scene_check_form(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                      BillowShape shape, const SceneForm *form);
bool scene_check_force(const SceneSource *source, const yaml_mark_t *mark, const char *label,
                       const BillowForce *force);
bool scene_check_domain(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);
/* Once the whole scene is there: one change may make up for another. */
bool scene_check_faces(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

/* The first face that is periodic alone, else the first that lets fluid in; -1 where none is. */
int scene_check_face_to_blame(const Scene *scene);

/* An emitter's value that means nothing in the scene's fluid: where it is and why. */
typedef struct SceneIdle {
    int emitter;       /* -1 where it is none of the list */
    const char *group; /* "brush" then */
    const char *key;   /* "fuel" */
    char text[128];    /* "emitters[2].fuel has no use without fluid.fire" */
} SceneIdle;

/* Whether there is one; the first. */
bool scene_check_idle(const Scene *scene, SceneIdle *idle);

#endif
