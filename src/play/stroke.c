/* SPDX-License-Identifier: MIT */
#include "play/stroke.h"

#include "base/vec3.h"
#include "play/camera_control.h"
#include <math.h>
#include <string.h>

/* -- dragging a solid -------------------------------------------------------------------------- */

/* Share of the distance to the nearest surface by which one step along the ray advances. It is
 * below 1, because the distance in a volume may be slightly too large. */
#define STEP_SHARE 0.8f
/* TOUCH: distance from a surface at which the ray counts as meeting it, as a share of the box's
 * longest edge. PLACES_MAX: largest number of steps along the ray. */
#define TOUCH      1e-4f
#define PLACES_MAX 1000

static float nearest(const BillowSolid *solids, int count, const float place[3], int *solid)
{
    const double point[3] = {(double)place[0], (double)place[1], (double)place[2]};
    double least = HUGE_VAL;
    for (int s = 0; s < count; s++) {
        if (solids[s].shape == BILLOW_VOLUME && solids[s].volume->next != NULL)
            continue; /* the simulation changes its samples meanwhile, and files move it */
        double distance = billow_solid_distance(&solids[s], point);
        if (distance < least) {
            least = distance;
            *solid = s;
        }
    }
    return (float)least;
}

bool grab_meet(const Brush *brush, const BrushRay *ray, const BillowSolid *solids, int count,
               int *solid, float *distance)
{
    float enter, leave, longest = 0;
    if (count == 0 || !brush_clip(brush, ray, &enter, &leave))
        return false;
    for (int i = 0; i < 3; i++)
        longest = fmaxf(longest, brush->high[i] - brush->low[i]);
    float t = enter;
    for (int step = 0; step < PLACES_MAX && t <= leave; step++) {
        float place[3];
        vector_add_scaled(ray->origin, t, ray->direction, place);
        float gap = nearest(solids, count, place, solid);
        *distance = t;
        if (gap <= TOUCH * longest)
            return true;
        t += STEP_SHARE * gap;
    }
    return false;
}

bool grab_pick(Grab *grab, const Brush *brush, const BrushRay *ray, const BillowSolid *solids,
               int count)
{
    float distance;
    if (!grab_meet(brush, ray, solids, count, &grab->solid, &distance))
        return false;
    const BillowSolid *solid = &solids[grab->solid];
    vector_add_scaled(ray->origin, distance, ray->direction, grab->taken);
    vector_add_scaled(solid->center, -1, grab->taken, grab->offset);
    camera_control_forward(ray->camera, grab->forward);
    return solid->shape != BILLOW_PLANE;
}

bool grab_follow(const Grab *grab, const Brush *brush, const BrushRay *ray, float center[3])
{
    float depth = brush_plane_depth(ray, grab->taken, grab->forward);
    if (depth <= 0)
        return false;
    vector_add_scaled(ray->origin, depth, ray->direction, center);
    for (int i = 0; i < 3; i++)
        center[i] = vector_clamp(center[i] + grab->offset[i], brush->low[i], brush->high[i]);
    return true;
}

/* -- the pointer ------------------------------------------------------------------------------- */

/* Distance between two detonations of a stroke, in radii of the brush. */
#define DETONATION_GAP 3.0f

/* Distance along the ray to a solid, minus half the brush's radius, m; INFINITY: no solid. */
static float solid_ahead(const Brush *brush, const SimSnapshot *snapshot, const BrushRay *ray)
{
    float distance;
    int solid;
    if (snapshot == NULL ||
        !grab_meet(brush, ray, snapshot->solids, snapshot->solid_count, &solid, &distance))
        return INFINITY;
    return distance - 0.5f * brush_radius(brush);
}

static void hover(World *world, const SimSnapshot *snapshot, const BrushRay *ray)
{
    brush_hover(&world->brush, ray, snapshot != NULL ? &snapshot->view : NULL,
                solid_ahead(&world->brush, snapshot, ray));
}

