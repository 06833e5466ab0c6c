/* SPDX-License-Identifier: MIT */
#include "app/panel.h"

#include "app/keys.h"
#include "base/embed.h"
#include "base/fail.h"
#include "io/image.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 24.0f /* initial width, in letter heights */

Panel *panel_create(BillowError *error)
{
    Panel *panel = calloc(1, sizeof *panel);
    if (panel == NULL) {
        fail(error, "not enough memory for the panel");
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
    return panel->turned || panel->search_focus;
}

void panel_step(Panel *panel, const SimSnapshot *snapshot)
{
    panel_graphs_step(&panel->graphs, snapshot);
}

void panel_frame(Panel *panel, double ms)
{
    graph_add(&panel->graphs.graphs[GRAPH_FRAME], ms);
}

/* -- playing the edited scene */

/* Plays the scene as the user has changed it. */
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
    else if ((difference.effects & SCENE_EFFECT_REBUILD) != 0)
        session_say(session, "%s: the simulation starts again", difference.rebuild);
    editor_played(editor, world_scene(world));
}

/* Adds to the message how the user can return to the previous scene. */
static void say_way_back(Session *session, const char *name)
{
    World *world = &session->world;
    bool later = world->changing && world->why[0] != 0;
    bool silent = session->now >= session->texts.message_until;
    char *text = later ? world->why : session->texts.message;
    size_t size = later ? sizeof world->why : sizeof session->texts.message;
    char before[sizeof session->texts.message];
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
    if (session->change.left)
        editor_view(&panel->editor, &session->change.left_view);
    session->change.left = false;
    snprintf(name, sizeof name, "%s", panel->editor.shown.name);
    if (editor_follow(&panel->editor, world_scene(world), &world->opened, world->from))
        say_way_back(session, name);
    if (panel->editor.open && !panel->shown && session->hand.stroke.drag != DRAG_GIZMO)
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

void panel_forget(Panel *panel)
{
    editor_forget(&panel->editor);
}

void panel_change_done(Panel *panel)
{
    editor_done(&panel->editor);
}

/* -- the panel's window */

/* Draws a button that is disabled if it would do nothing. Returns true if it was pressed. */
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
    char undo[48];
    snprintf(undo, sizeof undo, "Ctrl+Z: %d change%s", undos, undos == 1 ? "" : "s");
    if (offer("undo", undo, undos > 0))
        action_undo(session);
    if (offer("redo", "Ctrl+Y or Ctrl+Shift+Z", history_redos(history) > 0))
        action_redo(session);
    if (offer("save", "Ctrl+S: save the present scene and view to a file", keeps))
        action_save(session);
    if (offer("checkpoint", "F5: save the present smoke in a checkpoint", keeps))
        action_checkpoint(session);
    if (offer("restore", "F9: go back to the last checkpoint", session->autosave.saved[0] != 0))
        action_restore(session);
    if (offer("clear", "R: clear the smoke and start the scene again", true))
        action_reset(session);
    gui_room((GuiPoint){0, 0});
}

/* Draws the line of the search. Returns true if there is something to look for. */
static bool show_search(Session *session)
{
    Panel *panel = session->panel;
    gui_value_width(gui_width());
    gui_search("##search", "find a value (Ctrl+F)", panel->search, sizeof panel->search,
               panel->search_focus);
    panel->search_focus = false;
    return panel->search[strspn(panel->search, " ")] != '\0';
}

/* Who shares the scene, and how others join. */
static void show_others(const ShareStatus *status)
{
    char text[512];
    for (int p = 0; p < status->people_count; p++) {
        const SharePerson *person = &status->people[p];
        const float *c = person->color;
        gui_text_colored((GuiColor){c[0], c[1], c[2], 1}, person->name);
        gui_same_line(gui_gap());
        if (person->hand == 0)
            snprintf(text, sizeof text, "host%s", person->self ? ", you" : "");
        else if (person->behind == UINT16_MAX)
            snprintf(text, sizeof text, "joins");
        else
            snprintf(text, sizeof text, "%s%d ms, %d step%s behind", person->self ? "you, " : "",
                     person->delay, person->behind, person->behind == 1 ? "" : "s");
        gui_text_dim(text);
    }
    if (status->ended)
        gui_text_wrapped("The session has ended: you play alone.", 0);
    snprintf(text, sizeof text, "%llu states compared, %llu differed",
             (unsigned long long)status->compared, (unsigned long long)status->differences);
    gui_text_dim(text);
    if (!status->host)
        return;
    snprintf(text, sizeof text, "Others join with: %s", status->invitation);
    gui_text_wrapped(text, 0);
    if (gui_button("copy"))
        SDL_SetClipboardText(status->invitation);
    snprintf(text, sizeof text, "and this key: %s", status->key);
    gui_text_wrapped(text, 0);
    if (gui_button("copy key"))
        SDL_SetClipboardText(status->key);
    if (status->link[0] == 0)
        return;
    snprintf(text, sizeof text, "or in a browser: %s", status->link);
    gui_text_wrapped(text, 0);
    if (gui_button("copy link"))
        SDL_SetClipboardText(status->link);
}

