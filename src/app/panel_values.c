/* SPDX-License-Identifier: MIT
 * The panel's controls for the keys of a scene. Each key has one row, made from the tables of keys.
 */
#include "panel.h"
#include "scene_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A table of keys and the values to show: those of the scene, of an emitter, or of a list's entry.
 */
typedef struct Keys {
    Session *session;
    Editor *editor;
    const SceneKeyTable *table;
    const char *label; /* prefix of the keys' paths, such as "", "brush." or "emitters[0]." */
    const void *base;  /* values to show */
    const void *given; /* values when the scene was opened; NULL: the entry did not exist then */
    const SceneForm *form;       /* NULL: the entry cannot have a form */
    const SceneForm *given_form; /* form when the scene was opened; NULL: there was none */
} Keys;

/* Storage for a value while the user edits it. */
typedef union Value {
    float floats[4];
    double number;
    int whole, wholes[3];
    uint32_t seed;
    bool truth;
    char text[512];
} Value;

/* -- dragging a value */

/* Returns the range of a value, and how fast dragging changes it. Angles and small ranges have a
 * slider. The speed in wide ranges is proportional to the largest of the present value, the opened
 * value and a usual value. */
static GuiRange range_of(const Keys *keys, const SceneKey *key, double value, double given)
{
    GuiRange range = {.least = key->minimum, .most = key->maximum, .format = "%.4g"};
    if (key->maximum - key->minimum <= 4 || strcmp(key->unit, "degrees") == 0)
        return range;
    const SceneDomain *domain = &keys->editor->shown.domain;
    double usual = strcmp(key->unit, "m") == 0      ? 0.2 * (double)domain->size[1]
                   : strchr(key->unit, 'K') != NULL ? 20
                   : strcmp(key->unit, "s") == 0    ? 0.5
                                                    : 0.3;
    double size = fmax(fmax(fabs(value), fabs(given)), usual);
    if (given >= 1e8)
        size = fmax(fabs(value), 1); /* the opened value stands for infinity (an end time, for
                                        example), which is no scale for dragging */
    range.speed = (float)(0.005 * size);
    return range;
}

static unsigned edit_floats(const Keys *keys, const SceneKey *key, Value *value, int count)
{
    const float *given = keys->given != NULL
                             ? (const float *)((const char *)keys->given + key->offset)
                             : value->floats;
    double size = 0, was = 0;
    for (int part = 0; part < count; part++) {
        size = fmax(size, fabs((double)value->floats[part]));
        was = fmax(was, fabs((double)given[part]));
    }
    GuiRange range = range_of(keys, key, size, was);
    return gui_floats("##value", value->floats, count, &range);
}

/* Draws a rotation as an axis and an angle in degrees. */
static unsigned edit_rotation(Value *value)
{
    double turn[4];
    float shown[4];
    const GuiRange range = {.least = -1000, .most = 1000, .speed = 0.5f, .format = "%.4g"};
    scene_rotation_turn(value->floats, turn);
    for (int part = 0; part < 4; part++)
        shown[part] = (float)turn[part];
    unsigned edit = gui_floats("##value", shown, 4, &range);
    for (int part = 0; part < 4; part++)
        turn[part] = (double)shown[part];
    bool axis = shown[0] != 0.0f || shown[1] != 0.0f || shown[2] != 0.0f;
    if ((edit & GUI_CHANGED) != 0 && axis)
        scene_rotation_read(turn, value->floats);
    return axis ? edit : edit & ~(unsigned)GUI_CHANGED;
}

static unsigned edit_wholes(const SceneKey *key, int *values, int count)
{
    GuiRange range = {.least = key->minimum, .most = key->maximum, .format = "%d"};
    range.speed = fmaxf(0.1f, 0.005f * fabsf((float)values[0]));
    return gui_wholes("##value", values, count, &range);
}

/* Draws a seed. The control cannot show or enter a seed above INT32_MAX: it shows INT32_MAX
 * instead. */
static unsigned edit_seed(Value *value)
{
    int seed = value->seed <= INT32_MAX ? (int)value->seed : INT32_MAX;
    const GuiRange range = {.least = 0, .most = INT32_MAX, .speed = 0.1f, .format = "%d"};
    unsigned edit = gui_wholes("##value", &seed, 1, &range);
    if ((edit & GUI_CHANGED) != 0)
        value->seed = (uint32_t)seed;
    return edit;
}

