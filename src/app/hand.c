/* SPDX-License-Identifier: MIT */
#include "app/input.h"

#include "app/panel.h"
#include "base/vec3.h"
#include <math.h>
#include <string.h>

/* Distance in points that the cursor must move before a handle follows, so that a click is not a
 * drag. */
#define HANDLE_SLACK 3.0f

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
    session->hand.stroke.drag = DRAG_GIZMO;
    session->hand.handle_follows = false;
    session->hand.press_x = session->hand.x;
    session->hand.press_y = session->hand.y;
    if (!gizmo_led(&session->hand.gizmo, &session->world.scene))
        return true;
    gizmo_key(&session->hand.gizmo, key, sizeof key);
    session_say(session, "%s cannot be moved: the scene's timeline sets its position", key);
    session->hand.stroke.drag = DRAG_NONE;
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

void hand_press(Session *session)
{
    World *world = &session->world;
    Stroke *stroke = &session->hand.stroke;
    if (take_handle(session))
        return;
    BrushRay ray = session_cursor_ray(session);
    int led = stroke_press(stroke, world, session->snapshot, &ray, session->now);
    if (led >= 0)
        session_say(session, "solids[%d] cannot be moved: the scene's timeline sets its position",
                    led);
}

void hand_release(Session *session)
{
    Drag drag = session->hand.stroke.drag;
    if (drag == DRAG_BRUSH || drag == DRAG_GIZMO)
        hand_move(session);
    stroke_release(&session->hand.stroke, &session->world);
    if (drag == DRAG_GIZMO)
        panel_change_done(session->panel);
}

void hand_move(Session *session)
{
    World *world = &session->world;
    Stroke *stroke = &session->hand.stroke;
    bool hovers = world->sim != NULL && stroke->drag == DRAG_NONE;
    bool moved = session->hand.moved && session->hand.inside;
    BrushRay ray = session_cursor_ray(session);
    if (moved || !hovers)
        stroke_follow(stroke, world, session->snapshot, &ray, session->now);
    if (world->sim != NULL && stroke->drag == DRAG_GIZMO)
        drag_handle(session, &ray);
    else if (hovers && moved && over_handle(session))
        brush_leave(&world->brush);
    session->hand.moved = false;
}

void hand_deepen(Session *session, float notches)
{
    const Brush *brush = &session->world.brush;
    BrushRay ray = session_cursor_ray(session);
    stroke_deepen(&session->hand.stroke, &session->world, &ray, notches);
    if (session->hand.stroke.drag == DRAG_SOLID)
        return;
    if (brush->deeper != 0.0f)
        session_say(session, "the brush is %.2g m %s where the cursor meets the smoke",
                    (double)fabsf(brush->deeper), brush->deeper > 0 ? "behind" : "before");
    else
        session_say(session, "the brush is where the cursor meets the smoke");
}

static void say_brush(Session *session, const char *refused)
{
    char words[FIGURE_LENGTH];
    brush_words(&session->world.brush, words, sizeof words);
    session_say(session, "%s%s", words, refused);
}

void hand_next_tool(Session *session, int steps)
{
    char refused[160];
    brush_next_tool(&session->world.brush, steps, refused, sizeof refused);
    say_brush(session, refused);
}

void hand_next_color(Session *session, int steps)
{
    const char *missing = brush_next_color(&session->world.brush, steps);
    if (missing != NULL)
        session_say(session, "%s", missing);
    else
        say_brush(session, "");
}

void hand_resize(Session *session, int steps)
{
    brush_resize(&session->world.brush, steps);
    say_brush(session, "");
}

void hand_strengthen(Session *session, int steps)
{
    brush_strengthen(&session->world.brush, steps);
    say_brush(session, "");
}

void hand_toggle_handles(Session *session)
{
    session->hand.handles = !session->hand.handles;
    session->hand.gizmo.kind = GIZMO_NONE;
    session->hand.moved = session->hand.inside;
    session_say(session, session->hand.handles ? "handles on emitters, lamps and the sun: drag them"
                                               : "no handles");
}
