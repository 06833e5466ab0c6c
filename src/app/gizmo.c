/* SPDX-License-Identifier: MIT */
#include "app/gizmo.h"

#include "base/vec3.h"
#include "play/camera_control.h"
#include "scene/scene_timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREES 57.29577951f
/* Largest distance between the cursor and a handle at which a click takes the handle, points. */
#define REACH 14.0f
/* Radius of the sun's dome, as a share of the box's longest edge. */
#define DOME_SHARE 0.55f

typedef struct Dome {
    float center[3], radius;
} Dome;

static Dome dome_of(const Scene *scene)
{
    CameraControl box = camera_control_for(scene);
    Dome dome = {.radius = 0};
    for (int i = 0; i < 3; i++) {
        dome.center[i] = 0.5f * (box.low[i] + box.high[i]);
        dome.radius = fmaxf(dome.radius, DOME_SHARE * (box.high[i] - box.low[i]));
    }
    return dome;
}

/* Returns where the scene has the position of an entry. */
static float *center_of(Scene *scene, GizmoKind kind, int index)
{
    return kind == GIZMO_EMITTER ? scene->def.emitters[index].center
           : kind == GIZMO_SOLID ? scene->def.solids[index].center
           : kind == GIZMO_FORCE ? scene->def.forces[index].center
                                 : scene->render.lamps[index].position;
}

/* Finds the position of a handle. That of a solid is where the simulation has it. Returns false if
 * the entry has no handle. */
static bool place_of(const Scene *scene, const Marks *marks, GizmoKind kind, int index,
                     float place[3])
{
    const MarksScene *now = &marks->scene;
    const bool lives = kind == GIZMO_SOLID && index < now->solid_count;
    if (kind == GIZMO_SUN) {
        Dome dome = dome_of(scene);
        float direction[3];
        render_direction(scene->render.sun.azimuth, scene->render.sun.elevation, direction);
        vector_add_scaled(dome.center, dome.radius, direction, place);
        return true;
    }
    memcpy(place,
           lives ? now->solids[index].center : center_of((Scene *)scene /* read */, kind, index),
           3 * sizeof place[0]);
    return kind == GIZMO_SOLID   ? scene->def.solids[index].shape != BILLOW_PLANE
           : kind == GIZMO_FORCE ? scene->def.forces[index].radius > 0
                                 : true;
}

static int count_of(const Scene *scene, GizmoKind kind)
{
    return kind == GIZMO_EMITTER ? scene->def.emitter_count
           : kind == GIZMO_SOLID ? scene->def.solid_count
           : kind == GIZMO_FORCE ? scene->def.force_count
           : kind == GIZMO_LAMP  ? scene->render.lamp_count
                                 : scene->render.sun.intensity > 0;
}

bool gizmo_pick(Gizmo *gizmo, const Scene *scene, const Marks *marks, float x, float y)
{
    float least = REACH * marks->scale;
    gizmo->kind = GIZMO_NONE;
    for (int kind = GIZMO_EMITTER; kind <= GIZMO_SUN; kind++)
        for (int index = 0; index < count_of(scene, (GizmoKind)kind); index++) {
            float place[3], seen[2];
            if (!place_of(scene, marks, (GizmoKind)kind, index, place) ||
                !marks_place(marks, place, seen) || hypotf(seen[0] - x, seen[1] - y) >= least)
                continue;
            least = hypotf(seen[0] - x, seen[1] - y);
            *gizmo = (Gizmo){.kind = (GizmoKind)kind, .index = index};
            memcpy(gizmo->place, place, sizeof gizmo->place);
            memcpy(gizmo->forward, marks->camera.forward, sizeof gizmo->forward);
        }
    if (gizmo->kind == GIZMO_SUN) {
        Dome dome = dome_of(scene);
        float out[3], back[3];
        vector_add_scaled(gizmo->place, -1, dome.center, out);
        vector_add_scaled(gizmo->place, -1, marks->camera.origin, back);
        gizmo->behind = vector_dot(out, back) > 0;
    }
    return gizmo->kind != GIZMO_NONE;
}

