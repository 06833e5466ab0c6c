/* SPDX-License-Identifier: MIT
 * The window, its GL context, and the handling of Xlib's errors. */
#include "app/window.h"

#include "app/app.h"
#include "base/clock.h"
#include "base/fail.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- errors of Xlib ---------------------------------------------------------------------------- */

/* By default, Xlib prints several lines after an error and ends the program. These functions change
 * that, and do nothing without Xlib. The declarations match Xlib.h. The build does not need Xlib,
 * which SDL loads at run time. */
typedef int (*XErrorsHandler)(void *display, void *event);
typedef int (*LossHandler)(void *display);

static void *find(const char *name)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver == NULL || strcmp(driver, "x11") != 0)
        return NULL;
    void *library = SDL_LoadObject("libX11.so.6"); /* SDL has already loaded this library */
    return library != NULL ? SDL_LoadFunction(library, name) : NULL;
}

/* Mesa requests contexts that no driver supports while SDL tries to create one. SDL detects such
 * failures itself. */
static int ignore(void *display, void *event)
{
    (void)display, (void)event;
    return 0;
}

/* Sets the handler of the X server's errors, and returns the one before. */
static XErrorsHandler set_handler(XErrorsHandler handler)
{
    XErrorsHandler (*set)(XErrorsHandler) = NULL;
    void *address = find("XSetErrorHandler");
    memcpy(&set, &address, sizeof set);
    return set != NULL ? set(handler) : NULL;
}

/* Prints a line and exits, because Xlib does not allow its handler to return. Nothing is destroyed,
 * because the simulation's thread still runs. Files on disk are complete, because a file gets its
 * name only when it is finished. */
static int end(void *display)
{
    const char *name = getenv("DISPLAY");
    (void)display;
    fprintf(stderr, "billow: the display %s has gone, and the window with it\n",
            name != NULL ? name : "");
    _Exit(1);
}

/* If the display is lost from now on, the program prints one line and exits with status 1. */
static void watch_display(void)
{
    LossHandler (*set)(LossHandler) = NULL;
    void *address = find("XSetIOErrorHandler");
    memcpy(&set, &address, sizeof set);
    if (set != NULL)
        set(end);
}

/* -- the GL context ---------------------------------------------------------------------------- */

/* Time to wait for a new context while the driver restarts, s. */
#define RENEW_SECONDS  10.0
#define RENEW_PAUSE_MS 200

/* Requests OpenGL 3.3 core. notified: also request that the driver reports a lost context. */
static void ask_for_core_33(bool notified)
{
    SDL_GL_ResetAttributes();
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    int flags = SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG;
#ifndef NDEBUG
    flags |= SDL_GL_CONTEXT_DEBUG_FLAG;
#endif
    if (notified)
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_RESET_NOTIFICATION, SDL_GL_CONTEXT_RESET_LOSE_CONTEXT);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, flags);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
}

/* Finds glGetGraphicsResetStatus, in OpenGL 4.5 or an extension. */
static void find_reset_status(Window *window)
{
    static const struct {
        const char *extension, *name;
    } ways[] = {{"GL_KHR_robustness", "glGetGraphicsResetStatus"},
                {"GL_ARB_robustness", "glGetGraphicsResetStatusARB"}};
    window->reset_status = NULL;
    for (int i = 0; i < 2 && window->reset_status == NULL; i++) {
        if (!SDL_GL_ExtensionSupported(ways[i].extension))
            continue;
        void *address = SDL_GL_GetProcAddress(ways[i].name);
        memcpy(&window->reset_status, &address, sizeof address);
    }
}

/* Creates a context for the window and makes it current. The context reports its loss if the driver
 * supports that. */
static bool create_context(Window *window)
{
    window->context = NULL;
    for (int told = 1; told >= 0 && window->context == NULL; told--) {
        ask_for_core_33(told == 1);
        window->context = SDL_GL_CreateContext(window->handle);
    }
    if (window->context != NULL)
        find_reset_status(window);
    return window->context != NULL;
}

