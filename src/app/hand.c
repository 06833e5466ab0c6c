/* SPDX-License-Identifier: MIT */
#include "input.h"

#include "panel.h"
#include "vector.h"
#include <math.h>
#include <string.h>

/* Factors of the brush's size and strength per key press. */
#define SIZE_STEP     1.189207115f /* four presses double the size */
#define STRENGTH_STEP 1.414213562f
/* Distance between two detonations of a stroke, in radii of the brush. */
#define DETONATION_GAP 3.0f
/* Distance in points that the cursor must move before a handle follows, so that a click is not a
 * drag. */
#define HANDLE_SLACK 3.0f

/* Distance along the ray to a solid, minus half the brush's radius, m; INFINITY: no solid. */
static float solid_ahead(const Session *session, const BrushRay *ray)
{
    const SimSnapshot *snapshot = session->snapshot;
    const Brush *brush = &session->world.brush;
    float distance;
    int solid;
    if (snapshot == NULL ||
        !grab_meet(brush, ray, snapshot->solids, snapshot->solid_count, &solid, &distance))
        return INFINITY;
    return distance - 0.5f * brush_radius(brush);
}

static void hover(Session *session, const BrushRay *ray)
{
    const SimSnapshot *snapshot = session->snapshot;
    brush_hover(&session->world.brush, ray, snapshot != NULL ? &snapshot->view : NULL,
                solid_ahead(session, ray));
}

/* Grabs the solid at the cursor. Returns false if there is none or the timeline moves it. */
static bool take_solid(Session *session, const BrushRay *ray)
{
    const SimSnapshot *snapshot = session->snapshot;
    const World *world = &session->world;
    Grab *grab = &session->hand.grab;
    if (snapshot == NULL ||
        !grab_pick(grab, &world->brush, ray, snapshot->solids, snapshot->solid_count))
        return false;
    if (!scene_leads_solid(&world->scene, grab->solid))
        return true;
    session_say(session, "solids[%d] cannot be moved: the scene's timeline sets its position",
                grab->solid);
    return false;
}

static bool over_handle(Session *session)
{
    float scale = window_pixels_per_point(&session->window);
    return session->hand.handles && !session->attract.show.playing &&
           gizmo_pick(&session->hand.gizmo, &session->world.scene, &session->marks,
                      session->hand.x / scale, session->hand.y / scale);
}

/* Takes the handle at the cursor. Returns false if there is none. If the timeline moves the handle,
 * a message says so and nothing is taken; the function still returns true, because the click must
 * have no other effect. */
static bool take_handle(Session *session)
{
    char key[SCENE_TRACK_KEY];
    if (!over_handle(session))
        return false;
    session->hand.drag = DRAG_GIZMO;
    session->hand.handle_follows = false;
    session->hand.press_x = session->hand.x;
    session->hand.press_y = session->hand.y;
    if (!gizmo_led(&session->hand.gizmo, &session->world.scene))
        return true;
    gizmo_key(&session->hand.gizmo, key, sizeof key);
    session_say(session, "%s cannot be moved: the scene's timeline sets its position", key);
    session->hand.drag = DRAG_NONE;
    return true;
}

/* Moves the handle to the cursor. If the editor refuses the change, the handle stays and a message
 * gives the reason. The whole drag is one step of undo. */
static void drag_handle(Session *session, const BrushRay *ray)
{
    Scene changed = *panel_scene(session->panel);
    float slack = HANDLE_SLACK * window_pixels_per_point(&session->window);
    if (fabsf(session->hand.x - session->hand.press_x) +
            fabsf(session->hand.y - session->hand.press_y) >
        slack)
        session->hand.handle_follows = true;
    if (session->hand.moved && session->hand.handle_follows && !session->world.changing &&
        gizmo_follow(&session->hand.gizmo, ray, &changed))
        panel_change(session, &changed);
}

static void set_off(Session *session)
{
    World *world = &session->world;
    BillowEmitter detonation = brush_detonation(&world->brush, &world->scene.detonation);
    memcpy(session->hand.detonated, world->brush.place, sizeof session->hand.detonated);
    sim_thread_send(world->sim, &(SimCommand){SIM_DETONATE, .emitter = detonation});
}

void hand_press(Session *session)
{
    World *world = &session->world;
    Brush *brush = &world->brush;
    if (take_handle(session))
        return;
    session->hand.drag = DRAG_BRUSH;
    if (world->sim == NULL)
        return;
    BrushRay ray = session_cursor_ray(session);
    if (take_solid(session, &ray)) {
        session->hand.drag = DRAG_SOLID;
        return;
    }
    hover(session, &ray);
    brush_press(brush, &ray, session->now);
    if (!brush->over)
        return;
    BillowEmitter touch;
    BillowForce force;
    if (brush_emitter(brush, &touch))
        sim_thread_send(world->sim, &(SimCommand){SIM_BRUSH, .emitter = touch});
    if (brush_force(brush, &force))
        sim_thread_send(world->sim, &(SimCommand){SIM_PUSH, .force = force});
    if (brush->hand.tool == BRUSH_DETONATE)
        set_off(session);
}