static void show_parts(Session *session)
{
    show_top(session);
    bool searches = show_search(session);
    gui_begin_part("parts", 0);
    if (searches) {
        panel_show_found(session);
        gui_end_part();
        return;
    }
    if (session->share.share != NULL && gui_heading("together", true))
        show_others(&session->share.status);
    if (gui_heading("look", true))
        panel_show_first_values(session);
    if (gui_heading("scenes", true))
        panel_show_scenes(session);
    if (gui_heading("graphs", false))
        panel_graphs_show(&session->panel->graphs, &session->texts.figures, session->now);
    if (gui_heading("slice", false))
        panel_show_slice(session);
    if (gui_heading("timeline", false))
        panel_show_timeline(session);
    if (gui_heading("all values", false))
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
        action_panel(session);
    if (!panel->shown || session->texts.help)
        return;
    const GuiPanel window = {.name = "panel",
                             .title = "scene (Tab hides)",
                             .place = {room.x - width - GUI_MARGIN, GUI_MARGIN},
                             .size = {width, room.y - 2 * GUI_MARGIN},
                             .focus = panel->focus};
    panel->focus = false;
    if (gui_begin_panel(session->gui, &window))
        show_parts(session);
    gui_end_panel(session->gui);
}

/* -- keys */

void action_panel(Session *session)
{
    Panel *panel = session->panel;
    panel->shown = !panel->shown || session->texts.help;
    session->texts.help = false; /* the help and the panel are not shown together */
    panel->focus = panel->shown;
    panel->turned = true;
    session->screen.exposed = true; /* draw the panel even if the picture does not change */
    session->texts.draws_due = 2;   /* texts move in the second draw */
}

void action_search(Session *session)
{
    if (!session->panel->shown || session->texts.help)
        action_panel(session);
    session->panel->search_focus = true;
    session->screen.exposed = true;
}

void action_undo(Session *session)
{
    session->screen.exposed = true;
    if (!editor_undo(&session->panel->editor))
        session_say(session, "there is nothing to undo");
}

void action_redo(Session *session)
{
    session->screen.exposed = true;
    if (!editor_redo(&session->panel->editor))
        session_say(session, "there is nothing to redo");
}

