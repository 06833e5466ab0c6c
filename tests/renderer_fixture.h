/* SPDX-License-Identifier: MIT
 * A renderer through the real GL and the real shaders, without a window, and small pictures. */
#ifndef TESTS_RENDERER_FIXTURE_H
#define TESTS_RENDERER_FIXTURE_H

#include "render/gl/context.h"
#include "render/gl/gl.h"
#include "render/readback.h"
#include "render/upload.h"
#include "smoke_fixture.h"

#define WIDTH  96
#define HEIGHT 64
#define BYTES  (WIDTH * HEIGHT * 4)

static RenderContext *context;
static Renderer *renderer;

static inline int open_renderer(void **state)
{
    (void)state;
    BillowError error = {"nothing said why"};
    context = render_context_open(&error);
    renderer = context != NULL ? renderer_create(NULL, &error) : NULL;
    if (renderer != NULL)
        renderer_light_as(renderer, LIGHT_STILL); /* which does not follow earlier pictures */
    else
        print_error("%s\n", error.text);
    return renderer != NULL ? 0 : -1;
}

static inline int count_objects(GLboolean (*exists)(GLuint), const char *what)
{
    int count = 0;
    for (GLuint name = 1; name < 1000; name++)
        count += exists(name);
    if (count > 0)
        print_error("the renderer has left %d %s\n", count, what);
    return count;
}

/* Destroys the renderer, which leaves nothing in OpenGL, whatever was drawn. */
static inline int close_renderer(void **state)
{
    (void)state;
    renderer_destroy(renderer);
    int left = 0;
    if (context != NULL) {
        left += count_objects(glIsTexture, "textures");
        left += count_objects(glIsBuffer, "buffers");
        left += count_objects(glIsFramebuffer, "framebuffers");
        left += count_objects(glIsVertexArray, "vertex arrays");
        left += count_objects(glIsQuery, "queries");
        left += count_objects(glIsShader, "shaders");
        left += count_objects(glIsProgram, "programs");
    }
    render_context_close(context);
    return left == 0 ? 0 : -1;
}

static inline RenderSettings test_settings(void)
{
    return (RenderSettings){.camera = {{0.5f, 0.45f, 0.5f}, 2.4f, 25, 15, 35},
                            .sun = {60, 40, 12, {1, 0.93f, 0.82f}},
                            .sky = {1, {0.12f, 0.26f, 0.6f}, {0.62f, 0.74f, 0.9f}},
                            .ground = {true, {0.2f, 0.19f, 0.17f}, 0},
                            .solid = {{0.22f, 0.22f, 0.22f}},
                            .smoke = {.extinction = 30,
                                      .albedo = {0.9f, 0.9f, 0.9f},
                                      .anisotropy = 0.3f,
                                      .extinction_color = {1, 1, 1},
                                      .glow_kelvin = 1500,
                                      .glow_range = 1},
                            .tracers = {.size = 0.01f, .color = {0.9f, 0.9f, 0.9f}, .opacity = 1},
                            .grade = render_default_settings().grade,
                            .exposure = 0.6f};
}

static inline RenderFrame test_frame(void)
{
    RenderFrame frame = render_default_frame();
    frame.width = WIDTH;
    frame.height = HEIGHT;
    return frame;
}

static inline void upload(Renderer *target, const Smoke *smoke, const RenderSettings *settings)
{
    BillowError error = {""};
    if (!renderer_upload(target, &smoke->view, settings, &error))
        fail_msg("%s", error.text);
}

static inline void draw(Renderer *target, const RenderSettings *settings, const RenderFrame *frame,
                        uint8_t *pixels)
{
    BillowError error = {""};
    if (!renderer_draw(target, settings, frame, &error) ||
        !renderer_read(target, 4, pixels, &error))
        fail_msg("%s", error.text);
}

/* The same in linear light, with the opacity that there really is. */
static inline void draw_linear(Renderer *target, const RenderSettings *settings, RenderFrame frame,
                               float *pixels)
{
    BillowError error = {""};
    frame.linear = true;
    if (!renderer_draw(target, settings, &frame, &error) ||
        !renderer_read_linear(target, pixels, &error))
        fail_msg("%s", error.text);
}

static inline const uint8_t *pixel(const uint8_t *pixels, int x, int y)
{
    return pixels + 4 * (y * WIDTH + x);
}

static inline int largest_difference(const uint8_t *a, const uint8_t *b)
{
    int most = 0;
    for (int i = 0; i < BYTES; i++) {
        int difference = abs(a[i] - b[i]);
        most = difference > most ? difference : most;
    }
    return most;
}

#endif
