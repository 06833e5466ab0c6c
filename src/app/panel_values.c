/* SPDX-License-Identifier: MIT
 * Draws rows of values, ramps and groups, and applies what the user does to them. */
#include "app/panel.h"

#include "app/gui_widgets.h"
#include "base/number.h"
#include "scene/scene_keys.h"
#include "scene/scene_panel.h"
#include "scene/scene_timeline.h"
#include "scene/scene_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 112 };

/* A table of keys and the values to show: those of the scene, an emitter, or a list's entry. */
typedef struct PanelKeys {
    Session *session;
    Editor *editor;
    const SceneKeyTable *table;
    const char *label; /* prefix of the keys' paths, such as "", "brush." or "emitters[0]." */
    const char *title; /* the same for the user, such as "", "brush" or "ball 2" */
    bool whole;        /* names with their group or entry */
    bool sliders;      /* in place of values to drag */
    SceneEntry shown;  /* values to show; only read */
    SceneEntry given;  /* values when the scene was opened; NULL: the entry did not exist then */
} PanelKeys;

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
static GuiRange range_of(const PanelKeys *keys, const SceneKey *key, double value, double given)
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
    if (keys->sliders) {
        double far = fmax(3 * fabs(given), usual);
        range.least = fmax(range.least, given < 0 ? -far : 0);
        range.most = fmin(range.most, far);
        return range;
    }
    range.speed = (float)(0.005 * size);
    return range;
}

static unsigned edit_floats(const PanelKeys *keys, const SceneKey *key, Value *value, int count)
{
    const char *home = scene_entry_home(&keys->given, key);
    const float *given = home != NULL ? (const float *)(home + key->offset) : value->floats;
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

static unsigned edit_double(const PanelKeys *keys, const SceneKey *key, Value *value)
{
    const char *home = scene_entry_home(&keys->given, key);
    double given = home != NULL ? *(const double *)(home + key->offset) : value->number;
    GuiRange range = range_of(keys, key, value->number, given);
    return gui_doubles("##value", &value->number, 1, &range);
}

static unsigned edit_value(const PanelKeys *keys, const SceneKey *key, Value *value)
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
    case SCENE_KEY_FILE:
    case SCENE_KEY_FORM_TEXT:
    case SCENE_KEY_FORM_FONT:
        return gui_line_edit("##value", value->text, (size_t)key->maximum + 1);
    default:
        return gui_choice("##value", &value->whole, key->choices);
    }
}

/* -- a row */

/* Applies a change in the editor as an assignment such as "emitters[0].smoke=3". */
static void assign(const PanelKeys *keys, const SceneKey *key, const void *value, bool done)
{
    char assignment[1200], text[900];
    SceneKey plain = *key;
    BillowError error;
    plain.offset = 0;
    if (scene_key_is_text(key))
        plain.type = SCENE_KEY_TEXT;
    if (!scene_keys_format(&plain, value, text, sizeof text))
        return;
    snprintf(assignment, sizeof assignment, "%s%s=%s", keys->label, key->path, text);
    if (strncmp(assignment, "camera.", 7) == 0)
        editor_view(keys->editor, &keys->session->world.render.camera);
    session_tell(keys->session, editor_set(keys->editor, assignment, done, &error), &error);
}

/* The state of a row while it is drawn. */
typedef struct Row {
    const PanelKeys *keys;
    const SceneKey *key;
    char path[PATH_SIZE];
    bool rebuilds, on_timeline;
    bool other; /* the value differs from that of the opened scene */
} Row;

static void explain(const Row *row)
{
    char tip[900], allowed[160];
    scene_keys_allowed(row->key, allowed, sizeof allowed);
    snprintf(tip, sizeof tip, "%s: %s\n%s%s%s%s", row->path, row->key->doc, allowed,
             row->rebuilds ? "\n*: restarts the simulation when you let go" : "",
             row->on_timeline ? "\n~: the timeline sets it while the scene plays" : "",
             "\nright click: restore it, add a key, copy its name");
    gui_tip(tip);
}

