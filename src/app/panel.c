/* SPDX-License-Identifier: MIT
 * Plays the edited scene, and draws the panel with its scenes, slice and timeline. */
#include "app/panel.h"

#include "app/gui_widgets.h"
#include "app/keys.h"
#include "base/embed.h"
#include "base/fail.h"
#include "io/image.h"
#include "scene/scene_timeline.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH       25.0f /* initial width, in letter heights */
#define WIDTH_LEAST 16.0f /* least width where a third of the window is less, in letter heights */
#define LEAST_GAP   1e-3  /* smallest time between two moments of a track, s */

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
    if (panel == NULL)
        return;
    editor_close(&panel->editor);
    file_dialog_destroy(&panel->files);
    free(panel);
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
    if (editor->back ? !world_go_back(world, scene, &editor->given, editor->from, &error)
                     : !world_apply(world, scene, &difference, &error)) {
        session_say(session, "%s", error.text);
        editor_give_up(editor);
        return;
    }
    if (editor->back || difference.effects != 0)
        session_follow_scene(session);
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

void panel_change(Session *session, const Scene *changed, bool done)
{
    BillowError error;
    session_tell(session, editor_change(&session->panel->editor, changed, done, &error), &error);
}

/* -- scenes ------------------------------------------------------------------------------------ */

