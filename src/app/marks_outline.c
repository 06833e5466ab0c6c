/* SPDX-License-Identifier: MIT
 * The outlines of emitters. */
#include "marks.h"

#include "vector.h"
#include <math.h>

#define PI 3.14159265f

/* A shape's own axes in the box. */
typedef struct Frame {
    const float *center;
    float axis[3][3];
} Frame;

/* The columns of the rotation by a unit quaternion. */
static Frame frame_of(const BillowEmitter *emitter)
{
    const float *q = emitter->rotation;
    float x = q[0], y = q[1], z = q[2], w = q[3];
    return (Frame){.center = emitter->center,
                   .axis = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                            {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                            {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}}};
}

static void at(const Frame *frame, float x, float y, float z, float place[3])
{
    vector_add_scaled(frame->center, x, frame->axis[0], place);
    vector_add_scaled(place, y, frame->axis[1], place);
    vector_add_scaled(place, z, frame->axis[2], place);
}

/* Around an axis, at so much of it from the middle, from one angle to another. */
static void arc(Marks *marks, const Frame *frame, int axis, float along, float radius, float from,
                float to, const MarkStyle *style)
{
    float u[3], v[3], place[3];
    vector_add_scaled(frame->center, along, frame->axis[axis], place);
    for (int i = 0; i < 3; i++) {
        u[i] = radius * frame->axis[(axis + 1) % 3][i];
        v[i] = radius * frame->axis[(axis + 2) % 3][i];
    }
    marks_arc(marks, place, u, v, from, to, style);
}

static void circle(Marks *marks, const Frame *frame, int axis, float along, float radius,
                   const MarkStyle *style)
{
    arc(marks, frame, axis, along, radius, 0, 2 * PI, style);
}

static void box(Marks *marks, const Frame *frame, const float half[3], const MarkStyle *style)
{
    for (int axis = 0; axis < 3; axis++)
        for (int corner = 0; corner < 4; corner++) {
            float from[3], to[3], a[3], b[3];
            int next = (axis + 1) % 3, last = (axis + 2) % 3;
            from[axis] = -half[axis];
            to[axis] = half[axis];
            from[next] = to[next] = corner & 1 ? half[next] : -half[next];
            from[last] = to[last] = corner & 2 ? half[last] : -half[last];
            at(frame, from[0], from[1], from[2], a);
            at(frame, to[0], to[1], to[2], b);
            marks_line(marks, a, b, style);
        }
}

/* Four lines along y at a distance from it. */
static void staves(Marks *marks, const Frame *frame, float radius, float half,
                   const MarkStyle *style)
{
    for (int stave = 0; stave < 4; stave++) {
        float x = stave == 0 ? radius : stave == 1 ? -radius : 0;
        float z = stave == 2 ? radius : stave == 3 ? -radius : 0;
        float a[3], b[3];
        at(frame, x, -half, z, a);
        at(frame, x, half, z, b);
        marks_line(marks, a, b, style);
    }
}

/* The ends of a capsule, in the planes of its axis. */
static void caps(Marks *marks, const Frame *frame, float radius, float half, const MarkStyle *style)
{
    for (int end = -1; end <= 1; end += 2) {
        Frame there = *frame;
        float place[3];
        at(frame, 0, (float)end * half, 0, place);
        there.center = place;
        float turn = end > 0 ? 0 : PI;
        arc(marks, &there, 2, 0, radius, turn, turn + PI, style);
        arc(marks, &there, 0, 0, radius, turn - PI / 2, turn + PI / 2, style);
    }
}

static void torus(Marks *marks, const Frame *frame, const float size[3], const MarkStyle *style)
{
    circle(marks, frame, 1, 0, size[0] + size[1], style);
    circle(marks, frame, 1, 0, fmaxf(size[0] - size[1], 0), style);
    for (int side = -1; side <= 1; side += 2) {
        Frame there = *frame;
        float place[3];
        there.center = place;
        at(frame, (float)side * size[0], 0, 0, place);
        circle(marks, &there, 2, 0, size[1], style);
        at(frame, 0, 0, (float)side * size[0], place);
        circle(marks, &there, 0, 0, size[1], style);
    }
}

void marks_outline(Marks *marks, const BillowEmitter *emitter, const MarkStyle *style)
{
    Frame frame = frame_of(emitter);
    const float *size = emitter->size;
    const float about[3] = {0.5f * size[0], 0.5f * size[0], 0.5f * size[0]};
    switch (emitter->shape) {
    case BILLOW_SPHERE:
        for (int axis = 0; axis < 3; axis++)
            circle(marks, &frame, axis, 0, size[0], style);
        break;
    case BILLOW_BOX:
        box(marks, &frame, size, style);
        break;
    case BILLOW_CYLINDER:
    case BILLOW_CAPSULE:
        circle(marks, &frame, 1, -size[1], size[0], style);
        circle(marks, &frame, 1, size[1], size[0], style);
        staves(marks, &frame, size[0], size[1], style);
        if (emitter->shape == BILLOW_CAPSULE)
            caps(marks, &frame, size[0], size[1], style);
        break;
    case BILLOW_TORUS:
        torus(marks, &frame, size, style);
        break;
    case BILLOW_VOLUME:
        box(marks, &frame, about, style);
        break;
    case BILLOW_PLANE:
        break;
    }
}