static unsigned edit_double(const Keys *keys, const SceneKey *key, Value *value)
{
    double given = keys->given != NULL ? *(const double *)((const char *)keys->given + key->offset)
                                       : value->number;
    GuiRange range = range_of(keys, key, value->number, given);
    return gui_doubles("##value", &value->number, 1, &range);
}

static unsigned edit_value(const Keys *keys, const SceneKey *key, Value *value)
{
    switch (key->type) {
    case SCENE_KEY_FLOAT:
        return edit_floats(keys, key, value, 1);
    case SCENE_KEY_VECTOR:
    case SCENE_KEY_SIZE:
        return edit_floats(keys, key, value, 3);
    case SCENE_KEY_COLOR:
        return gui_color("##value", value->floats, key->maximum > 1);
    case SCENE_KEY_ROTATION:
        return edit_rotation(value);
    case SCENE_KEY_DOUBLE:
        return edit_double(keys, key, value);
    case SCENE_KEY_INT:
        return edit_wholes(key, &value->whole, 1);
    case SCENE_KEY_SEED:
        return edit_seed(value);
    case SCENE_KEY_CELLS:
        return edit_wholes(key, value->wholes, value->wholes[1] == 0 ? 1 : 3);
    case SCENE_KEY_BOOL:
        return gui_check("##value", &value->truth);
    case SCENE_KEY_NAME:
    case SCENE_KEY_TEXT:
    case SCENE_KEY_FORM_MESH:
    case SCENE_KEY_FORM_TEXT:
    case SCENE_KEY_FORM_FONT:
        return gui_line_edit("##value", value->text, (size_t)key->maximum + 1);
    default:
        return gui_choice("##value", &value->whole, key->choices);
    }
}

/* -- a row */

/* Applies a change in the editor as an assignment such as "emitters[0].smoke=3". */
static void assign(const Keys *keys, const SceneKey *key, const void *value, bool done)
{
    char assignment[1200], text[900];
    SceneKey plain = *key;
    BillowError error;
    plain.offset = 0;
    if (scene_key_is_form(key))
        plain.type = SCENE_KEY_TEXT;
    if (!scene_keys_format(&plain, value, text, sizeof text))
        return;
    snprintf(assignment, sizeof assignment, "%s%s=%s", keys->label, key->path, text);
    if (strncmp(assignment, "camera.", 7) == 0)
        editor_view(keys->editor, &keys->session->world.render.camera);
    session_tell(keys->session, editor_set(keys->editor, assignment, done, &error), &error);
}

static bool has_track(const Keys *keys, const SceneKey *key)
{
    char path[SCENE_TRACK_KEY];
    const Scene *scene = &keys->editor->shown;
    snprintf(path, sizeof path, "%s%s", keys->label, key->path);
    for (int t = 0; t < scene->track_count; t++)
        if (strcmp(scene->tracks[t].key, path) == 0)
            return true;
    return false;
}

static void explain(const Keys *keys, const SceneKey *key, bool rebuilds, bool on_timeline)
{
    char tip[900], allowed[160];
    scene_keys_allowed(key, allowed, sizeof allowed);
    snprintf(tip, sizeof tip, "%s%s: %s\n%s%s%s%s", keys->label, key->path, key->doc, allowed,
             rebuilds ? "\n*: restarts the simulation when you let go" : "",
             on_timeline ? "\n~: the timeline sets it while the scene plays" : "",
             "\nright click: restore the scene's value");
    gui_tip(tip);
}

/* Draws the name and the unit behind a value. other: the value differs from the opened one, so also
 * draw a button that restores it. Returns true if the user asks to restore the value. */
static bool show_name(const Keys *keys, const SceneKey *key, bool other)
{
    bool rebuilds = key->effect == SCENE_EFFECT_REBUILD, on_timeline = has_track(keys, key);
    bool back = gui_clicked_right();
    explain(keys, key, rebuilds, on_timeline);
    gui_same_line(4);
    if (other) {
        back = gui_small_button("<") || back;
        gui_tip("restore the scene's value");
        gui_same_line(4);
    }
    char name[80];
    snprintf(name, sizeof name, "%s%s%s", scene_keys_last_name(key->path), rebuilds ? " *" : "",
             on_timeline ? " ~" : "");
    gui_text(name);
    explain(keys, key, rebuilds, on_timeline);
    if (key->unit[0] != '\0') {
        gui_same_line(6);
        gui_text_dim(key->unit);
    }
    return back;
}

