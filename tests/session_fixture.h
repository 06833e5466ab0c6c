/* SPDX-License-Identifier: MIT
 * Events of a window, and what its session makes of them. A test sets the size of the session's
 * window, width and height, and for panel_turn point_width and point_height, too. Include this
 * after Billow's headers: cmocka has another fail. */
#ifndef SESSION_FIXTURE_H
#define SESSION_FIXTURE_H

#include "app/editor.h"
#include "app/gui.h"
#include "app/input.h"
#include "app/marks.h"
#include "app/panel.h"
#include "app/session.h"

#include <SDL.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* -- events ------------------------------------------------------------------------------------ */

static inline void push_half_key(SDL_Scancode place, unsigned held, bool up)
{
    SDL_Event event = {.type = up ? SDL_KEYUP : SDL_KEYDOWN};
    event.key.keysym =
        (SDL_Keysym){.scancode = place, .sym = SDL_GetKeyFromScancode(place), .mod = (Uint16)held};
    assert_int_equal(SDL_PushEvent(&event), 1);
}

/* held: KMOD_LCTRL and so on. */
static inline void push_key(SDL_Scancode place, unsigned held)
{
    push_half_key(place, held, false);
    push_half_key(place, held, true);
}

/* Letters and digits, whose keys have names of one character. */
static inline void push_text(const char *text)
{
    for (; *text != '\0'; text++) {
        SDL_Event event = {.type = SDL_TEXTINPUT};
        event.text.text[0] = *text;
        char name[2] = {*text, '\0'};
        push_key(SDL_GetScancodeFromName(name), 0);
        assert_int_equal(SDL_PushEvent(&event), 1);
    }
}

static inline void push_motion(int x, int y)
{
    SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}};
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static inline void push_button(Uint8 button, bool down, int x, int y)
{
    SDL_Event event = {.button = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                                  .button = button,
                                  .x = x,
                                  .y = y}};
    assert_int_equal(SDL_PushEvent(&event), 1);
}

static inline void push_click(Uint8 button, int x, int y)
{
    push_motion(x, y);
    push_button(button, true, x, y);
    push_button(button, false, x, y);
}

/* -- sessions ---------------------------------------------------------------------------------- */

/* Handles the events so far, and draws the panel of the scene "plume" once. Nothing is simulated.
 */
static inline void panel_turn(Session *session)
{
    Scene *scene = &session->world.scene;
    input_handle(session);
    editor_follow(&session->panel->editor, scene, scene, "plume");
    gui_begin(session->gui, (GuiPoint){session->window.point_width, session->window.point_height},
              1);
    panel_show(session);
    gui_end(session->gui);
}

/* Shows it until all events are handled. */
static inline void panel_settle(Session *session)
{
    for (int frame = 0; frame < 400; frame++)
        panel_turn(session);
    assert_false(SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT));
}

/* The pixel at which a place of the scene is seen. */
static inline void find_pixel(const Session *session, const float place[3], int *x, int *y)
{
    Marks *marks = calloc(1, sizeof *marks);
    const MarksScene nothing = {0};
    float seen[2];
    assert_non_null(marks);
    marks_begin(marks, &session->world.render.camera, session->window.width, session->window.height,
                &nothing);
    assert_true(marks_place(marks, place, seen));
    *x = (int)(seen[0] + 0.5f);
    *y = (int)(seen[1] + 0.5f);
    free(marks);
}

#endif