void stroke_detonate(Stroke *stroke, World *world)
{
    BillowEmitter detonation = brush_detonation(&world->brush, &world->scene.detonation);
    memcpy(stroke->detonated, world->brush.place, sizeof stroke->detonated);
    world_send(world, &(SimCommand){SIM_DETONATE, .emitter = detonation});
}

static void push(World *world)
{
    BillowForce force;
    if (brush_force(&world->brush, &force))
        world_send(world, &(SimCommand){SIM_PUSH, .force = force});
}

int stroke_press(Stroke *stroke, World *world, const SimSnapshot *snapshot, const BrushRay *ray,
                 double time)
{
    Brush *brush = &world->brush;
    BillowEmitter touch;
    int led = -1;
    if (world->sim == NULL)
        return led;
    stroke->drag = DRAG_BRUSH;
    if (snapshot != NULL &&
        grab_pick(&stroke->grab, brush, ray, snapshot->solids, snapshot->solid_count)) {
        if (!scene_leads_solid(&world->scene, stroke->grab.solid)) {
            stroke->drag = DRAG_SOLID;
            return -1;
        }
        led = stroke->grab.solid;
    }
    hover(world, snapshot, ray);
    brush_press(brush, ray, time);
    if (!brush->over)
        return led;
    if (brush_emitter(brush, &touch))
        world_send(world, &(SimCommand){SIM_BRUSH, .emitter = touch});
    push(world);
    if (brush_detonates(brush))
        stroke_detonate(stroke, world);
    return led;
}

static void drag_brush(Stroke *stroke, World *world, const BrushRay *ray, double time)
{
    Brush *brush = &world->brush;
    BillowEmitter touches[BRUSH_TOUCHES_MAX];
    float way[3];
    int count = brush_stroke(brush, ray, time, touches);
    for (int i = 0; i < count; i++)
        world_send(world, &(SimCommand){SIM_BRUSH, .emitter = touches[i]});
    push(world);
    vector_add_scaled(brush->place, -1, stroke->detonated, way);
    if (brush_detonates(brush) && brush->over &&
        sqrtf(vector_dot(way, way)) > DETONATION_GAP * brush_radius(brush))
        stroke_detonate(stroke, world);
}

void stroke_follow(Stroke *stroke, World *world, const SimSnapshot *snapshot, const BrushRay *ray,
                   double time)
{
    if (world->sim != NULL && stroke->drag == DRAG_NONE)
        hover(world, snapshot, ray);
    else if (world->sim != NULL && stroke->drag == DRAG_BRUSH)
        drag_brush(stroke, world, ray, time);
    else
        brush_leave(&world->brush);
    SimCommand grab = {SIM_GRAB, .grab = {.solid = stroke->grab.solid}};
    if (world->sim != NULL && stroke->drag == DRAG_SOLID &&
        grab_follow(&stroke->grab, &world->brush, ray, grab.grab.center))
        world_send(world, &grab);
}

bool stroke_turn(const Stroke *stroke, World *world, float dx, float dy)
{
    if (stroke->drag == DRAG_ORBIT)
        camera_control_orbit(&world->camera_control, &world->render.camera, dx, dy);
    else if (stroke->drag == DRAG_PAN)
        camera_control_pan(&world->camera_control, &world->render.camera, dx, dy);
    return stroke->drag == DRAG_ORBIT || stroke->drag == DRAG_PAN;
}

bool stroke_works(const Stroke *stroke)
{
    return stroke->drag == DRAG_BRUSH || stroke->drag == DRAG_SOLID;
}

void stroke_deepen(Stroke *stroke, World *world, const BrushRay *ray, float notches)
{
    Grab *grab = &stroke->grab;
    if (stroke->drag == DRAG_SOLID)
        vector_add_scaled(grab->taken, brush_notch(&world->brush) * notches, grab->forward,
                          grab->taken);
    else
        brush_deepen(&world->brush, ray, notches);
}

void stroke_release(Stroke *stroke, World *world)
{
    if (stroke_works(stroke))
        world_send(world,
                   &(SimCommand){.kind = stroke->drag == DRAG_BRUSH ? SIM_BRUSH_END : SIM_LET_GO});
    stroke->drag = DRAG_NONE;
}
