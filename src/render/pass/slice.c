/* SPDX-License-Identifier: MIT
 * The slice pass: draws the values of a field on a plane as colours over the picture. */
#include "base/fail.h"
#include "render/frame/legend.h"
#include "render/renderer_state.h"

static void create(GLuint *texture, const char *label)
{
    glGenTextures(1, texture);
    glBindTexture(GL_TEXTURE_2D, *texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl_check_label(GL_TEXTURE, *texture, label);
}

static void create_textures(Renderer *renderer)
{
    create(&renderer->slice_values, "slice values");
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    create(&renderer->slice_colors, "slice colours");
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    renderer->slice_map = -1;
    renderer->slice_n[0] = renderer->slice_n[1] = 0;
}

static void upload_colors(Renderer *renderer, ColorMap map)
{
    float colors[4 * COLOR_MAP_ENTRIES];
    if ((int)map == renderer->slice_map)
        return;
    color_map_table(map, colors);
    glBindTexture(GL_TEXTURE_2D, renderer->slice_colors);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, COLOR_MAP_ENTRIES, 1, 0, GL_RGBA, GL_FLOAT, colors);
    renderer->slice_map = (int)map;
}

bool renderer_slice_upload(Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    const FieldSlice *field = frame->slice.field;
    RenderTile drawn = render_frame_drawn(frame);
    const int *n = field->n;
    if (n[0] > renderer->texture_2d_max || n[1] > renderer->texture_2d_max)
        return fail(error,
                    "picture: a slice of %dx%d cells is larger than this graphics driver's "
                    "textures, %d a side",
                    n[0], n[1], renderer->texture_2d_max);
    if (renderer->slice_values == 0)
        create_textures(renderer);
    upload_colors(renderer, color_map_of(field));
    glBindTexture(GL_TEXTURE_2D, renderer->slice_values);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (n[0] != renderer->slice_n[0] || n[1] != renderer->slice_n[1])
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, n[0], n[1], 0, GL_RED, GL_FLOAT, field->values);
    else
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, n[0], n[1], GL_RED, GL_FLOAT, field->values);
    renderer->slice_n[0] = n[0];
    renderer->slice_n[1] = n[1];
    bool room = !frame->transparent || target_resize(&renderer->slice_under, drawn.width,
                                                     drawn.height, GL_RGBA8, "under slice", error);
    if (room && gl_check("upload of the slice", error))
        return true;
    renderer_slice_destroy(renderer);
    return false;
}

static void copy_picture(const Renderer *renderer)
{
    const Target *picture = &renderer->picture;
    int width = picture->width, height = picture->height;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, renderer->slice_under.framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture->framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, picture->framebuffer);
}

void renderer_slice_draw(const Renderer *renderer, bool transparent)
{
    bool solids = renderer->volume.solids;
    glUseProgram(renderer->shaders.programs[solids ? SHADER_SLICE_SOLIDS : SHADER_SLICE]);
    if (transparent)
        copy_picture(renderer);
    else
        glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
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
