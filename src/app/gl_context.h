/* SPDX-License-Identifier: MIT
 *
 * A window with an OpenGL 3.3 core context that is current on the calling thread. There is one at a
 * time: opening another one destroys it. Pictures without a window: src/render/gl/context.h. */
#ifndef APP_GL_CONTEXT_H
#define APP_GL_CONTEXT_H

#include <billow/error.h>
#include <stdbool.h>

typedef struct GlContext GlContext;

/* Whether a window can be shown; to be asked before any context is open. True: a display answers,
 * or SDL_VIDEODRIVER names a driver. It waits up to a second for a display that a variable names.
 * The connection then stays open for the window, as some servers restart when their last client
 * leaves and refuse the next one. False: reason says why. */
bool gl_display_available(BillowError *reason);

GlContext *gl_context_open_window(const char *title, int width, int height, BillowError *error);

void gl_context_close(GlContext *context); /* NULL is fine */

/* Whether the driver has lost the context, as when a graphics card hangs and is restarted. Nothing
 * can be drawn in it any more. */
bool gl_context_lost(const GlContext *context);
/* Replaces a lost context by a new, empty one in the same window, and makes it current. Waits for
 * the driver to be ready. Returns false with a message where there is none to be had. */
bool gl_context_renew(GlContext *context, BillowError *error);
/* Destroys the context and keeps the window, for tests of a lost context. */
void gl_context_lose(GlContext *context);

/* The SDL_Window. */
void *gl_context_window(const GlContext *context);

/* What Xlib does by itself where something goes wrong: it prints several lines and ends the
 * program. Nothing happens here where there is no Xlib. */

/* Between these two calls, errors reported by the X server are ignored. They occur while contexts
 * are tried, because Mesa asks for contexts that it has no driver for; SDL sees the failure in the
 * results. */
typedef int (*XErrorsHandler)(void *display, void *event);
XErrorsHandler x_errors_ignore(void); /* returns the handler before: pass it to x_errors_heed */
void x_errors_heed(XErrorsHandler before);

/* From now on, if the display is lost, one line says so and the program exits with status 1. */
void x_errors_watch_display(void);

#endif
