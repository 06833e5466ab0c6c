/* SPDX-License-Identifier: MIT
 * Draws tracers, the edges of the box and a slice.
 *
 * Massless tracers are drawn over the marched smoke. Sparks, which have velocity and life, glow and
 * are drawn over the linear picture, after the smoke's history has been resolved: the history never
 * holds them, and smoke in front dims them by its own density. In frames with a history massless
 * tracers are drawn there too. */
#include "render/pass/geometry.h"
#include "base/fail.h"
#include "render/frame/legend.h"
#include "render/pass/exposures.h"
#include "render/pass/march.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PLAIN_PARTS = 4, SPARK_PARTS = 8 };

void points_destroy(Points *points)
{
    glDeleteBuffers(1, &points->buffer);
    glDeleteVertexArrays(1, &points->vertex_array);
    *points = (Points){0};
}

bool points_upload(Points *points, const BillowView *view, BillowError *error)
{
    const bool sparks = view->tracer_life != NULL;
    const int count = view->tracer_count, parts = sparks ? SPARK_PARTS : PLAIN_PARTS;
    const GLsizeiptr bytes = (GLsizeiptr)count * (GLsizeiptr)sizeof(float);
    const float *const values[SPARK_PARTS] = {view->tracer[0],          view->tracer[1],
                                              view->tracer[2],          view->tracer_age,
                                              view->tracer_velocity[0], view->tracer_velocity[1],
                                              view->tracer_velocity[2], view->tracer_life};
    if (count != points->count || sparks != points->sparks)
        points_destroy(points);
    if (count == 0)
        return true;
    if (points->count == 0) {
        *points = (Points){.count = count, .sparks = sparks};
        glGenVertexArrays(1, &points->vertex_array);
        glGenBuffers(1, &points->buffer);
        glBindVertexArray(points->vertex_array);
        glBindBuffer(GL_ARRAY_BUFFER, points->buffer);
        glBufferData(GL_ARRAY_BUFFER, parts * bytes, NULL, GL_STREAM_DRAW);
        for (int part = 0; part < parts; part++) {
            glEnableVertexAttribArray((GLuint)part);
            glVertexAttribPointer((GLuint)part, 1, GL_FLOAT, GL_FALSE, sizeof(float),
                                  (const void *)((intptr_t)part * bytes));
            glVertexAttribDivisor((GLuint)part, sparks ? 1 : 0);
        }
        glBindVertexArray(0);
        gl_check_label(GL_VERTEX_ARRAY, points->vertex_array, "tracers");
        gl_check_label(GL_BUFFER, points->buffer, "tracers");
    }
    glBindBuffer(GL_ARRAY_BUFFER, points->buffer);
    for (int part = 0; part < parts; part++)
        glBufferSubData(GL_ARRAY_BUFFER, part * bytes, bytes, values[part]);
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
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, alpha, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(renderer->tracers.vertex_array);
    glDrawArrays(GL_POINTS, 0, renderer->tracers.count);
    glBindVertexArray(renderer->vertex_array);
    glDisable(GL_BLEND);
    gl_size_points(false);
}

bool renderer_tracers_last(const Renderer *renderer)
{
    return renderer->tracers.count > 0 &&
           (renderer->tracers.sparks || renderer_keeps_history(renderer));
}

/* A tracer covers all smoke on its ray, in front and behind. Its opacity is reduced by the smoke in
 * front of it. */
void renderer_tracers_over_smoke(const Renderer *renderer)
{
    static const GLenum layer = GL_COLOR_ATTACHMENT0;
    if (renderer->tracers.count == 0 || renderer_tracers_last(renderer))
        return;
    glDrawBuffers(1, &layer);
    if (renderer->frame.tile.width > 0)
        renderer_viewport(&renderer->frame);
    draw_plain(renderer, GL_ZERO);
}

