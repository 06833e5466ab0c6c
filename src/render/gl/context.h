/* SPDX-License-Identifier: MIT
 *
 * An OpenGL 3.3 core context without a window and without a display, through EGL. */
#ifndef RENDER_CONTEXT_H
#define RENDER_CONTEXT_H

#include <billow/error.h>

typedef struct RenderContext RenderContext;

/* Opens a context on the first graphics device that gives one, and makes it current on the calling
 * thread. Returns NULL and a message if the
 * machine has no EGL or no OpenGL 3.3; the message names the packages to install. */
RenderContext *render_context_open(BillowError *error);
/* "EGL device 2 of 3, /dev/dri/card1": which was taken. */
const char *render_context_device(const RenderContext *context);
void render_context_close(RenderContext *context); /* NULL: does nothing */

#endif
