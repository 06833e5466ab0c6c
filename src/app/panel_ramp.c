/* SPDX-License-Identifier: MIT
 * The panel's controls for a colour ramp: named ramps, a bar with stops to drag, and the colour of
 * the chosen stop. */
#include "app/panel_row.h"
#include "base/number.h"
#include "scene/scene_value.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(GuiStop) == sizeof(RenderStop) && (int)GUI_STOPS_MAX == RENDER_STOPS_MAX,
               "the bar's stops are those of a ramp");

/* The ramp of a list in the shown scene, and what is changed in it. */
typedef struct RampEdit {
    Session *session;
    const SceneList *list;
    RenderRamp *ramp; /* of `changed` */
    Scene changed;
} RampEdit;

static void take(const RampEdit *edit, unsigned done)
{
    BillowError error;
    Editor *editor = &edit->session->panel->editor;
    session_tell(edit->session, editor_change(editor, &edit->changed, done != 0, &error), &error);
}

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
    GuiRamp bar = {.size = {gui_width(), 2.2f * gui_letters()}, .count = ramp->stop_count};
    memcpy(bar.stops, ramp->stops, sizeof bar.stops);
    unsigned done = gui_ramp("##bar", &bar);
    gui_tip(
        "click: add a stop; drag a stop along, or off the bar to remove it; right click: remove "
        "it, add a key");
    show_stop_menu(edit, bar.chosen);
    if ((done & (unsigned)GUI_CHANGED) == 0 && bar.chosen < ramp->stop_count) {
        char label[32];
        snprintf(label, sizeof label, "stop %d##color", bar.chosen);
        gui_value_width(0.6f * gui_width());
        done |= gui_color(label, bar.stops[bar.chosen].color, true);
    }
    if (bar.count != ramp->stop_count)
        scene_shift_tracks(&edit->changed, edit->list->name, bar.chosen,
                           bar.count - ramp->stop_count);
    memcpy(ramp->stops, bar.stops, sizeof bar.stops);
    ramp->stop_count = bar.count;
    if ((done & (unsigned)GUI_CHANGED) != 0)
        take(edit, done & (unsigned)GUI_DONE);
    else if ((done & (unsigned)GUI_DONE) != 0)
        editor_done(&edit->session->panel->editor);
}

void panel_show_ramp(Session *session, const SceneKey *key)
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
