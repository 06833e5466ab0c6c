/* SPDX-License-Identifier: MIT */
#include "gl_check.h"

#include "clock.h"
#include "fail.h"

#include <stdio.h>
#include <string.h>

static const char ran_short[] = "out of graphics memory; a smaller grid or picture would help";

static const char *error_name(GLenum code)
{
    switch (code) {
    case GL_INVALID_ENUM:
        return "invalid enum";
    case GL_INVALID_VALUE:
        return "invalid value";
    case GL_INVALID_OPERATION:
        return "invalid operation";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "incomplete framebuffer";
    case GL_OUT_OF_MEMORY:
        return ran_short;
    default:
        return "unknown error";
    }
}

/* The number of errors to discard is limited, because a lost context may report errors without end.
 */
void gl_check_forget(void)
{
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; i++)
        continue;
}

bool gl_check(const char *what, BillowError *error)
{
    GLenum first = glGetError();
    if (first == GL_NO_ERROR)
        return true;
    gl_check_forget();
    return fail(error, "OpenGL: %s: %s", what, error_name(first));
}

bool gl_check_ran_short(const BillowError *error)
{
    return strstr(error->text, ran_short) != NULL;
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

void gl_check_listen(void)
{
    GLint flags = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    if (!has_debug() || !(flags & GL_CONTEXT_FLAG_DEBUG_BIT))
        return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, NULL);
}

void gl_reset_state(void)
{
    static const GLenum off[] = {GL_BLEND,        GL_CULL_FACE,    GL_DEPTH_TEST,
                                 GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_FRAMEBUFFER_SRGB};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        glDisable(off[i]);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void stopwatch_destroy(Stopwatch *watch)
{
    glDeleteQueries(1, &watch->query);
    *watch = (Stopwatch){0};
}

static void begin_query(Stopwatch *watch)
{
    bool fresh = watch->query == 0;
    if (fresh)
        glGenQueries(1, &watch->query);
    glBeginQuery(GL_TIME_ELAPSED, watch->query);
    if (fresh)
        gl_check_label(GL_QUERY, watch->query, "stopwatch");
}

static double end_query(const Stopwatch *watch)
{
    GLuint64 nanoseconds = 0;
    glEndQuery(GL_TIME_ELAPSED);
    glGetQueryObjectui64v(watch->query, GL_QUERY_RESULT, &nanoseconds);
    return 1e-6 * (double)nanoseconds;
}

void stopwatch_start(Stopwatch *watch)
{
    if (!watch->on)
        return;
    glFinish();
    if (watch->queries)
        begin_query(watch);
    watch->start = clock_seconds();
}

double stopwatch_stop(Stopwatch *watch)
{
    if (!watch->on)
        return 0;
    if (watch->queries)
        return end_query(watch);
    glFinish();
    return 1e3 * (clock_seconds() - watch->start);
}
