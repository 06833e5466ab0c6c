/* SPDX-License-Identifier: MIT
 *
 * The window around the GL context: its sizes, its rhythm, its full screen. */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include "gl_context.h"
#include <SDL.h>

typedef struct Window {
    GlContext *gl;
    SDL_Window *handle;
    int width, height;             /* pixels */
    int point_width, point_height; /* what the mouse counts in; fewer on a dense screen */
    SDL_Rect own_place;            /* position and size out of full screen */
    double frame_start;            /* s; of the frame in work */
    double due;                    /* s; when the next one should start */
    double looked;                 /* s; when the queue of events was last seen empty */
    void (*finish)(void);          /* glFinish */
} Window;

bool window_open(Window *window, int width, int height, BillowError *error);
void window_close(Window *window);

void window_measure(Window *window); /* looks up the sizes, which a resize changes */
float window_pixels_per_point(const Window *window);
bool window_hidden(const Window *window);    /* minimised: nothing drawn is seen */
bool window_has_focus(const Window *window); /* keys go to it */
void window_show_scene(const Window *window, const char *scene); /* in the title */
void window_toggle_full_screen(Window *window);

/* Waits for the screen at each swap, where the driver can. */
void window_set_vsync(bool on);
/* Until everything given to GL is done. */
void window_finish(const Window *window);
void window_swap(const Window *window);

/* Sleeps until `interval` after the start of the last frame, but only `least` after it where an
 * event comes; then the next frame starts. Returns the earliest moment at which the events that are
 * pending now can have come. */
double window_wait(Window *window, double interval, double least);

#endif
