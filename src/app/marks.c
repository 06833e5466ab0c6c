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
    marks->scale = 1;
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
    return marks->scale * 2 * depth * marks->camera.half_height / fmaxf(marks->height, 1);
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
    OverlayLine line = {.width = marks->scale * style->width};
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

void marks_solid(Marks *marks, const BillowSolid *solid, const MarkStyle *style)
{
    BillowEmitter shape = {.shape = solid->shape};
    memcpy(shape.center, solid->center, sizeof shape.center);
    memcpy(shape.size, solid->size, sizeof shape.size);
    memcpy(shape.rotation, solid->rotation, sizeof shape.rotation);
    marks_outline(marks, &shape, style);
}

/* -- forces ------------------------------------------------------------------------------------ */

/* Draws the head of an arrow that ends at `tip`, with its sides in the plane that faces the camera.
 */
static void arrow_head(Marks *marks, const float way[3], const float tip[3], const MarkStyle *style)
{
    const Camera *camera = &marks->camera;
    const float x = vector_dot(way, camera->right), y = vector_dot(way, camera->up);
    const float length = hypotf(x, y), head = 7 * marks_point(marks, tip);
    if (length < 1e-6f * head) /* towards the camera or away from it */
        return;
    for (int side = -1; side <= 1; side += 2) {
        float end[3];
        const float across = 0.6f * (float)side;
        vector_add_scaled(tip, head * (-x - across * y) / length, camera->right, end);
        vector_add_scaled(end, head * (-y + across * x) / length, camera->up, end);
        marks_line(marks, tip, end, style);
    }
}

static void arrow(Marks *marks, const float from[3], const float to[3], const MarkStyle *style)
{
    float way[3];
    vector_add_scaled(to, -1, from, way);
    marks_line(marks, from, to, style);
    arrow_head(marks, way, to, style);
}

/* The unit vectors in the plane that faces the camera, at an angle from its right. */
static void facing(const Marks *marks, float angle, float direction[3])
{
    for (int i = 0; i < 3; i++)
        direction[i] = cosf(angle) * marks->camera.right[i] + sinf(angle) * marks->camera.up[i];
}

/* Five arrows beside each other in the wind's direction. */
static void mark_wind(Marks *marks, const BillowForce *force, float phase, const MarkStyle *style)
{
    const float *velocity = force->velocity, radius = force->radius;
    const float speed = sqrtf(vector_dot(velocity, velocity));
    const float x = vector_dot(velocity, marks->camera.right);
    const float y = vector_dot(velocity, marks->camera.up);
    float across[3], from[3], to[3];
    if (speed == 0)
        return;
    facing(marks, atan2f(x, -y), across);
    for (int lane = -2; lane <= 2; lane++) {
        const float half = (lane % 2 == 0 ? 0.6f : 0.8f) * radius;
        const float at = (phase - 0.5f) * 0.3f * radius;
        vector_add_scaled(force->center, 0.35f * (float)lane * radius, across, from);
        vector_add_scaled(from, (at + half) / speed, velocity, to);
        vector_add_scaled(from, (at - half) / speed, velocity, from);
        arrow(marks, from, to, style);
    }
}

