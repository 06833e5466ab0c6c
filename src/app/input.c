/* SPDX-License-Identifier: MIT */
#include "input.h"

#include "hand.h"
#include "help.h"
#include "keys.h"
#include "panel.h"
#include "touch.h"

static void handle_key(Session *session, const SDL_KeyboardEvent *event)
{
    if (!event->repeat)
        session->touched = true;
    keys_press(session, event);
}

static void move_cursor(Session *session, int x, int y)
{
    float scale = window_pixels_per_point(&session->window);
    session->cursor_x = (float)x * scale;
    session->cursor_y = (float)y * scale;
    session->cursor_inside = true;
    session->cursor_moved = true;
}

static void handle_motion(Session *session, const SDL_MouseMotionEvent *event)
{
    float height = (float)session->window.point_height;
    float dx = (float)event->xrel / height, dy = (float)event->yrel / height;
    World *world = &session->world;
    move_cursor(session, event->x, event->y);
    if (session->drag == DRAG_ORBIT)
        camera_control_orbit(&world->camera_control, &world->render.camera, dx, dy);
    else if (session->drag == DRAG_PAN)
        camera_control_pan(&world->camera_control, &world->render.camera, dx, dy);
    else
        return;
    session->redraw = true;
}

static void press(Session *session, const SDL_MouseButtonEvent *event)
{
    move_cursor(session, event->x, event->y);
    session->touched = true;
    if (session->drag != DRAG_NONE)
        return;
    if (event->button == SDL_BUTTON_RIGHT)
        session->drag = DRAG_ORBIT;
    else if (event->button == SDL_BUTTON_MIDDLE)
        session->drag = DRAG_PAN;
    else if (event->button == SDL_BUTTON_LEFT)
        hand_press(session);
}

static void release(Session *session, const SDL_MouseButtonEvent *event)
{
    static const Uint8 buttons[] = {
        [DRAG_BRUSH] = SDL_BUTTON_LEFT, [DRAG_SOLID] = SDL_BUTTON_LEFT,
        [DRAG_GIZMO] = SDL_BUTTON_LEFT, [DRAG_ORBIT] = SDL_BUTTON_RIGHT,
        [DRAG_PAN] = SDL_BUTTON_MIDDLE,
    };
    move_cursor(session, event->x, event->y);
    if (session->drag == DRAG_NONE || buttons[session->drag] != event->button)
        return;
    hand_release(session);
}

static void handle_wheel(Session *session, const SDL_MouseWheelEvent *event)
{
    World *world = &session->world;
    float notches = event->preciseY;
    session->touched = true;
    if (event->direction == SDL_MOUSEWHEEL_FLIPPED)
        notches = -notches;
    if (session->drag == DRAG_BRUSH || session->drag == DRAG_SOLID ||
        (session->held & KMOD_CTRL) != 0) {
        hand_deepen(session, notches);
        return;
    }
    camera_control_zoom(&world->camera_control, &world->render.camera, notches);
    session->cursor_moved = true;
    session->redraw = true;
}

static void handle_window(Session *session, const SDL_WindowEvent *event)
{
    session->exposed = true; /* or shown, or of another size */
    if (event->event == SDL_WINDOWEVENT_LEAVE && session->drag == DRAG_NONE) {
        session->cursor_inside = false;
        brush_leave(&session->world.brush);
    }
}

/* What the panel keeps for itself leaves the smoke alone. */
static bool panel_takes(Session *session, const SDL_Event *event)
{
    if (session->gui == NULL || session->panel == NULL)
        return false; /* there is none */
    if (panel_shown(session->panel))
        session->overlay_due = 2;
    if (!gui_handle(session->gui, event))
        return false;
    session->touched = true;
    if (gui_hovered(session->gui)) {
        session->cursor_inside = false;
        brush_leave(&session->world.brush);
    }
    return true;
}

/* SDL makes events of a mouse of what fingers do, for the panel. */
static bool by_finger(const SDL_Event *event)
{
    return (event->type == SDL_MOUSEMOTION && event->motion.which == SDL_TOUCH_MOUSEID) ||
           ((event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP) &&
            event->button.which == SDL_TOUCH_MOUSEID);
}

/* True: the event came from the person's hands. */
static bool handle(Session *session, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        session->quit = true;
        return false;
    case SDL_KEYDOWN:
        handle_key(session, &event->key);
        return true;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        touch_handle(session, &event->tfinger);
        return true;
    case SDL_MOUSEMOTION:
        handle_motion(session, &event->motion);
        return true;
    case SDL_MOUSEBUTTONDOWN:
        press(session, &event->button);
        return true;
    case SDL_MOUSEBUTTONUP:
        release(session, &event->button);
        return true;
    case SDL_MOUSEWHEEL:
        handle_wheel(session, &event->wheel);
        return true;
    case SDL_WINDOWEVENT:
        handle_window(session, &event->window);
        return false;
    default:
        return false;
    }
}

/* What is held with a key or the wheel, as events have it: the keyboard itself may be further. */
static void note_held(Session *session, const SDL_Event *event)
{
    if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP)
        session->held = event->key.keysym.mod;
    else if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
        session->held = 0;
}

/* The show ends before anything else is meant; then it is the help's turn, and the panel's. */
static bool take(Session *session, const SDL_Event *event)
{
    note_held(session, event);
    kiosk_event(session, event);
    return attract_play_event(session, event) || help_handle(session, event) ||
           panel_takes(session, event) || by_finger(event) || handle(session, event);
}

/* Whether the panel must be drawn first. Where it is not drawn, nothing waits for it. */
static bool panel_waits(const Session *session)
{
    if (session->gui == NULL || session->panel == NULL || window_hidden(&session->window) ||
        session->attract.show.playing)
        return false;
    return gui_waits(session->gui) || panel_turns(session->panel);
}

bool input_handle(Session *session)
{
    bool by_hand = false;
    SDL_Event event;
    while (!panel_waits(session) && SDL_PollEvent(&event))
        by_hand = take(session, &event) || by_hand;
    return by_hand;
}
