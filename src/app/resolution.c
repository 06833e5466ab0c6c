/* SPDX-License-Identifier: MIT */
#include "resolution.h"

#include <math.h>

static const float scales[] = {0.25f, 0.3f, 0.36f, 0.43f, 0.5f, 0.6f, 0.7f, 0.85f, 1.0f};
enum { LEVELS = sizeof scales / sizeof scales[0] };

/* A frame's work on a software renderer. An input event can just miss one frame and wait for the
 * next as well: twice this stays under 50 ms. A GPU may use most of a 30 Hz frame. */
#define BUDGET_SOFTWARE_MS 18.0
#define BUDGET_GPU_MS      28.0
/* Smoke is soft: half as many rays as pixels an axis hardly show. */
#define MARCH_SOFTWARE  0.5f
#define LEVEL_SOFTWARE  4     /* to start with */
#define MEMORY_MS       400.0 /* over which times are averaged: a busy core makes single frames late */
#define SETTLE_MS       300.0  /* between a change and the next sinking */
#define WARM_UP_MS      1000.0 /* drivers compile during the first frames: nothing to learn from */
#define PATIENCE_MS     600.0  /* headroom for so long: rise */
#define PATIENCE_MAX_MS 30000.0
#define HEADROOM        0.85 /* share of the budget the next level must fit into */

Resolution resolution_start(bool software)
{
    return (Resolution){
        .budget_ms = software ? BUDGET_SOFTWARE_MS : BUDGET_GPU_MS,
        .march = software ? MARCH_SOFTWARE : 1.0f,
        .level = software ? LEVEL_SOFTWARE : LEVELS - 1,
        .patience = PATIENCE_MS,
        .draw_ms = -1,
        .rest_ms = -1,
    };
}

float resolution_scale(const Resolution *resolution)
{
    return scales[resolution->level];
}

/* Drawing goes with the pixels, the rest does not. */
static double work_at(const Resolution *resolution, int level)
{
    double ratio = (double)scales[level] / (double)scales[resolution->level];
    return resolution->draw_ms * ratio * ratio + resolution->rest_ms;
}

static void change(Resolution *resolution, int level)
{
    double ratio = (double)scales[level] / (double)scales[resolution->level];
    resolution->draw_ms *= ratio * ratio;
    resolution->early_ms = resolution->since_change = 0;
    resolution->rose = level > resolution->level;
    resolution->level = level;
}

static void rise(Resolution *resolution)
{
    change(resolution, resolution->level + 1);
}

static void sink(Resolution *resolution)
{
    int level = resolution->level - 1;
    bool too_bold = resolution->rose && resolution->since_change < 4 * PATIENCE_MS;
    if (too_bold && resolution->patience < PATIENCE_MAX_MS)
        resolution->patience *= 2;
    while (level > 0 && work_at(resolution, level) > resolution->budget_ms)
        level--;
    change(resolution, level);
}

static double average(double old, double value, double share)
{
    return old < 0 ? value : old + share * (value - old);
}

bool resolution_observe(Resolution *resolution, double draw_ms, double rest_ms, double interval_ms)
{
    resolution->age_ms += interval_ms;
    if (resolution->age_ms < WARM_UP_MS)
        return false;
    int level = resolution->level;
    double share = 1 - exp(-interval_ms / MEMORY_MS);
    resolution->draw_ms = average(resolution->draw_ms, draw_ms, share);
    resolution->rest_ms = average(resolution->rest_ms, rest_ms, share);
    bool late = work_at(resolution, level) > resolution->budget_ms;
    bool early =
        level < LEVELS - 1 && work_at(resolution, level + 1) < resolution->budget_ms * HEADROOM;
    resolution->since_change += interval_ms;
    resolution->early_ms = fmax(0, resolution->early_ms + (early ? interval_ms : -interval_ms));
    if (late && level > 0 && resolution->since_change >= SETTLE_MS)
        sink(resolution);
    else if (resolution->early_ms >= resolution->patience)
        rise(resolution);
    return resolution->level != level;
}
