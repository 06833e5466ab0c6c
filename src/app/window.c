/* SPDX-License-Identifier: MIT */
#include "window.h"

#include "clock.h"
#include "fail.h"

bool window_open(Window *window, int width, int height, BillowError *error)
{
    *window = (Window){0};
    window->gl = gl_context_open_window("Billow", width, height, error);
    if (window->gl == NULL)
        return false;
    window->handle = gl_context_window(window->gl);
    void *finish = SDL_GL_GetProcAddress("glFinish");
    SDL_memcpy(&window->finish, &finish, sizeof finish);
    if (window->finish == NULL) {
        window_close(window);
        return fail(error, "this OpenGL has no glFinish: the driver is broken");
    }
    window_measure(window);
    window->frame_start = window->due = window->looked = clock_seconds();
    return true;
}

void window_close(Window *window)
{
    gl_context_close(window->gl);
    *window = (Window){0};
}

void window_measure(Window *window)
{
    SDL_GL_GetDrawableSize(window->handle, &window->width, &window->height);
    SDL_GetWindowSize(window->handle, &window->point_width, &window->point_height);
    window->width = SDL_max(window->width, 1);
    window->height = SDL_max(window->height, 1);
    window->point_width = SDL_max(window->point_width, 1);
    window->point_height = SDL_max(window->point_height, 1);
}

float window_pixels_per_point(const Window *window)
{
    return (float)window->height / (float)window->point_height;
}

bool window_hidden(const Window *window)
{
    return (SDL_GetWindowFlags(window->handle) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) != 0;
}

bool window_has_focus(const Window *window)
{
    return (SDL_GetWindowFlags(window->handle) & SDL_WINDOW_INPUT_FOCUS) != 0;
}

void window_show_scene(const Window *window, const char *scene)
{
    char title[96];
    SDL_snprintf(title, sizeof title, "%s - Billow", scene);
    SDL_SetWindowTitle(window->handle, title);
}

/* Moves and resizes the window before and after full screen. Without a window manager nothing else
 * does, and SDL would report a wrong size. */
static void enter_full_screen(Window *window)
{
    SDL_Rect screen;
    SDL_GetWindowPosition(window->handle, &window->own_place.x, &window->own_place.y);
    SDL_GetWindowSize(window->handle, &window->own_place.w, &window->own_place.h);
    if (SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window->handle), &screen) == 0) {
        SDL_SetWindowPosition(window->handle, screen.x, screen.y);
        SDL_SetWindowSize(window->handle, screen.w, screen.h);
    }
    SDL_SetWindowFullscreen(window->handle, SDL_WINDOW_FULLSCREEN_DESKTOP);
}

static void leave_full_screen(Window *window)
{
    SDL_SetWindowFullscreen(window->handle, 0);
    SDL_SetWindowSize(window->handle, window->own_place.w, window->own_place.h);
    SDL_SetWindowPosition(window->handle, window->own_place.x, window->own_place.y);
}

void window_toggle_full_screen(Window *window)
{
    bool full = (SDL_GetWindowFlags(window->handle) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
    if (full)
        leave_full_screen(window);
    else
        enter_full_screen(window);
}

void window_set_vsync(bool on)
{
    SDL_GL_SetSwapInterval(on ? 1 : 0);
}

void window_finish(const Window *window)
{
    window->finish();
}

void window_swap(const Window *window)
{
    SDL_GL_SwapWindow(window->handle);
}

static void sleep_until(double moment)
{
    double left = moment - clock_seconds();
    if (left > 0)
        SDL_Delay((Uint32)(left * 1e3 + 0.5));
}

double window_wait(Window *window, double interval, double least)
{
    double before = window->looked;
    double due = window->due + interval;
    double now = clock_seconds();
    if (due < now || due > now + interval + 1)
        due = now; /* the frame is late or the clock was set back: timing restarts from now */
    double asleep = now;
    int left = (int)((due - now) * 1e3 + 0.5);
    bool event = left > 0 ? SDL_WaitEventTimeout(NULL, left) : SDL_PollEvent(NULL);
    double arrived = clock_seconds();
    if (event && arrived < due) {
        due = SDL_min(SDL_max(window->frame_start + least, arrived), arrived + least);
        sleep_until(due);
    }
    /* An event that ended the sleep arrived now. An event that was already queued may have arrived
     * at any time since the queue was last seen empty. */
    bool slept = event && left > 0 && arrived - asleep > 1e-3;
    window->frame_start = clock_seconds();
    window->due = due;
    window->looked = window->frame_start;
    return slept ? arrived : before;
}
