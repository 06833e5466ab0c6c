/* SPDX-License-Identifier: MIT */
#include "stopwatch.h"

#include "clock.h"
#include "gl_check.h"

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
    if (watch->queries) {
        bool fresh = watch->query == 0;
        if (fresh)
            glGenQueries(1, &watch->query);
        glBeginQuery(GL_TIME_ELAPSED, watch->query);
        if (fresh)
            gl_check_label(GL_QUERY, watch->query, "stopwatch");
    }
    watch->start = clock_seconds();
}

double stopwatch_stop(Stopwatch *watch)
{
    GLuint64 nanoseconds = 0;
    if (!watch->on)
        return 0;
    if (watch->queries) {
        glEndQuery(GL_TIME_ELAPSED);
        glGetQueryObjectui64v(watch->query, GL_QUERY_RESULT, &nanoseconds);
        return 1e-6 * (double)nanoseconds;
    }
    glFinish();
    return 1e3 * (clock_seconds() - watch->start);
}