/* Share of the panel's width at which the values begin. */
#define VALUE_COLUMN 0.42f

/* Draws the name before the value: the last name of its path, or in words with its group or entry.
 * Returns false if the name is too long for its column and has a line of its own. */
static bool show_name(const Row *row)
{
    char name[PATH_SIZE + SCENE_NAME + 8];
    const PanelKeys *keys = row->keys;
    const char *key = row->key->path;
    snprintf(name, sizeof name, "%s%s%s%s%s", keys->whole ? keys->title : "",
             keys->whole && keys->title[0] != '\0' ? " " : "",
             keys->whole ? key : scene_keys_last_name(key), row->rebuilds ? " *" : "",
             row->on_timeline ? " ~" : "");
    for (char *blank = name; *blank != '\0'; blank++)
        *blank = strchr("_.", *blank) != NULL ? ' ' : *blank;
    const float room = VALUE_COLUMN * gui_whole_width() - 0.5f * gui_letters();
    const bool fits = gui_text_width(name) <= room;
    if (fits)
        gui_label(name);
    else
        gui_text_wrapped(name, 0);
    explain(row);
    return fits;
}

typedef enum MenuItem { MENU_NOTHING = -1, MENU_RESTORE, MENU_KEY, MENU_COPY } MenuItem;

/* Draws the menu of the previous widget. Returns the chosen item. */
static MenuItem show_menu(const Row *row, const char *name)
{
    char add[64];
    const SimSnapshot *snapshot = row->keys->session->snapshot;
    number_print(add, sizeof add, "add a key at %.2f s",
                 snapshot != NULL ? snapshot->stats.time : 0);
    const char *const words[] = {row->other ? "restore the scene's value" : "(as in the scene)",
                                 add, "copy the name", NULL};
    return (MenuItem)gui_menu(name, words);
}

/* Returns the number of components of a value that may have a track; 0: it has no numbers. */
static int parts_of(SceneKeyType type)
{
    switch (type) {
    case SCENE_KEY_FLOAT:
    case SCENE_KEY_DOUBLE:
        return 1;
    case SCENE_KEY_VECTOR:
    case SCENE_KEY_SIZE:
    case SCENE_KEY_COLOR:
        return 3;
    case SCENE_KEY_ROTATION:
        return 4;
    default:
        return 0;
    }
}

static void add_moment(const Row *row, const Value *value)
{
    float parts[4] = {value->floats[0], value->floats[1], value->floats[2], value->floats[3]};
    double turn[4];
    if (row->key->type == SCENE_KEY_DOUBLE)
        parts[0] = (float)value->number;
    if (row->key->type == SCENE_KEY_ROTATION) {
        scene_rotation_turn(value->floats, turn); /* tracks hold an axis and an angle */
        for (int part = 0; part < 4; part++)
            parts[part] = (float)turn[part];
    }
    panel_add_moment(row->keys->session, row->path, parts, parts_of(row->key->type));
}

/* Draws the value with its unit, and a button that restores it if it was changed. Returns the
 * GuiEdit bits. item: receives what was chosen in the menu or with the button. */
static unsigned show_value(const Row *row, Value *value, MenuItem *item)
{
    const char *unit = row->key->unit;
    const float units = unit[0] != '\0' ? gui_text_width(unit) + 6 : 0;
    const float back = row->other ? gui_text_width("<") + 16 : 0;
    gui_value_width(fmaxf(gui_width() - units - back, 2 * gui_letters()));
    unsigned edit = edit_value(row->keys, row->key, value);
    explain(row);
    MenuItem chosen = show_menu(row, "value menu");
    if (units > 0) {
        gui_same_line(6);
        gui_text_dim(unit);
    }
    if (row->other) {
        gui_same_line(4);
        chosen = gui_small_button("<") ? MENU_RESTORE : chosen;
        gui_tip("restore the scene's value");
    }
    *item = chosen != MENU_NOTHING ? chosen : *item;
    return edit;
}

