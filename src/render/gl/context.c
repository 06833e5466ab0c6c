/* SPDX-License-Identifier: MIT */
#include "render/gl/context.h"

#include "base/fail.h"

#include <epoxy/egl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct RenderContext {
    EGLDisplay display;
    EGLSurface surface; /* EGL_NO_SURFACE if the display works without a surface */
    EGLContext context;
    char device[128];
};

enum { DEVICES_MAX = 16 };

/* -- displays ---------------------------------------------------------------------------------- */

static EGLDisplay started(EGLDisplay display)
{
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display
                                                                           : EGL_NO_DISPLAY;
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

/* -- devices ----------------------------------------------------------------------------------- */

/* Opens a context on a device. Its name has the number of the device and the file of its driver. */
static bool open_on_device(RenderContext *context, const EGLDeviceEXT *devices, int index,
                           int count)
{
    if (!open_on(context,
                 started(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[index], NULL))))
        return false;
    const char *words = eglQueryDeviceStringEXT(devices[index], EGL_EXTENSIONS);
    const char *file = epoxy_extension_in_string(words, "EGL_EXT_device_drm")
                           ? eglQueryDeviceStringEXT(devices[index], EGL_DRM_DEVICE_FILE_EXT)
                           : NULL;
    snprintf(context->device, sizeof context->device, "EGL device %d of %d%s%s", index + 1, count,
             file != NULL ? ", " : "", file != NULL ? file : "");
    return true;
}

/* Opens a context on the first device that gives one. Devices without hardware come last. */
static bool open_on_devices(RenderContext *context)
{
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint count = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_query") ||
        !eglQueryDevicesEXT(DEVICES_MAX, devices, &count))
        return false;
    for (int software = 0; software < 2; software++)
        for (EGLint i = 0; i < count; i++)
            if (epoxy_extension_in_string(eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS),
                                          "EGL_MESA_device_software") == software &&
                open_on_device(context, devices, i, count))
                return true;
    return false;
}

RenderContext *render_context_open(BillowError *error)
{
    static const struct {
        EGLDisplay (*open)(void);
        const char *name;
    } displays[] = {{open_surfaceless, "EGL without a surface"}, {open_default, "EGL's default"}};
    RenderContext *context = calloc(1, sizeof *context);
    if (context == NULL) {
        fail(error, "OpenGL: no memory for a context");
        return NULL;
    }
    bool opened = epoxy_has_egl() && open_on_devices(context);
    for (size_t i = 0; epoxy_has_egl() && !opened && i < sizeof displays / sizeof *displays; i++) {
        opened = open_on(context, displays[i].open());
        snprintf(context->device, sizeof context->device, "%s", displays[i].name);
    }
    if (opened)
        return context;
    free(context);
    fail(error, "OpenGL: no EGL context of version 3.3 can be opened; install a graphics driver or "
                "Mesa's software renderer (Debian packages libegl1 and libgl1-mesa-dri)");
    return NULL;
}

const char *render_context_device(const RenderContext *context)
{
    return context->device;
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
