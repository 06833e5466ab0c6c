/* SPDX-License-Identifier: MIT
 *
 * What only desktop OpenGL has: labels, messages, timers, and state without a counterpart in ES. */
#include "render/gl/gl.h"

#include <stdio.h>

bool gl_suffices(char *offered, int size)
{
    int version = epoxy_gl_version();
    snprintf(offered, (size_t)size, "%d.%d", version / 10, version % 10);
    return version >= 33 && epoxy_is_desktop_gl();
}

const char *gl_renderer_name(void)
{
    return (const char *)glGetString(GL_RENDERER);
}

static bool has_debug(void)
{
    return epoxy_gl_version() >= 43 || epoxy_has_gl_extension("GL_KHR_debug");
}

void gl_check_label(GLenum kind, GLuint object, const char *label)
{
    if (has_debug())
        glObjectLabel(kind, object, -1, label);
}

static void GLAPIENTRY on_message(GLenum source, GLenum kind, GLuint id, GLenum severity,
                                  GLsizei length, const GLchar *message, const void *user)
{
    (void)id;
    (void)length;
    (void)user;
    if (source == GL_DEBUG_SOURCE_SHADER_COMPILER)
        return; /* shader.c reports compiler messages itself, with the file's name */
    if (kind == GL_DEBUG_TYPE_ERROR || severity == GL_DEBUG_SEVERITY_HIGH)
        fprintf(stderr, "OpenGL: %s\n", message);
}

void gl_listen(void)
{
    GLint flags = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    if (!has_debug() || !(flags & GL_CONTEXT_FLAG_DEBUG_BIT))
        return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, NULL);
}

void gl_size_points(bool on)
{
    (on ? glEnable : glDisable)(GL_PROGRAM_POINT_SIZE);
}

void gl_write_linear(void)
{
    glDisable(GL_FRAMEBUFFER_SRGB);
}

void *gl_map_new(GLenum target, size_t bytes)
{
    glBufferData(target, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
    return glMapBufferRange(target, 0, (GLsizeiptr)bytes,
                            GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
}

bool gl_unmap(GLenum target)
{
    return glUnmapBuffer(target);
}

const bool gl_has_timers = true;

void gl_begin_timer(GLuint query)
{
    glBeginQuery(GL_TIME_ELAPSED, query);
}

double gl_end_timer(GLuint query)
{
    GLuint64 nanoseconds = 0;
    glEndQuery(GL_TIME_ELAPSED);
    glGetQueryObjectui64v(query, GL_QUERY_RESULT, &nanoseconds);
    return 1e-6 * (double)nanoseconds;
}