/* A circle around the axis, with heads of arrows in the sense of the turn. */
static void mark_vortex(Marks *marks, const BillowForce *force, float phase, const MarkStyle *style)
{
    const float length = sqrtf(vector_dot(force->velocity, force->velocity));
    float axis[3], u[3], v[3];
    if (length == 0)
        return;
    const float turn = force->strength < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        axis[i] = turn * force->velocity[i] / length;
    const float other[3] = {fabsf(axis[0]) < 0.7f, fabsf(axis[0]) >= 0.7f, 0};
    for (int i = 0; i < 3; i++) /* axis x other */
        u[i] = axis[(i + 1) % 3] * other[(i + 2) % 3] - axis[(i + 2) % 3] * other[(i + 1) % 3];
    const float across = sqrtf(vector_dot(u, u));
    for (int i = 0; i < 3; i++)
        u[i] *= force->radius / across;
    for (int i = 0; i < 3; i++) /* from u to v is the sense of the turn around the axis */
        v[i] = axis[(i + 1) % 3] * u[(i + 2) % 3] - axis[(i + 2) % 3] * u[(i + 1) % 3];
    marks_circle(marks, force->center, u, v, style);
    for (int head = 0; head < 4; head++) {
        const float angle = 2 * PI * ((float)head + phase) / 4;
        float way[3], tip[3];
        for (int i = 0; i < 3; i++) {
            tip[i] = force->center[i] + cosf(angle) * u[i] + sinf(angle) * v[i];
            way[i] = -sinf(angle) * u[i] + cosf(angle) * v[i];
        }
        arrow_head(marks, way, tip, style);
    }
}

/* A circle with arrows towards its middle, or away from there. */
static void mark_attractor(Marks *marks, const BillowForce *force, float phase,
                           const MarkStyle *style)
{
    const float radius = force->radius;
    marks_ring(marks, force->center, radius, style);
    for (int a = 0; a < 8; a++) {
        const float out = (0.95f - 0.3f * phase) * radius, in = out - 0.35f * radius;
        const bool pulls = force->strength >= 0;
        float direction[3], from[3], to[3];
        facing(marks, 2 * PI * (float)a / 8, direction);
        vector_add_scaled(force->center, pulls ? out : in, direction, from);
        vector_add_scaled(force->center, pulls ? in : out, direction, to);
        arrow(marks, from, to, style);
    }
}

/* A circle with smaller ones in it, as eddies are. */
static void mark_turbulence(Marks *marks, const BillowForce *force, const MarkStyle *style)
{
    marks_ring(marks, force->center, force->radius, style);
    for (int eddy = 0; eddy < 3; eddy++) {
        float direction[3], middle[3];
        facing(marks, 2 * PI * ((float)eddy / 3 + 0.25f), direction);
        vector_add_scaled(force->center, 0.5f * force->radius, direction, middle);
        marks_ring(marks, middle, 0.3f * force->radius, style);
    }
}