/* Opens the SDL window with a context. */
static bool open_context(Window *window, int width, int height, BillowError *error)
{
    ask_for_core_33(false);
    window->handle =
        SDL_CreateWindow("Billow", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
                         SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (window->handle != NULL && create_context(window)) {
        /* Without this call the driver is unloaded when the window closes; see window_close. */
        SDL_GL_LoadLibrary(NULL);
        return true;
    }
    char reason[160];
    SDL_strlcpy(reason, SDL_GetError(), sizeof reason);
    if (window->handle != NULL)
        SDL_DestroyWindow(window->handle);
    window->handle = NULL;
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return fail(error,
                "OpenGL: this display offers no context of version 3.3 (SDL: %s); install a "
                "graphics driver or Mesa's software renderer (Debian package libgl1-mesa-dri)",
                reason);
}

bool window_lost_context(const Window *window)
{
    return window->context == NULL || (window->reset_status != NULL && window->reset_status() != 0);
}

bool window_renew_context(Window *window, BillowError *error)
{
    double end = clock_seconds() + RENEW_SECONDS;
    SDL_GLContext lost = window->context;
    XErrorsHandler before = set_handler(ignore);
    for (;;) {
        if (create_context(window) && !window_lost_context(window))
            break;
        if (window->context != NULL)
            SDL_GL_DeleteContext(window->context);
        window->context = NULL;
        if (clock_seconds() > end)
            break;
        SDL_Delay(RENEW_PAUSE_MS);
    }
    if (lost != NULL)
        SDL_GL_DeleteContext(lost);
    set_handler(before);
    return window->context != NULL ||
           fail(error,
                "OpenGL: the graphics driver lost its context, and gave no new one within %g s "
                "(%.200s)",
                RENEW_SECONDS, SDL_GetError());
}

void window_lose_context(Window *window)
{
    SDL_GL_DeleteContext(window->context);
    window->context = NULL;
}

/* -- the window -------------------------------------------------------------------------------- */

bool window_open(Window *window, int width, int height, BillowError *error)
{
    BillowError reason;
    *window = (Window){0};
    if (!app_display_available(&reason))
        return fail(error, "window: there is no display: %s; 'billow render' needs none",
                    reason.text);
    watch_display();
    XErrorsHandler before = set_handler(ignore);
    bool good = open_context(window, width, height, error);
    set_handler(before);
    if (!good)
        return false;
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

/* SDL's video subsystem and the graphics driver stay loaded until the process ends or the next
 * window restarts them. Mesa would leak memory if they were unloaded. */
void window_close(Window *window)
{
    if (window->context != NULL)
        SDL_GL_DeleteContext(window->context);
    if (window->handle != NULL)
        SDL_DestroyWindow(window->handle);
    *window = (Window){0};
}

#define DOTS_PER_INCH 96.0f /* of a display of scale 1 */

float window_display_scale(float dots_per_inch)
{
    const float scale = roundf(4 * dots_per_inch / DOTS_PER_INCH) / 4;
    return fminf(fmaxf(scale, 1), 4);
}

/* On X11 SDL gives the dots per inch of the resource Xft.dpi, or else of the screen's size, as its
 * horizontal and vertical ones. Wayland and macOS have points for it. */
static float find_display_scale(const Window *window)
{
    float vertical = 0;
    const bool points = window->height != window->point_height;
    const char *driver = SDL_GetCurrentVideoDriver();
    if (points || driver == NULL || strcmp(driver, "wayland") == 0 ||
        strcmp(driver, "cocoa") == 0 ||
        SDL_GetDisplayDPI(SDL_GetWindowDisplayIndex(window->handle), NULL, NULL, &vertical) != 0)
        return 1;
    return window_display_scale(vertical);
}

void window_measure(Window *window)
{
    SDL_GL_GetDrawableSize(window->handle, &window->width, &window->height);
    SDL_GetWindowSize(window->handle, &window->point_width, &window->point_height);
    window->width = SDL_max(window->width, 1);
    window->height = SDL_max(window->height, 1);
    window->point_width = SDL_max(window->point_width, 1);
    window->point_height = SDL_max(window->point_height, 1);
    window->display_scale = find_display_scale(window);
}

float window_pixels_per_point(const Window *window)
{
    return (float)window->height / (float)window->point_height;
}

bool window_hidden(const Window *window)
{
    return (SDL_GetWindowFlags(window->handle) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) != 0;
}

void window_show_scene(const Window *window, const char *scene)
{
    char title[96];
    SDL_snprintf(title, sizeof title, "%s - Billow", scene);
    SDL_SetWindowTitle(window->handle, title);
}

void window_toggle_full_screen(Window *window)
{
    SDL_Rect screen;
    if ((SDL_GetWindowFlags(window->handle) & SDL_WINDOW_FULLSCREEN_DESKTOP) == 0) {
        SDL_GetWindowPosition(window->handle, &window->own_place.x, &window->own_place.y);
        SDL_GetWindowSize(window->handle, &window->own_place.w, &window->own_place.h);
        /* Without a window manager SDL would not do this, and would report a wrong size. */
        if (SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(window->handle), &screen) == 0) {
            SDL_SetWindowPosition(window->handle, screen.x, screen.y);
            SDL_SetWindowSize(window->handle, screen.w, screen.h);
        }
        SDL_SetWindowFullscreen(window->handle, SDL_WINDOW_FULLSCREEN_DESKTOP);
        return;
    }
    SDL_SetWindowFullscreen(window->handle, 0);
    SDL_SetWindowSize(window->handle, window->own_place.w, window->own_place.h);
    SDL_SetWindowPosition(window->handle, window->own_place.x, window->own_place.y);
}

double window_wait(Window *window, double interval, double least)
{
    double before = window->looked;
    double due = window->due + interval;
    double now = clock_seconds();
    if (due < now || due > now + interval + 1)
        due = now; /* the frame is late or the clock was set back: start again from now */
    double asleep = now;
    int left = (int)((due - now) * 1e3 + 0.5);
    bool event = left > 0 ? SDL_WaitEventTimeout(NULL, left) : SDL_PollEvent(NULL);
    double arrived = clock_seconds();
    if (event && arrived < due) {
        due = SDL_min(SDL_max(window->frame_start + least, arrived), arrived + least);
        SDL_Delay((Uint32)(fmax(due - clock_seconds(), 0) * 1e3 + 0.5));
    }
    /* If an event ended the sleep, it arrived just now. If an event was already waiting, it may
     * have arrived at any time after `looked`. */
    bool slept = event && left > 0 && arrived - asleep > 1e-3;
    window->frame_start = clock_seconds();
    window->due = due;
    window->looked = window->frame_start;
    return slept ? arrived : before;
}
