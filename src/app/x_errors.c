/* SPDX-License-Identifier: MIT */
#include "x_errors.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
