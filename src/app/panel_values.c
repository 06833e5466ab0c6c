/* SPDX-License-Identifier: MIT
 * The panel's groups of keys: those of the scene and of the entries of its lists, made from the
 * tables of keys, and the choice of some of them. */
#include "app/panel_row.h"

#include <stdio.h>
#include <string.h>

/* -- groups */

/* Draws the keys and groups directly inside `group`; "" is the whole table. */
static void show_inside(const PanelKeys *keys, const char *group)
{
    enum { NAMES_MAX = 64 };
    char names[NAMES_MAX][SCENE_KEYS_NAME_SIZE];
    int count = scene_keys_children(keys->table, group, names, NAMES_MAX);
    for (int n = 0; n < count; n++) {
        char path[96];
        snprintf(path, sizeof path, "%.60s%s%.31s", group, group[0] != '\0' ? "." : "", names[n]);
        const SceneKey *key = scene_keys_find(keys->table, path);
        if (key != NULL && scene_list_of(key->type) != NULL)
            panel_show_ramp(keys->session, key); /* the only lists inside groups */
        else if (key != NULL)
            panel_show_key(keys, key);
        else if (gui_begin_group(names[n], strcmp(names[n], "faces") == 0)) {
            show_inside(keys, path);
            gui_end_group();
        }
    }
}

static void show_presets(Session *session, Editor *editor, const char *group)
{
    bool any = false;
    for (int p = 0; preset_at(p) != NULL; p++) {
        const Preset *preset = preset_at(p);
        BillowError error;
        if (strcmp(preset->group, group) != 0)
            continue;
        if (any)
            gui_same_line(4);
        any = true;
        if (gui_button(preset->name))
            session_tell(session, editor_preset(editor, preset, &error), &error);
        gui_tip(preset->does);
    }
}

static void show_reset(Session *session, Editor *editor, const char *group)
{
    BillowError error;
    gui_push_name(group);
    if (gui_small_button("restore all"))
        session_tell(session, editor_reset_group(editor, group, &error), &error);
    gui_pop_name();
}

enum { LABEL_SIZE = 64 };

static PanelKeys entry_keys(Session *session, const SceneList *list, int index,
                            char label[LABEL_SIZE])
{
    Editor *editor = &session->panel->editor;
    bool was = index < *scene_list_count(list, &editor->given);
    snprintf(label, LABEL_SIZE, "%s[%d].", list->name, index);
    return (PanelKeys){.session = session,
                       .editor = editor,
                       .table = list->keys(),
                       .label = label,
                       .base = scene_list_entry(list, &editor->shown, index),
                       .given = was ? scene_list_entry(list, &editor->given, index) : NULL,
                       .form = scene_list_form(list, &editor->shown, index),
                       .given_form = was ? scene_list_form(list, &editor->given, index) : NULL};
}

static void show_entry(Session *session, const SceneList *list, int index)
{
    char label[LABEL_SIZE], title[64];
    BillowError error;
    Editor *editor = &session->panel->editor;
    PanelKeys keys = entry_keys(session, list, index, label);
    snprintf(title, sizeof title, "%s %d", list->entry, index);
    if (list->name_size > 0 && ((const char *)keys.base)[0] != '\0')
        snprintf(title, sizeof title, "%s %d: %s", list->entry, index, (const char *)keys.base);
    if (!gui_begin_group(title, index == 0))
        return;
    if (gui_small_button("one more like it"))
        session_tell(session, editor_add_entry(editor, list->name, index, &error), &error);
    gui_same_line(4);
    bool gone = gui_small_button("remove");
    show_inside(&keys, "");
    if (gone)
        session_tell(session, editor_remove_entry(editor, list->name, index, &error), &error);
    gui_end_group();
}

static void show_list(Session *session, const SceneList *list)
{
    Editor *editor = &session->panel->editor;
    BillowError error;
    char more[48];
    for (int index = 0; index < *scene_list_count(list, &editor->shown); index++)
        show_entry(session, list, index);
    snprintf(more, sizeof more, "add %s", list->an_entry);
    if (gui_small_button(more))
        session_tell(session, editor_add_entry(editor, list->name, -1, &error), &error);
    gui_same_line(4);
    show_reset(session, editor, list->name);
}

