/* SPDX-License-Identifier: MIT */
#include "stopwatch.h"

#include "clock.h"
#include "gl_check.h"

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
    watch->running = true;
    watch->before = 0;
    if (watch->queries)
        begin_query(watch);
    watch->start = clock_seconds();
}

double stopwatch_stop(Stopwatch *watch)
{
    if (!watch->on)
        return 0;
    watch->running = false;
    if (watch->queries)
        return watch->before + end_query(watch);
    glFinish();
    return 1e3 * (clock_seconds() - watch->start);
}

void stopwatch_pause(Stopwatch *watch)
{
    if (watch->running && watch->queries)
        watch->before += end_query(watch);
}

void stopwatch_resume(Stopwatch *watch)
{
    if (watch->running && watch->queries)
        begin_query(watch);
}
