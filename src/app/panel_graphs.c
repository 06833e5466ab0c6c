/* SPDX-License-Identifier: MIT */
#include "panel_graphs.h"

#include "gui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