static void show_key(const PanelKeys *keys, const SceneKey *key)
{
    Value value = {.text = {0}};
    Row row = {.keys = keys, .key = key, .rebuilds = key->effect == SCENE_EFFECT_REBUILD};
    const void *base = scene_entry_home(&keys->shown, key);
    const void *given = scene_entry_home(&keys->given, key);
    bool lettered = scene_key_is_text(key);
    if (base == NULL)
        return;
    const char *at = (const char *)base + key->offset;
    if (lettered)
        snprintf(value.text, sizeof value.text, "%s", at);
    else
        memcpy(&value, at, scene_key_bytes(key));
    snprintf(row.path, sizeof row.path, "%s%s", keys->label, key->path);
    row.on_timeline = scene_track_of(&keys->editor->shown, row.path) >= 0;
    row.other = given != NULL && !scene_keys_equal(key, base, given);
    gui_push_name(row.path);
    const bool beside = show_name(&row);
    MenuItem item = show_menu(&row, "name menu");
    if (!beside)
        gui_room((GuiPoint){0, 0});
    gui_column(VALUE_COLUMN * gui_whole_width());
    unsigned edit = show_value(&row, &value, &item);
    if (item == MENU_RESTORE && row.other)
        assign(keys, key, (const char *)given + key->offset, true);
    else if (item == MENU_KEY)
        add_moment(&row, &value);
    else if (item == MENU_COPY)
        SDL_SetClipboardText(row.path);
    else if ((edit & GUI_CHANGED) != 0)
        assign(keys, key, &value, (edit & GUI_DONE) != 0);
    else if ((edit & GUI_DONE) != 0)
        editor_done(keys->editor);
    gui_pop_name();
}

/* -- a colour ramp */

/* The ramp of a list in the shown scene, and what is changed in it. */
typedef struct RampEdit {
    Session *session;
    const SceneList *list;
    RenderRamp *ramp; /* of `changed` */
    Scene changed;
} RampEdit;

/* Draws a button for each named ramp. */
static void show_names(RampEdit *edit)
{
    const bool fire = edit->list->type == SCENE_KEY_FIRE_RAMP;
    BillowError error;
    char assignment[64];
    const char *chosen = NULL;
    for (int p = 0; render_ramp_preset(fire, p) != NULL; p++) {
        const RenderRampPreset *preset = render_ramp_preset(fire, p);
        if (gui_small_button(preset->name))
            chosen = preset->name;
        gui_tip(preset->does);
        gui_same_line(4);
    }
    gui_disable(edit->ramp->stop_count == 0);
    if (gui_small_button("off"))
        chosen = "off";
    gui_enable();
    if (chosen == NULL)
        return;
    snprintf(assignment, sizeof assignment, "%s=%s", edit->list->name, chosen);
    session_tell(edit->session, editor_set(&edit->session->panel->editor, assignment, true, &error),
                 &error);
}

/* Draws the menu of the chosen stop. */
static void show_stop_menu(RampEdit *edit, int stop)
{
    enum { REMOVE, KEY_COLOR, KEY_AT };
    const SimSnapshot *snapshot = edit->session->snapshot;
    char color[64], at[64], path[64];
    double now = snapshot != NULL ? snapshot->stats.time : 0;
    number_print(color, sizeof color, "add a key of its colour at %.2f s", now);
    number_print(at, sizeof at, "add a key of its position at %.2f s", now);
    const char *const words[] = {"remove this stop", color, at, NULL};
    int item = gui_menu("stop menu", words);
    RenderStop *of = &edit->ramp->stops[stop];
    if (item == REMOVE) {
        BillowError error;
        session_tell(
            edit->session,
            editor_remove_entry(&edit->session->panel->editor, edit->list->name, stop, &error),
            &error);
    } else if (item == KEY_COLOR || item == KEY_AT) {
        snprintf(path, sizeof path, "%s[%d].%s", edit->list->name, stop,
                 item == KEY_AT ? "at" : "color");
        panel_add_moment(edit->session, path, item == KEY_AT ? &of->at : of->color,
                         item == KEY_AT ? 1 : 3);
    }
}

