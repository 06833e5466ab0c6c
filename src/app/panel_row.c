/* SPDX-License-Identifier: MIT
 * Draws one row of the panel, and applies what the user does to it. */
#include "app/panel_row.h"

#include "base/number.h"
#include "scene/scene_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    if (keys->first) {
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

static unsigned edit_double(const PanelKeys *keys, const SceneKey *key, Value *value)
{
    double given = keys->given != NULL ? *(const double *)((const char *)keys->given + key->offset)
                                       : value->number;
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

static bool has_track(const Scene *scene, const char *path)
{
    for (int t = 0; t < scene->track_count; t++)
        if (strcmp(scene->tracks[t].key, path) == 0)
            return true;
    return false;
}

/* The state of a row while it is drawn. */
typedef struct Row {
    const PanelKeys *keys;
    const SceneKey *key;
    char path[PANEL_ROW_PATH];
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

/* Cuts the start of a name that would push its value to the right. */
static void cut_name(char *name)
{
    const float room = VALUE_COLUMN * gui_whole_width() - 0.5f * gui_letters();
    char *rest = name;
    if (gui_text_width(name) <= room)
        return;
    while (strlen(rest) > 4 && gui_text_width(rest) + gui_text_width("..") > room)
        rest++;
    memmove(name + 2, rest, strlen(rest) + 1);
    memcpy(name, "..", 2);
}

/* Draws the name before the value: the last name of its path, at the top of the panel with its
 * group, in results of a search the path as `--set` takes it, of which the end is shown. */
static void show_name(const Row *row)
{
    char name[PANEL_ROW_PATH + 8];
    const bool whole = row->keys->full || row->keys->first;
    snprintf(name, sizeof name, "%s%s%s", whole ? row->path : scene_keys_last_name(row->key->path),
             row->rebuilds ? " *" : "", row->on_timeline ? " ~" : "");
    if (row->keys->full)
        cut_name(name);
    for (char *blank = name; !row->keys->full && *blank != '\0'; blank++)
        *blank = strchr("_.", *blank) != NULL ? ' ' : *blank;
    gui_label(name);
    explain(row);
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

void panel_show_key(const PanelKeys *keys, const SceneKey *key)
{
    Value value = {.text = {0}};
    Row row = {.keys = keys, .key = key, .rebuilds = key->effect == SCENE_EFFECT_REBUILD};
    const void *base = key->form ? (const void *)keys->form : keys->base;
    const void *given = key->form ? (const void *)keys->given_form : keys->given;
    bool lettered = scene_key_is_text(key);
    if (base == NULL)
        return;
    const char *at = (const char *)base + key->offset;
    if (lettered)
        snprintf(value.text, sizeof value.text, "%s", at);
    else
        memcpy(&value, at, scene_key_bytes(key));
    snprintf(row.path, sizeof row.path, "%s%s", keys->label, key->path);
    row.on_timeline = has_track(&keys->editor->shown, row.path);
    row.other = given != NULL && !scene_keys_equal(key, base, given);
    gui_push_name(row.path);
    show_name(&row);
    MenuItem item = show_menu(&row, "name menu");
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