void action_save(Session *session)
{
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

/* -- scenes ------------------------------------------------------------------------------------ */

/* Loads the thumbnail of a scene. Returns 0 if there is none. */
static unsigned load(Gui *gui, const char *name)
{
    for (const EmbeddedFile *file = embedded_thumbnails; file->name != NULL; file++) {
        Image image;
        if (strcmp(file->stem, name) != 0 ||
            !image_read_png_bytes(&image, file->text, file->length, file->name, NULL))
            continue;
        unsigned made = gui_image_make(gui, image.width, image.height, image.pixels);
        image_destroy(&image);
        return made;
    }
    return 0;
}

/* Loads one thumbnail per frame, so that no frame waits for all of them. */
static void load_next(Session *session)
{
    Panel *panel = session->panel;
    if (panel->gui != session->gui) { /* a new GUI has a new GL context without thumbnails */
        memset(panel->thumbnails, 0, sizeof panel->thumbnails);
        panel->gui = session->gui;
    }
    for (int index = 0; index < PANEL_THUMBNAILS && scene_builtin_name(index) != NULL; index++)
        if (panel->thumbnails[index] == 0) {
            unsigned made = load(session->gui, scene_builtin_name(index));
            panel->thumbnails[index] = made != 0 ? made : UINT32_MAX;
            session->screen.exposed = true;
            return;
        }
}

static void show_file(Session *session)
{
    Panel *panel = session->panel;
    gui_value_width(gui_width() - 4.6f * gui_letters());
    unsigned edit = gui_line_edit("##file", panel->file, sizeof panel->file);
    gui_tip("path of a scene file or a checkpoint; at first, of the scene that was saved last");
    gui_same_line(4);
    bool asked = gui_button("open") || (edit & GUI_ENTERED) != 0;
    if (asked && panel->file[0] != '\0')
        session_change(session, panel->file);
}

void panel_show_scenes(Session *session)
{
    const Panel *panel = session->panel;
    float gap = 4, wide = 5.1f * gui_letters(), room = gui_width();
    int across = (int)SDL_max(1, (room + gap) / (wide + 4 + gap));
    wide = SDL_min(wide, room / (float)across - gap - 4);
    load_next(session);
    show_file(session);
    for (int index = 0; scene_builtin_name(index) != NULL && index < PANEL_THUMBNAILS; index++) {
        const char *name = scene_builtin_name(index);
        char tip[256];
        unsigned image = panel->thumbnails[index];
        if (index % across != 0)
            gui_same_line(gap);
        bool pressed = image != 0 && image != UINT32_MAX
                           ? gui_image_button(name, image, (GuiPoint){wide, wide * 9 / 16})
                           : gui_button(name);
        snprintf(tip, sizeof tip, "%s: %s", name, scene_builtin_title(index));
        gui_tip(tip);
        if (pressed)
            session_change(session, name);
    }
}

/* -- the slice --------------------------------------------------------------------------------- */

static void show_place(Session *session)
{
    static const char *const axes[] = {"x", "y", "z", NULL};
    SliceAsk *ask = &session->slice.ask;
    const BillowDef def = scene_def(&session->world.scene);
    const int cells[3] = {def.nx, def.ny, def.nz};
    int axis = ask->axis >= 0 ? ask->axis : 0;
    gui_value_width(0.55f * gui_width());
    if (gui_choice("axis", &axis, axes) != 0) {
        ask->axis = axis;
        ask->placed = false;
        session_ask_slice(session);
    }
    const GuiRange place = {.least = (double)def.origin[axis],
                            .most = (double)def.origin[axis] + cells[axis] * (double)def.cell_size,
                            .format = "%.3g m"};
    gui_value_width(0.55f * gui_width());
    if (gui_floats("position", &ask->position, 1, &place) != 0) {
        ask->placed = true;
        session_ask_slice(session);
    }
}

static void show_drawing(Session *session)
{
    SliceAsk *ask = &session->slice.ask;
    const GuiRange share = {.least = 0, .most = 1, .format = "%.2f"};
    const GuiRange lines = {.least = 0, .most = SLICE_CONTOURS_MAX, .speed = 0.2f, .format = "%d"};
    const GuiRange ends = {.least = -1e9, .most = 1e9, .speed = 0.01f, .format = "%.4g"};
    float range[2] = {ask->low, ask->high};
    unsigned edit = 0;
    gui_value_width(0.55f * gui_width());
    edit |= gui_wholes("contours", &ask->contours, 1, &lines);
    gui_tip("lines of equal value");
    gui_value_width(0.55f * gui_width());
    edit |= gui_floats("veil", &ask->veil, 1, &share);
    gui_tip("how much the smoke and solids in front of the plane hide it");
    edit |= gui_check("own range", &ask->ranged);
    gui_tip("set the values of the first and last colour; otherwise they follow the slice");
    if (ask->ranged) {
        gui_value_width(0.55f * gui_width());
        if (gui_floats("range", range, 2, &ends) != 0 && range[0] < range[1]) {
            ask->low = range[0];
            ask->high = range[1];
            edit = GUI_CHANGED;
        }
    }
    session->picture.redraw = session->picture.redraw || edit != 0;
}

void panel_show_slice(Session *session)
{
    SliceAsk *ask = &session->slice.ask;
    const BillowDef def = scene_def(&session->world.scene);
    const char *words[FIELD_KINDS + 2] = {"none"};
    int kinds[FIELD_KINDS + 1], count = 1, chosen = 0;
    for (int kind = 0; kind < FIELD_KINDS; kind++)
        if (field_offered(&def, (FieldKind)kind)) {
            if (ask->given && ask->kind == (FieldKind)kind)
                chosen = count;
            kinds[count] = kind;
            words[count++] = field_meaning((FieldKind)kind)->name;
        }
    words[count] = NULL;
    gui_value_width(0.55f * gui_width());
    if (gui_choice("field", &chosen, words) != 0) {
        ask->given = chosen > 0;
        if (chosen > 0)
            ask->kind = (FieldKind)kinds[chosen];
        ask->ranged = false;
        session_ask_slice(session);
    }
    if (ask->given)
        gui_text_wrapped(field_meaning(ask->kind)->meaning, 0);
    if (ask->given)
        show_place(session);
    if (ask->given)
        show_drawing(session);
}
