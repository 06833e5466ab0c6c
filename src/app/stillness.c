/* SPDX-License-Identifier: MIT */
#include "stillness.h"

#include <string.h>

#define REST_SECONDS 0.15 /* between one event of the hand and the next it may still move */
#define ROWS_FIRST   8
#define ROWS_MOST    4096
#define PART_MS      22.0 /* that a part of the fine picture should take: input waits for it */

static bool same_camera(const RenderCamera *a, const RenderCamera *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

void stillness_break(Stillness *stillness, double now)
{
    stillness->moved = now;
    stillness->rows = 0;
    stillness->fine = false;
}

bool stillness_turning(Stillness *stillness, const StillnessScene *scene, double now)
{
    const StillnessScene *last = &stillness->scene;
    bool first = last->width == 0;
    if (!first && !same_camera(&scene->camera, &last->camera))
        stillness->turned = now;
    if (!same_camera(&scene->camera, &last->camera) || scene->steps != last->steps ||
        scene->resets != last->resets || scene->width != last->width ||
        scene->height != last->height)
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
    if (more > 0) { /* twice or half as many at most: smoke is not the same everywhere */
        double fitting = PART_MS / (ms > 0.01 ? ms : 0.01) * more;
        if (fitting > 1.3 * *a_frame && *a_frame < ROWS_MOST)
            *a_frame *= 2;
        else if (fitting<0.8 * *a_frame && * a_frame> 1)
            *a_frame /= 2;
    }
    stillness->rows = rows;
    stillness->fine = rows >= height;
}
