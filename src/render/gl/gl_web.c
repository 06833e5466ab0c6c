/* SPDX-License-Identifier: MIT
 *
 * OpenGL ES 3.0 in a web page (gl.h). */
#include "render/gl/gl.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <stdio.h>

bool gl_suffices(char *offered, int size)
{
    snprintf(offered, (size_t)size, "ES 3.0");
    return true;
}

/* Browsers hide the name, but for this extension. */
const char *gl_renderer_name(void)
{
    enum { UNMASKED_RENDERER_WEBGL = 0x9246 };
    bool shown = emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(),
                                                   "WEBGL_debug_renderer_info");
    return (const char *)glGetString(shown ? UNMASKED_RENDERER_WEBGL : GL_RENDERER);
}

void gl_check_label(GLenum kind, GLuint object, const char *label)
{
    (void)kind;
    (void)object;
    (void)label;
}

void gl_listen(void)
{
}

void gl_size_points(bool on)
{
    (void)on;
}

void gl_write_linear(void)
{
}

void *gl_map_new(GLenum target, size_t bytes)
{
    (void)target;
    (void)bytes;
    return NULL;
}

bool gl_unmap(GLenum target)
{
    (void)target;
    return false;
}

const bool gl_has_timers = false;

void gl_begin_timer(GLuint query)
{
    (void)query;
}

double gl_end_timer(GLuint query)
{
    (void)query;
    return 0;
}

/* clang-format off */
EM_JS(void, read_buffer, (unsigned target, long offset, long size, void *data), {
    GLctx.getBufferSubData(target, offset, HEAPU8, data, size);
})
/* clang-format on */

void glGetBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, void *data)
{
    read_buffer(target, (long)offset, (long)size, data);
}
