/* SPDX-License-Identifier: MIT
 * Draws a picture: the passes in their order. */
#include "base/fail.h"
#include "render/renderer_state.h"
#include <assert.h>

static bool prepare_targets(Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    int most = renderer->texture_2d_max;
    RenderTile drawn = render_frame_drawn(frame);
    if (drawn.width > most || drawn.height > most)
        return fail(error,
                    "picture: %dx%d pixels are too many for this graphics driver: it draws up to "
                    "%d a side; a "
                    "smaller picture would help",
                    drawn.width, drawn.height, most);
    return renderer_prepare_smoke(renderer, frame, error) &&
           (!renderer->linear_drawn || target_resize(&renderer->linear, drawn.width, drawn.height,
                                                     GL_RGBA16F, "linear picture", error)) &&
           (frame->transparent || renderer_prepare_backdrop(renderer, frame, error)) &&
           target_resize(&renderer->picture, drawn.width, drawn.height, GL_RGBA8, "picture target",
                         error);
}

/* Prepares what all passes need: the light, the bounds of the smoke, the uniform block and the
 * textures. */
static void prepare(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                    FrameBlock *block)
{
    renderer_find_bounds(renderer, settings);
    Camera camera = camera_from_settings(&settings->camera, frame->width, frame->height);
    frame_block_fill(block, settings, frame, &camera, &renderer->volume);
    renderer_tell_shaders(renderer, block);
    glBindBufferBase(GL_UNIFORM_BUFFER, SHADER_FRAME_BINDING, renderer->frame_buffer);
    gl_reset_state();
    renderer_update_glow(renderer, settings);
    renderer_bind_textures(renderer);
    glBindVertexArray(renderer->vertex_array);
}

static void finish(void)
{
    glBindVertexArray(0);
    glUseProgram(0);
}

static bool light(Renderer *renderer, const RenderSettings *settings, BillowError *error)
{
    return renderer->volume.n[0] == 0 || renderer_light(renderer, settings, error);
}

bool renderer_refine(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                     int rows, int *done, BillowError *error)
{
    uint64_t before = renderer->matter;
    assert(rows > 0 && *done >= 0);
    settings = renderer_surround(renderer, settings, error);
    if (settings == NULL)
        return false;
    if (*done == 0) {
        if (!light(renderer, settings, error))
            return false;
        if (renderer->matter != before)
            return true; /* the light is not converged: each call adds one order of scattering */
        renderer->smoke_drawn = false;
    }
    if (!renderer_prepare_smoke(renderer, frame, error))
        return false;
    FrameBlock block;
    prepare(renderer, settings, frame, &block);
    bool good = renderer_smoke_rows(renderer, &block, settings, frame, rows, done, error);
    finish();
    return good && gl_check("marching the smoke", error);
}

bool renderer_draw(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                   BillowError *error)
{
    FrameBlock block;
    Stopwatch *watch = &renderer->watch;
    RenderTimes *times = &renderer->times;
    assert(frame->width > 0 && frame->height > 0);
    assert(frame->scale > 0 && frame->scale <= 1 && frame->step > 0);
    assert(frame->tile.width == 0 || frame->scale == 1);
    assert(!frame->depth ||
           frame->scale ==
               1); /* only marched pixels have a depth, so every pixel must be marched */
    settings = renderer_surround(renderer, settings, error);
    if (settings == NULL)
        return false;
    bool exposes = renderer_exposes(settings, frame);
    assert(!exposes || frame->scale == 1);
    renderer->linear_drawn = frame->linear || exposes || settings->picture.auto_exposure ||
                             settings->picture.bloom > 0 || renderer_tracers_last(renderer, frame);
    bool slice = frame->slice.field != NULL && renderer->volume.n[0] > 0;
    if (!prepare_targets(renderer, frame, error) ||
        (slice && !renderer_slice_upload(renderer, frame, error)) ||
        (!lighting_is_for(&renderer->lighting, settings) && !light(renderer, settings, error)))
        return false;
    prepare(renderer, settings, frame, &block);
    stopwatch_start(watch);
    bool good = !exposes || renderer_expose_all(renderer, &block, settings, frame, error);
    if (good && (!exposes || frame->depth || frame->through || slice))
        good = renderer_smoke(renderer, &block, settings, frame, error);
    times->march_ms = stopwatch_stop(watch);
    stopwatch_start(watch);
    if (!exposes)
        renderer_backdrop(renderer, &block, frame);
    good = good && (exposes || renderer_haze(renderer, &block, settings, error));
    times->backdrop_ms = stopwatch_stop(watch);
    stopwatch_start(watch);
    good = good && renderer_depth(renderer, error) &&
           renderer_develop(renderer, &block, settings, frame, error);
    if (good && slice)
        renderer_slice_draw(renderer, frame->transparent);
    if (good)
        renderer_outline(renderer, frame);
    times->composite_ms = stopwatch_stop(watch);
    finish();
    return good && gl_check("drawing the picture", error);
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
