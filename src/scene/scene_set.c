/* SPDX-License-Identifier: MIT */
#include "scene/scene_keys.h"
#include "scene/scene_read.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 128 };

/* What a path refers to: a key, or a whole group if key is NULL. */
typedef struct Place {
    SceneTarget target;
    const SceneKey *key;
    char group[PATH_SIZE], label[PATH_SIZE]; /* storage for the target's group and label */
} Place;

/* The state of parsing a path such as emitters[0].smoke. */
typedef struct Walk {
    const SceneSource *source;
    Scene *scene;
    const char *rest;
    Place *place;
} Walk;

static const yaml_mark_t no_mark;

static bool step_into(Walk *walk, SceneTarget target, const char *label)
{
    Place *place = walk->place;
    snprintf(place->label, sizeof place->label, "%s", label);
    place->group[0] = '\0';
    place->key = NULL;
    target.group = place->group;
    target.label = place->label;
    place->target = target;
    return true;
}

static bool step_into_emitter(Walk *walk, BillowEmitter *emitter, const char *label)
{
    return step_into(
        walk,
        (SceneTarget){.table = scene_emitter_keys(), .base = emitter, .shape = &emitter->shape},
        label);
}

static bool step_into_entry(Walk *walk, const SceneList *list, int index)
{
    char label[32];
    void *entry = scene_list_entry(list, walk->scene, index);
    snprintf(label, sizeof label, "%s[%d]", list->name, index);
    return step_into(walk,
                     (SceneTarget){.table = list->keys(),
                                   .base = entry,
                                   .form = scene_list_form(list, walk->scene, index),
                                   .shape = scene_list_shape(list, entry)},
                     label);
}

/* Index of the entry whose name is in brackets, and the text after them in *after. -1: none. */
static int find_named(const Walk *walk, const SceneList *list, const char **after)
{
    const char *name = walk->rest + 1, *end = strchr(name, ']');
    const int count = *scene_list_count(list, walk->scene);
    if (walk->rest[0] != '[' || end == NULL || end == name)
        return -1;
    *after = end + 1;
    for (int i = 0; i < count && list->name_size > 0; i++) {
        const char *own = scene_list_entry(list, walk->scene, i);
        if (strlen(own) == (size_t)(end - name) && strncmp(own, name, (size_t)(end - name)) == 0)
            return i;
    }
    return -1;
}

/* Consumes a list index, "[3]" or ".3", or the name of an entry that has one, "[key]". */
static bool step_into_list(Walk *walk, const SceneList *list)
{
    const int count = *scene_list_count(list, walk->scene);
    const char *behind;
    const int named = find_named(walk, list, &behind);
    if (named >= 0 && (*behind == '\0' || *behind == '.')) {
        walk->rest = behind;
        return step_into_entry(walk, list, named);
    }
    const bool bracket = walk->rest[0] == '[';
    const char *digits = walk->rest + 1;
    size_t length = strspn(digits, "0123456789");
    const char *after = digits + length + (bracket ? 1 : 0);
    if (length == 0 || length > 4 || (bracket && digits[length] != ']') ||
        (*after != '\0' && *after != '.')) {
        return scene_yaml_fail(walk->source, 0, 0, "%s is written %s[0], %s[1], ...",
                               list->an_entry, list->name, list->name);
    }
    int index = 0;
    sscanf(digits, "%4d", &index);
    if (index >= count) {
        if (count == 0)
            return scene_yaml_fail(walk->source, 0, 0, "there is no %s %d; this scene has none",
                                   list->entry, index);
        return scene_yaml_fail(walk->source, 0, 0,
                               "there is no %s %d; this scene has %d, counted from 0", list->entry,
                               index, count);
    }
    walk->rest = after;
    return step_into_entry(walk, list, index);
}

