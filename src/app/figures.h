/* SPDX-License-Identifier: MIT
 *
 * Figures about the run: times of frames and steps, texts in the window's corner, and graphs. */
#ifndef APP_FIGURES_H
#define APP_FIGURES_H

#include "play/snapshots.h"
#include <stddef.h>
#include <stdint.h>

enum { FRAME_METER_BINS = 20000 };

/* A histogram of times. It gives the median over hours in constant memory. */
typedef struct FrameMeter {
    uint32_t bins[FRAME_METER_BINS]; /* bins of 0.1 ms; the last one counts all longer times */
    uint64_t count;
    double max_ms;
} FrameMeter;

void frame_meter_add(FrameMeter *meter, double ms);
double frame_meter_median(const FrameMeter *meter); /* median, ms; 0 if nothing was added */

enum { FIGURES_MAX = 8, FIGURES_DETAILS = 2, FIGURE_LENGTH = 96 };

typedef struct Figures {
    char text[FIGURES_MAX][FIGURE_LENGTH];
    const char *rows[FIGURES_MAX]; /* pointers into `text` */
    int count;
    char details[FIGURES_DETAILS][FIGURE_LENGTH]; /* texts above the panel's graphs: simulated time
                                                     and speed; pressure solve. May be empty */
    char brush[FIGURE_LENGTH]; /* description of the brush; empty text: show none */
    bool all;                  /* argument of the last figures_renew that wrote the texts */
    double renewed;            /* time of the last update of the texts, s */
    double step_ms;            /* sum of the times of the steps since `renewed`, ms */
    int step_count;            /* number of steps since `renewed` */
    int frame_count;           /* number of frames since `renewed` */
    double shown_step_ms;      /* mean time of a step on display, ms */
    double shown_fps;          /* pictures per second on display */
} Figures;

/* Rewrites the texts if they are older than a quarter of a second. all: also the scene's cells, the
 * speed against the clock and the divergence that is left. time: of any clock, s. */
void figures_renew(Figures *figures, const char *scene, const SimSnapshot *snapshot, bool paused,
                   bool all, double time);

/* Writes the cycles of the pressure solve and the remaining divergence: "multigrid, 2 cycles,
 * leaves 0.08 % of the divergence", or "multigrid, 1 cycle (cut for speed), leaves 4.1 % of the
 * divergence". cut: the number of cycles was limited to keep up with the clock. */
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
    int count, first; /* first: index of the oldest value in a full buffer */
} Graph;

typedef struct PanelGraphs {
    Graph graphs[GRAPHS];
    Graph shown[GRAPHS]; /* copy on display, updated four times a second at most, so that it can be
                            read */
    double renewed;      /* time of the last update of `shown`, s */
} PanelGraphs;

void graph_add(Graph *graph, double value);
float graph_last(const Graph *graph);
/* Computes the range of a graph's values, extended to include 0. If all values are 0, `most` is 1,
 * so that the range is not empty. */
void graph_range(const Graph *graph, float *least, float *most);

void panel_graphs_step(PanelGraphs *graphs, const SimSnapshot *snapshot);
/* Draws the details of the figures and the graphs. now: time of any clock, s. */
void panel_graphs_show(PanelGraphs *graphs, const Figures *figures, double now);

#endif
