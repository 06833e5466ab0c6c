/* SPDX-License-Identifier: MIT
 * Chooses the resolution of a moving picture, and the number of rows to refine in a still one. */
#include "play/resolution.h"

#include <math.h>
#include <string.h>

/* -- while something moves --------------------------------------------------------------------- */

/* The levels, from the coarsest to the full picture. Compared with full resolution, steps of two
 * cells and a third of the rays on each axis change smooth smoke by half an 8-bit level and cost
 * about a twentieth. */
static const ResolutionScale scales[] = {
    {0.25f, 0.5f, 2},  {0.35f, 0.45f, 2}, {0.5f, 0.36f, 2}, {0.7f, 0.28f, 2},
    {0.85f, 0.26f, 2}, {1, 0.25f, 2},     {1, 0.3f, 2},     {1, 0.36f, 2},
    {1, 0.36f, 1.5f},  {1, 0.43f, 1.5f},  {1, 0.43f, 1},    {1, 0.5f, 1},
    {1, 0.6f, 1},      {1, 0.7f, 1},      {1, 0.85f, 1},    {1, 1, 1},
};
enum { LEVELS = sizeof scales / sizeof scales[0], LEVEL_HALF = 11, LEVEL_START_SOFTWARE = 2 };

/* Budgets of a frame's work, ms. Input waits for at most two frames, which take less than 50 ms on
 * a software renderer. On a GPU a frame may use most of a period at 30 Hz. */
#define BUDGET_SOFTWARE_MS 24.0
#define BUDGET_GPU_MS      28.0
#define BUDGET_FPS         30.0 /* pictures a second that the budgets are for */
/* Time constant of the averages of frame times, ms. Single late frames, which a busy machine has,
 * then matter little. */
#define MEMORY_MS 400.0
/* Time after a change before the level may sink again, ms. */
#define SETTLE_MS 300.0
/* Time at the start during which frame times are ignored, ms. Drivers compile shaders during the
 * first frames. */
#define WARM_UP_MS 1000.0
/* Initial and largest time of headroom that a rise requires, ms. */
#define PATIENCE_MS     600.0
#define PATIENCE_MAX_MS 30000.0
/* Shares of the budget. The level rises if the expected work of the next level is less than
 * HEADROOM. It also rises if the work of the present level is less than HEADROOM_CLEAR: the
 * expectation is too high if the work depends little on the number of pixels. */
#define HEADROOM       0.85
#define HEADROOM_CLEAR 0.6

Resolution resolution_start(bool software)
{
    return (Resolution){
        .budget_ms = software ? BUDGET_SOFTWARE_MS : BUDGET_GPU_MS,
        .level = software ? LEVEL_START_SOFTWARE : LEVELS - 1,
        /* A software renderer marches at most one ray for four pixels. */
        .most = software ? LEVEL_HALF : LEVELS - 1,
        .turning = -1,
        .patience = PATIENCE_MS,
        .cost = {-1, -1, -1, -1},
    };
}

void resolution_aim(Resolution *resolution, bool software, double fps)
{
    resolution->budget_ms = (software ? BUDGET_SOFTWARE_MS : BUDGET_GPU_MS) * BUDGET_FPS / fps;
    resolution->patience = PATIENCE_MS;
    resolution->early_ms = 0;
}

ResolutionScale resolution_scale(const Resolution *resolution)
{
    return scales[resolution->turning >= 0 ? resolution->turning : resolution->level];
}

RenderFrame resolution_frame(const Resolution *resolution, int width, int height, bool software)
{
    RenderFrame frame = render_default_frame();
    const ResolutionScale scale = resolution_scale(resolution);
    frame.width = (int)fmaxf((float)width * scale.picture, 1);
    frame.height = (int)fmaxf((float)height * scale.picture, 1);
    frame.scale = scale.march;
    frame.step = scale.step;
    frame.smooth = scale.march < 1 && scale.step > 1;
    /* The history has twice as many pixels as rays on each axis. On a software renderer a pixel of
     * it costs as much as a short ray. There it has at most half of the window's pixels on each
     * axis, but at least as many pixels as rays. */
    const float most = software ? fminf(0.5f / scale.picture, 1) : 1;
    frame.history = fmaxf(fminf(2 * scale.march, most), scale.march);
    frame.turning = resolution->turning >= 0;
    return frame;
}

static double area(float side)
{
    return (double)side * (double)side;
}

/* Returns the work of the march at a scale, relative to the full picture with steps of one cell.
 * The 0.3 is the fixed cost of a ray. */
static double marched(ResolutionScale scale)
{
    return area(scale.picture * scale.march) * (0.3 + 0.7 / (double)scale.step);
}

static double work_at(const Resolution *resolution, int level)
{
    const ResolutionTimes *cost = &resolution->cost;
    return fmax(cost->march, 0) * marched(scales[level]) +
           fmax(cost->composite, 0) * area(scales[level].picture) + fmax(cost->rest, 0);
}