void gizmo_key(const Gizmo *gizmo, char *text, size_t size)
{
    static const char *const keys[] = {[GIZMO_EMITTER] = "emitters",
                                       [GIZMO_SOLID] = "solids",
                                       [GIZMO_FORCE] = "forces",
                                       [GIZMO_LAMP] = "lamps"};
    if (gizmo->kind == GIZMO_SUN)
        snprintf(text, size, "sun.azimuth");
    else
        snprintf(text, size, "%s[%d].%s", keys[gizmo->kind], gizmo->index,
                 gizmo->kind == GIZMO_LAMP ? "position" : "center");
}

bool gizmo_led(const Gizmo *gizmo, const Scene *scene)
{
    char key[SCENE_TRACK_KEY];
    gizmo_key(gizmo, key, sizeof key);
    return scene_track_of(scene, key) >= 0 ||
           (gizmo->kind == GIZMO_SUN && scene_track_of(scene, "sun.elevation") >= 0);
}

/* Computes the unit vector `out` from the dome's centre c towards the sun: the ray o + t d meets
 * the dome at |o + t d - c| = r, on the half of the dome that the sun is on. If the ray misses the
 * dome, `out` points to the nearest point of the dome's outline. */
static void follow_dome(Gizmo *gizmo, const BrushRay *ray, const Dome *dome, float out[3])
{
    float offset[3];
    vector_add_scaled(ray->origin, -1, dome->center, offset);
    float along = -vector_dot(offset, ray->direction);
    float square = dome->radius * dome->radius - vector_dot(offset, offset) + along * along;
    if (square >= 0 && gizmo->edge)
        gizmo->behind = !gizmo->behind;
    gizmo->edge = square < 0;
    float half = sqrtf(fmaxf(square, 0));
    vector_add_scaled(offset, along + (gizmo->behind ? half : -half), ray->direction, out);
    float length = sqrtf(vector_dot(out, out));
    for (int i = 0; i < 3; i++)
        out[i] /= fmaxf(length, 1e-6f);
}

bool gizmo_follow(Gizmo *gizmo, const BrushRay *ray, Scene *scene)
{
    CameraControl box = camera_control_for(scene);
    float place[3];
    if (gizmo->kind == GIZMO_SUN) {
        Dome dome = dome_of(scene);
        follow_dome(gizmo, ray, &dome, place);
        scene->render.sun.azimuth = atan2f(place[0], place[2]) * DEGREES;
        scene->render.sun.elevation = asinf(vector_clamp(place[1], -1, 1)) * DEGREES;
        return true;
    }
    float depth = brush_plane_depth(ray, gizmo->place, gizmo->forward);
    if (depth <= 0)
        return false;
    vector_add_scaled(ray->origin, depth, ray->direction, place);
    for (int i = 0; i < 3; i++) {
        float length = box.high[i] - box.low[i], out = gizmo->kind == GIZMO_LAMP ? 3 * length : 0;
        place[i] = vector_clamp(place[i], box.low[i] - out, box.high[i] + out);
    }
    memcpy(center_of(scene, gizmo->kind, gizmo->index), place, sizeof place);
    return true;
}

/* -- drawing */

/* Draws a ring that faces the camera, with `rays` short lines around it. */
static void mark_handle(const float place[3], float points, int rays, const MarkStyle *style,
                        Marks *marks)
{
    const Camera *camera = &marks->camera;
    float radius = points * marks_point(marks, place), u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = radius * camera->right[i];
        v[i] = radius * camera->up[i];
    }
    marks_ring(marks, place, radius, style);
    for (int ray = 0; ray < rays; ray++) {
        float angle = 6.28318531f * (float)ray / (float)rays, from[3], to[3];
        for (int i = 0; i < 3; i++) {
            float out = cosf(angle) * u[i] + sinf(angle) * v[i];
            from[i] = place[i] + 1.4f * out;
            to[i] = place[i] + 2 * out;
        }
        marks_line(marks, from, to, style);
    }
}