/* Returns the keys of the brush or the detonation. label: receives "brush." or "detonation.". */
static PanelKeys emitter_keys(const PanelKeys *scene, const SceneKey *key, char label[LABEL_SIZE])
{
    PanelKeys keys = *scene;
    snprintf(label, LABEL_SIZE, "%s.", key->path);
    keys.table = scene_emitter_keys();
    keys.label = label;
    keys.base = (const char *)scene->base + key->offset;
    keys.given = (const char *)scene->given + key->offset;
    return keys;
}

static void show_whole_key(Session *session, const PanelKeys *scene, const SceneKey *key)
{
    char label[LABEL_SIZE];
    if (scene_list_of(key->type) != NULL) {
        show_list(session, scene_list_of(key->type));
    } else if (key->type == SCENE_KEY_EMITTER) {
        const PanelKeys keys = emitter_keys(scene, key, label);
        show_inside(&keys, "");
        show_reset(session, scene->editor, key->path);
    } else {
        panel_show_key(scene, key);
    }
}

/* Draws one group of the panel with what is in it: a group of keys, a list, or top-level keys.
 * alone: top-level keys to show in this group, ending with NULL. */
static void show_heading(const PanelKeys *keys, const char *heading, const char *const *alone)
{
    const SceneKey *key = scene_keys_find(scene_keys(), heading);
    gui_push_name(heading);
    if (gui_begin_group(heading, false)) {
        show_presets(keys->session, keys->editor, heading);
        for (; *alone != NULL; alone++)
            panel_show_key(keys, scene_keys_find(scene_keys(), *alone));
        if (key != NULL) {
            show_whole_key(keys->session, keys, key);
        } else if (scene_keys_is_group(scene_keys(), heading)) {
            show_inside(keys, heading);
            show_reset(keys->session, keys->editor, heading);
        }
        gui_end_group();
    }
    gui_pop_name();
}

/* Whether a key, or the values of a group, are for pictures and files only, not for the window. */
static bool is_for_files(const char *group)
{
    const SceneKeyTable *table = scene_keys();
    size_t length = strlen(group);
    if (strcmp(group, "name") == 0 || strcmp(group, "title") == 0)
        return false;
    for (int row = 0; row < table->count; row++)
        if (strncmp(table->rows[row].path, group, length) == 0 &&
            strchr(".", table->rows[row].path[length]) != NULL)
            return table->rows[row].effect == SCENE_EFFECT_NAME;
    return false;
}

static PanelKeys top_keys(Session *session)
{
    Editor *editor = &session->panel->editor;
    return (PanelKeys){.session = session,
                       .editor = editor,
                       .table = scene_keys(),
                       .label = "",
                       .base = &editor->shown,
                       .given = &editor->given};
}

void panel_show_values(Session *session)
{
    enum { NAMES_MAX = 64 };
    static const char *const none[] = {NULL}, *const names_alone[] = {"name", "title", NULL},
                             *const picture_alone[] = {"exposure", NULL};
    char names[NAMES_MAX][SCENE_KEYS_NAME_SIZE];
    const PanelKeys keys = top_keys(session);
    int count = scene_keys_children(scene_keys(), "", names, NAMES_MAX);
    for (int n = 0; n < count; n++) {
        if (strcmp(names[n], "title") == 0 || strcmp(names[n], "exposure") == 0 ||
            strcmp(names[n], "timeline") == 0 || is_for_files(names[n]))
            continue;
        if (strcmp(names[n], "name") == 0)
            show_heading(&keys, "name and title", names_alone);
        else if (strcmp(names[n], "picture") == 0)
            show_heading(&keys, names[n], picture_alone);
        else
            show_heading(&keys, names[n], none);
    }
}

/* -- chosen values ----------------------------------------------------------------------------- */

