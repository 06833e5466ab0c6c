/* SPDX-License-Identifier: MIT
 *
 * The window: its GL context, size, frame timing and full screen mode. */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include <billow/error.h>
#include <SDL.h>
#include <stdbool.h>

/* -- the GL context ---------------------------------------------------------------------------- */

/* An SDL window with an OpenGL 3.3 core context that is current on the calling thread. There is one
 * at a time: opening another one destroys it. src/render/gl/context.h opens contexts without a
 * window. */
typedef struct GlContext GlContext;

GlContext *gl_context_open_window(const char *title, int width, int height, BillowError *error);

void gl_context_close(GlContext *context); /* NULL is fine */

/* Whether the driver has lost the context, for example because the graphics card was restarted.
 * Nothing can be drawn in a lost context. */
bool gl_context_lost(const GlContext *context);
/* Replaces a lost context by a new, empty one in the same window, and makes it current. Waits for
 * the driver. Returns false with a message where the driver gives no new context. */
bool gl_context_renew(GlContext *context, BillowError *error);
/* Destroys the context but not the window, for tests of a lost context. */
void gl_context_lose(GlContext *context);

/* The SDL_Window. */
void *gl_context_window(const GlContext *context);

/* By default, Xlib prints several lines at an error and ends the program. The three functions below
 * change that. Without Xlib they do nothing. */

typedef int (*XErrorsHandler)(void *display, void *event);
/* Ignores errors of the X server until x_errors_heed, which needs the returned handler. Errors
 * occur while SDL tries contexts, because Mesa asks for contexts without a driver. SDL notices the
 * failures by itself. */
XErrorsHandler x_errors_ignore(void);
void x_errors_heed(XErrorsHandler before);

/* From now on, when the display is lost, the program prints one line and exits with status 1. */
void x_errors_watch_display(void);

/* -- the window -------------------------------------------------------------------------------- */

typedef struct Window {
    GlContext *gl;
    SDL_Window *handle;
    int width, height; /* pixels */
    int point_width,
        point_height;   /* size in points, the mouse's unit; fewer than pixels on a dense screen */
    SDL_Rect own_place; /* position and size outside full screen */
    double frame_start; /* start of the current frame, s */
    double due;         /* when the next frame should start, s */
    double looked;      /* time at which the event queue was last seen empty, s */
    void (*finish)(void); /* glFinish */
} Window;

bool window_open(Window *window, int width, int height, BillowError *error);
void window_close(Window *window);

void window_measure(Window *window); /* looks up the sizes */
float window_pixels_per_point(const Window *window);
bool window_hidden(const Window *window); /* true if minimised, so that nothing drawn is visible */
bool window_has_focus(const Window *window);                     /* true if it receives the keys */
void window_show_scene(const Window *window, const char *scene); /* puts it in the title */
void window_toggle_full_screen(Window *window);

/* Makes each swap wait for the screen, if the driver can. */
void window_set_vsync(bool on);
/* Waits until GL has finished all its work. */
void window_finish(const Window *window);
void window_swap(const Window *window);

/* Sleeps until `interval` seconds after the start of the last frame. An event ends the sleep after
 * `least` seconds. Then the next frame starts. Returns the earliest possible time of the waiting
 * events, s. */
double window_wait(Window *window, double interval, double least);

#endif
