/* SPDX-License-Identifier: MIT
 *
 * Watches the files of the scene that plays: its own, unless it is built in, and the meshes and
 * fonts of its shapes. When one of them is saved, the scene is loaded again. */
#ifndef APP_SCENE_WATCH_H
#define APP_SCENE_WATCH_H

#include "paths.h"
#include "scene.h"

enum { SCENE_WATCH_SHAPES_MAX = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };

typedef struct SceneWatch {
    FileWatch file; /* path empty: no file is watched */
    FileWatch shapes[SCENE_WATCH_SHAPES_MAX];
    int shape_count;
} SceneWatch;

/* Starts to watch a scene by its name or path, as scene_load takes it. Of a built-in scene only the
 * shapes' files are watched. */
void scene_watch_start(SceneWatch *watch, const char *name_or_path, const Scene *scene);

/* Whether a file has changed since the last call; to be asked a few times a second. */
bool scene_watch_changed(SceneWatch *watch);

/* Watches the files of the shapes of the scene as it is now. Files that are watched already stay
 * so. */
void scene_watch_shapes(SceneWatch *watch, const Scene *scene);

#endif
