/* SPDX-License-Identifier: MIT
 *
 * A window with an OpenGL 3.3 core context, current on the calling thread. One at a time: opening
 * another ends the life of the one before. Pictures without a window: src/render/gl/context.h. */
#ifndef APP_GL_CONTEXT_H
#define APP_GL_CONTEXT_H

#include <billow/error.h>
#include <stdbool.h>

typedef struct GlContext GlContext;

/* To be asked before any context is open. Whether a window can be shown: a display answers, within
 * a second where a variable names one, or SDL_VIDEODRIVER names a driver. If so, the connection
 * stays open for the window, since some servers start anew when their last client leaves and then
 * turn away the next. If not, reason says why. */
bool gl_display_available(BillowError *reason);

GlContext *gl_context_open_window(const char *title, int width, int height, BillowError *error);

void gl_context_close(GlContext *context); /* NULL is fine */

/* Whether the driver has lost all that the context held, as when a graphics card hangs and is
 * started anew: nothing will be drawn in it any more. */
bool gl_context_lost(const GlContext *context);
/* A new context, current, in the old one's window: empty. Waits for the driver to be ready. False,
 * with a message, where it gives none. */
bool gl_context_renew(GlContext *context, BillowError *error);
/* Destroys the context and keeps the window, as no driver does: for tests of what comes then. */
void gl_context_lose(GlContext *context);

/* The SDL_Window, for the rest of app. */
void *gl_context_window(const GlContext *context);

#endif
