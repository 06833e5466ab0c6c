/* SPDX-License-Identifier: MIT
 *
 * Curves of the last steps and frames. */
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

/* A ring of the last values: one for each step, or for each frame. */
typedef struct Graph {
    float values[GRAPH_STEPS];
    int count, first; /* first: index of the oldest */
} Graph;

typedef struct PanelGraphs {
    Graph graphs[GRAPHS];
    Graph shown[GRAPHS]; /* a copy that stays for a moment, so that it can be read */
    double renewed;      /* when the copy was made, s */
} PanelGraphs;

void graph_add(Graph *graph, double value);
float graph_last(const Graph *graph);
/* From 0, or the smallest value if it is negative, to the largest; never an empty range. */
void graph_range(const Graph *graph, float *least, float *most);

void panel_graphs_step(PanelGraphs *graphs, const SimSnapshot *snapshot);
/* now: time of any clock, s. */
void panel_graphs_show(PanelGraphs *graphs, double now);

#endif
