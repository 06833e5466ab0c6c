/* SPDX-License-Identifier: MIT */
#include "panel_parts.h"

#include "fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 27.0f /* letters' heights, at first */

Panel *panel_create(BillowError *error)
{
    Panel *panel = calloc(1, sizeof *panel);
    if (panel == NULL) {
        fail(error, "memory is too short for the panel");
        return NULL;
    }
    if (editor_open(&panel->editor, error))
        return panel;
    free(panel);
    return NULL;
}

void panel_destroy(Panel *panel)
{
    if (panel != NULL)
        editor_close(&panel->editor);
    free(panel);
}

bool panel_shown(const Panel *panel)
{
    return panel->shown;
}

bool panel_turns(const Panel *panel)
{
    return panel->turned;
}

void panel_step(Panel *panel, const SimSnapshot *snapshot)
{
    panel_graphs_step(&panel->graphs, snapshot);
}

void panel_frame(Panel *panel, double ms)
{
    graph_add(&panel->graphs.graphs[GRAPH_FRAME], ms);
}

/* -- what is played */

/* Plays what hands have made of the scene. */
static void apply(Session *session)
{
    Editor *editor = &session->panel->editor;
    World *world = &session->world;
    SceneDifference difference;
    BillowError error;
    const Scene *scene = editor_ready(editor);
    if (scene == NULL)
        return;
    if (editor->back ? !session_go_back(session, scene, &editor->given, editor->from, &error)
                     : !session_apply(session, scene, &difference, &error)) {
        session_say(session, "%s", error.text);
        editor_give_up(editor);
        return;
    }
    if (editor->back)
        session_say(session, "back to %s", scene->name);
    else if ((difference.effects & SCENE_EFFECT_ANEW) != 0)
        session_say(session, "%s: the simulation starts again", difference.anew);
    editor_played(editor, world_scene(world));
}

/* To what is said of the change itself. */
static void say_way_back(Session *session, const char *name)
{
    World *world = &session->world;
    bool later = world->changing && world->why[0] != 0;
    bool silent = session->now >= session->message_until;
    char *text = later ? world->why : session->message;
    size_t size = later ? sizeof world->why : sizeof session->message;
    char before[sizeof session->message];
    snprintf(before, sizeof before, "%s", later || !silent ? text : "");
    snprintf(text, size, "%.*s%sCtrl Z: back to %s as you had changed it", (int)size - 110, before,
             before[0] != 0 ? "; " : "", name);
    if (!later)
        session_said(session);
}

void panel_follow(Session *session)
{
    Panel *panel = session->panel;
    const World *world = &session->world;
    char name[64];
    snprintf(name, sizeof name, "%s", panel->editor.shown.name);
    if (editor_follow(&panel->editor, world_scene(world), &world->opened, world->from))
        say_way_back(session, name);
    if (panel->editor.open && !panel->shown && session->drag != DRAG_GIZMO)
        editor_done(&panel->editor);
    apply(session);
}

const Scene *panel_scene(const Panel *panel)
{
    return &panel->editor.shown;
}

void panel_change(Session *session, const Scene *changed)
{
    BillowError error;
    session_tell(session, editor_change(&session->panel->editor, changed, false, &error), &error);
}

void panel_see(Session *session)
{
    if (!session->world.changing)
        editor_view(&session->panel->editor, &session->world.render.camera);
}

void panel_forget(Panel *panel)
{
    editor_forget(&panel->editor);
}

void panel_change_done(Panel *panel)
{
    editor_done(&panel->editor);
}

/* -- the window in the window */

/* True where it was pressed; grey where there is nothing to do. */
static bool offer(const char *label, const char *tip, bool possible)
{
    gui_disable(!possible);
    bool pressed = gui_button(label);
    gui_enable();
    gui_tip(tip);
    gui_same_line(4);
    return pressed && possible;
}

static void show_top(Session *session)
{
    const History *history = session->panel->editor.history;
    int undos = history_undos(history);
    bool keeps = !session->options->kiosk;
    char words[48];
    if (offer("undo", "Ctrl+Z", undos > 0))
        action_undo(session, 0);
    if (offer("redo", "Ctrl+Y or Ctrl+Shift+Z", history_redos(history) > 0))
        action_redo(session, 0);
    if (offer("save", "Ctrl+S: the scene as it is now, seen from here, as a file of its own",
              keeps))
        action_save(session, 0);
    if (offer("keep", "F5: the smoke as it is now, in a checkpoint", keeps))
        action_keep(session, 0);
    if (offer("back", "F9: to what was kept last", session->autosave.kept[0] != 0))
        action_take_up(session, 0);
    snprintf(words, sizeof words, "%d change%s to undo", undos, undos == 1 ? "" : "s");
    gui_text_dim(words);
}

static void show_parts(Session *session)
{
    show_top(session);
    gui_begin_part("parts", 0);
    if (gui_heading("scenes", false))
        panel_show_scenes(session);
    if (gui_heading("graphs", false))
        panel_graphs_show(&session->panel->graphs, session->now);
    if (gui_heading("slice", false))
        panel_show_slice(session);
    panel_show_values(session);
    gui_end_part();
}

void panel_show(Session *session)
{
    Panel *panel = session->panel;
    GuiPoint room = gui_size();
    float width = SDL_min(WIDTH * gui_letters(), room.x - 2 * GUI_MARGIN);
    panel->turned = false;
    if (gui_left(session->gui) && panel->shown)
        action_panel(session, 0);
    if (!panel->shown || session->help)
        return;
    const GuiPanel window = {.name = "panel",
                             .title = "scene (arrows, Enter; Tab hides)",
                             .place = {room.x - width - GUI_MARGIN, GUI_MARGIN},
                             .size = {width, room.y - 2 * GUI_MARGIN},
                             .focus = panel->focus};
    panel->focus = false;
    if (gui_begin_panel(session->gui, &window))
        show_parts(session);
    gui_end_panel(session->gui);
}

/* -- keys */

void action_panel(Session *session, int argument)
{
    (void)argument;
    Panel *panel = session->panel;
    panel->shown = !panel->shown || session->help;
    session->help = false; /* which would have the window to itself */
    panel->focus = panel->shown;
    panel->turned = true;
    session->exposed = true;  /* drawn over, even where the smoke stands still, */
    session->overlay_due = 2; /* and texts beside it a frame later */
}

void action_undo(Session *session, int argument)
{
    (void)argument;
    session->exposed = true;
    if (!editor_undo(&session->panel->editor))
        session_say(session, "there is nothing to undo");
}

void action_redo(Session *session, int argument)
{
    (void)argument;
    session->exposed = true;
    if (!editor_redo(&session->panel->editor))
        session_say(session, "there is nothing to redo");
}

void action_save(Session *session, int argument)
{
    (void)argument;
    Panel *panel = session->panel;
    char path[4096];
    BillowError error;
    if (kiosk_refuses(session))
        return;
    if (!editor_save(&panel->editor, &session->world.render.camera,
                     session->options->capture_folder, path, sizeof path, &error)) {
        session_say(session, "%s", error.text);
        return;
    }
    snprintf(panel->file, sizeof panel->file, "%.299s", path);
    session_say(session, "saved %s", path);
}