/* Draws the bar and the chosen stop's colour. */
static void show_stops(RampEdit *edit)
{
    RenderRamp *ramp = edit->ramp;
    const int count = ramp->stop_count;
    int chosen;
    unsigned done = gui_ramp("##bar", (GuiPoint){gui_width(), 2.2f * gui_letters()}, ramp, &chosen);
    gui_tip(
        "click: add a stop; drag a stop along, or off the bar to remove it; right click: remove "
        "it, add a key");
    show_stop_menu(edit, chosen);
    if ((done & (unsigned)GUI_CHANGED) == 0 && chosen < count) {
        char label[32];
        snprintf(label, sizeof label, "stop %d##color", chosen);
        gui_value_width(0.6f * gui_width());
        done |= gui_color(label, ramp->stops[chosen].color, true);
    }
    if (ramp->stop_count != count)
        scene_shift_tracks(&edit->changed, edit->list->name, chosen, ramp->stop_count - count);
    if ((done & (unsigned)GUI_CHANGED) != 0)
        panel_change(edit->session, &edit->changed, (done & (unsigned)GUI_DONE) != 0);
    else if ((done & (unsigned)GUI_DONE) != 0)
        editor_done(&edit->session->panel->editor);
}

static void show_ramp(Session *session, const SceneKey *key)
{
    const SceneList *list = scene_list_of(key->type);
    RampEdit edit = {.session = session, .list = list, .changed = session->panel->editor.shown};
    edit.ramp = scene_ramp(list, &edit.changed);
    gui_push_name(key->path);
    gui_label(key->path);
    gui_tip(key->doc);
    if (edit.ramp->stop_count > 0)
        show_stops(&edit);
    show_names(&edit);
    gui_pop_name();
}

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
            show_ramp(keys->session, key); /* the only lists inside groups */
        else if (key != NULL)
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

enum { LABEL_SIZE = 64 };

/* The keys of an entry, with the texts that they need. */
typedef struct EntryKeys {
    PanelKeys keys;
    char label[LABEL_SIZE], title[SCENE_NAME];
} EntryKeys;

static const PanelKeys *entry_keys(Session *session, const SceneList *list, int index,
                                   EntryKeys *entry)
{
    Editor *editor = &session->panel->editor;
    bool was = index < *scene_list_count(list, &editor->given);
    snprintf(entry->label, LABEL_SIZE, "%s[%d].", list->name, index);
    scene_list_shown(list, &editor->shown, index, entry->title);
    entry->keys = (PanelKeys){.session = session,
                              .editor = editor,
                              .table = list->keys(),
                              .label = entry->label,
                              .title = entry->title,
                              .shown = scene_list_whole(list, &editor->shown, index),
                              .given = was ? scene_list_whole(list, &editor->given, index)
                                           : (SceneEntry){.values = NULL}};
    return &entry->keys;
}

static void show_entry(Session *session, const SceneList *list, int index)
{
    char title[SCENE_NAME + LABEL_SIZE + 4];
    EntryKeys entry;
    entry_keys(session, list, index, &entry);
    snprintf(title, sizeof title, "%s###%s", entry.title, entry.label); /* stays open while its
                                                                           name changes */
    if (!gui_begin_group(title, index == 0))
        return;
    if (gui_small_button("one more like it"))
        placing_begin_copy(session, list, index);
    gui_same_line(4);
    bool gone = gui_small_button("remove");
    show_inside(&entry.keys, "");
    if (gone)
        placing_remove(session, list, index);
    gui_end_group();
}

static void show_list(Session *session, const SceneList *list)
{
    for (int index = 0; index < *scene_list_count(list, &session->panel->editor.shown); index++)
        show_entry(session, list, index);
    placing_show_things(session, list->name);
    show_reset(session, &session->panel->editor, list->name);
}

