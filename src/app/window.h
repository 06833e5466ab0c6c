/* SPDX-License-Identifier: MIT
 *
 * The window: its GL context, size, frame timing and full screen mode. */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include <billow/error.h>
#include <SDL.h>
#include <stdbool.h>

/* An SDL window with an OpenGL 3.3 core context that is current on the calling thread. There is
 * only one at a time. src/render/gl/context.h opens contexts without a window. */
typedef struct Window {
    SDL_Window *handle;             /* NULL: it is not open */
    SDL_GLContext context;          /* NULL: it was lost, and the driver gave no new one */
    unsigned (*reset_status)(void); /* glGetGraphicsResetStatus: 0 unless the context is lost; NULL:
                                       the driver has none */
    int width, height;              /* pixels */
    int point_width, point_height;  /* size in points, the mouse's unit; on a dense screen a point
                                       has several pixels */
    float display_scale;            /* size of texts that the display is set to, 1 to 4, where a
                                       point is a pixel; 1 where points have that size already */
    SDL_Rect own_place;             /* position and size of the window when it is not full screen */
    double frame_start;             /* start of the current frame, s */
    double due;                     /* time at which the present frame should have started, s */
    double looked;        /* time at which the event queue was last known to be empty, s */
    void (*finish)(void); /* glFinish: waits until GL has finished all its work */
} Window;

bool window_open(Window *window, int width, int height, BillowError *error);
void window_close(Window *window); /* of one that is not open: does nothing */

/* Whether the driver has lost the context, for example because the graphics card was restarted.
 * Nothing can be drawn with a lost context. */
bool window_lost_context(const Window *window);
/* Replaces a lost context by a new, empty one in the same window, and makes the new one current.
 * Waits while the driver restarts. Returns false with a message if the driver gives none. */
bool window_renew_context(Window *window, BillowError *error);
/* Destroys the context but not the window. Tests use this to simulate a lost context. */
void window_lose_context(Window *window);

void window_measure(Window *window); /* updates the sizes */
/* Returns the scale of a display, in quarters. */
float window_display_scale(float dots_per_inch);
float window_pixels_per_point(const Window *window);
bool window_hidden(const Window *window); /* minimised, so that nothing is visible */
void window_show_scene(const Window *window, const char *scene); /* shown in the title */
void window_toggle_full_screen(Window *window);

/* Sleeps until `interval` seconds after the last frame was due, then starts the next frame. An
 * event ends the sleep early, but not before `least` seconds after the start of the last frame.
 * Returns the earliest time at which the waiting events may have arrived, s. */
double window_wait(Window *window, double interval, double least);

#endif
