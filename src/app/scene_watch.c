/* SPDX-License-Identifier: MIT */
#include "scene_watch.h"

#include <string.h>

static void add_mesh(SceneWatch *watch, const SceneWatch *before, const char *path)
{
    if (path[0] == 0)
        return;
    for (int m = 0; m < watch->mesh_count; m++)
        if (strcmp(watch->meshes[m].path, path) == 0)
            return;
    FileWatch *mesh = &watch->meshes[watch->mesh_count++];
    for (int m = 0; m < before->mesh_count; m++)
        if (strcmp(before->meshes[m].path, path) == 0) {
            *mesh = before->meshes[m];
            return;
        }
    *mesh = file_watch_start(path);
}

void scene_watch_meshes(SceneWatch *watch, const Scene *scene)
{
    const SceneWatch before = *watch;
    watch->mesh_count = 0;
    for (int e = 0; e < scene->emitter_count; e++)
        add_mesh(watch, &before, scene->emitter_forms[e].mesh);
    for (int s = 0; s < scene->solid_count; s++)
        add_mesh(watch, &before, scene->solid_forms[s].mesh);
}

static bool is_builtin(const char *name)
{
    for (int i = 0; scene_builtin_name(i) != NULL; i++)
        if (strcmp(scene_builtin_name(i), name) == 0)
            return true;
    return false;
}

void scene_watch_start(SceneWatch *watch, const char *name_or_path, const Scene *scene)
{
    watch->mesh_count = 0;
    watch->file = file_watch_start(is_builtin(name_or_path) ? "" : name_or_path);
    scene_watch_meshes(watch, scene);
}

bool scene_watch_changed(SceneWatch *watch)
{
    bool changed = watch->file.path[0] != 0 && file_watch_changed(&watch->file);
    for (int m = 0; m < watch->mesh_count; m++)
        changed = file_watch_changed(&watch->meshes[m]) || changed;
    return changed;
}
