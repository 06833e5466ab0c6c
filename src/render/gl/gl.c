/* SPDX-License-Identifier: MIT */
#include "render/gl/gl.h"

#include "base/clock.h"
#include "base/fail.h"

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

/* A limited number, because a lost context may report errors without end. */
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

void gl_reset_state(void)
{
    static const GLenum off[] = {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_STENCIL_TEST,
                                 GL_SCISSOR_TEST};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        glDisable(off[i]);
    gl_write_linear();
    glBlendEquation(GL_FUNC_ADD);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void stopwatch_destroy(Stopwatch *watch)
{
    glDeleteQueries(1, &watch->query);
    *watch = (Stopwatch){0};
}

void stopwatch_start(Stopwatch *watch)
{
    if (!watch->on)
        return;
    glFinish();
    bool fresh = watch->queries && watch->query == 0;
    if (fresh)
        glGenQueries(1, &watch->query);
    if (watch->queries)
        gl_begin_timer(watch->query);
    if (fresh)
        gl_check_label(GL_QUERY, watch->query, "stopwatch");
    watch->start = clock_seconds();
}

double stopwatch_stop(Stopwatch *watch)
{
    if (!watch->on)
        return 0;
    if (watch->queries)
        return gl_end_timer(watch->query);
    glFinish();
    return 1e3 * (clock_seconds() - watch->start);
}