bool renderer_tracers_over_picture(Renderer *renderer, BillowError *error)
{
    if (!renderer_tracers_last(renderer))
        return true;
    if (renderer->frame.tile.width > 0)
        renderer_viewport(&renderer->frame);
    if (renderer->tracers.sparks)
        return draw_sparks(
            renderer, renderer_exposes(renderer) ? 1 / (float)renderer->frame.exposures : 1, error);
    FrameBlock whole = renderer->block; /* sizes are in pixels of the picture, not of the march */
    memcpy(whole.picture + 2, whole.picture, 2 * sizeof *whole.picture);
    renderer_tell_shaders(renderer, &whole);
    draw_plain(renderer, GL_ONE);
    renderer_tell_shaders(renderer, &renderer->block);
    return true;
}

/* -- the edges of the box ---------------------------------------------------------------------- */

/* must agree with shaders/overlay.vert */
#define BOX_EDGES     12
#define LINE_VERTICES 6

void renderer_outline(const Renderer *renderer)
{
    if (!renderer->frame.outline || renderer->volume.n[0] == 0)
        return;
    renderer_viewport(&renderer->frame);
    glUseProgram(renderer->shaders.programs[SHADER_OVERLAY]);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, BOX_EDGES * LINE_VERTICES);
    glDisable(GL_BLEND);
}

/* -- a slice ----------------------------------------------------------------------------------- */

bool renderer_slice_upload(Renderer *renderer, BillowError *error)
{
    const FieldSlice *field = renderer->frame.slice.field;
    RenderTile drawn = render_frame_drawn(&renderer->frame);
    const int *n = field->n;
    if (n[0] > renderer->texture_2d_max || n[1] > renderer->texture_2d_max)
        return fail(error,
                    "picture: a slice of %dx%d cells is larger than this graphics driver's "
                    "textures, %d a side",
                    n[0], n[1], renderer->texture_2d_max);
    if (renderer->slice_values == 0) {
        renderer->slice_values =
            texture_create(GL_TEXTURE_2D, GL_NEAREST, GL_CLAMP_TO_EDGE, "slice values");
        renderer->slice_colors =
            texture_create(GL_TEXTURE_2D, GL_LINEAR, GL_CLAMP_TO_EDGE, "slice colours");
        renderer->slice_map = -1;
        renderer->slice_n[0] = renderer->slice_n[1] = 0;
    }
    const int map = (int)color_map_of(field);
    if (map != renderer->slice_map) {
        float colors[4 * COLOR_MAP_ENTRIES];
        color_map_table((ColorMap)map, colors);
        glBindTexture(GL_TEXTURE_2D, renderer->slice_colors);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, COLOR_MAP_ENTRIES, 1, 0, GL_RGBA, GL_FLOAT,
                     colors);
        renderer->slice_map = map;
    }
    glBindTexture(GL_TEXTURE_2D, renderer->slice_values);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (n[0] != renderer->slice_n[0] || n[1] != renderer->slice_n[1])
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, n[0], n[1], 0, GL_RED, GL_FLOAT, field->values);
    else
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, n[0], n[1], GL_RED, GL_FLOAT, field->values);
    renderer->slice_n[0] = n[0];
    renderer->slice_n[1] = n[1];
    bool room =
        !renderer->frame.transparent || target_resize(&renderer->slice_under, drawn.width,
                                                      drawn.height, GL_RGBA8, "under slice", error);
    if (room && gl_check("upload of the slice", error))
        return true;
    renderer_slice_destroy(renderer);
    return false;
}

void renderer_slice_draw(const Renderer *renderer)
{
    const Target *picture = &renderer->picture;
    const int width = picture->width, height = picture->height;
    bool solids = renderer->volume.solids;
    glUseProgram(renderer->shaders.programs[solids ? SHADER_SLICE_SOLIDS : SHADER_SLICE]);
    if (renderer->frame.transparent) {
        texture_bind(SHADER_UNIT_LEVEL, GL_TEXTURE_2D, renderer->slice_under.texture);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, renderer->slice_under.framebuffer);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, picture->framebuffer);
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, picture->framebuffer);
    } else {
        glEnable(GL_BLEND);
    }
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
}

void renderer_slice_destroy(Renderer *renderer)
{
    target_destroy(&renderer->slice_under);
    const GLuint textures[] = {renderer->slice_values, renderer->slice_colors};
    glDeleteTextures(2, textures);
    renderer->slice_values = renderer->slice_colors = 0;
}
