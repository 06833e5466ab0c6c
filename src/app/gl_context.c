/* SPDX-License-Identifier: MIT */
#include "gl_context.h"

#include "clock.h"
#include "fail.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Time to wait for a display server, s: one that is starting does not answer at once. */
#define ANSWER_SECONDS  1.0
#define ANSWER_PAUSE_MS 50
/* Time to wait for contexts from a driver that restarts, s. */
#define RENEW_SECONDS  10.0
#define RENEW_PAUSE_MS 200

/* glGetGraphicsResetStatus: 0 while all is well. */
typedef unsigned (*ResetStatus)(void);

struct GlContext {
    SDL_Window *window;
    SDL_GLContext context; /* NULL: it was lost and could not be replaced */
    ResetStatus reset_status;
};

static bool driver_was_chosen(void)
{
    const char *driver = SDL_getenv("SDL_VIDEODRIVER");
    return driver != NULL && driver[0] != 0;
}

/* Drivers that SDL chooses where there is no display. */
static bool driver_shows_nothing(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver == NULL || strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0;
}

/* Shuts down what a closed context left open: the driver may change. */
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

/* "DISPLAY=:0", or NULL where no variable names a display. */
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

bool gl_display_available(BillowError *reason)
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

/* notified: the driver reports the loss of the context. */
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

/* For the window, which was made for such contexts, and current; told of its loss where the driver
 * can. */
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
        /* Keeps the driver loaded without a window; see gl_context_close. */
        SDL_GL_LoadLibrary(NULL);
        return true;
    }
    char reason[160];
    SDL_strlcpy(reason, SDL_GetError(), sizeof reason);
    if (context->window != NULL)
        SDL_DestroyWindow(context->window);
    return fail_without_context(reason, error);
}

/* SDL's video must be up; it is taken down again on failure. */
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
    if (!gl_display_available(&reason)) {
        fail(error, "window: there is no display: %s; 'billow render' needs none", reason.text);
        return NULL;
    }
    x_errors_watch_display();
    return open_context(title, width, height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI,
                        error);
}

/* SDL's video and the graphics driver stay loaded until the process ends or the next context
 * restarts them: unloading them earlier gains nothing, and Mesa then leaks some of its memory. */
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

/* Declarations as in Xlib.h, which is not needed for the build: SDL loads Xlib at run time as
 * well. */
typedef int (*LossHandler)(void *display);

static void *find(const char *name)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver == NULL || strcmp(driver, "x11") != 0)
        return NULL;
    void *library = SDL_LoadObject("libX11.so.6"); /* SDL has loaded it already */
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

/* Xlib allows no return from here. Nothing is destroyed, as the simulation's thread still runs;
 * files are written whole or not at all. */
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
