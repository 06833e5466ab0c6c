/* SPDX-License-Identifier: MIT */
#include "app/marks.h"

#include "base/vec3.h"
#include "play/stroke.h"
#include <math.h>
#include <string.h>

/* -- lines ------------------------------------------------------------------------------------- */

/* SMOKE_PLACES: samples of the smoke between the camera and a line. ARC_RADIANS: angle of one
 * segment of a circle. */
#define SMOKE_PLACES 24
#define ARC_RADIANS  0.131f /* 48 segments per circle */
#define PI           3.14159265f
/* Factor on the opacity of a line that smoke or a solid hides completely. */
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
    return camera_place(&marks->camera, marks->width, marks->height, place, seen);
}

float marks_point(const Marks *marks, const float place[3])
{
    float depth = fmaxf(depth_of(marks, place), CAMERA_NEAR);
    return 2 * depth * marks->camera.half_height / fmaxf(marks->height, 1);
}

/* Clips the ray from the camera to `place` to the box. Returns false if no part of the ray is
 * inside. */
static bool way_through(const Marks *marks, const float place[3], BrushRay *ray, Brush *box,
                        float *enter, float *leave)
{
    const BillowView *view = marks->scene.view;
    const int cells[3] = {view->nx, view->ny, view->nz};
    vector_add_scaled(place, -1, marks->camera.origin, ray->direction);
    float length = sqrtf(vector_dot(ray->direction, ray->direction));
    for (int i = 0; i < 3; i++) {
        ray->origin[i] = marks->camera.origin[i];
        ray->direction[i] /= fmaxf(length, CAMERA_NEAR);
        box->low[i] = view->origin[i];
        box->high[i] = view->origin[i] + (float)cells[i] * view->cell_size;
    }
    if (!brush_clip(box, ray, enter, leave))
        return false;
    *leave = fminf(*leave, length);
    return *enter < *leave;
}

/* Returns the transmittance between `place` and the camera, 0 to 1; 0 behind a solid. */
static float marks_seen(const Marks *marks, const float place[3])
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

/* Draws a line in pieces. Each piece has the opacity found at its middle. */
void marks_line(Marks *marks, const float a[3], const float b[3], const MarkStyle *style)
{
    const int pieces = style->flat ? 1 : 12;
    float from[3], to[3], way[3];
    float first = depth_of(marks, a), last = depth_of(marks, b);
    vector_add_scaled(b, -1, a, way);
    float begin = first < CAMERA_NEAR ? (CAMERA_NEAR * 1.01f - first) / (last - first) : 0;
    float end = last < CAMERA_NEAR ? (CAMERA_NEAR * 1.01f - first) / (last - first) : 1;
    if (first < CAMERA_NEAR && last < CAMERA_NEAR)
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
    marks_arc(marks, center, u, v, 0, 2 * PI, style);
}

void marks_ring(Marks *marks, const float center[3], float radius, const MarkStyle *style)
{
    float right[3], up[3];
    for (int axis = 0; axis < 3; axis++) {
        right[axis] = radius * marks->camera.right[axis];
        up[axis] = radius * marks->camera.up[axis];
    }
    marks_circle(marks, center, right, up, style);
}

/* -- outlines ---------------------------------------------------------------------------------- */

/* The unit vectors of a shape's axes, in world coordinates. */
typedef struct Frame {
    const float *center;
    float axis[3][3];
} Frame;

/* Returns the columns of the rotation matrix of the emitter's unit quaternion. */
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

/* Draws an arc around an axis of the shape. along: position of the arc on this axis, from the
 * shape's middle. */
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

/* Draws four lines parallel to the shape's y axis. */
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

static void cone(Marks *marks, const Frame *frame, const float size[3], const MarkStyle *style)
{
    circle(marks, frame, 1, -size[1], size[0], style);
    for (int line = 0; line < 4; line++) {
        float a[3], b[3], out = line % 2 == 0 ? size[0] : -size[0];
        at(frame, line < 2 ? out : 0, -size[1], line < 2 ? 0 : out, a);
        at(frame, 0, size[1], 0, b);
        marks_line(marks, a, b, style);
    }
}

/* Draws the round ends of a capsule. */
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
    case BILLOW_CONE:
        cone(marks, &frame, size, style);
        break;
    case BILLOW_PLANE:
        break; /* a plane has no outline */
    default:   /* meshes, texts and volumes have a box of about their size */
        box(marks, &frame, about, style);
        break;
    }
}

/* -- the brush --------------------------------------------------------------------------------- */

/* Draws a ball as the circle that faces the camera, and the equator with its far half fainter. */
static void mark_ball(const Brush *brush, float radius, const MarkStyle *style, Marks *marks)
{
    const Camera *camera = &marks->camera;
    float u[3], near[3] = {-camera->forward[0], 0, -camera->forward[2]};
    float length = sqrtf(vector_dot(near, near));
    for (int i = 0; i < 3; i++) {
        u[i] = radius * camera->right[i];
        near[i] = radius * (length > 1e-3f ? near[i] / length : camera->up[i]);
    }
    marks_ring(marks, brush->place, radius, style);
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

void pointer_mark(const float place[3], const float color[3], Marks *marks)
{
    MarkStyle style = {.color = {color[0], color[1], color[2], 0.95f}, .width = 2, .flat = true};
    marks_ring(marks, place, 8 * marks_point(marks, place), &style);
}

void cursor_mark(const Brush *brush, Marks *marks)
{
    MarkStyle style = {.color = {1, 1, 1, 0.95f}, .width = 2};
    if (!brush->over)
        return;
    brush_mark_color(&brush->hand, style.color);
    mark_ground(brush, brush_radius(brush), &style, marks);
    mark_ball(brush, brush_radius(brush), &style, marks);
}
