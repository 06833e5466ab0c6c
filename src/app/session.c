/* SPDX-License-Identifier: MIT */
#include "session.h"

#include "camera.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_SECONDS  4.0
#define LETTERS_A_SECOND 15.0 /* that are read */

void session_say(Session *session, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(session->message, sizeof session->message, format, values);
    va_end(values);
    session_said(session);
}

void session_tell(Session *session, bool well, const BillowError *error)
{
    if (!well)
        session_say(session, "%s", error->text);
}

void session_said(Session *session)
{
    double letters = (double)strlen(session->message);
    session->message_until = session->now + fmax(MESSAGE_SECONDS, letters / LETTERS_A_SECOND);
}

void session_show_world(Session *session)
{
    session->shown_any = false;
    session->drag = session->drag == DRAG_GIZMO ? DRAG_NONE : session->drag;
    stillness_break(&session->stillness, session->now);
    renderer_forget(session->renderer);
    window_show_scene(&session->window, session->world.scene.name);
    session_ask_slice(session);
    session->cursor_moved = session->cursor_inside;
    session->redraw = true;
}

BrushRay session_cursor_ray(const Session *session)
{
    BrushRay ray = {.camera = &session->world.render.camera};
    camera_ray(&session->world.render.camera, session->window.width, session->window.height,
               session->cursor_x, session->cursor_y, ray.origin, ray.direction);
    return ray;
}