/* Consumes one name of the path. */
static bool step(Walk *walk)
{
    Place *place = walk->place;
    char name[PATH_SIZE], path[3 * PATH_SIZE];
    int length = (int)strcspn(walk->rest, ".[");
    snprintf(name, sizeof name, "%.*s", length, walk->rest);
    const char *present = scene_keys_present(place->target.table, place->group, name);
    snprintf(path, sizeof path, "%s%s%s", place->group, place->group[0] != '\0' ? "." : "",
             present);
    walk->rest += length;
    const SceneKey *key = scene_keys_find(place->target.table, path);
    if (key != NULL) {
        place->key = key;
        if (walk->rest[0] == '\0')
            return true;
        if (scene_list_of(key->type) != NULL)
            return step_into_list(walk, scene_list_of(key->type));
        if (key->type == SCENE_KEY_EMITTER && walk->rest[0] == '.') {
            return step_into_emitter(walk, (BillowEmitter *)((char *)walk->scene + key->offset),
                                     key->path);
        }
        return scene_yaml_fail(walk->source, 0, 0, "'%s' has no parts; it is set as a whole", path);
    }
    if (name[0] != '\0' && walk->rest[0] != '[' && scene_keys_is_group(place->target.table, path)) {
        snprintf(place->group, sizeof place->group, "%.*s", PATH_SIZE - 1, path);
        return true;
    }
    char quoted[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote_text(name, strlen(name), quoted);
    return scene_bind_unknown(walk->source, place->target, name, quoted, &no_mark);
}

static bool find_place(const SceneSource *source, Scene *scene, const char *path, Place *place)
{
    *place = (Place){.target = scene_bind_root(scene)};
    place->target.group = place->group;
    Walk walk = {.source = source, .scene = scene, .rest = path, .place = place};
    for (;;) {
        if (!step(&walk))
            return false;
        if (walk.rest[0] == '\0')
            return true;
        walk.rest++;
    }
}

bool scene_find(Scene *scene, const char *path, const SceneKey **key, void **base)
{
    BillowError unused;
    const SceneSource source = {.name = path, .assigned = path, .error = &unused};
    Place place;
    if (!find_place(&source, scene, path, &place) || place.key == NULL)
        return false;
    *key = place.key;
    *base = place.key->form ? (void *)place.target.form : place.target.base;
    return true;
}

bool scene_check_panel(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene)
{
    char name[PATH_SIZE];
    BillowError wrong;
    const SceneSource inner = {.name = "panel", .assigned = name, .error = &wrong};
    Scene *searched = (Scene *)scene; /* not modified: other paths are set in place */
    for (const char *rest = scene->panel; rest[strspn(rest, " ")] != '\0';) {
        Place place;
        rest += strspn(rest, " ");
        int length = (int)strcspn(rest, " ");
        snprintf(name, sizeof name, "%.*s", length, rest);
        rest += length;
        if (!find_place(&inner, searched, name, &place))
            return scene_yaml_fail(source, mark->line, mark->column, "%s", wrong.text);
        if (place.key == NULL || scene_list_of(place.key->type) != NULL ||
            place.key->type == SCENE_KEY_EMITTER || place.key->type == SCENE_KEY_TIMELINE)
            return scene_yaml_fail(source, mark->line, mark->column,
                                   "panel: '%.100s' is a group; name one of its values", name);
    }
    return true;
}

/* Writes the path in the form that messages use: emitters.0.smoke becomes emitters[0].smoke. */
static void name_place(const Place *place, char path[PATH_SIZE])
{
    const char *inside = place->key != NULL ? place->key->path : place->group;
    snprintf(path, PATH_SIZE, "%.60s%s%.60s", place->label,
             place->label[0] != '\0' && inside[0] != '\0' ? "." : "", inside);
}

static bool bind_place(const SceneSource *source, const Place *place, const char *text)
{
    yaml_document_t document;
    if (!scene_yaml_load(source, text, strlen(text), &document))
        return false;
    const yaml_node_t *node = yaml_document_get_root_node(&document);
    bool good = place->key != NULL
                    ? scene_bind_key(source, &document, place->target, place->key, node)
                    : scene_bind_group(source, &document, place->target, node);
    yaml_document_delete(&document);
    return good;
}

static bool check_list(const SceneSource *source, const SceneList *list, Scene *scene)
{
    for (int i = 0; i < *scene_list_count(list, scene); i++) {
        char label[32];
        snprintf(label, sizeof label, "%s[%d]", list->name, i);
        if (!scene_check_entry(source, &no_mark, label, list, scene_list_entry(list, scene, i),
                               scene_list_form(list, scene, i)))
            return false;
    }
    return true;
}

static bool check_whole(const SceneSource *source, Scene *scene)
{
    for (int l = 0; scene_list_at(l) != NULL; l++)
        if (!check_list(source, scene_list_at(l), scene))
            return false;
    return scene_check_emitter(source, &no_mark, "brush", &scene->brush, NULL) &&
           scene_check_emitter(source, &no_mark, "detonation", &scene->detonation, NULL) &&
           scene_check_domain(source, &no_mark, scene) &&
           scene_check_poster(source, &no_mark, scene) &&
           scene_check_panel(source, &no_mark, scene);
}

bool scene_assign(Scene *scene, const char *assignment, BillowError *error)
{
    const char *equals = strchr(assignment, '=');
    const char *begin = assignment + strspn(assignment, " \t");
    size_t length = equals != NULL ? (size_t)(equals - begin) : strlen(begin);
    while (equals != NULL && length > 0 && strchr(" \t", begin[length - 1]) != NULL)
        length--;
    char quoted[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote_text(begin, length, quoted);
    if (equals == NULL || begin >= equals || length >= PATH_SIZE)
        return fail(error, "--set %s: write KEY=VALUE, such as solver.vorticity=8", quoted);
    char path[PATH_SIZE], name[PATH_SIZE + 8];
    snprintf(path, sizeof path, "%.*s", (int)length, begin);
    snprintf(name, sizeof name, "--set %.*s", (int)strlen(quoted) - 2, quoted + 1);
    SceneSource source = {.name = name, .assigned = path, .error = error};

    Scene changed = *scene;
    Place place;
    if (!find_place(&source, &changed, path, &place))
        return false;
    name_place(&place, path);
    snprintf(name, sizeof name, "--set %s", path);
    if (!bind_place(&source, &place, equals + 1) || !check_whole(&source, &changed))
        return false;
    *scene = changed;
    return true;
}
