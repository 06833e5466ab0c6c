/* SPDX-License-Identifier: MIT
 *
 * The events of the window: mouse, fingers and pens. Keys have a table (keys.h). */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "app/session.h"

/* Handles all pending events. Returns true if one of them came from the user. */
bool input_handle(Session *session);

/* Handles waiting fingers and pens. Call it once per frame, after input_handle. */
void touch_turn(Session *session);

/* -- hand.c: the left button, a finger or a pen on the picture --------------------------------- */

/* Takes the handle or the solid at the cursor. If there is neither, starts a brush stroke. */
void hand_press(Session *session);
void hand_release(Session *session);
/* Moves the brush, the grabbed solid or the handle to the cursor. Call it once per frame, after
 * input_handle. */
void hand_move(Session *session);
/* Moves the brush or the grabbed solid away from the camera. notches: turns of the wheel. */
void hand_deepen(Session *session, float notches);

/* Functions that the table of keys calls. */
void hand_next_tool(Session *session, int steps);
void hand_next_color(Session *session, int steps);
void hand_resize(Session *session, int steps);
void hand_strengthen(Session *session, int steps);
void hand_toggle_handles(Session *session);

#endif
