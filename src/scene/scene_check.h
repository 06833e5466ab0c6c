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

#endif
