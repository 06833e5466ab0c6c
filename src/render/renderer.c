/* SPDX-License-Identifier: MIT */
#include "renderer.h"
#include "blackbody.h"
#include "fail.h"
#include "gl_check.h"
#include "noise.h"
#include "renderer_state.h"
#include "shader_source.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

RenderLimits renderer_limits(const Renderer *renderer)
{
    return renderer->limits;
}

void renderer_timed(Renderer *renderer, bool timed)
{
    renderer->watch.on = timed;
    renderer->watch.queries = !renderer->limits.software;
}

RenderTimes renderer_times(const Renderer *renderer)
{
    return renderer->times;
}

static void find_limits(Renderer *renderer)
{
    RenderLimits *limits = &renderer->limits;
    const char *name = (const char *)glGetString(GL_RENDERER);
    const char *version = (const char *)glGetString(GL_VERSION);
    snprintf(limits->renderer, sizeof limits->renderer, "%s", name != NULL ? name : "unknown");
    snprintf(limits->version, sizeof limits->version, "%s", version != NULL ? version : "unknown");
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &limits->texture_3d_max);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &renderer->texture_2d_max);
    static const char *const software[] = {"llvmpipe", "softpipe", "SwiftShader", "swrast",
                                           "Software Rasterizer"};
    for (size_t i = 0; i < sizeof software / sizeof *software; i++)
        if (strstr(limits->renderer, software[i]) != NULL)
            limits->software = true;
}

static GLuint create_texture(int width, int height, GLenum format, GLenum layout,
                             const float *values, const char *label)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, layout, GL_FLOAT, values);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl_check_label(GL_TEXTURE, texture, label);
    return texture;
}

static bool create_tables(Renderer *renderer, BillowError *error)
{
    const int edge = GROUND_NOISE_EDGE;
    float *values = malloc((size_t)edge * edge * sizeof *values);
    if (values == NULL)
        return fail(error, "picture: no memory for the ground's texture");
    renderer->blackbody =
        create_texture(BLACKBODY_ENTRIES, 1, GL_RGBA32F, GL_RGBA, NULL, "blackbody colours");
    renderer->ground_occlusion = create_texture(LIGHT_VOLUME_GROUND, LIGHT_VOLUME_GROUND, GL_R32F,
                                                GL_RED, NULL, "ground occlusion");
    renderer->ground_glow =
        create_texture(GROUND_GLOW, GROUND_GLOW, GL_RGBA16F, GL_RGBA, NULL, "ground glow");
    if (!blue_noise_fill(values, error)) {
        free(values);
        return false;
    }
    renderer->blue_noise =
        create_texture(BLUE_NOISE_EDGE, BLUE_NOISE_EDGE, GL_R32F, GL_RED, values, "blue noise");
    ground_noise_fill(values);
    renderer->ground_noise = create_texture(edge, edge, GL_R32F, GL_RED, values, "ground noise");
    free(values);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glGenerateMipmap(GL_TEXTURE_2D);
    return true;
}

static bool create_objects(Renderer *renderer, BillowError *error)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glGenVertexArrays(1, &renderer->vertex_array);
    glBindVertexArray(renderer->vertex_array); /* until then it is no object to name */
    gl_check_label(GL_VERTEX_ARRAY, renderer->vertex_array, "no vertices");
    glBindVertexArray(0);
    glGenBuffers(1, &renderer->frame_buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), NULL, GL_DYNAMIC_DRAW);
    gl_check_label(GL_BUFFER, renderer->frame_buffer, "frame");
    return create_tables(renderer, error) && gl_check("renderer start", error);
}

Renderer *renderer_create(const char *shader_folder, BillowError *error)
{
    if (epoxy_gl_version() < 33 || !epoxy_is_desktop_gl()) {
        fail(error,
             "OpenGL: version 3.3 is needed, this context offers %d.%d; a newer driver "
             "would help",
             epoxy_gl_version() / 10, epoxy_gl_version() % 10);
        return NULL;
    }
    Renderer *renderer = calloc(1, sizeof *renderer);
    if (renderer == NULL) {
        fail(error, "picture: no memory for the renderer");
        return NULL;
    }
    renderer->coarsened = renderer->coarse_least = 1;
    gl_check_forget();
    gl_check_listen();
    find_limits(renderer);
    bool good = true;
    if (shader_folder != NULL) {
        renderer->shader_stamp = shader_source_stamp(shader_folder);
        size_t bytes = strlen(shader_folder) + 1;
        renderer->shader_folder = malloc(bytes);
        good = renderer->shader_folder != NULL;
        if (good)
            memcpy(renderer->shader_folder, shader_folder, bytes);
        else
            fail(error, "picture: no memory for the renderer");
    }
    if (good && shader_set_create(&renderer->shaders, shader_folder, NULL, error) &&
        create_objects(renderer, error))
        return renderer;
    renderer_destroy(renderer);
    return NULL;
}

void renderer_drop_targets(Renderer *renderer)
{
    Target *const targets[] = {
        &renderer->smoothed, &renderer->smoke,          &renderer->smoke_behind, &renderer->linear,
        &renderer->through,  &renderer->through_behind, &renderer->depth,        &renderer->surface,
        &renderer->picture,  &renderer->backdrop,       &renderer->slice_under};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        target_destroy(targets[i]);
    renderer_drop_history(renderer);
    renderer->backdrop_drawn = renderer->smoke_drawn = false;
}

