/* SPDX-License-Identifier: MIT
 * What a renderer hands out: pictures, depth, values of single formulas. */
#include "fail.h"
#include "gl_check.h"
#include "renderer_state.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool renderer_read(Renderer *renderer, int channels, uint8_t *pixels, BillowError *error)
{
    assert(channels == 3 || channels == 4);
    if (renderer->picture.width == 0)
        return fail(error, "picture: nothing was drawn yet");
    return target_read(&renderer->picture, channels == 3 ? GL_RGB : GL_RGBA, GL_UNSIGNED_BYTE,
                       (size_t)channels, renderer->picture.width, pixels, error);
}

bool renderer_read_linear(Renderer *renderer, float *pixels, BillowError *error)
{
    if (!renderer->linear_drawn)
        return fail(error, "picture: the linear picture was not kept");
    return target_read(&renderer->linear, GL_RGBA, GL_FLOAT, 4 * sizeof *pixels,
                       renderer->linear.width, pixels, error);
}

bool renderer_read_through(Renderer *renderer, bool behind, float *values, BillowError *error)
{
    const Target *target = behind ? &renderer->through_behind : &renderer->through;
    if (target->texture == 0)
        return fail(error, "picture: it was drawn without what comes through the smoke");
    return target_read(target, GL_RGBA, GL_FLOAT, 4 * sizeof *values, target->width, values, error);
}

bool renderer_read_depth(Renderer *renderer, float *through, float *surface, BillowError *error)
{
    if (renderer->depth.texture == 0)
        return fail(error, "picture: it was drawn without depth");
    return target_read(&renderer->depth, GL_RGBA, GL_FLOAT, 4 * sizeof *through,
                       renderer->depth.width, through, error) &&
           target_read(&renderer->surface, GL_RED, GL_FLOAT, sizeof *surface,
                       renderer->surface.width, surface, error);
}

void renderer_present(Renderer *renderer, int window_width, int window_height)
{
    const Target *picture = &renderer->picture;
    bool same = picture->width == window_width && picture->height == window_height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, picture->width, picture->height, 0, 0, window_width, window_height,
                      GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void renderer_read_window(int width, int height, uint8_t *pixels)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
}

bool renderer_probe(Renderer *renderer, RenderProbe probe, int count, const float *in, float *out,
                    BillowError *error)
{
    enum { WIDE = 1024 };
    int rows = (count + WIDE - 1) / WIDE;
    size_t floats = 4 * (size_t)WIDE * (size_t)rows;
    float *values = calloc(floats, sizeof *values);
    if (values == NULL)
        return fail(error, "picture: no memory to probe a shader");
    memcpy(values, in, 4 * (size_t)count * sizeof *values);
    Target arguments = {0}, results = {0};
    GLuint program = shader_set_program(&renderer->shaders, renderer_shader_folder(renderer),
                                        SHADER_PROBE_PHASE + (ShaderProgram)probe, error);
    bool good = program != 0 &&
                target_resize(&arguments, WIDE, rows, GL_RGBA32F, "arguments", error) &&
                target_resize(&results, WIDE, rows, GL_RGBA32F, "results", error);
    if (good) {
        gl_reset_state();
        glActiveTexture(GL_TEXTURE0 + SHADER_UNIT_LEVEL);
        glBindTexture(GL_TEXTURE_2D, arguments.texture);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDE, rows, GL_RGBA, GL_FLOAT, values);
        glActiveTexture(GL_TEXTURE0);
        glBindVertexArray(renderer->vertex_array);
        target_cover(&results, program);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, results.framebuffer);
        glReadPixels(0, 0, WIDE, rows, GL_RGBA, GL_FLOAT, values);
        glBindVertexArray(0);
        glUseProgram(0);
        memcpy(out, values, 4 * (size_t)count * sizeof *values);
    }
    target_destroy(&arguments);
    target_destroy(&results);
    free(values);
    return good && gl_check("probing a shader", error);
}
