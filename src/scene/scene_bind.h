/* SPDX-License-Identifier: MIT
 *
 * Reads YAML nodes into a `Scene`. Each value is checked against its key's range and stored at the
 * offset that the table of keys gives. Then values that depend on each other are checked
 * (scene_check.h). */
#ifndef SCENE_SCENE_BIND_H
#define SCENE_SCENE_BIND_H

#include "scene/scene_keys.h"
#include "scene/scene_yaml.h"

/* Binds all keys of a document. On failure some keys are already set, so bind into a copy. */
bool scene_bind(const SceneSource *source, yaml_document_t *document, Scene *scene);

/* Like `scene_set`, but does not check the timeline. On failure *scene may be changed. */
bool scene_assign(Scene *scene, const char *assignment, BillowError *error);

/* Finds the value that a path names: its key and the structure that the key's offset refers to.
 * Returns false if it names none. */
bool scene_find(Scene *scene, const char *path, const SceneKey **key, void **base);

/* Checks that every name in scene->panel is the name of a value. */
bool scene_check_panel(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene);

#endif
