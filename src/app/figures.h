/* SPDX-License-Identifier: MIT
 *
 * Figures of the run: times of frames and steps, the texts in the window's corner, and graphs. */
#ifndef APP_FIGURES_H
#define APP_FIGURES_H

#include "snapshots.h"
#include <stddef.h>
#include <stdint.h>

enum { FRAME_METER_BINS = 20000 };

/* A histogram of durations, which gives medians over hours in constant memory. */
typedef struct FrameMeter {
    uint32_t bins[FRAME_METER_BINS]; /* bins of 0.1 ms; the last one counts all longer durations */
    uint64_t count;
    double max_ms;
} FrameMeter;

void frame_meter_add(FrameMeter *meter, double ms);
double frame_meter_median(const FrameMeter *meter); /* ms; 0 if nothing was added */

enum { FIGURES_MAX = 12, FIGURE_LENGTH = 96 };

typedef struct Figures {
    char text[FIGURES_MAX][FIGURE_LENGTH];
    const char *rows[FIGURES_MAX]; /* into text */
    int count;
    char brush[FIGURE_LENGTH]; /* description of the brush; empty: omitted */
    double renewed;            /* time of the last update of the texts, s */
    double step_ms;            /* total of the steps since the last update, ms */
    int step_count;            /* steps since then */
    int frame_count;           /* frames since then */
    double shown_step_ms;      /* displayed mean time of a step, ms */
} Figures;

/* Call figures_step for each new snapshot and figures_frame for each frame. */
void figures_step(Figures *figures, const SimSnapshot *snapshot);
void figures_frame(Figures *figures);

/* Updates texts that are older than a quarter of a second. */
void figures_renew(Figures *figures, const char *scene, const SimSnapshot *snapshot, bool paused,
                   double time);

/* Writes the cycles of the pressure solve and the remaining divergence: "multigrid, 2 cycles,
 * leaves 0.08 % of the divergence", or "multigrid, 1 cycle (cut for speed), leaves 4.1 % of the
 * divergence". */
void figures_pressure(char *text, size_t size, const BillowStats *stats, bool cut);

/* -- graphs of the last steps and frames ------------------------------------------------------- */

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
