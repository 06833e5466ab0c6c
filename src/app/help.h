/* SPDX-License-Identifier: MIT
 *
 * The keys and the wheel that go through the help where it does not fit the window. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "session.h"
#include <SDL.h>

/* True: the event is the open help's, fits it or not, and nobody else may act on it. */
bool help_handle(Session *session, const SDL_Event *event);

#endif
