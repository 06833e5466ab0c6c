/* SPDX-License-Identifier: MIT */
#include "cursor.h"

#include "vector.h"
#include <math.h>
#include <string.h>

#define PI 3.14159265f

static void choose_color(const BrushHand *hand, float color[4])
{
    static const float colors[BRUSH_TOOLS][3] = {
        [BRUSH_PUSH] = {1, 1, 1},          [BRUSH_SMOKE] = {0.85f, 0.9f, 0.95f},
        [BRUSH_HEAT] = {1, 0.55f, 0.25f},  [BRUSH_FUEL] = {1, 0.85f, 0.3f},
        [BRUSH_COLOR] = {1, 1, 1},         [BRUSH_SUCK] = {0.4f, 0.85f, 1},
        [BRUSH_VORTEX] = {0.8f, 0.65f, 1}, [BRUSH_DETONATE] = {1, 0.4f, 0.4f},
    };
    memcpy(color, colors[hand->tool], 3 * sizeof color[0]);
    if (hand->tool == BRUSH_COLOR) {
        brush_color(hand->color, color);
        for (int c = 0; c < 3; c++)
            color[c] = sqrtf(color[c]); /* about as a display has it */
    }
}

/* The circle that faces the camera is what is seen of a ball's edge; of its equator the nearer half
 * is seen. */
static void mark_ball(const Brush *brush, float radius, const MarkStyle *style, Marks *marks)
{
    const Camera *camera = &marks->camera;
    float u[3], v[3], near[3] = {-camera->forward[0], 0, -camera->forward[2]};
    for (int i = 0; i < 3; i++) {
        u[i] = radius * camera->right[i];
        v[i] = radius * camera->up[i];
    }
    marks_circle(marks, brush->place, u, v, style);
    float length = sqrtf(vector_dot(near, near));
    for (int i = 0; i < 3; i++)
        near[i] = length > 1e-3f ? radius * near[i] / length : v[i];
    MarkStyle far = *style;
    far.color[3] *= 0.35f;
    far.width *= 0.7f;
    MarkStyle middle = far;
    middle.color[3] = 0.8f * style->color[3];
    marks_arc(marks, brush->place, u, near, 0, PI, &middle);
    marks_arc(marks, brush->place, u, near, PI, 2 * PI, &far);
}

static void mark_ground(const Brush *brush, float radius, const MarkStyle *style, Marks *marks)
{
    const float u[3] = {radius, 0, 0}, v[3] = {0, 0, radius};
    const float foot[3] = {brush->place[0], brush->low[1], brush->place[2]};
    const float under[3] = {brush->place[0], fmaxf(brush->place[1] - radius, brush->low[1]),
                            brush->place[2]};
    MarkStyle faint = *style;
    faint.color[3] *= 0.45f;
    faint.width *= 0.7f;
    marks_line(marks, under, foot, &faint);
    marks_circle(marks, foot, u, v, &faint);
}

void cursor_mark(const Brush *brush, Marks *marks)
{
    MarkStyle style = {.color = {1, 1, 1, 0.95f}, .width = 2};
    if (!brush->over)
        return;
    choose_color(&brush->hand, style.color);
    mark_ground(brush, brush_radius(brush), &style, marks);
    mark_ball(brush, brush_radius(brush), &style, marks);
}
