/* SPDX-License-Identifier: MIT
 *
 * The events of the window: mouse, fingers and pens. Keys have a table (keys.h). */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "app/session.h"

/* Handles all pending events. Returns true if one of them came from the user. */
bool input_handle(Session *session);

/* Act at the cursor as the left button and the wheel do. */
void hand_press(Session *session);
void hand_release(Session *session);
void hand_zoom(Session *session, float notches);

/* Handles waiting fingers and pens. Call it once per frame, after input_handle. */
void touch_turn(Session *session);

/* Moves the brush, the grabbed solid or the handle to the cursor. Call it once per frame, after
 * input_handle. */
void hand_move(Session *session);

#endif
