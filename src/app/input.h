/* SPDX-License-Identifier: MIT
 *
 * Mouse and keys: what each does, in one place with the table that says so on the screen. */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "session.h"

extern const OverlayRow input_help[]; /* ends with a NULL key */

/* Handles every pending event. True: there was one by mouse or keyboard. */
bool input_handle(Session *session);

/* Once a frame, after the events: the brush follows the cursor. */
void input_move_brush(Session *session);

#endif
