/* SPDX-License-Identifier: MIT
 * The panel's timeline: a diagram and a list of moments for each track. */
#include "app/panel.h"
#include "scene/scene_timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_GAP 1e-3 /* smallest time between two moments of a track, s */

/* -- moments ----------------------------------------------------------------------------------- */

/* Returns the track of a key; NULL: there is none. */
static SceneTrack *track_of(Scene *scene, const char *path)
{
    for (int t = 0; t < scene->track_count; t++)
        if (strcmp(scene->tracks[t].key, path) == 0)
            return &scene->tracks[t];
    return NULL;
}

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
    SceneTrack *track = track_of(&changed, path);
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

/* Moves a moment to a time between its neighbours. */
static void move_moment(SceneTrack *track, int moment, double time)
{
    double from = moment > 0 ? track->times[moment - 1] + LEAST_GAP : 0;
    double to = moment + 1 < track->count ? track->times[moment + 1] - LEAST_GAP : 1e9;
    track->times[moment] = fmin(fmax(time, from), to);
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
        move_moment(track, moment, (double)dots[moved].x * axes.end);
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
    if (gone >= 0)
        remove_track(&changed, gone);
    if (gone >= 0 || (edit & GUI_CHANGED) != 0)
        session_tell(session,
                     editor_change(editor, &changed, gone >= 0 || (edit & GUI_DONE) != 0, &error),
                     &error);
    else if ((edit & GUI_DONE) != 0)
        editor_done(editor);
}
