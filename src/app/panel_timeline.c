/* SPDX-License-Identifier: MIT
 * The tracks of the timeline: their moments and values. */
#include "panel_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAST_GAP 1e-3 /* s between two moments */

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
    if (track->count < SCENE_MOMENTS_MAX && gui_small_button("one moment more")) {
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
