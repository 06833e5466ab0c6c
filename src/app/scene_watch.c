/* SPDX-License-Identifier: MIT */
#include "scene_watch.h"

#include "lettering.h"

#include <string.h>

static void add_shape(SceneWatch *watch, const SceneWatch *before, const char *path)
{
    if (path[0] == 0)
        return;
    for (int m = 0; m < watch->shape_count; m++)
        if (strcmp(watch->shapes[m].path, path) == 0)
            return;
    FileWatch *shape = &watch->shapes[watch->shape_count++];
    for (int m = 0; m < before->shape_count; m++)
        if (strcmp(before->shapes[m].path, path) == 0) {
            *shape = before->shapes[m];
            return;
        }
    *shape = file_watch_start(path);
}

static void add_form(SceneWatch *watch, const SceneWatch *before, const SceneForm *form)
{
    add_shape(watch, before, form->mesh);
    if (form->text[0] != 0 && lettering_font_is_file(form->font))
        add_shape(watch, before, form->font);
}

void scene_watch_shapes(SceneWatch *watch, const Scene *scene)
{
    const SceneWatch before = *watch;
    watch->shape_count = 0;
    for (int e = 0; e < scene->emitter_count; e++)
        add_form(watch, &before, &scene->emitter_forms[e]);
    for (int s = 0; s < scene->solid_count; s++)
        add_form(watch, &before, &scene->solid_forms[s]);
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
    watch->shape_count = 0;
    watch->file = file_watch_start(is_builtin(name_or_path) ? "" : name_or_path);
    scene_watch_shapes(watch, scene);
}

bool scene_watch_changed(SceneWatch *watch)
{
    bool changed = watch->file.path[0] != 0 && file_watch_changed(&watch->file);
    for (int m = 0; m < watch->shape_count; m++)
        changed = file_watch_changed(&watch->shapes[m]) || changed;
    return changed;
}
