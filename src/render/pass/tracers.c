/* SPDX-License-Identifier: MIT
 * Uploads the tracers of a view. */
#include "renderer_state.h"
#include <stddef.h>
#include <stdint.h>

void points_destroy(Points *points)
{
    glDeleteBuffers(1, &points->buffer);
    glDeleteVertexArrays(1, &points->vertex_array);
    *points = (Points){0};
}

static void allocate(Points *points, int count)
{
    points_destroy(points);
    glGenVertexArrays(1, &points->vertex_array);
    glGenBuffers(1, &points->buffer);
    glBindVertexArray(points->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, points->buffer);
    GLsizeiptr bytes = (GLsizeiptr)count * (GLsizeiptr)sizeof(float);
    glBufferData(GL_ARRAY_BUFFER, 4 * bytes, NULL, GL_STREAM_DRAW);
    for (GLuint part = 0; part < 4; part++) {
        glEnableVertexAttribArray(part);
        glVertexAttribPointer(part, 1, GL_FLOAT, GL_FALSE, sizeof(float),
                              (const void *)((intptr_t)part * bytes));
    }
    glBindVertexArray(0);
    gl_check_label(GL_VERTEX_ARRAY, points->vertex_array, "tracers");
    gl_check_label(GL_BUFFER, points->buffer, "tracers");
    points->count = count;
}

bool points_upload(Points *points, const BillowView *view, BillowError *error)
{
    if (view->tracer_count != points->count)
        points_destroy(points);
    if (view->tracer_count == 0)
        return true;
    if (points->count == 0)
        allocate(points, view->tracer_count);
    const float *const parts[] = {view->tracer[0], view->tracer[1], view->tracer[2],
                                  view->tracer_age};
    GLsizeiptr bytes = (GLsizeiptr)points->count * (GLsizeiptr)sizeof(float);
    glBindBuffer(GL_ARRAY_BUFFER, points->buffer);
    for (int part = 0; part < 4; part++)
        glBufferSubData(GL_ARRAY_BUFFER, part * bytes, bytes, parts[part]);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    if (gl_check("upload of the tracers", error))
        return true;
    points_destroy(points);
    return false;
}