/* Returns the keys of the brush or the detonation. label: receives "brush." or "detonation.". */
static PanelKeys emitter_keys(const PanelKeys *scene, const SceneKey *key, char label[LABEL_SIZE])
{
    PanelKeys keys = *scene;
    snprintf(label, LABEL_SIZE, "%s.", key->path);
    keys.table = scene_emitter_keys();
    keys.label = label;
    keys.title = key->path;
    keys.shown.values = (char *)scene->shown.values + key->offset;
    keys.given.values = (char *)scene->given.values + key->offset;
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
        show_key(scene, key);
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
            show_key(keys, scene_keys_find(scene_keys(), *alone));
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

static PanelKeys top_keys(Session *session)
{
    Editor *editor = &session->panel->editor;
    return (PanelKeys){.session = session,
                       .editor = editor,
                       .table = scene_keys(),
                       .label = "",
                       .title = "",
                       .shown = {.values = &editor->shown},
                       .given = {.values = &editor->given}};
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
            strcmp(names[n], "timeline") == 0 || !scene_panel_shows(names[n]))
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

/* title: of the entry whose key it is. */
typedef bool KeyChoice(const char *path, const char *title, const SceneKey *key, const char *words);

/* Draws the values of a table that are chosen. Returns their number. */
static int show_chosen_of(const PanelKeys *keys, KeyChoice *chosen, const char *words)
{
    int count = 0;
    for (int row = 0; row < keys->table->count; row++) {
        char path[PATH_SIZE];
        const SceneKey *key = &keys->table->rows[row];
        bool ramp = key->type == SCENE_KEY_SMOKE_RAMP || key->type == SCENE_KEY_FIRE_RAMP;
        bool value = (ramp || scene_list_of(key->type) == NULL) && key->type != SCENE_KEY_EMITTER &&
                     key->type != SCENE_KEY_TIMELINE;
        snprintf(path, sizeof path, "%s%s", keys->label, key->path);
        if (!value || (keys->label[0] == '\0' && !scene_panel_shows(key->path)) ||
            !chosen(path, keys->title, key, words))
            continue;
        if (ramp)
            show_ramp(keys->session, key);
        else
            show_key(keys, key);
        count++;
    }
    return count;
}

/* Draws the chosen values of the scene, the brush, the detonation and all entries of lists, with
 * their whole names. Returns their number. */
static int show_chosen(Session *session, KeyChoice *chosen, const char *words, bool sliders)
{
    const SceneKeyTable *table = scene_keys();
    PanelKeys top = top_keys(session);
    char label[LABEL_SIZE];
    top.whole = true;
    top.sliders = sliders;
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
            EntryKeys entry;
            entry_keys(session, list, i, &entry);
            entry.keys.whole = true;
            entry.keys.sliders = sliders;
            count += show_chosen_of(&entry.keys, chosen, words);
        }
    }
    return count;
}

static bool is_named(const char *path, const char *title, const SceneKey *key, const char *name)
{
    (void)title;
    (void)key;
    return strcmp(path, name) == 0;
}

void panel_show_first_values(Session *session)
{
    char name[PATH_SIZE];
    const char *rest = scene_panel_first(&session->panel->editor.shown);
    for (rest = scene_panel_next(rest, name, sizeof name); name[0] != '\0';
         rest = scene_panel_next(rest, name, sizeof name)) {
        scene_path_resolve(&session->panel->editor.shown, name);
        show_chosen(session, is_named, name, true);
    }
}

/* Whether each of the words is in the path, the title or the meaning of a key. */
static bool is_found(const char *path, const char *title, const SceneKey *key, const char *words)
{
    const char *const texts[] = {path, title, key->doc, NULL};
    return scene_panel_finds(texts, words);
}

void panel_show_found(Session *session)
{
    const char *words = session->panel->search;
    const int things = placing_show_things(session, words);
    if (show_chosen(session, is_found, words, false) + things == 0)
        gui_text_wrapped("no value and nothing to add has these words in its name or its meaning",
                         0);
}