static void show_key(const Keys *keys, const SceneKey *key)
{
    Value value = {.text = {0}};
    const void *base = scene_key_is_form(key) ? (const void *)keys->form : keys->base;
    const void *given = scene_key_is_form(key) ? (const void *)keys->given_form : keys->given;
    bool lettered =
        scene_key_is_form(key) || key->type == SCENE_KEY_NAME || key->type == SCENE_KEY_TEXT;
    if (base == NULL)
        return;
    const char *at = (const char *)base + key->offset;
    if (lettered)
        snprintf(value.text, sizeof value.text, "%s", at);
    else
        memcpy(&value, at, scene_key_bytes(key));
    gui_push_name(key->path);
    gui_value_width(0.55f * gui_width());
    unsigned edit = edit_value(keys, key, &value);
    bool other = given != NULL && !scene_keys_equal(key, base, given);
    if (show_name(keys, key, other) && other)
        assign(keys, key, (const char *)given + key->offset, true);
    else if ((edit & GUI_CHANGED) != 0)
        assign(keys, key, &value, (edit & GUI_DONE) != 0);
    else if ((edit & GUI_DONE) != 0)
        editor_done(keys->editor);
    gui_pop_name();
}

/* -- groups */

/* Draws the keys and groups directly inside `group`; "" is the whole table. */
static void show_inside(const Keys *keys, const char *group)
{
    enum { NAMES_MAX = 64 };
    char names[NAMES_MAX][SCENE_KEYS_NAME_SIZE];
    int count = scene_keys_children(keys->table, group, names, NAMES_MAX);
    for (int n = 0; n < count; n++) {
        char path[96];
        snprintf(path, sizeof path, "%.60s%s%.31s", group, group[0] != '\0' ? "." : "", names[n]);
        const SceneKey *key = scene_keys_find(keys->table, path);
        if (key != NULL)
            show_key(keys, key);
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

static Keys entry_keys(Session *session, const SceneList *list, int index, char label[48])
{
    Editor *editor = &session->panel->editor;
    bool was = index < *scene_list_count(list, &editor->given);
    snprintf(label, 48, "%s[%d].", list->name, index);
    return (Keys){.session = session,
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
    char label[48], title[64];
    BillowError error;
    Editor *editor = &session->panel->editor;
    Keys keys = entry_keys(session, list, index, label);
    snprintf(title, sizeof title, "%s %d", list->entry, index);
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

static void show_whole_key(Session *session, const Keys *scene, const SceneKey *key)
{
    Editor *editor = scene->editor;
    char label[sizeof key->path + 1];
    if (scene_list_of(key->type) != NULL) {
        show_list(session, scene_list_of(key->type));
    } else if (key->type == SCENE_KEY_TIMELINE) {
        panel_show_timeline(session);
    } else if (key->type == SCENE_KEY_EMITTER) {
        snprintf(label, sizeof label, "%s.", key->path);
        const Keys keys = {.session = session,
                           .editor = editor,
                           .table = scene_emitter_keys(),
                           .label = label,
                           .base = (const char *)&editor->shown + key->offset,
                           .given = (const char *)&editor->given + key->offset};
        show_inside(&keys, "");
        show_reset(session, editor, key->path);
    } else {
        show_key(scene, key);
    }
}

/* Draws one heading of the panel and what is below it: a group, a list, or top-level keys. alone:
 * top-level keys to show under this heading, ending with NULL. */
static void show_heading(const Keys *keys, const char *heading, const char *const *alone)
{
    const SceneKey *key = scene_keys_find(scene_keys(), heading);
    gui_push_name(heading);
    if (gui_heading(heading, false)) {
        show_presets(keys->session, keys->editor, heading);
        for (; *alone != NULL; alone++)
            show_key(keys, scene_keys_find(scene_keys(), *alone));
        if (key != NULL) {
            show_whole_key(keys->session, keys, key);
        } else if (scene_keys_is_group(scene_keys(), heading)) {
            show_inside(keys, heading);
            show_reset(keys->session, keys->editor, heading);
        }
    }
    gui_pop_name();
}

/* Whether the values of a group are for pictures and files only, not for the window. */
static bool is_for_files(const char *group)
{
    const SceneKeyTable *table = scene_keys();
    size_t length = strlen(group);
    for (int row = 0; row < table->count; row++)
        if (strncmp(table->rows[row].path, group, length) == 0 &&
            table->rows[row].path[length] == '.')
            return table->rows[row].effect == SCENE_EFFECT_NAME;
    return false;
}

void panel_show_values(Session *session)
{
    enum { NAMES_MAX = 64 };
    static const char *const none[] = {NULL}, *const names_alone[] = {"name", "title", NULL},
                             *const picture_alone[] = {"exposure", NULL};
    Editor *editor = &session->panel->editor;
    char names[NAMES_MAX][SCENE_KEYS_NAME_SIZE];
    const Keys keys = {.session = session,
                       .editor = editor,
                       .table = scene_keys(),
                       .label = "",
                       .base = &editor->shown,
                       .given = &editor->given};
    int count = scene_keys_children(scene_keys(), "", names, NAMES_MAX);
    for (int n = 0; n < count; n++) {
        if (strcmp(names[n], "title") == 0 || strcmp(names[n], "exposure") == 0 ||
            is_for_files(names[n]))
            continue;
        if (strcmp(names[n], "name") == 0)
            show_heading(&keys, "name and title", names_alone);
        else if (strcmp(names[n], "picture") == 0)
            show_heading(&keys, names[n], picture_alone);
        else
            show_heading(&keys, names[n], none);
    }
}

/* -- the timeline ------------------------------------------------------------------------------ */

#define LEAST_GAP 1e-3 /* smallest time between two moments of a track, s */

static unsigned show_moment(SceneTrack *track, int moment)
{
    char name[16];
    double size = 0.1;
    bool last = moment + 1 == track->count;
    GuiRange when = {.least = moment > 0 ? track->times[moment - 1] + LEAST_GAP : 0,
                     .most = last ? 1e9 : track->times[moment + 1] - LEAST_GAP,
                     .speed = 0.02f,
                     .format = "%.4g s"};
    snprintf(name, sizeof name, "%d", moment);
    gui_push_name(name);
    gui_value_width(0.25f * gui_width());
    unsigned edit = gui_doubles("##time", &track->times[moment], 1, &when);
    for (int part = 0; part < track->parts; part++)
        size = fmax(size, fabs((double)track->values[moment][part]));
    const GuiRange what = {
        .least = -1e9, .most = 1e9, .speed = (float)(0.005 * size), .format = "%.4g"};
    gui_same_line(4);
    gui_value_width(gui_width());
    edit |= gui_floats("##value", track->values[moment], track->parts, &what);
    gui_pop_name();
    return edit;
}

static unsigned show_track(SceneTrack *track, bool *gone)
{
    static const char *const modes[] = {"linear", "smooth", NULL};
    int mode = track->smooth ? 1 : 0;
    unsigned edit = 0;
    gui_value_width(0.4f * gui_width());
    edit |= gui_choice("##mode", &mode, modes);
    track->smooth = mode == 1;
    gui_same_line(4);
    *gone = gui_small_button("remove");
    for (int moment = 0; moment < track->count; moment++)
        edit |= show_moment(track, moment);
    if (track->count < SCENE_MOMENTS_MAX && gui_small_button("add a moment")) {
        int at = track->count++;
        track->times[at] = track->times[at - 1] + 1;
        memcpy(track->values[at], track->values[at - 1], sizeof track->values[at]);
        edit = GUI_CHANGED | GUI_DONE;
    }
    return edit;
}

static void remove_track(Scene *scene, int track)
{
    memmove(&scene->tracks[track], &scene->tracks[track + 1],
            (size_t)(scene->track_count - 1 - track) * sizeof(SceneTrack));
    scene->track_count--;
}

void panel_show_timeline(Session *session)
{
    Editor *editor = &session->panel->editor;
    Scene changed = editor->shown;
    BillowError error;
    unsigned edit = 0;
    int gone = -1;
    if (changed.track_count == 0)
        gui_text_dim("nothing changes by itself in this scene");
    for (int t = 0; t < changed.track_count; t++) {
        bool removed = false;
        if (!gui_begin_group(changed.tracks[t].key, t == 0))
            continue;
        gui_push_name(changed.tracks[t].key);
        edit |= show_track(&changed.tracks[t], &removed);
        gui_pop_name();
        gui_end_group();
        gone = removed ? t : gone;
    }
    if (gone >= 0)
        remove_track(&changed, gone);
    if (gone >= 0 || (edit & GUI_CHANGED) != 0)
        session_tell(session,
                     editor_change(editor, &changed, gone >= 0 || (edit & GUI_DONE) != 0, &error),
                     &error);
    else if ((edit & GUI_DONE) != 0)
        editor_done(editor);
}
