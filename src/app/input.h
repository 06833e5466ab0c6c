/* SPDX-License-Identifier: MIT
 *
 * The events of the window: the mouse here, keys by their table (keys.h). */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "session.h"

/* Handles every pending event. True: there was one by mouse or keyboard. */
bool input_handle(Session *session);

#endif
