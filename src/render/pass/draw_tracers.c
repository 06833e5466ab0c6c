/* SPDX-License-Identifier: MIT
 * Uploads the tracers of a view and draws them.
 *
 * Massless tracers are drawn over the marched smoke. Sparks, which have velocity and life, glow and
 * are drawn over the linear picture, after the smoke's history has been resolved: the history never
 * holds them, and smoke in front dims them by its own density. In frames with a history massless
 * tracers are drawn there too. */
#include "render/renderer_state.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PLAIN_PARTS = 4, SPARK_PARTS = 8 };

static int parts_of(const Points *points)
{
    return points->sparks ? SPARK_PARTS : PLAIN_PARTS;
}

void points_destroy(Points *points)
{
    glDeleteBuffers(1, &points->buffer);
    glDeleteVertexArrays(1, &points->vertex_array);
    *points = (Points){0};
}

static void allocate(Points *points, int count, bool sparks)
{
    points_destroy(points);
    points->sparks = sparks;
    glGenVertexArrays(1, &points->vertex_array);
    glGenBuffers(1, &points->buffer);
    glBindVertexArray(points->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, points->buffer);
    GLsizeiptr bytes = (GLsizeiptr)count * (GLsizeiptr)sizeof(float);
    GLuint parts = (GLuint)parts_of(points);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)parts * bytes, NULL, GL_STREAM_DRAW);
    for (GLuint part = 0; part < parts; part++) {
        glEnableVertexAttribArray(part);
        glVertexAttribPointer(part, 1, GL_FLOAT, GL_FALSE, sizeof(float),
                              (const void *)((intptr_t)part * bytes));
        glVertexAttribDivisor(part, sparks ? 1 : 0);
    }
    glBindVertexArray(0);
    gl_check_label(GL_VERTEX_ARRAY, points->vertex_array, "tracers");
    gl_check_label(GL_BUFFER, points->buffer, "tracers");
    points->count = count;
}

bool points_upload(Points *points, const BillowView *view, BillowError *error)
{
    bool sparks = view->tracer_life != NULL;
    if (view->tracer_count != points->count || sparks != points->sparks)
        points_destroy(points);
    if (view->tracer_count == 0)
        return true;
    if (points->count == 0)
        allocate(points, view->tracer_count, sparks);
    const float *const parts[SPARK_PARTS] = {view->tracer[0],          view->tracer[1],
                                             view->tracer[2],          view->tracer_age,
                                             view->tracer_velocity[0], view->tracer_velocity[1],
                                             view->tracer_velocity[2], view->tracer_life};
    GLsizeiptr bytes = (GLsizeiptr)points->count * (GLsizeiptr)sizeof(float);
    glBindBuffer(GL_ARRAY_BUFFER, points->buffer);
    for (int part = 0; part < parts_of(points); part++)
        glBufferSubData(GL_ARRAY_BUFFER, part * bytes, bytes, parts[part]);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    if (gl_check("upload of the tracers", error))
        return true;
    points_destroy(points);
    return false;
}

/* Adds the light of the sparks, times a share, to the bound target. They hide nothing. */
static bool draw_sparks(Renderer *renderer, float share, BillowError *error)
{
    GLuint program = shader_set_program(
        &renderer->shaders, renderer->volume.solids ? SHADER_SPARKS_SOLIDS : SHADER_SPARKS, error);
    if (program == 0)
        return false;
    glUseProgram(program);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE);
    glBlendColor(0, 0, 0, share);
    glBindVertexArray(renderer->tracers.vertex_array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, renderer->tracers.count);
    glBindVertexArray(renderer->vertex_array);
    glDisable(GL_BLEND);
    return true;
}

/* Blends massless tracers over the bound target. alpha: GL_ZERO where its alpha is a transmittance,
 * GL_ONE where it is an opacity. */
static void draw_plain(const Renderer *renderer, GLenum alpha)
{
    bool solids = renderer->volume.solids;
    glUseProgram(renderer->shaders.programs[solids ? SHADER_TRACERS_SOLIDS : SHADER_TRACERS]);
    gl_size_points(true);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, alpha, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(renderer->tracers.vertex_array);
    glDrawArrays(GL_POINTS, 0, renderer->tracers.count);
    glBindVertexArray(renderer->vertex_array);
    glDisable(GL_BLEND);
    gl_size_points(false);
}

bool renderer_tracers_last(const Renderer *renderer, const RenderFrame *frame)
{
    return renderer->tracers.count > 0 &&
           (renderer->tracers.sparks || renderer_keeps_history(renderer, frame));
}

/* A tracer covers all smoke on its ray, in front and behind. Its opacity is reduced by the smoke in
 * front of it. */
void renderer_tracers_over_smoke(const Renderer *renderer, const RenderFrame *frame)
{
    static const GLenum layer = GL_COLOR_ATTACHMENT0;
    if (renderer->tracers.count == 0 || renderer_tracers_last(renderer, frame))
        return;
    glDrawBuffers(1, &layer);
    if (frame->tile.width > 0)
        renderer_viewport(frame);
    draw_plain(renderer, GL_ZERO);
}

bool renderer_tracers_over_picture(Renderer *renderer, const FrameBlock *block,
                                   const RenderSettings *settings, const RenderFrame *frame,
                                   BillowError *error)
{
    if (!renderer_tracers_last(renderer, frame))
        return true;
    if (frame->tile.width > 0)
        renderer_viewport(frame);
    if (renderer->tracers.sparks)
        return draw_sparks(
            renderer, renderer_exposes(settings, frame) ? 1 / (float)frame->exposures : 1, error);
    FrameBlock whole = *block; /* sizes are in pixels of the picture, not of the march */
    memcpy(whole.picture + 2, whole.picture, 2 * sizeof *whole.picture);
    renderer_tell_shaders(renderer, &whole);
    draw_plain(renderer, GL_ONE);
    renderer_tell_shaders(renderer, block);
    return true;
}
