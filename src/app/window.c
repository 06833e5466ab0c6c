/* SPDX-License-Identifier: MIT
 * The window, its GL context, and the handling of Xlib's errors. */
#include "app/window.h"

#include "app/app.h"
#include "base/clock.h"
#include "base/fail.h"
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the GL context ---------------------------------------------------------------------------- */

/* Time to wait for a display server that is starting, s. */
#define ANSWER_SECONDS  1.0
#define ANSWER_PAUSE_MS 50
/* Time to wait for a new context while the driver restarts, s. */
#define RENEW_SECONDS  10.0
#define RENEW_PAUSE_MS 200

/* Type of glGetGraphicsResetStatus, which returns 0 unless the context is lost. */
typedef unsigned (*ResetStatus)(void);

struct GlContext {
    SDL_Window *window;
    SDL_GLContext context; /* NULL: the context was lost and the driver gave no new one */
    ResetStatus reset_status;
};

static bool driver_was_chosen(void)
{
    const char *driver = SDL_getenv("SDL_VIDEODRIVER");
    return driver != NULL && driver[0] != 0;
}

/* Whether SDL has no video driver, or one that shows nothing. SDL chooses such a driver by itself
 * only if it finds no display. */
static bool driver_shows_nothing(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver == NULL || strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0;
}

/* Starts SDL's video subsystem. Restarts it if it still runs after an earlier context, because SDL
 * may now choose another driver. */
static bool start_video(void)
{
    while (SDL_WasInit(SDL_INIT_VIDEO))
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
    return SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
}

static bool display_is_up(void)
{
    return SDL_WasInit(SDL_INIT_VIDEO) && (driver_was_chosen() || !driver_shows_nothing());
}

/* Writes the variable that names the display into `text`, such as "DISPLAY=:0". Returns NULL if no
 * variable names a display. */
static const char *named_display(char *text, size_t size)
{
    const char *const variables[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    for (int i = 0; i < 2; i++) {
        const char *value = SDL_getenv(variables[i]);
        if (value != NULL && value[0] != 0) {
            SDL_snprintf(text, size, "%s=%.60s", variables[i], value);
            return text;
        }
    }
    return NULL;
}

static bool fail_without_display(BillowError *error)
{
    char name[96];
    if (driver_was_chosen())
        return fail(error, "SDL_VIDEODRIVER=%.40s does not start (SDL: %.160s)",
                    SDL_getenv("SDL_VIDEODRIVER"), SDL_GetError());
    if (named_display(name, sizeof name) == NULL)
        return fail(error, "DISPLAY or WAYLAND_DISPLAY must name one");
    if (!SDL_WasInit(SDL_INIT_VIDEO))
        return fail(error, "nothing answers at %s (SDL: %.160s)", name, SDL_GetError());
    return fail(error, "nothing answers at %s (SDL took its driver '%s' instead)", name,
                SDL_GetCurrentVideoDriver());
}

bool app_display_available(BillowError *reason)
{
    char name[96];
    bool wait = named_display(name, sizeof name) != NULL;
    double end = clock_seconds() + ANSWER_SECONDS;
    while (!display_is_up() && !(start_video() && display_is_up())) {
        if (!wait || clock_seconds() > end) {
            fail_without_display(reason);
            if (SDL_WasInit(SDL_INIT_VIDEO))
                SDL_QuitSubSystem(SDL_INIT_VIDEO);
            return false;
        }
        SDL_Delay(ANSWER_PAUSE_MS);
    }
    return true;
}

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
static ResetStatus find_reset_status(void)
{
    static const struct {
        const char *extension, *name;
    } ways[] = {{"GL_KHR_robustness", "glGetGraphicsResetStatus"},
                {"GL_ARB_robustness", "glGetGraphicsResetStatusARB"}};
    ResetStatus status = NULL;
    for (int i = 0; i < 2 && status == NULL; i++) {
        if (!SDL_GL_ExtensionSupported(ways[i].extension))
            continue;
        void *address = SDL_GL_GetProcAddress(ways[i].name);
        memcpy(&status, &address, sizeof status);
    }
    return status;
}

/* Creates a context for the window and makes it current. The context reports its loss if the driver
 * supports that. */
static SDL_GLContext create_context(SDL_Window *window)
{
    SDL_GLContext context = NULL;
    for (int told = 1; told >= 0 && context == NULL; told--) {
        ask_for_core_33(told == 1);
        context = SDL_GL_CreateContext(window);
    }
    return context;
}

static bool fail_without_context(const char *reason, BillowError *error)
{
    return fail(error,
                "OpenGL: this display offers no context of version 3.3 (SDL: %s); install a "
                "graphics driver or Mesa's software renderer (Debian package libgl1-mesa-dri)",
                reason);
}

static bool try_context(GlContext *context, const char *title, int width, int height, Uint32 flags,
                        BillowError *error)
{
    ask_for_core_33(false);
    context->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                       height, SDL_WINDOW_OPENGL | flags);
    if (context->window != NULL)
        context->context = create_context(context->window);
    if (context->context != NULL) {
        context->reset_status = find_reset_status();
        /* Without this call the driver is unloaded when the window closes; see gl_context_close. */
        SDL_GL_LoadLibrary(NULL);
        return true;
    }
    char reason[160];
    SDL_strlcpy(reason, SDL_GetError(), sizeof reason);
    if (context->window != NULL)
        SDL_DestroyWindow(context->window);
    return fail_without_context(reason, error);
}

