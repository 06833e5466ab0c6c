/* SPDX-License-Identifier: MIT
 *
 * What the last steps and frames were like, as curves. */
#ifndef APP_PANEL_GRAPHS_H
#define APP_PANEL_GRAPHS_H

#include "snapshots.h"

enum {
    GRAPH_STEPS = 300,
    GRAPH_FRAME = 0, /* ms */
    GRAPH_STEP,      /* ms */
    GRAPH_DIVERGENCE,
    GRAPH_MASS,
    GRAPH_RESIDUAL,
    GRAPH_STAGES, /* ms, one after the other */
    GRAPHS = GRAPH_STAGES + BILLOW_STAGES
};

/* Values of the last steps, of a frame of the last frames; the oldest at first. */
typedef struct Graph {
    float values[GRAPH_STEPS];
    int count, first;
} Graph;

typedef struct PanelGraphs {
    Graph graphs[GRAPHS];
    Graph shown[GRAPHS]; /* as they were a moment ago, so that they can be read */
    double renewed;      /* s; when that was */
} PanelGraphs;

void graph_add(Graph *graph, double value);
float graph_last(const Graph *graph);
/* From 0, or from the least where that is below, to the largest; never nothing. */
void graph_range(const Graph *graph, float *least, float *most);

void panel_graphs_step(PanelGraphs *graphs, const SimSnapshot *snapshot);
/* now: s, of any clock. */
void panel_graphs_show(PanelGraphs *graphs, double now);

#endif