void hand_release(Session *session)
{
    SimThread *sim = session->world.sim;
    if (session->hand.drag == DRAG_BRUSH) {
        hand_move(session);
        if (sim != NULL)
            sim_thread_send(sim, &(SimCommand){.kind = SIM_BRUSH_END});
    }
    if (session->hand.drag == DRAG_SOLID && sim != NULL)
        sim_thread_send(sim, &(SimCommand){.kind = SIM_LET_GO});
    if (session->hand.drag == DRAG_GIZMO) {
        hand_move(session);
        panel_change_done(session->panel);
    }
    session->hand.drag = DRAG_NONE;
}

static void stroke(Session *session, const BrushRay *ray)
{
    World *world = &session->world;
    Brush *brush = &world->brush;
    BillowEmitter touches[BRUSH_TOUCHES_MAX];
    BillowForce force;
    int count = brush_stroke(brush, ray, session->now, touches);
    for (int i = 0; i < count; i++)
        sim_thread_send(world->sim, &(SimCommand){SIM_BRUSH, .emitter = touches[i]});
    if (brush_force(brush, &force))
        sim_thread_send(world->sim, &(SimCommand){SIM_PUSH, .force = force});
    float way[3];
    vector_add_scaled(brush->place, -1, session->hand.detonated, way);
    if (brush->hand.tool == BRUSH_DETONATE && brush->over &&
        sqrtf(vector_dot(way, way)) > DETONATION_GAP * brush_radius(brush))
        set_off(session);
}

static void grab_solid(SimThread *sim, int solid, const float center[3])
{
    sim_thread_send(sim,
                    &(SimCommand){SIM_GRAB, .grab = {solid, {center[0], center[1], center[2]}}});
}

void hand_move(Session *session)
{
    World *world = &session->world;
    Brush *brush = &world->brush;
    bool turning = session->hand.drag == DRAG_ORBIT || session->hand.drag == DRAG_PAN;
    if (turning || world->sim == NULL) {
        brush_leave(brush);
        return;
    }
    BrushRay ray = session_cursor_ray(session);
    if (session->hand.drag == DRAG_SOLID) {
        float center[3];
        brush_leave(brush);
        if (grab_follow(&session->hand.grab, brush, &ray, center))
            grab_solid(world->sim, session->hand.grab.solid, center);
    } else if (session->hand.drag == DRAG_GIZMO) {
        brush_leave(brush);
        drag_handle(session, &ray);
    } else if (session->hand.drag == DRAG_BRUSH) {
        stroke(session, &ray);
    } else if (session->hand.moved && session->hand.inside) {
        hover(session, &ray);
        if (over_handle(session))
            brush_leave(brush);
    }
    session->hand.moved = false;
}

void hand_deepen(Session *session, float notches)
{
    Brush *brush = &session->world.brush;
    if (session->hand.drag == DRAG_SOLID) {
        grab_deepen(&session->hand.grab, brush, notches);
        return;
    }
    BrushRay ray = session_cursor_ray(session);
    brush_deepen(brush, &ray, notches);
    if (brush->deeper != 0.0f)
        session_say(session, "the brush is %.2g m %s where the cursor meets the smoke",
                    (double)fabsf(brush->deeper), brush->deeper > 0 ? "behind" : "before");
    else
        session_say(session, "the brush is where the cursor meets the smoke");
}

static void say_brush(Session *session)
{
    char words[FIGURE_LENGTH];
    brush_words(&session->world.brush, words, sizeof words);
    session_say(session, "%s", words);
}

void hand_next_tool(Session *session, int steps)
{
    Brush *brush = &session->world.brush;
    char words[FIGURE_LENGTH], skipped[160] = "";
    const char *missing;
    for (;;) {
        brush->hand.tool = (BrushTool)(((int)brush->hand.tool + steps + BRUSH_TOOLS) % BRUSH_TOOLS);
        missing = brush_tool_missing(&brush->medium, brush->hand.tool);
        if (missing == NULL)
            break;
        size_t used = strlen(skipped);
        snprintf(skipped + used, sizeof skipped - used, "; no %s: %s",
                 brush_tool_name(brush->hand.tool), missing);
    }
    brush_words(brush, words, sizeof words);
    session_say(session, "%s%s", words, skipped);
}

void hand_next_color(Session *session, int steps)
{
    Brush *brush = &session->world.brush;
    const char *missing = brush_tool_missing(&brush->medium, BRUSH_COLOR);
    if (missing != NULL) {
        session_say(session, "%s", missing);
        return;
    }
    if (brush->hand.tool == BRUSH_COLOR)
        brush->hand.color = (brush->hand.color + steps + BRUSH_COLORS) % BRUSH_COLORS;
    brush->hand.tool = BRUSH_COLOR;
    say_brush(session);
}

void hand_resize(Session *session, int steps)
{
    BrushHand *hand = &session->world.brush.hand;
    hand->size = vector_clamp(hand->size * powf(SIZE_STEP, (float)steps), 0.25f, 4);
    say_brush(session);
}

void hand_strengthen(Session *session, int steps)
{
    BrushHand *hand = &session->world.brush.hand;
    hand->strength = vector_clamp(hand->strength * powf(STRENGTH_STEP, (float)steps), 0.125f, 8);
    say_brush(session);
}

void hand_toggle_handles(Session *session, int argument)
{
    (void)argument;
    session->hand.handles = !session->hand.handles;
    session->hand.gizmo.kind = GIZMO_NONE;
    session->hand.moved = session->hand.inside;
    session_say(session, session->hand.handles ? "handles on emitters, lamps and the sun: drag them"
                                               : "no handles");
}