static double turning_work_at(const Resolution *resolution, int level)
{
    return work_at(resolution, level) +
           fmax(resolution->cost.backdrop, 0) * area(scales[level].picture);
}

static void change(Resolution *resolution, int level)
{
    resolution->early_ms = resolution->since_change = 0;
    resolution->rose = level > resolution->level;
    resolution->level = level;
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

/* Lowers the level of the turning camera if needed. This level never rises during a turn. */
static void sink_turning(Resolution *resolution)
{
    if (resolution->turning > resolution->level)
        resolution->turning = resolution->level;
    while (resolution->turning > 0 &&
           turning_work_at(resolution, resolution->turning) > resolution->budget_ms)
        resolution->turning--;
}

bool resolution_turn(Resolution *resolution, bool turning)
{
    if (turning == (resolution->turning >= 0))
        return false;
    resolution->turning = turning ? resolution->level : -1;
    if (turning)
        sink_turning(resolution);
    return true;
}

static double average(double old, double value, double share)
{
    return old < 0 ? value : old + share * (value - old);
}

static void learn(Resolution *resolution, const ResolutionTimes *took, double share)
{
    ResolutionTimes *cost = &resolution->cost;
    ResolutionScale scale = resolution_scale(resolution);
    cost->march = average(cost->march, took->march / marched(scale), share);
    cost->composite = average(cost->composite, took->composite / area(scale.picture), share);
    cost->rest = average(cost->rest, took->rest, share);
    if (took->backdrop > 0)
        cost->backdrop = average(cost->backdrop, took->backdrop / area(scale.picture), share);
}

bool resolution_observe(Resolution *resolution, const ResolutionTimes *took, double interval_ms)
{
    resolution->age_ms += interval_ms;
    if (resolution->age_ms < WARM_UP_MS)
        return false;
    int level = resolution->level, turning = resolution->turning;
    learn(resolution, took, 1 - exp(-interval_ms / MEMORY_MS));
    bool late = work_at(resolution, level) > resolution->budget_ms;
    bool room = level < resolution->most &&
                work_at(resolution, level + 1) < resolution->budget_ms * HEADROOM;
    bool early = room || (level < resolution->most &&
                          work_at(resolution, level) < resolution->budget_ms * HEADROOM_CLEAR);
    resolution->since_change += interval_ms;
    resolution->early_ms = fmax(0, resolution->early_ms + (early ? interval_ms : -interval_ms));
    if (late && level > 0 && resolution->since_change >= SETTLE_MS)
        sink(resolution);
    else if (resolution->early_ms >= resolution->patience)
        change(resolution, level + 1);
    if (turning >= 0)
        sink_turning(resolution);
    return resolution->level != level || resolution->turning != turning;
}

/* -- while nothing moves ----------------------------------------------------------------------- */

#define REST_SECONDS 0.15 /* time without a change after which the scene counts as still, s */
#define ROWS_FIRST   8
#define PART_MS      22.0 /* time spent on refined rows per frame, ms; input waits this long */

void stillness_break(Stillness *stillness, double now)
{
    stillness->moved = now;
    stillness->rows = 0;
    stillness->fine = false;
}

bool stillness_turning(Stillness *stillness, const StillnessScene *scene, double now)
{
    const StillnessScene *last = &stillness->scene;
    const bool moved = memcmp(&scene->camera, &last->camera, sizeof last->camera) != 0;
    if (moved && last->width != 0)
        stillness->turned = now;
    if (moved || scene->steps != last->steps || scene->resets != last->resets ||
        scene->width != last->width || scene->height != last->height)
        stillness_break(stillness, now);
    stillness->scene = *scene;
    return stillness->turned > 0 && now - stillness->turned < REST_SECONDS;
}

bool stillness_refines(const Stillness *stillness, bool paused, double now)
{
    return paused && !stillness->fine && now - stillness->moved >= REST_SECONDS;
}

int stillness_part(const Stillness *stillness)
{
    return stillness->rows_a_frame > 0 ? stillness->rows_a_frame : ROWS_FIRST;
}

void stillness_marched(Stillness *stillness, int rows, int height, double ms)
{
    int *a_frame = &stillness->rows_a_frame, more = rows - stillness->rows;
    *a_frame = stillness_part(stillness);
    if (more > 0) { /* change by at most a factor of two, because the cost of rows differs */
        double fitting = PART_MS / (ms > 0.01 ? ms : 0.01) * more;
        if (fitting > 1.3 * *a_frame)
            *a_frame *= 2;
        else if (fitting<0.8 * *a_frame && * a_frame> 1)
            *a_frame /= 2;
    }
    stillness->rows = rows;
    stillness->fine = rows >= height;
}