void renderer_destroy(Renderer *renderer)
{
    if (renderer == NULL)
        return;
    shader_set_destroy(&renderer->shaders);
    renderer_drop_targets(renderer);
    renderer_drop_develop(renderer);
    volume_destroy(&renderer->density);
    volume_destroy(&renderer->temperature);
    volume_destroy(&renderer->light);
    volume_destroy(&renderer->ambient);
    volume_destroy(&renderer->lamps);
    volume_destroy(&renderer->occupancy);
    volume_destroy(&renderer->history.motion);
    volume_destroy(&renderer->solid);
    volume_destroy(&renderer->shade);
    volume_destroy(&renderer->color);
    volume_destroy(&renderer->flame);
    points_destroy(&renderer->tracers);
    renderer_drop_rest(renderer);
    const GLuint textures[] = {renderer->blackbody, renderer->blue_noise, renderer->ground_noise,
                               renderer->ground_occlusion, renderer->ground_glow};
    glDeleteTextures(sizeof textures / sizeof *textures, textures);
    renderer_slice_destroy(renderer);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    coarse_view_destroy(&renderer->coarse);
    bricks_destroy(&renderer->bricks);
    lighting_destroy(&renderer->lighting);
    solid_light_destroy(&renderer->solid_light);
    stopwatch_destroy(&renderer->watch);
    free(renderer->woven);
    free(renderer->shader_folder);
    free(renderer);
}

const char *renderer_shader_folder(const Renderer *renderer)
{
    return renderer->shaders_broken ? NULL : renderer->shader_folder;
}

bool renderer_poll_shaders(Renderer *renderer, bool *changed, BillowError *error)
{
    if (changed != NULL)
        *changed = false;
    if (renderer->shader_folder == NULL)
        return true;
    uint64_t stamp = shader_source_stamp(renderer->shader_folder);
    if (stamp == renderer->shader_stamp)
        return true;
    renderer->shader_stamp = stamp;
    ShaderSet fresh;
    renderer->shaders_broken =
        !shader_set_create(&fresh, renderer->shader_folder, &renderer->shaders, error);
    if (renderer->shaders_broken)
        return false;
    shader_set_destroy(&renderer->shaders);
    renderer->shaders = fresh;
    renderer->backdrop_drawn = renderer->smoke_drawn = false;
    if (changed != NULL)
        *changed = true;
    return true;
}

bool renderer_read_target(const Target *target, GLenum layout, GLenum type, size_t pixel_bytes,
                          int stride, void *pixels, BillowError *error)
{
    int width = target->width, height = target->height;
    size_t row = (size_t)width * pixel_bytes, apart = (size_t)stride * pixel_bytes;
    uint8_t *swap = malloc(row), *first = pixels;
    if (swap == NULL)
        return fail(error, "picture: no memory to read a row of %d pixels", width);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, stride);
    glReadPixels(0, 0, width, height, layout, type, pixels);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    for (int y = 0; y < height / 2; y++) {
        uint8_t *upper = first + (size_t)y * apart;
        uint8_t *lower = first + (size_t)(height - 1 - y) * apart;
        memcpy(swap, upper, row);
        memcpy(upper, lower, row);
        memcpy(lower, swap, row);
    }
    free(swap);
    return gl_check("read-back of the picture", error);
}

bool renderer_read(Renderer *renderer, int channels, uint8_t *pixels, BillowError *error)
{
    assert(channels == 3 || channels == 4);
    if (renderer->picture.width == 0)
        return fail(error, "picture: nothing was drawn yet");
    return renderer_read_target(&renderer->picture, channels == 3 ? GL_RGB : GL_RGBA,
                                GL_UNSIGNED_BYTE, (size_t)channels, renderer->picture.width, pixels,
                                error);
}

bool renderer_read_linear(Renderer *renderer, float *pixels, BillowError *error)
{
    if (!renderer->linear_drawn)
        return fail(error, "picture: the linear picture was not kept");
    return renderer_read_target(&renderer->linear, GL_RGBA, GL_FLOAT, 4 * sizeof *pixels,
                                renderer->linear.width, pixels, error);
}

bool renderer_read_through(Renderer *renderer, bool behind, float *values, BillowError *error)
{
    const Target *target = behind ? &renderer->through_behind : &renderer->through;
    if (target->texture == 0)
        return fail(error, "picture: it was drawn without what comes through the smoke");
    return renderer_read_target(target, GL_RGBA, GL_FLOAT, 4 * sizeof *values, target->width,
                                values, error);
}

bool renderer_read_depth(Renderer *renderer, float *through, float *surface, BillowError *error)
{
    if (renderer->depth.texture == 0)
        return fail(error, "picture: it was drawn without depth");
    return renderer_read_target(&renderer->depth, GL_RGBA, GL_FLOAT, 4 * sizeof *through,
                                renderer->depth.width, through, error) &&
           renderer_read_target(&renderer->surface, GL_RED, GL_FLOAT, sizeof *surface,
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
        renderer_reset_state();
        glActiveTexture(GL_TEXTURE0 + SHADER_UNIT_LEVEL);
        glBindTexture(GL_TEXTURE_2D, arguments.texture);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDE, rows, GL_RGBA, GL_FLOAT, values);
        glActiveTexture(GL_TEXTURE0);
        glBindVertexArray(renderer->vertex_array);
        renderer_cover(&results, program);
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
