/* SPDX-License-Identifier: MIT
 *
 * Chooses the number of cells of the simulation in the window, of the wind and of the smoke.
 *
 * A scene starts on a small grid, so that its first picture comes at once. The times of the first
 * seconds then show which grid this machine can simulate and draw, and the simulation continues on
 * that grid (billow_resample). Later the grid grows while there is clear headroom for a while, and
 * shrinks when steps or uploads are late for more than a moment.
 *
 * Three parts of the window adapt to the machine. They act in this order, so that they do not
 * fight:
 *
 *     1. resolution.h  the picture's resolution, after 0.3 s: costs nothing and is hardly seen
 *     2. budget.h      the pressure cycles, after 0.3 s: costs accuracy, but no smoke
 *     3. this file     the number of cells, after more than a second, and only while nobody touches
 *                      anything: costs detail when it shrinks
 *
 * Each looks only at the work that it can change. The resolution follows the time of drawing; it
 * does not count uploads that take a frame of their own. The grid follows the time of steps and of
 * uploads, which grow with the cells, and the time of drawing only if the resolution is at its end.
 * It counts a step whose cycles are cut as late, so that the cut ends soon on a smaller grid. A new
 * grid starts with all cycles.
 *
 * Rises that made steps late double the time before the next rise to that size, up to ten minutes,
 * so that the grid settles. If the load falls later, the time is short again. */
#ifndef PLAY_GRID_CHOICE_H
#define PLAY_GRID_CHOICE_H

#include "scene/scene.h"

#include <stdbool.h>

/* What the window is to hold. */
typedef struct GridAim {
    double fps;  /* pictures of moving smoke per second */
    double pace; /* least simulated seconds per second of the clock, 1 or less */
    bool exact;  /* every step has all its pressure cycles */
} GridAim;

/* What the user's choice between fluid (SCENE_DRAFT) and fine (SCENE_BEST) means in the window;
 * SCENE_GOOD is automatic. */
GridAim grid_aim_of(SceneQuality quality);
/* Its name: "fluid", "auto" or "fine". */
const char *grid_quality_name(SceneQuality quality);

/* One size that the grid may have. */
typedef struct GridRung {
    int n[3];   /* cells of the wind along each axis */
    int refine; /* cells of the smoke along an edge of each */
    float cell_size, origin[3];
} GridRung;

enum { GRID_RUNGS_MAX = 48 };

/* Times of the window since the last call. */
typedef struct GridTimes {
    double step_ms;   /* time of a step, ms; 0: none was taken */
    double upload_ms; /* time of an upload without light, ms; 0: none was made */
    double light_ms;  /* time of its light volumes, ms */
    double draw_ms; /* time of a picture at the least resolution, ms; 0: the resolution is above */
    bool cut;       /* the last projection missed its tolerance, because its cycles were cut */
} GridTimes;

typedef struct GridChoice {
    GridRung rungs[GRID_RUNGS_MAX]; /* least work first */
    int count;                      /* 0 or 1: there is no choice */
    int rung;                       /* the present one */
    double step_limit_ms, upload_limit_ms, draw_limit_ms;
    /* Running averages; negative: not known yet. */
    double step_ms, upload_ms, light_ms, draw_ms, cut;
    double growth;                        /* exponent of the time of a step over grid_work */
    double age_ms, since_change, seen_ms; /* time since the start, since the last change, and time
                                             measured since then, ms */
    double late_ms, early_ms; /* time that was late, and that had headroom, minus other time, ms */
    int failed;               /* finest rung that was not late; rises above it need `patience` */
    double patience;          /* ms */
    int before;               /* rung before the last change */
    double step_before;       /* step_ms before the last change, ms */
    bool rose;                /* the last change was a rise */
} GridChoice;

/* Cells of the smoke on a rung. */
double grid_smoke(const GridRung *rung);
/* Work of a step on a rung, relative to that of a single cell where wind and smoke share a grid. */
double grid_work(const GridRung *rung);

/* Lists the grids for a scene and chooses the first one. own: the definition on the scene's own
 * grid, with volumes. A grid that the scene does not allow is left out, such as one whose cells are
 * wider than a wall. The smoke is as fine as the scene's own, except on the smallest grid, on which
 * a slow machine may have it coarser, down to twice as fine as the wind. keeps_refine: it may not,
 * because the user has chosen how fine it is. */
GridChoice grid_choice_start(const Scene *scene, const BillowDef *own, bool keeps_refine,
                             const GridAim *aim);

/* Looks for the grid of another aim from the present rung on, as in the first seconds. */
void grid_choice_aim(GridChoice *choice, const GridAim *aim);

/* Sets the cells of a definition to those of a rung. */
void grid_rung_apply(const GridRung *rung, BillowDef *def);
/* Likewise to those of the present rung. */
void grid_choice_apply(const GridChoice *choice, BillowDef *def);

/* Learns from the times of a frame in which nobody touched anything. Returns true if the simulation
 * should continue on another rung, which is then the present one. */
bool grid_choice_observe(GridChoice *choice, const GridTimes *times, double interval_ms);

/* Returns to the rung before the last change, because the simulation did not continue on the new
 * one. never: it cannot; grids of that size or larger are not tried again. */
void grid_choice_return(GridChoice *choice, bool never);

#endif