/* Loads the thumbnail of a scene. Returns 0 if there is none. */
static unsigned load(Gui *gui, const char *name)
{
    for (const EmbeddedFile *file = embedded_thumbnails; file->name != NULL; file++) {
        Image image;
        if (strcmp(file->stem, name) != 0 ||
            !image_read_png_bytes(&image, file->text, file->length, 4, file->name, NULL))
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
    for (int index = 0; index < PANEL_THUMBNAILS && scene_offered_name(index) != NULL; index++)
        if (panel->thumbnails[index] == 0) {
            unsigned made = load(session->gui, scene_offered_name(index));
            panel->thumbnails[index] = made != 0 ? made : UINT32_MAX;
            session->screen.exposed = true;
            return;
        }
}

/* Continues the line if a widget of this width has room in it. used: width of the line so far. */
static void flow(float wide, float *used)
{
    const float gap = 4;
    if (*used > 0 && *used + gap + wide <= gui_width())
        gui_same_line(gap);
    else
        *used = -gap;
    *used += gap + wide;
}

/* Draws a button that is disabled if it would do nothing, beside the last one where there is room.
 * Returns true if it was pressed. */
static bool offer(const char *label, const char *tip, bool possible, float *used)
{
    flow(gui_text_width(label) + 0.6f * gui_letters(), used);
    gui_disable(!possible);
    bool pressed = gui_button(label);
    gui_enable();
    gui_tip(tip);
    return pressed && possible;
}

static void show_file_buttons(Session *session)
{
    const bool keeps = !session->options->kiosk;
    float used = 0;
    if (offer("open a file...", "Ctrl+O: it plays, or joins the scene", keeps, &used))
        action_open(session);
    if (offer("save as...", "Ctrl+Shift+S: the scene, or a checkpoint of its smoke", keeps, &used))
        action_save_as(session);
}

static void show_scenes(Session *session)
{
    const Panel *panel = session->panel;
    const float gap = 4, room = gui_width();
    const int across = (int)SDL_max(1, (room + gap) / (4.3f * gui_letters() + 4 + gap));
    const float wide = room / (float)across - gap - 4;
    load_next(session);
    show_file_buttons(session);
    int column = 0;
    for (int index = 0; scene_offered_name(index) != NULL && index < PANEL_THUMBNAILS; index++) {
        const char *name = scene_offered_name(index);
        char tip[256];
        unsigned image = panel->thumbnails[index];
        if (scene_builtin_name(index) == NULL && scene_builtin_name(index - 1) != NULL) {
            gui_text_dim("templates to start your own from");
            column = 0;
        }
        if (column++ % across != 0)
            gui_same_line(gap);
        bool pressed = image != 0 && image != UINT32_MAX
                           ? gui_image_button(name, image, (GuiPoint){wide, wide * 9 / 16})
                           : gui_button(name);
        snprintf(tip, sizeof tip, "%s: %s", name, scene_offered_title(index));
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

/* -- moments ----------------------------------------------------------------------------------- */

/* Adds a moment to a track, or replaces one at nearly the same time. Returns false if the track is
 * full. */
static bool add_moment(SceneTrack *track, double time, const float *values)
{
    int at = 0;
    while (at < track->count && track->times[at] < time - LEAST_GAP)
        at++;
    bool replaces = at < track->count && track->times[at] < time + LEAST_GAP;
    if (!replaces && track->count == SCENE_MOMENTS_MAX)
        return false;
    if (!replaces) {
        size_t later = (size_t)(track->count - at);
        memmove(&track->times[at + 1], &track->times[at], later * sizeof track->times[0]);
        memmove(track->values[at + 1], track->values[at], later * sizeof track->values[0]);
        track->times[at] = time;
        track->count++;
    }
    memset(track->values[at], 0, sizeof track->values[at]);
    memcpy(track->values[at], values, (size_t)track->parts * sizeof(float));
    return true;
}

void panel_add_moment(Session *session, const char *path, const float *values, int parts)
{
    Editor *editor = &session->panel->editor;
    Scene changed = editor->shown;
    BillowError error;
    double time = session->snapshot != NULL ? session->snapshot->stats.time : 0;
    if (parts == 0 || !scene_timeline_may_change(path)) {
        session_say(session, "%s cannot change while the scene plays", path);
        return;
    }
    int at = scene_track_of(&changed, path);
    SceneTrack *track = at >= 0 ? &changed.tracks[at] : NULL;
    if (track == NULL && changed.track_count < SCENE_TRACKS_MAX) {
        track = &changed.tracks[changed.track_count++];
        *track = (SceneTrack){.parts = parts};
        snprintf(track->key, sizeof track->key, "%s", path);
    }
    if (track == NULL || !add_moment(track, time, values)) {
        session_say(session, "the timeline is full: %d tracks of %d moments", SCENE_TRACKS_MAX,
                    SCENE_MOMENTS_MAX);
        return;
    }
    if (editor_change(editor, &changed, true, &error))
        session_say(session, "%s: key %d of its track, at %.2f s", path, track->count, time);
    else
        session_say(session, "%s", error.text);
}

/* -- the diagram of a track -------------------------------------------------------------------- */

enum { DIAGRAM_PIECES = 64, PARTS_MAX = 4 };

static PanelAxes axes_of(const SceneTrack *track, double now)
{
    PanelAxes axes = {.end = fmax(fmax(1.15 * track->times[track->count - 1], now), 1),
                      .least = (double)INFINITY,
                      .most = -(double)INFINITY};
    for (int m = 0; m < track->count; m++)
        for (int part = 0; part < track->parts; part++) {
            axes.least = fmin(axes.least, (double)track->values[m][part]);
            axes.most = fmax(axes.most, (double)track->values[m][part]);
        }
    double room = fmax(0.15 * (axes.most - axes.least), 0.1 * fabs(axes.most) + 1e-3);
    axes.least -= room;
    axes.most += room;
    return axes;
}

static GuiPoint share_of(const PanelAxes *axes, double time, double value)
{
    return (GuiPoint){(float)(time / axes->end),
                      (float)((value - axes->least) / (axes->most - axes->least))};
}

static void draw_curves(const SceneTrack *track, const PanelAxes *axes)
{
    static const GuiColor colors[PARTS_MAX] = {
        {1, 0.82f, 0.45f, 1}, {0.5f, 0.85f, 0.55f, 1}, {0.5f, 0.7f, 1, 1}, {0.9f, 0.6f, 0.9f, 1}};
    for (int part = 0; part < track->parts; part++) {
        GuiPoint last = {0, 0};
        for (int piece = 0; piece <= DIAGRAM_PIECES; piece++) {
            double time = axes->end * piece / DIAGRAM_PIECES;
            GuiPoint next =
                gui_diagram_point(share_of(axes, time, scene_track_value(track, time, part)));
            if (piece > 0)
                gui_line(last, next, colors[part]);
            last = next;
        }
        for (int m = 0; m < track->count; m++)
            gui_dot(
                gui_diagram_point(share_of(axes, track->times[m], (double)track->values[m][part])),
                0.25f * gui_letters(), colors[part]);
    }
}

/* Draws the track over time. Dots can be dragged. Returns GuiEdit bits. While a dot is dragged, the
 * axes stay as they were before. */
static unsigned show_diagram(Session *session, SceneTrack *track)
{
    GuiPoint dots[SCENE_MOMENTS_MAX * PARTS_MAX];
    PanelAxes *held = &session->panel->axes;
    double now = session->snapshot != NULL ? session->snapshot->stats.time : 0;
    const PanelAxes axes = strcmp(held->key, track->key) == 0 ? *held : axes_of(track, now);
    int count = 0, moved = -1;
    for (int m = 0; m < track->count; m++)
        for (int part = 0; part < track->parts; part++)
            dots[count++] = share_of(&axes, track->times[m], (double)track->values[m][part]);
    GuiDiagram diagram = {.size = {gui_width(), 4.5f * gui_letters()},
                          .dots = dots,
                          .dot_count = count,
                          .mark = (float)(now / axes.end)};
    unsigned edit = gui_diagram("##diagram", &diagram, &moved);
    if ((edit & GUI_CHANGED) != 0) {
        int moment = moved / track->parts, part = moved % track->parts;
        *held = axes;
        snprintf(held->key, sizeof held->key, "%s", track->key);
        /* between its neighbours */
        double from = moment > 0 ? track->times[moment - 1] + LEAST_GAP : 0;
        double to = moment + 1 < track->count ? track->times[moment + 1] - LEAST_GAP : 1e9;
        track->times[moment] = fmin(fmax((double)dots[moved].x * axes.end, from), to);
        track->values[moment][part] =
            (float)(axes.least + (double)dots[moved].y * (axes.most - axes.least));
    }
    if ((edit & GUI_DONE) != 0)
        held->key[0] = '\0';
    draw_curves(track, &axes);
    gui_tip("value over time; drag the dots. The vertical line is the present time");
    return edit;
}

/* -- tracks ------------------------------------------------------------------------------------ */

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

static unsigned show_track(Session *session, SceneTrack *track, bool *gone)
{
    static const char *const modes[] = {"linear", "smooth", NULL};
    int mode = track->smooth ? 1 : 0;
    unsigned edit = 0;
    gui_value_width(0.4f * gui_width());
    edit |= gui_choice("##mode", &mode, modes);
    track->smooth = mode == 1;
    gui_same_line(4);
    *gone = gui_small_button("remove");
    edit |= show_diagram(session, track);
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

void panel_show_timeline(Session *session)
{
    Editor *editor = &session->panel->editor;
    Scene changed = editor->shown;
    unsigned edit = 0;
    int gone = -1;
    if (changed.track_count == 0)
        gui_text_wrapped(
            "Nothing changes by itself in this scene. Right click on a value: add a key", 0);
    for (int t = 0; t < changed.track_count; t++) {
        bool removed = false;
        if (!gui_begin_group(changed.tracks[t].key, t == 0))
            continue;
        gui_push_name(changed.tracks[t].key);
        edit |= show_track(session, &changed.tracks[t], &removed);
        gui_pop_name();
        gui_end_group();
        gone = removed ? t : gone;
    }
    if (gone >= 0) {
        changed.track_count--;
        memmove(&changed.tracks[gone], &changed.tracks[gone + 1],
                (size_t)(changed.track_count - gone) * sizeof(SceneTrack));
    }
    if (gone >= 0 || (edit & GUI_CHANGED) != 0)
        panel_change(session, &changed, gone >= 0 || (edit & GUI_DONE) != 0);
    else if ((edit & GUI_DONE) != 0)
        editor_done(editor);
}

/* -- the panel's window ------------------------------------------------------------------------ */

static void show_top(Session *session)
{
    const History *history = session->panel->editor.history;
    int undos = history_undos(history);
    bool keeps = !session->options->kiosk;
    float used = 0;
    char undo[48];
    snprintf(undo, sizeof undo, "Ctrl+Z: %d change%s", undos, undos == 1 ? "" : "s");
    if (offer("undo", undo, undos > 0, &used))
        action_undo(session);
    if (offer("redo", "Ctrl+Y or Ctrl+Shift+Z", history_redos(history) > 0, &used))
        action_redo(session);
    if (offer("save", "Ctrl+S: save the present scene and view to a file", keeps, &used))
        action_save(session);
    if (offer("checkpoint", "F5: save the present smoke in a checkpoint", keeps, &used))
        action_checkpoint(session);
    if (offer("restore", "F9: go back to the last checkpoint", session->autosave.saved[0] != 0,
              &used))
        action_restore(session);
    if (offer("clear", "R: clear the smoke and start the scene again", true, &used))
        action_reset(session);
}

static void show_quality(Session *session)
{
    static const char *const words[] = {
        [SCENE_DRAFT] = "fluid", [SCENE_GOOD] = "automatic", [SCENE_BEST] = "fine"};
    static const char *const tips[] = {
        [SCENE_DRAFT] = "V: as many pictures as the screen shows, on a smaller grid if need be",
        [SCENE_GOOD] = "V: 30 pictures a second",
        [SCENE_BEST] = "V: larger grids and more rays, at 10 pictures a second"};
    float used = 0;
    for (int q = SCENE_DRAFT; q <= SCENE_BEST; q++) {
        flow(gui_text_width(words[q]) + 2 * gui_letters(), &used);
        if (gui_radio(words[q], session->quality == (SceneQuality)q))
            session_choose_quality(session, (SceneQuality)q);
        gui_tip(tips[q]);
    }
}

/* Draws the line of the search. Returns true if there is something to look for. */
static bool show_search(Session *session)
{
    Panel *panel = session->panel;
    gui_value_width(gui_width());
    gui_search("##search", "find a value or something to add (Ctrl+F)", panel->search,
               sizeof panel->search, panel->search_focus);
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
        gui_text_colored((GuiColor){c[0], c[1], c[2], 1}, person->net.name);
        gui_same_line(gui_gap());
        if (person->net.hand == 0)
            snprintf(text, sizeof text, "host%s", person->self ? ", you" : "");
        else if (person->net.behind == UINT16_MAX)
            snprintf(text, sizeof text, "joins");
        else
            snprintf(text, sizeof text, "%s%d ms, %d step%s behind", person->self ? "you, " : "",
                     person->net.delay, person->net.behind, person->net.behind == 1 ? "" : "s");
        gui_text_dim(text);
    }
    if (status->ended)
        gui_text_wrapped("The session has ended: you play alone.", 0);
    snprintf(text, sizeof text, "%llu states compared, %llu differed",
             (unsigned long long)status->compared, (unsigned long long)status->differences);
    gui_text_dim(text);
    if (!status->host)
        return;
    const char *const ways[][3] = {{"Others join with: ", status->invitation, "copy"},
                                   {"and this key: ", status->key, "copy key"},
                                   {"or in a browser: ", status->link, "copy link"}};
    for (int way = 0; way < 3 && ways[way][1][0] != 0; way++) {
        snprintf(text, sizeof text, "%s%s", ways[way][0], ways[way][1]);
        gui_text_wrapped(text, 0);
        if (gui_button(ways[way][2]))
            SDL_SetClipboardText(ways[way][1]);
    }
}

static void show_parts(Session *session)
{
    show_top(session);
    show_quality(session);
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
    if (gui_heading("add", true))
        placing_show_things(session, "");
    if (gui_heading("scenes", true))
        show_scenes(session);
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

/* A third of the window at most, or half of it where letters are large. */
static float initial_width(void)
{
    const float letters = gui_letters(), room = gui_size().x - 2 * GUI_MARGIN;
    const float most = fmaxf(room / 3, fminf(WIDTH_LEAST * letters, room / 2));
    return fminf(WIDTH * letters, most);
}

void panel_show(Session *session)
{
    Panel *panel = session->panel;
    GuiPoint room = gui_size();
    float width = initial_width();
    panel->turned = false;
    if (!session->texts.help && file_dialog_show(session))
        return;
    if (gui_left(session->gui) && panel->shown)
        action_panel(session);
    placing_show_menu(session);
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

void panel_say_saved(Session *session, const char *path, int copied)
{
    const char *name = paths_last_part(path), *dot = strrchr(name, '.');
    char files[80] = "";
    if (copied > 0)
        snprintf(files, sizeof files, " and %d file%s in %.*s-files", copied,
                 copied == 1 ? "" : "s",
                 (int)SDL_min(dot != NULL ? dot - name : (ptrdiff_t)strlen(name), 40), name);
    session_say(session, "saved %.160s%s", path, files);
}

void action_save(Session *session)
{
    char path[4096];
    int copied;
    BillowError error;
    if (kiosk_refuses(session))
        return;
    if (editor_save(&session->panel->editor, &session->world.render.camera,
                    session->options->capture_folder, path, sizeof path, &copied, &error))
        panel_say_saved(session, path, copied);
    else
        session_say(session, "%s", error.text);
}
