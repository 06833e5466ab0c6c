/* SPDX-License-Identifier: MIT */
#include "panel_graphs.h"

#include "panel.h"

#include "gui.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- graphs ------------------------------------------------------------------------------------ */

#define RENEW_SECONDS 0.25

void graph_add(Graph *graph, double value)
{
    int at = graph->count < GRAPH_STEPS ? graph->count++ : graph->first;
    graph->values[at] = isfinite(value) ? (float)value : 0;
    if (graph->count == GRAPH_STEPS)
        graph->first = (at + 1) % GRAPH_STEPS;
}

float graph_last(const Graph *graph)
{
    if (graph->count == 0)
        return 0;
    return graph->values[(graph->first + graph->count - 1) % graph->count];
}

void graph_range(const Graph *graph, float *least, float *most)
{
    *least = *most = 0;
    for (int i = 0; i < graph->count; i++) {
        *least = fminf(*least, graph->values[i]);
        *most = fmaxf(*most, graph->values[i]);
    }
    if (*most - *least < 1e-30f)
        *most = *least + 1;
}

void panel_graphs_step(PanelGraphs *graphs, const SimSnapshot *snapshot)
{
    const BillowStats *stats = &snapshot->stats;
    graph_add(&graphs->graphs[GRAPH_STEP], snapshot->step_ms);
    graph_add(&graphs->graphs[GRAPH_DIVERGENCE], stats->divergence_max);
    graph_add(&graphs->graphs[GRAPH_MASS], stats->mass);
    graph_add(&graphs->graphs[GRAPH_RESIDUAL], 100 * stats->residual_relative);
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        graph_add(&graphs->graphs[GRAPH_STAGES + stage], snapshot->profile.ms[stage]);
}

static void show(const Graph *graph, const char *name, const char *unit, const char *tip,
                 float height)
{
    char over[80];
    GuiPlot plot = {.values = graph->values,
                    .count = graph->count,
                    .first = graph->count == GRAPH_STEPS ? graph->first : 0,
                    .size = {gui_width(), height},
                    .over = over};
    graph_range(graph, &plot.least, &plot.most);
    snprintf(over, sizeof over, "%s %.3g%s%s (to %.3g)", name, (double)graph_last(graph),
             unit[0] != 0 ? " " : "", unit, (double)plot.most);
    gui_push_name(name);
    gui_plot("##plot", &plot);
    gui_tip(tip);
    gui_pop_name();
}

void panel_graphs_show(PanelGraphs *graphs, double now)
{
    const Graph *graph = graphs->shown;
    if (now - graphs->renewed > RENEW_SECONDS) {
        memcpy(graphs->shown, graphs->graphs, sizeof graphs->shown);
        graphs->renewed = now;
    }
    const float high = 3 * gui_letters(), low = 1.9f * gui_letters();
    show(&graph[GRAPH_FRAME], "frame", "ms", "from one picture to the next", high);
    show(&graph[GRAPH_STEP], "step", "ms", "of the simulation, by the clock; its stages below",
         high);
    show(&graph[GRAPH_DIVERGENCE], "divergence", "1/s",
         "the largest of any cell after the last projection: how fast its fluid would be squeezed",
         high);
    show(&graph[GRAPH_MASS], "mass", "m3", "density of the smoke, over the box", high);
    show(&graph[GRAPH_RESIDUAL], "residual", "%",
         "share of the divergence that the last projection left", high);
    if (!gui_begin_group("stages of a step, ms", false))
        return;
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        show(&graph[GRAPH_STAGES + stage], billow_stage_name((BillowStage)stage), "ms",
             "of the last step, all its sub-steps together", low);
    gui_end_group();
}

/* -- the timeline ------------------------------------------------------------------------------ */

#define LEAST_GAP 1e-3 /* least time between two copies, s */

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
