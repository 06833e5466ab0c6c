/* SPDX-License-Identifier: MIT
 *
 * Graphs of the last steps and frames. */
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
    GRAPH_STAGES, /* the first of BILLOW_STAGES graphs, ms */
    GRAPHS = GRAPH_STAGES + BILLOW_STAGES
};

/* A ring buffer of values, one per step or per frame. */
typedef struct Graph {
    float values[GRAPH_STEPS];
    int count, first; /* first: index of the oldest value */
} Graph;

typedef struct PanelGraphs {
    Graph graphs[GRAPHS];
    Graph shown[GRAPHS]; /* copy for display, which changes slowly enough to be read */
    double renewed;      /* time at which the copy was made, s */
} PanelGraphs;

void graph_add(Graph *graph, double value);
float graph_last(const Graph *graph);
/* Range of a graph: from 0, or the smallest value if it is negative, to the largest. It is never
 * empty. */
void graph_range(const Graph *graph, float *least, float *most);

void panel_graphs_step(PanelGraphs *graphs, const SimSnapshot *snapshot);
/* Draws the graphs. now: time of any clock, s. */
void panel_graphs_show(PanelGraphs *graphs, double now);

#endif
