/* SPDX-License-Identifier: MIT
 *
 * The events of the window: mouse, fingers and pens. Keys have a table (keys.h). */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "session.h"

/* Handles all pending events. Returns true if one of them came from the user. */
bool input_handle(Session *session);

/* Updates fingers and pens; once per frame, after the events. */
void touch_turn(Session *session);

#endif