void marks_force(Marks *marks, const BillowForce *force, float phase, const MarkStyle *style)
{
    if (!(force->radius > 0))
        return;
    switch (force->kind) {
    case BILLOW_WIND:
        mark_wind(marks, force, phase, style);
        break;
    case BILLOW_VORTEX:
        mark_vortex(marks, force, phase, style);
        break;
    case BILLOW_ATTRACTOR:
        mark_attractor(marks, force, phase, style);
        break;
    case BILLOW_TURBULENCE:
        mark_turbulence(marks, force, style);
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

/* Draws a line that rises in waves, as hot air shimmers. */
static void mark_shimmer(const float foot[3], float height, float phase, const MarkStyle *style,
                         Marks *marks)
{
    enum { PIECES = 8 };
    float before[3];
    for (int p = 0; p <= PIECES; p++) {
        const float share = (float)p / PIECES;
        float place[3];
        vector_add_scaled(foot, 0.16f * height * sinf(2 * PI * (1.5f * share - phase)),
                          marks->camera.right, place);
        place[1] += share * height;
        if (p > 0)
            add(marks, before, place, style);
        memcpy(before, place, sizeof before);
    }
}

/* Seconds in which the marks of a used brush come round, and in which a trail fades. */
#define ROUND_SECONDS 0.8
#define TRAIL_SECONDS 1.6

static float phase_of(double now)
{
    return (float)(now / ROUND_SECONDS - floor(now / ROUND_SECONDS));
}

/* Draws what the tool does to the fluid: how far it reaches, and in which sense. */
static void mark_tool(const Brush *brush, bool used, double now, const MarkStyle *style,
                      Marks *marks)
{
    const float radius = brush_radius(brush), phase = used ? phase_of(now) : 0;
    MarkStyle faint = *style;
    faint.color[3] *= used ? 1 : 0.55f;
    faint.flat = true;
    BillowForce force;
    if (brush->hand.tool == BRUSH_VORTEX && brush_force(brush, &force)) {
        marks_force(marks, &force, phase, &faint);
        force.radius *= 3; /* it turns the fluid there at 0.6 of its strength */
        faint.width *= 0.7f;
        marks_force(marks, &force, phase, &faint);
    } else if (brush->hand.tool == BRUSH_SUCK) {
        force = billow_default_force();
        force.kind = BILLOW_ATTRACTOR;
        force.radius = 2 * radius; /* it draws from outside its ball */
        force.strength = 1;
        memcpy(force.center, brush->place, sizeof force.center);
        marks_force(marks, &force, phase, &faint);
    } else if (brush->hand.tool == BRUSH_HEAT) {
        for (int line = -1; line <= 1; line++) {
            float foot[3];
            vector_add_scaled(brush->place, 0.6f * (float)line * radius, marks->camera.right, foot);
            mark_shimmer(foot, 1.6f * radius, phase + 0.3f * (float)line, &faint, marks);
        }
    }
}

void cursor_mark(const Brush *brush, bool used, double now, Marks *marks)
{
    MarkStyle style = {.color = {1, 1, 1, 0.95f}, .width = 2};
    if (!brush->over)
        return;
    brush_mark_color(&brush->hand, style.color);
    mark_ground(brush, brush_radius(brush), &style, marks);
    mark_ball(brush, brush_radius(brush), &style, marks);
    mark_tool(brush, used, now, &style, marks);
}

void brush_trail_follow(BrushTrail *trail, const Brush *brush, bool used, double now)
{
    const BrushTool tool = brush->hand.tool;
    int faded = trail->tool != tool ? trail->count : 0;
    trail->tool = tool;
    while (faded < trail->count && now - trail->times[faded] > TRAIL_SECONDS)
        faded++;
    trail->count -= faded;
    memmove(trail->places, &trail->places[faded], (size_t)trail->count * sizeof trail->places[0]);
    memmove(trail->times, &trail->times[faded], (size_t)trail->count * sizeof trail->times[0]);
    if (!used || !brush->over || (tool != BRUSH_HEAT && tool != BRUSH_FUEL))
        return;
    if (trail->count > 0) {
        float way[3];
        vector_add_scaled(brush->place, -1, trail->places[trail->count - 1], way);
        const bool near = vector_dot(way, way) < 0.36f * brush_radius(brush) * brush_radius(brush);
        if (near && now - trail->times[trail->count - 1] < 0.3)
            return;
    }
    if (trail->count == TRAIL_PLACES) {
        trail->count--;
        memmove(trail->places, &trail->places[1], sizeof trail->places - sizeof trail->places[0]);
        memmove(trail->times, &trail->times[1], sizeof trail->times - sizeof trail->times[0]);
    }
    memcpy(trail->places[trail->count], brush->place, sizeof brush->place);
    trail->times[trail->count++] = now;
}

void brush_trail_mark(const BrushTrail *trail, float radius, double now, Marks *marks)
{
    const BrushHand hand = {.tool = trail->tool};
    for (int p = 0; p < trail->count; p++) {
        const float age = (float)((now - trail->times[p]) / TRAIL_SECONDS);
        MarkStyle style = {.width = 2, .flat = true};
        float place[3];
        brush_mark_color(&hand, style.color);
        style.color[3] = 0.8f * vector_clamp(1 - age, 0, 1);
        memcpy(place, trail->places[p], sizeof place);
        if (trail->tool == BRUSH_HEAT) {
            place[1] += age * radius; /* hot air rises */
            mark_shimmer(place, radius, age + 0.3f * (float)p, &style, marks);
        } else {
            marks_ring(marks, place, (0.45f - 0.25f * age) * radius, &style);
        }
    }
}
