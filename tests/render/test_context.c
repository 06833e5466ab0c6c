/* SPDX-License-Identifier: MIT
 * Which graphics device a context is opened on. The devices are made up, but for one that is the
 * machine's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/gl/context.h"
#include <epoxy/egl.h>
#include <stdbool.h>
#include <string.h>

enum { DEVICES = 4 };

/* What a device of the list is: one that no display opens on, one that gives no context, hardware,
 * or software. */
typedef enum Kind { DEAD, WITHOUT_CONTEXT, HARDWARE, SOFTWARE } Kind;

static Kind kinds[DEVICES];
static EGLDeviceEXT own; /* a device that works */
static char names[DEVICES];
static int opened; /* the device of the last display */

static PFNEGLQUERYDEVICESEXTPROC real_devices;
static PFNEGLQUERYDEVICESTRINGEXTPROC real_string;
static PFNEGLGETPLATFORMDISPLAYEXTPROC real_display;
static PFNEGLCREATECONTEXTPROC real_context;

static EGLBoolean list_devices(EGLint most, EGLDeviceEXT *devices, EGLint *count)
{
    assert_true(most >= DEVICES);
    for (int d = 0; d < DEVICES; d++)
        devices[d] = &names[d];
    *count = DEVICES;
    return EGL_TRUE;
}

static const char *string_of(EGLDeviceEXT device, EGLint name)
{
    const Kind kind = kinds[(char *)device - names];
    if (name == EGL_EXTENSIONS)
        return kind == SOFTWARE ? "EGL_MESA_device_software_of_old EGL_MESA_device_software"
                                : "EGL_EXT_device_drm EGL_EXT_device_drm_render_node";
    return name == EGL_DRM_DEVICE_FILE_EXT ? "/dev/dri/card7" : NULL;
}

static EGLDisplay display_on(EGLenum platform, void *device, const EGLint *attributes)
{
    if (platform != EGL_PLATFORM_DEVICE_EXT)
        return real_display(platform, device, attributes);
    opened = (int)((char *)device - names);
    return kinds[opened] == DEAD ? EGL_NO_DISPLAY : real_display(platform, own, attributes);
}

static EGLContext context_on(EGLDisplay display, EGLConfig config, EGLContext shared,
                             const EGLint *attributes)
{
    return kinds[opened] == WITHOUT_CONTEXT ? EGL_NO_CONTEXT
                                            : real_context(display, config, shared, attributes);
}

static int find_own(void **state)
{
    (void)state;
    EGLint count = 0;
    if (!epoxy_has_egl() || !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_query"))
        return 0;
    EGLDeviceEXT devices[16];
    eglQueryDevicesEXT(16, devices, &count);
    for (EGLint d = 0; d < count && own == NULL; d++) {
        EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[d], NULL);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL))
            own = devices[d];
    }
    RenderContext *context = render_context_open(NULL);
    render_context_close(context); /* epoxy's pointers are the driver's once they have been used */
    real_devices = epoxy_eglQueryDevicesEXT;
    real_string = epoxy_eglQueryDeviceStringEXT;
    real_display = epoxy_eglGetPlatformDisplayEXT;
    real_context = epoxy_eglCreateContext;
    return 0;
}

static void expect_device(Kind first, Kind second, Kind third, Kind fourth, const char *device)
{
    const Kind wanted[DEVICES] = {first, second, third, fourth};
    memcpy(kinds, wanted, sizeof kinds);
    epoxy_eglQueryDevicesEXT = list_devices;
    epoxy_eglQueryDeviceStringEXT = string_of;
    epoxy_eglGetPlatformDisplayEXT = display_on;
    epoxy_eglCreateContext = context_on;
    BillowError error = {{0}};
    RenderContext *context = render_context_open(&error);
    epoxy_eglQueryDevicesEXT = real_devices;
    epoxy_eglQueryDeviceStringEXT = real_string;
    epoxy_eglGetPlatformDisplayEXT = real_display;
    epoxy_eglCreateContext = real_context;
    if (context == NULL)
        fail_msg("%s", error.text);
    assert_string_equal(render_context_device(context), device);
    render_context_close(context);
}

/* A device that gives no context makes way for the next. */
static void each_device_is_tried(void **state)
{
    (void)state;
    if (own == NULL)
        skip();
    expect_device(HARDWARE, DEAD, DEAD, SOFTWARE, "EGL device 1 of 4, /dev/dri/card7");
    expect_device(DEAD, HARDWARE, HARDWARE, SOFTWARE, "EGL device 2 of 4, /dev/dri/card7");
    expect_device(WITHOUT_CONTEXT, DEAD, HARDWARE, SOFTWARE, "EGL device 3 of 4, /dev/dri/card7");
    expect_device(SOFTWARE, WITHOUT_CONTEXT, HARDWARE, DEAD, "EGL device 3 of 4, /dev/dri/card7");
    expect_device(WITHOUT_CONTEXT, SOFTWARE, DEAD, SOFTWARE, "EGL device 2 of 4");
}

/* Without any, the context comes from another kind of display. */
static void no_device_is_needed(void **state)
{
    (void)state;
    if (own == NULL)
        skip();
    expect_device(DEAD, DEAD, DEAD, DEAD, "EGL without a surface");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_device_is_tried),
        cmocka_unit_test(no_device_is_needed),
    };
    return cmocka_run_group_tests(tests, find_own, NULL);
}
