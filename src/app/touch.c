/* SPDX-License-Identifier: MIT */
#include "touch.h"

#include "hand.h"
#include "session.h"
#include "vector.h"
#include <math.h>

/* Seconds in which more fingers may follow the first, and the share of the window's height by which
 * that is no longer waited for. */
#define PATIENCE 0.12
#define STIR     0.015f
/* A pen's lightest touch still brushes so strongly. */
#define PRESSURE_LEAST 0.1f
#define ZOOM_BASE      1.136f /* by which a notch of the wheel goes nearer */

typedef struct Spread {
    float x, y, size; /* shares of the window's height */
} Spread;

static Spread spread_of(const Session *session, const Touch *touch)
{
    float aspect = (float)session->window.width / (float)session->window.height;
    Spread spread = {0};
    for (int f = 0; f < touch->count; f++) {
        spread.x += touch->fingers[f].x * aspect / (float)touch->count;
        spread.y += touch->fingers[f].y / (float)touch->count;
    }
    for (int f = 0; f < touch->count; f++)
        spread.size +=
            hypotf(touch->fingers[f].x * aspect - spread.x, touch->fingers[f].y - spread.y);
    return spread;
}

static int find(const Touch *touch, SDL_FingerID id)
{
    for (int f = 0; f < touch->count; f++)
        if (touch->fingers[f].id == id)
            return f;
    return -1;
}

static void point_at(Session *session, const SDL_TouchFingerEvent *event)
{
    session->cursor_x = event->x * (float)session->window.width;
    session->cursor_y = event->y * (float)session->window.height;
    session->cursor_inside = session->cursor_moved = true;
    /* Devices that know no pressure say 0 or 1. */
    session->world.brush.pressure =
        event->pressure > 0 ? vector_clamp(event->pressure, PRESSURE_LEAST, 1) : 1;
}

/* Where the panel does not have it. */
static void press(Session *session)
{
    session->touch.waits = false;
    if (session->drag == DRAG_NONE && (session->gui == NULL || !gui_hovered(session->gui)))
        hand_press(session);
}

static void land(Session *session, const SDL_TouchFingerEvent *event)
{
    Touch *touch = &session->touch;
    if (touch->count == TOUCH_FINGERS || find(touch, event->fingerId) >= 0)
        return;
    touch->fingers[touch->count++] = (TouchFinger){event->fingerId, event->x, event->y};
    if (touch->count == 1) {
        touch->waits = true;
        touch->since = session->now;
        Spread landed = spread_of(session, touch);
        touch->x = landed.x;
        touch->y = landed.y;
        point_at(session, event);
        return;
    }
    touch->waits = false;
    if (session->drag != DRAG_NONE)
        hand_release(session);
    session->cursor_inside = false;
    brush_leave(&session->world.brush);
}

static void gesture(Session *session, const Spread *before, const Spread *after)
{
    World *world = &session->world;
    RenderCamera *camera = &world->render.camera;
    float dx = after->x - before->x, dy = after->y - before->y;
    if (session->touch.count == 2) {
        camera_control_orbit(&world->camera_control, camera, dx, dy);
        if (before->size > 1e-3f && after->size > 1e-3f)
            camera_control_zoom(&world->camera_control, camera,
                                logf(after->size / before->size) / logf(ZOOM_BASE));
    } else {
        camera_control_pan(&world->camera_control, camera, dx, dy);
    }
    session->redraw = true;
}

static void glide(Session *session, const SDL_TouchFingerEvent *event)
{
    Touch *touch = &session->touch;
    int finger = find(touch, event->fingerId);
    if (finger < 0)
        return;
    Spread before = spread_of(session, touch);
    touch->fingers[finger].x = event->x;
    touch->fingers[finger].y = event->y;
    Spread after = spread_of(session, touch);
    if (touch->count > 1) {
        gesture(session, &before, &after);
        return;
    }
    if (touch->waits && hypotf(after.x - touch->x, after.y - touch->y) > STIR)
        press(session); /* where it landed; then it moves */
    point_at(session, event);
}

static void lift(Session *session, const SDL_TouchFingerEvent *event)
{
    Touch *touch = &session->touch;
    int finger = find(touch, event->fingerId);
    if (finger < 0)
        return;
    if (touch->waits)
        press(session); /* a tap */
    if (touch->count == 1) {
        if (session->drag != DRAG_NONE)
            hand_release(session);
        session->cursor_inside = false;
        session->world.brush.pressure = 1;
        brush_leave(&session->world.brush);
    }
    touch->fingers[finger] = touch->fingers[--touch->count];
}

void touch_handle(Session *session, const SDL_TouchFingerEvent *event)
{
    session->touched = true;
    if (event->type == SDL_FINGERDOWN)
        land(session, event);
    else if (event->type == SDL_FINGERMOTION)
        glide(session, event);
    else
        lift(session, event);
}

void touch_turn(Session *session)
{
    if (session->touch.waits && session->now - session->touch.since > PATIENCE)
        press(session);
}
