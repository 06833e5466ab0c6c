/* SPDX-License-Identifier: MIT */
#include "marks.h"

#include "vector.h"
#include <math.h>
#include <string.h>

#define NEAR 1e-3f /* m before the camera */
/* Places looked at for smoke on the way to a line; one segment of a circle is so many radians. */
#define SMOKE_PLACES 24
#define ARC_RADIANS  0.131f /* 48 to a circle */
/* Of a line that is wholly hidden. */
#define HIDDEN 0.28f

void marks_begin(Marks *marks, const RenderCamera *camera, float width, float height,
                 const MarksScene *scene)
{
    marks->count = 0;
    marks->width = width;
    marks->height = height;
    marks->scene = *scene;
    marks->camera = camera_from_settings(camera, (int)width, (int)height);
}

static float depth_of(const Marks *marks, const float place[3])
{
    float offset[3];
    vector_add_scaled(place, -1, marks->camera.origin, offset);
    return vector_dot(offset, marks->camera.forward);
}

bool marks_place(const Marks *marks, const float place[3], float seen[2])
{
    const Camera *camera = &marks->camera;
    float offset[3];
    vector_add_scaled(place, -1, camera->origin, offset);
    float depth = vector_dot(offset, camera->forward);
    if (depth < NEAR)
        return false;
    float points = 0.5f * marks->height / (depth * camera->half_height);
    seen[0] = 0.5f * marks->width + points * vector_dot(offset, camera->right);
    seen[1] = 0.5f * marks->height - points * vector_dot(offset, camera->up);
    return true;
}

float marks_point(const Marks *marks, const float place[3])
{
    float depth = fmaxf(depth_of(marks, place), NEAR);
    return 2 * depth * marks->camera.half_height / fmaxf(marks->height, 1);
}

/* The way to it within the box of the view; false: none of it. */
static bool way_through(const Marks *marks, const float place[3], BrushRay *ray, Brush *box,
                        float *enter, float *leave)
{
    const BillowView *view = marks->scene.view;
    const int cells[3] = {view->nx, view->ny, view->nz};
    vector_add_scaled(place, -1, marks->camera.origin, ray->direction);
    float length = sqrtf(vector_dot(ray->direction, ray->direction));
    for (int i = 0; i < 3; i++) {
        ray->origin[i] = marks->camera.origin[i];
        ray->direction[i] /= fmaxf(length, NEAR);
        box->low[i] = view->origin[i];
        box->high[i] = view->origin[i] + (float)cells[i] * view->cell_size;
    }
    if (!brush_clip(box, ray, enter, leave))
        return false;
    *leave = fminf(*leave, length);
    return *enter < *leave;
}

float marks_seen(const Marks *marks, const float place[3])
{
    const MarksScene *scene = &marks->scene;
    BrushRay ray = {0};
    Brush box = {0};
    float enter, leave, distance, depth = 0;
    int solid;
    if (scene->view == NULL || !way_through(marks, place, &ray, &box, &enter, &leave))
        return 1;
    if (grab_meet(&box, &ray, scene->solids, scene->solid_count, &solid, &distance) &&
        distance < 0.995f * leave)
        return 0;
    float step = (leave - enter) / SMOKE_PLACES;
    for (int i = 0; i < SMOKE_PLACES; i++) {
        float at[3];
        vector_add_scaled(ray.origin, enter + ((float)i + 0.5f) * step, ray.direction, at);
        depth += scene->extinction * brush_density(scene->view, at) * step;
    }
    return expf(-depth);
}

static void add(Marks *marks, const float a[3], const float b[3], const MarkStyle *style)
{
    OverlayLine line = {.width = style->width};
    if (marks->count == MARKS_MAX || !marks_place(marks, a, line.from) ||
        !marks_place(marks, b, line.to))
        return;
    float middle[3];
    for (int i = 0; i < 3; i++)
        middle[i] = 0.5f * (a[i] + b[i]);
    memcpy(line.color, style->color, sizeof line.color);
    if (!style->flat)
        line.color[3] *= HIDDEN + (1 - HIDDEN) * marks_seen(marks, middle);
    marks->lines[marks->count++] = line;
}

/* In pieces, each as much hidden as its middle. */
void marks_line(Marks *marks, const float a[3], const float b[3], const MarkStyle *style)
{
    const int pieces = style->flat ? 1 : 12;
    float from[3], to[3], way[3];
    float first = depth_of(marks, a), last = depth_of(marks, b);
    vector_add_scaled(b, -1, a, way);
    float begin = first < NEAR ? (NEAR * 1.01f - first) / (last - first) : 0;
    float end = last < NEAR ? (NEAR * 1.01f - first) / (last - first) : 1;
    if (first < NEAR && last < NEAR)
        return;
    for (int i = 0; i < pieces; i++) {
        float at = (float)i / (float)pieces, next = (float)(i + 1) / (float)pieces;
        vector_add_scaled(a, begin + (end - begin) * at, way, from);
        vector_add_scaled(a, begin + (end - begin) * next, way, to);
        add(marks, from, to, style);
    }
}

void marks_arc(Marks *marks, const float center[3], const float u[3], const float v[3], float from,
               float to, const MarkStyle *style)
{
    int pieces = (int)ceilf((to - from) / ARC_RADIANS);
    float before[3];
    for (int i = 0; i <= pieces; i++) {
        float angle = from + (to - from) * (float)i / (float)pieces, place[3];
        vector_add_scaled(center, cosf(angle), u, place);
        vector_add_scaled(place, sinf(angle), v, place);
        if (i > 0)
            add(marks, before, place, style);
        memcpy(before, place, sizeof before);
    }
}

void marks_circle(Marks *marks, const float center[3], const float u[3], const float v[3],
                  const MarkStyle *style)
{
    marks_arc(marks, center, u, v, 0, 6.28318531f, style);
}
