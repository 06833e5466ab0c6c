/* SPDX-License-Identifier: MIT
 *
 * The window around the GL context: its size, frame timing and full screen mode. */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include "gl_context.h"
#include <SDL.h>

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

/* Sleeps until `interval` seconds after the start of the last frame, or `least` seconds after it
 * when an event comes; then the next frame starts. Returns the earliest time at which the pending
 * events can have come. */
double window_wait(Window *window, double interval, double least);

#endif