/* Opens a window with a context, after start_video. If that fails, ends SDL's video subsystem. */
static GlContext *open_context(const char *title, int width, int height, Uint32 flags,
                               BillowError *error)
{
    GlContext *context = calloc(1, sizeof *context);
    if (context == NULL) {
        fail(error, "window: no memory to open it");
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return NULL;
    }
    XErrorsHandler before = x_errors_ignore();
    bool good = try_context(context, title, width, height, flags, error);
    x_errors_heed(before);
    if (good)
        return context;
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    free(context);
    return NULL;
}

GlContext *gl_context_open_window(const char *title, int width, int height, BillowError *error)
{
    BillowError reason;
    if (!app_display_available(&reason)) {
        fail(error, "window: there is no display: %s; 'billow render' needs none", reason.text);
        return NULL;
    }
    x_errors_watch_display();
    return open_context(title, width, height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI,
                        error);
}

/* SDL's video subsystem and the graphics driver stay loaded until the process ends or the next
 * context restarts them. Mesa would leak memory if they were unloaded. */
void gl_context_close(GlContext *context)
{
    if (context == NULL)
        return;
    if (context->context != NULL)
        SDL_GL_DeleteContext(context->context);
    SDL_DestroyWindow(context->window);
    free(context);
}

bool gl_context_lost(const GlContext *context)
{
    return context->context == NULL ||
           (context->reset_status != NULL && context->reset_status() != 0);
}

bool gl_context_renew(GlContext *context, BillowError *error)
{
    double end = clock_seconds() + RENEW_SECONDS;
    SDL_GLContext lost = context->context;
    XErrorsHandler before = x_errors_ignore();
    for (;;) {
        context->context = create_context(context->window);
        if (context->context != NULL)
            context->reset_status = find_reset_status();
        if (context->context != NULL && !gl_context_lost(context))
            break;
        if (context->context != NULL)
            SDL_GL_DeleteContext(context->context);
        context->context = NULL;
        if (clock_seconds() > end)
            break;
        SDL_Delay(RENEW_PAUSE_MS);
    }
    if (lost != NULL)
        SDL_GL_DeleteContext(lost);
    x_errors_heed(before);
    return context->context != NULL ||
           fail(error,
                "OpenGL: the graphics driver lost its context, and gave no new one within %g s "
                "(%.200s)",
                RENEW_SECONDS, SDL_GetError());
}

void gl_context_lose(GlContext *context)
{
    SDL_GL_DeleteContext(context->context);
    context->context = NULL;
}

void *gl_context_window(const GlContext *context)
{
    return context->window;
}

/* These declarations match Xlib.h. The build does not need Xlib, which SDL loads at run time. */
typedef int (*LossHandler)(void *display);

static void *find(const char *name)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver == NULL || strcmp(driver, "x11") != 0)
        return NULL;
    void *library = SDL_LoadObject("libX11.so.6"); /* SDL has already loaded this library */
    return library != NULL ? SDL_LoadFunction(library, name) : NULL;
}

static int ignore(void *display, void *event)
{
    (void)display, (void)event;
    return 0;
}

static XErrorsHandler set_handler(XErrorsHandler handler)
{
    XErrorsHandler (*set)(XErrorsHandler) = NULL;
    void *address = find("XSetErrorHandler");
    memcpy(&set, &address, sizeof set);
    return set != NULL ? set(handler) : NULL;
}

XErrorsHandler x_errors_ignore(void)
{
    return set_handler(ignore);
}

void x_errors_heed(XErrorsHandler before)
{
    set_handler(before);
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

void x_errors_watch_display(void)
{
    LossHandler (*set)(LossHandler) = NULL;
    void *address = find("XSetIOErrorHandler");
    memcpy(&set, &address, sizeof set);
    if (set != NULL)
        set(end);
}

/* -- the window -------------------------------------------------------------------------------- */

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

/* Moves and resizes the window for full screen. Without a window manager SDL would not do this, and
 * would report a wrong size. */
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
        due = now; /* the frame is late or the clock was set back: start again from now */
    double asleep = now;
    int left = (int)((due - now) * 1e3 + 0.5);
    bool event = left > 0 ? SDL_WaitEventTimeout(NULL, left) : SDL_PollEvent(NULL);
    double arrived = clock_seconds();
    if (event && arrived < due) {
        due = SDL_min(SDL_max(window->frame_start + least, arrived), arrived + least);
        sleep_until(due);
    }
    /* If an event ended the sleep, it arrived just now. If an event was already waiting, it may
     * have arrived at any time after `looked`. */
    bool slept = event && left > 0 && arrived - asleep > 1e-3;
    window->frame_start = clock_seconds();
    window->due = due;
    window->looked = window->frame_start;
    return slept ? arrived : before;
}
