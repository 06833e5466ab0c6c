/* SPDX-License-Identifier: MIT
 *
 * The files of the scene that plays: its own, unless it is built in, and the meshes and fonts that
 * its shapes are made of. When one is saved the scene is loaded again. */
#ifndef APP_SCENE_WATCH_H
#define APP_SCENE_WATCH_H

#include "paths.h"
#include "scene.h"

enum { SCENE_WATCH_SHAPES_MAX = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };

typedef struct SceneWatch {
    FileWatch file; /* its path is empty while none is watched */
    FileWatch shapes[SCENE_WATCH_SHAPES_MAX];
    int shape_count;
} SceneWatch;

/* By name or path, as scene_load takes it; of a built-in scene the shapes' files alone. */
void scene_watch_start(SceneWatch *watch, const char *name_or_path, const Scene *scene);

/* Whether any changed since: to be asked a few times a second. */
bool scene_watch_changed(SceneWatch *watch);

/* Watches the files of the shapes of the scene as it is now; those watched already go on being so.
 */
void scene_watch_shapes(SceneWatch *watch, const Scene *scene);

#endif
