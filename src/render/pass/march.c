/* SPDX-License-Identifier: MIT
 * The march pass: computes radiance and transmittance of smoke and tracers. */
#include "render/renderer_state.h"
#include <string.h>

void renderer_bind_smoke(const Renderer *renderer, bool clear)
{
    enum { LAYERS = 4 };
    const GLuint textures[LAYERS] = {renderer->smoke.texture, renderer->smoke_behind.texture,
                                     renderer->through.texture, renderer->through_behind.texture};
    static const GLfloat nothing[LAYERS][4] = {
        {0, 0, 0, 1}, {0, 0, 0, 1}, {1, 1, 1, 0}, {1, 1, 1, 0}};
    GLenum layers[LAYERS];
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->smoke.framebuffer);
    for (int layer = 0; layer < LAYERS; layer++) {
        GLenum at = GL_COLOR_ATTACHMENT0 + (GLenum)layer;
        layers[layer] = textures[layer] != 0 ? at : GL_NONE;
        glFramebufferTexture2D(GL_FRAMEBUFFER, at, GL_TEXTURE_2D, textures[layer], 0);
    }
    glDrawBuffers(LAYERS, layers);
    glViewport(0, 0, renderer->smoke.width, renderer->smoke.height);
    for (int layer = 0; layer < LAYERS; layer++)
        if (clear && textures[layer] != 0)
            glClearBufferfv(GL_COLOR, layer, nothing[layer]);
}

static bool keeps_through(const Renderer *renderer, const RenderFrame *frame)
{
    return frame->through || frame->depth || renderer->volume.by_color ||
           renderer_keeps_history(renderer, frame);
}

static int march_set(const Renderer *renderer, const RenderSettings *settings,
                     const RenderFrame *frame)
{
    bool emission = renderer->glows && settings->smoke.glow > 0;
    return (renderer->volume.solids ? SHADER_MARCH_SOLIDS : 0) |
           (emission ? SHADER_MARCH_EMISSION : 0) |
           (emission && renderer->burns ? SHADER_MARCH_FLAME : 0) |
           (renderer->colored ? SHADER_MARCH_COLOR : 0) |
           (renderer->volume.ramps[0] && settings->smoke_ramp.stop_count > 0 ? SHADER_MARCH_RAMP
                                                                             : 0) |
           (emission && renderer->volume.ramps[1] && settings->fire_ramp.stop_count > 0
                ? SHADER_MARCH_GLOW_RAMP
                : 0) |
           (settings->lamp_count > 0 ? SHADER_MARCH_LAMPS : 0) |
           (renderer->coordinates[0].texture != 0 && settings->smoke.detail > 0 &&
                    frame->step < RENDER_STEP_PLAIN
                ? SHADER_MARCH_DETAIL
                : 0) |
           (renderer->lighting.shown.joined != NULL ? SHADER_MARCH_JOINED : 0) |
           (renderer->cubic ? SHADER_MARCH_CUBIC : 0) |
           (renderer->moving_bound != NULL ? SHADER_MARCH_MOTION : 0) |
           (keeps_through(renderer, frame) ? SHADER_MARCH_THROUGH : 0) |
           (renderer->volume.by_color ? SHADER_MARCH_TINT : 0) |
           (renderer->volume.spread_by_color ? SHADER_MARCH_SPECTRAL : 0);
}

/* Marches rows rows[0] to rows[1] - 1 of the smoke's target. */
static bool march(Renderer *renderer, const FrameBlock *block, const RenderSettings *settings,
                  const RenderFrame *frame, const int rows[2], BillowError *error)
{
    renderer_bind_smoke(renderer, rows[0] == 0);
    if (!renderer->volume.any && !renderer_shows_lamps(renderer, settings))
        return true;
    const int set = march_set(renderer, settings, frame);
    renderer_scissor_to_smoke(renderer, block, settings, rows, 1);
    if (renderer->slab != NULL && renderer->volume.any) {
        GLint box[4];
        glGetIntegerv(GL_SCISSOR_BOX, box);
        return box[2] == 0 || box[3] == 0 || renderer_slab_march(renderer, block, set, box, error);
    }
    GLuint program = shader_set_march(&renderer->shaders, set, error);
    if (program == 0)
        return false;
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_SCISSOR_TEST);
    return true;
}