static bool is_hot(const Gizmo *hot, GizmoKind kind, int index)
{
    return hot->kind == kind && hot->index == index;
}

static MarkStyle handle_style(bool hot, const float color[3])
{
    MarkStyle style = {.color = {color[0], color[1], color[2], hot ? 1 : 0.85f},
                       .width = hot ? 3 : 2,
                       .flat = true};
    return style;
}

/* Draws the sun's handle and a line from it to the middle of the box. If the handle is hot, also
 * draws the dome's horizon and the meridian through the sun. */
static void mark_sun(const Scene *scene, const Gizmo *hot, Marks *marks)
{
    const float yellow[3] = {1, 0.88f, 0.35f};
    Dome dome = dome_of(scene);
    float place[3], direction[3];
    place_of(scene, marks, GIZMO_SUN, 0, place);
    render_direction(scene->render.sun.azimuth, 0, direction);
    const float up[3] = {0, dome.radius, 0};
    const float x[3] = {dome.radius, 0, 0}, z[3] = {0, 0, dome.radius};
    float towards[3] = {dome.radius * direction[0], 0, dome.radius * direction[2]};
    bool taken = is_hot(hot, GIZMO_SUN, 0);
    MarkStyle style = handle_style(taken, yellow), faint = style;
    mark_handle(place, 8, 8, &style, marks);
    faint.flat = false;
    faint.color[3] *= 0.5f;
    faint.width = 1.2f;
    marks_line(marks, place, dome.center, &faint);
    if (!taken)
        return;
    marks_circle(marks, dome.center, x, z, &faint);
    marks_arc(marks, dome.center, towards, up, 0, 3.14159265f, &faint);
}

/* Draws the outlines of solids and forces, which have their handles at their centres. */
static void mark_bodies(const Scene *scene, const Gizmo *hot, Marks *marks)
{
    const float steel[3] = {0.75f, 0.85f, 1}, mint[3] = {0.5f, 0.95f, 0.8f};
    float place[3];
    for (int s = 0; s < scene->def.solid_count; s++) {
        if (!place_of(scene, marks, GIZMO_SOLID, s, place))
            continue;
        const MarkStyle style = handle_style(is_hot(hot, GIZMO_SOLID, s), steel);
        mark_handle(place, 5, 0, &style, marks);
    }
    for (int f = 0; f < scene->def.force_count; f++) {
        if (!place_of(scene, marks, GIZMO_FORCE, f, place))
            continue;
        MarkStyle style = handle_style(is_hot(hot, GIZMO_FORCE, f), mint), outline = style;
        mark_handle(place, 5, 0, &style, marks);
        outline.flat = false;
        outline.width *= 0.7f;
        marks_force(marks, &scene->def.forces[f], 0, &outline);
    }
}

void gizmo_mark(const Scene *scene, const Gizmo *hot, Marks *marks)
{
    const float amber[3] = {1, 0.65f, 0.2f};
    for (int e = 0; e < scene->def.emitter_count; e++) {
        bool taken = is_hot(hot, GIZMO_EMITTER, e);
        MarkStyle style = handle_style(taken, amber), outline = style;
        mark_handle(scene->def.emitters[e].center, 5, 0, &style, marks);
        outline.flat = false;
        outline.width *= 0.7f;
        marks_outline(marks, &scene->def.emitters[e], &outline);
    }
    mark_bodies(scene, hot, marks);
    for (int l = 0; l < scene->render.lamp_count; l++) {
        const RenderLamp *lamp = &scene->render.lamps[l];
        float most = fmaxf(fmaxf(lamp->color[0], lamp->color[1]), fmaxf(lamp->color[2], 1e-6f));
        float color[3];
        for (int c = 0; c < 3; c++)
            color[c] = 0.4f + 0.6f * lamp->color[c] / most;
        MarkStyle style = handle_style(is_hot(hot, GIZMO_LAMP, l), color);
        mark_handle(lamp->position, 6, 6, &style, marks);
    }
    if (count_of(scene, GIZMO_SUN) > 0)
        mark_sun(scene, hot, marks);
}
