/* SPDX-License-Identifier: MIT
 *
 * Figures of the run: durations of frames and steps, and the lines of numbers in the window's
 * corner. */
#ifndef APP_FIGURES_H
#define APP_FIGURES_H

#include "snapshots.h"
#include <stddef.h>
#include <stdint.h>

enum { FRAME_METER_BINS = 20000 };

/* A histogram of durations: medians over hours in fixed memory. */
typedef struct FrameMeter {
    uint32_t bins[FRAME_METER_BINS]; /* of 0.1 ms; the last one holds everything longer */
    uint64_t count;
    double max_ms;
} FrameMeter;

void frame_meter_add(FrameMeter *meter, double ms);
double frame_meter_median(const FrameMeter *meter); /* ms; 0 where nothing was added */

enum { FIGURES_MAX = 12, FIGURE_LENGTH = 96 };

typedef struct Figures {
    char text[FIGURES_MAX][FIGURE_LENGTH];
    const char *rows[FIGURES_MAX]; /* into text */
    int count;
    char brush[FIGURE_LENGTH]; /* the brush's figure; empty: left out */
    double renewed;            /* when the texts were last made, s */
    double step_ms;            /* sum over the steps since then */
    int step_count;            /* steps since then */
    int frame_count;           /* frames since then */
    double shown_step_ms;      /* mean time of a step, as it is shown */
} Figures;

/* To be called for each new snapshot, and for each frame. */
void figures_step(Figures *figures, const SimSnapshot *snapshot);
void figures_frame(Figures *figures);

/* Makes new texts where the old ones are a quarter of a second old. */
void figures_renew(Figures *figures, const char *scene, const SimSnapshot *snapshot, bool paused,
                   double time);

/* The pressure solve's cycles and what they left: "multigrid, 2 cycles, leaves 0.08 % of the
 * divergence", or "multigrid, 1 cycle (cut for speed), leaves 4.1 % of the divergence". */
void figures_pressure(char *text, size_t size, const BillowStats *stats, bool cut);

#endif