bool renderer_prepare_smoke(Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    RenderTile drawn = render_frame_drawn(frame);
    int width = frame_block_marched(drawn.width, frame->scale);
    int height = frame_block_marched(drawn.height, frame->scale);
    const struct {
        Target *target;
        bool wanted;
        GLenum format;
        const char *label;
    } marched[] = {
        {&renderer->smoke, true, GL_RGBA16F, "smoke target"},
        {&renderer->smoke_behind, renderer->volume.solids, GL_RGBA16F, "smoke behind"},
        {&renderer->through, keeps_through(renderer, frame), GL_RGBA32F, "through target"},
        {&renderer->through_behind, keeps_through(renderer, frame) && renderer->volume.solids,
         GL_RGBA32F, "through behind"},
        {&renderer->depth, frame->depth, GL_RGBA32F, "depth of smoke"},
        {&renderer->surface, frame->depth, GL_R32F, "depth of surfaces"},
    };
    if (renderer->smoke.width != width || renderer->smoke.height != height)
        renderer->smoke_drawn = false;
    for (size_t i = 0; i < sizeof marched / sizeof *marched; i++)
        if (!marched[i].wanted)
            target_destroy(marched[i].target);
        else if (!target_resize(marched[i].target, width, height, marched[i].format,
                                marched[i].label, error))
            return false;
    return true;
}

static SmokeKey smoke_key(const Renderer *renderer, const FrameBlock *block,
                          const RenderSettings *settings, const RenderFrame *frame)
{
    SmokeKey key = {*block, renderer->matter, (uint64_t)march_set(renderer, settings, frame)};
    memset(key.frame.slice, 0, sizeof key.frame.slice);
    memset(key.frame.slice_style, 0, sizeof key.frame.slice_style);
    key.frame.film[0] = key.frame.film[1] = 0;
    memset(key.frame.grade_slope, 0, sizeof key.frame.grade_slope);
    memset(key.frame.grade_offset, 0, sizeof key.frame.grade_offset);
    memset(key.frame.grade_power, 0, sizeof key.frame.grade_power);
    memset(key.frame.grain, 0, sizeof key.frame.grain);
    key.programs |= frame->smooth ? (uint64_t)SHADER_MARCH_SETS : 0;
    key.programs |= renderer_keeps_history(renderer, frame) ? 2 * (uint64_t)SHADER_MARCH_SETS : 0;
    return key;
}

static void show_smoke(GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + SHADER_UNIT_SMOKE);
    glBindTexture(GL_TEXTURE_2D, texture);
    glActiveTexture(GL_TEXTURE0);
}

/* Smooths the marched smoke. Does nothing with solids or with transmittance by colour. */
static bool smooth(Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    if (!frame->smooth || frame->exposures > 0 || renderer->volume.solids ||
        renderer->through.texture != 0)
        return true;
    Target smoke = renderer->smoke;
    GLuint program = shader_set_program(&renderer->shaders, SHADER_SMOOTH, error);
    if (!target_resize(&renderer->smoothed, smoke.width, smoke.height, GL_RGBA16F, "smoothed smoke",
                       error) ||
        !target_cover(&renderer->smoothed, program))
        return false;
    renderer->smoke = renderer->smoothed;
    renderer->smoothed = smoke;
    return true;
}

/* Marches rays whose offset differs from picture to picture, and adds them to the history. */
static bool draw_history(Renderer *renderer, const FrameBlock *block,
                         const RenderSettings *settings, const RenderFrame *frame,
                         const int rows[2], BillowError *error)
{
    FrameBlock rays = *block;
    renderer_history_aim(renderer, &rays, frame);
    renderer_tell_shaders(renderer, &rays);
    bool good = march(renderer, &rays, settings, frame, rows, error) &&
                renderer_history_add(renderer, &rays, settings, error);
    renderer_tell_shaders(renderer, block);
    return good;
}

/* Draws smoke and tracers, unless those of the last picture can be reused. */
bool renderer_smoke(Renderer *renderer, const FrameBlock *block, const RenderSettings *settings,
                    const RenderFrame *frame, BillowError *error)
{
    SmokeKey key = smoke_key(renderer, block, settings, frame);
    if (renderer->smoke_drawn && memcmp(&key, &renderer->smoke_key, sizeof key) == 0)
        return true;
    renderer->smoke_drawn = renderer->history.shown = false;
    const int rows[2] = {0, renderer->smoke.height};
    bool good = renderer_keeps_history(renderer, frame)
                    ? draw_history(renderer, block, settings, frame, rows, error)
                    : march(renderer, block, settings, frame, rows, error) &&
                          smooth(renderer, frame, error);
    if (!good)
        return false;
    show_smoke(renderer_shown_smoke(renderer)->texture);
    renderer_tracers_over_smoke(renderer, frame);
    renderer->smoke_key = key;
    renderer->smoke_drawn = true;
    return true;
}

bool renderer_smoke_rows(Renderer *renderer, const FrameBlock *block,
                         const RenderSettings *settings, const RenderFrame *frame, int rows,
                         int *done, BillowError *error)
{
    int height = renderer->smoke.height;
    const int part[2] = {*done, *done + rows < height ? *done + rows : height};
    bool good = march(renderer, block, settings, frame, part, error);
    if (good && part[1] == height) {
        renderer->history.shown = false;
        renderer_tracers_over_smoke(renderer, frame);
        renderer->smoke_key = smoke_key(renderer, block, settings, frame);
        renderer->smoke_drawn = true;
    }
    *done = part[1];
    return good;
}