typedef bool KeyChoice(const char *path, const SceneKey *key, const char *words);

/* Draws the values of a table that are chosen. Returns their number. */
static int show_chosen_of(const PanelKeys *keys, KeyChoice *chosen, const char *words)
{
    int count = 0;
    for (int row = 0; row < keys->table->count; row++) {
        char path[PANEL_ROW_PATH];
        const SceneKey *key = &keys->table->rows[row];
        bool ramp = key->type == SCENE_KEY_SMOKE_RAMP || key->type == SCENE_KEY_FIRE_RAMP;
        bool value = (ramp || scene_list_of(key->type) == NULL) && key->type != SCENE_KEY_EMITTER &&
                     key->type != SCENE_KEY_TIMELINE;
        snprintf(path, sizeof path, "%s%s", keys->label, key->path);
        if (!value || (keys->label[0] == '\0' && is_for_files(key->path)) ||
            !chosen(path, key, words))
            continue;
        if (ramp)
            panel_show_ramp(keys->session, key);
        else
            panel_show_key(keys, key);
        count++;
    }
    return count;
}

/* Draws the chosen values of the scene, the brush, the detonation and all entries of lists. full:
 * show whole paths; otherwise as at the top of the panel. Returns their number. */
static int show_chosen(Session *session, KeyChoice *chosen, const char *words, bool full)
{
    const SceneKeyTable *table = scene_keys();
    PanelKeys top = top_keys(session);
    char label[LABEL_SIZE];
    top.full = full;
    top.first = !full;
    int count = show_chosen_of(&top, chosen, words);
    for (int row = 0; row < table->count; row++) {
        const SceneKey *key = &table->rows[row];
        const SceneList *list = scene_list_of(key->type);
        int entries = list != NULL ? *scene_list_count(list, &top.editor->shown) : 0;
        if (key->type == SCENE_KEY_EMITTER) {
            const PanelKeys keys = emitter_keys(&top, key, label);
            count += show_chosen_of(&keys, chosen, words);
        }
        for (int i = 0; i < entries; i++) {
            PanelKeys keys = entry_keys(session, list, i, label);
            keys.full = full;
            keys.first = !full;
            count += show_chosen_of(&keys, chosen, words);
        }
    }
    return count;
}

static bool is_named(const char *path, const SceneKey *key, const char *name)
{
    (void)key;
    return strcmp(path, name) == 0;
}

/* Values that a scene without a list of its own shows first. Those that it does not have are left
 * out. */
static const char usual_values[] = "emitters[0].smoke emitters[0].heat solver.vorticity "
                                   "smoke.extinction sun.azimuth exposure";

void panel_show_first_values(Session *session)
{
    const char *own = session->panel->editor.shown.panel;
    char name[PANEL_ROW_PATH];
    int length;
    for (const char *rest = own[0] != '\0' ? own : usual_values; *rest != '\0'; rest += length) {
        rest += strspn(rest, " ");
        length = (int)strcspn(rest, " ");
        snprintf(name, sizeof name, "%.*s", length, rest);
        show_chosen(session, is_named, name, false);
    }
}

static bool contains(const char *text, const char *word)
{
    for (; *text != '\0'; text++)
        if (SDL_strncasecmp(text, word, strlen(word)) == 0)
            return true;
    return false;
}

/* Whether each of the words is in the path or in the meaning of a key. */
static bool is_found(const char *path, const SceneKey *key, const char *words)
{
    char word[64];
    int length;
    for (const char *rest = words; *rest != '\0'; rest += length) {
        rest += strspn(rest, " ");
        length = (int)strcspn(rest, " ");
        snprintf(word, sizeof word, "%.*s", length, rest);
        if (length > 0 && !contains(path, word) && !contains(key->doc, word))
            return false;
    }
    return true;
}

void panel_show_found(Session *session)
{
    if (show_chosen(session, is_found, session->panel->search, true) == 0)
        gui_text_wrapped("no value has these words in its name or its meaning", 0);
}
