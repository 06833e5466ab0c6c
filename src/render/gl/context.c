/* SPDX-License-Identifier: MIT */
#include "render/gl/context.h"

#include "base/fail.h"

#include <epoxy/egl.h>
#include <stdbool.h>
#include <stdlib.h>

struct RenderContext {
    EGLDisplay display;
    EGLSurface surface; /* EGL_NO_SURFACE if the display works without a surface */
    EGLContext context;
};

enum { DEVICES_MAX = 16 };

/* -- displays ---------------------------------------------------------------------------------- */

static EGLDisplay started(EGLDisplay display)
{
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display
                                                                           : EGL_NO_DISPLAY;
}

/* Opens the first graphics device that can be initialised. */
static EGLDisplay open_device(void)
{
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLint count = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
        !eglQueryDevicesEXT(DEVICES_MAX, devices, &count))
        return EGL_NO_DISPLAY;
    for (EGLint i = 0; i < count && display == EGL_NO_DISPLAY; i++)
        display = started(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL));
    return display;
}

static EGLDisplay open_surfaceless(void)
{
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        return EGL_NO_DISPLAY;
    return started(
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
}

static EGLDisplay open_default(void)
{
    return started(eglGetDisplay(EGL_DEFAULT_DISPLAY));
}

/* -- a context on a display -------------------------------------------------------------------- */

static bool open_on(RenderContext *context, EGLDisplay display)
{
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
#ifndef NDEBUG
                                     EGL_CONTEXT_FLAGS_KHR,
                                     EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR,
#endif
                                     EGL_NONE},
                        wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT, EGL_NONE},
                        size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        return false;
    context->display = display;
    context->context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context->context == EGL_NO_CONTEXT)
        return false;
    /* A surface for drivers that demand one. The renderer itself draws into its own targets. */
    context->surface = epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context")
                           ? EGL_NO_SURFACE
                           : eglCreatePbufferSurface(display, config, size);
    if (eglMakeCurrent(display, context->surface, context->surface, context->context))
        return true;
    eglDestroyContext(display, context->context);
    return false;
}

RenderContext *render_context_open(BillowError *error)
{
    EGLDisplay (*const displays[])(void) = {open_device, open_surfaceless, open_default};
    RenderContext *context = calloc(1, sizeof *context);
    if (context == NULL) {
        fail(error, "OpenGL: no memory for a context");
        return NULL;
    }
    for (size_t i = 0; epoxy_has_egl() && i < sizeof displays / sizeof *displays; i++)
        if (open_on(context, displays[i]()))
            return context;
    free(context);
    fail(error, "OpenGL: no EGL context of version 3.3 can be opened; install a graphics driver or "
                "Mesa's software renderer (Debian packages libegl1 and libgl1-mesa-dri)");
    return NULL;
}

/* Closes the context but leaves the display initialised until the process ends. Mesa leaks memory
 * when a driver is unloaded, and the next context needs the display again. */
void render_context_close(RenderContext *context)
{
    if (context == NULL)
        return;
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(context->display, context->context);
    if (context->surface != EGL_NO_SURFACE)
        eglDestroySurface(context->display, context->surface);
    free(context);
}
