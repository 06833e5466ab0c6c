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

typedef struct FrameMeter {
    uint32_t bins[FRAME_METER_BINS]; /* the last one holds everything longer */
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
    char brush[FIGURE_LENGTH]; /* of them all; empty: left out */
    double renewed;            /* s; when the words were last made */
    double step_ms;            /* sum over the steps seen since */
    int step_count;
    int frame_count; /* frames since */
    double shown_step_ms;
} Figures;

/* A step of the simulation was seen; a frame was shown. */
void figures_step(Figures *figures, const SimSnapshot *snapshot);
void figures_frame(Figures *figures);

/* Makes new words where the old ones are a quarter of a second old. */
void figures_renew(Figures *figures, const char *scene, const SimSnapshot *snapshot, bool paused,
                   double time);

/* What the pressure solve took and left: "multigrid, 2 cycles, leaves 0.08 % of the divergence", or
 * "multigrid, 1 cycle (cut for speed), leaves 4.1 % of the divergence". */
void figures_pressure(char *text, size_t size, const BillowStats *stats, bool cut);

#endif
