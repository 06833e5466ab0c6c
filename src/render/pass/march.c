/* SPDX-License-Identifier: MIT
 * The passes of a picture. */
#include "fail.h"
#include "gl_check.h"
#include "renderer_state.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* As in shaders/overlay.vert. */
#define BOX_EDGES     12
#define LINE_VERTICES 6

static const Target *shown_smoke(const Renderer *renderer)
{
    const History *history = &renderer->history;
    return history->shown ? &history->kept[history->current] : &renderer->smoke;
}

static void bind_textures(const Renderer *renderer)
{
    const GLuint volumes[] = {[SHADER_UNIT_DENSITY] = renderer->density.texture,
                              [SHADER_UNIT_TEMPERATURE] = renderer->temperature.texture,
                              [SHADER_UNIT_LIGHT] = renderer->light.texture,
                              [SHADER_UNIT_BRICKS] = renderer->occupancy.texture,
                              [SHADER_UNIT_SOLID] = renderer->solid.texture,
                              [SHADER_UNIT_SHADE] = renderer->shade.texture,
                              [SHADER_UNIT_COLOR] = renderer->color.texture,
                              [SHADER_UNIT_FLAME] = renderer->flame.texture,
                              [SHADER_UNIT_TEXTURE_0] = renderer->coordinates[0].texture,
                              [SHADER_UNIT_TEXTURE_1] = renderer->coordinates[1].texture,
                              [SHADER_UNIT_DETAIL] = renderer->detail.texture,
                              [SHADER_UNIT_AMBIENT] = renderer->ambient.texture,
                              [SHADER_UNIT_LAMPS] = renderer->lamps.texture,
                              [SHADER_UNIT_MOTION] = renderer->history.motion.texture};
    for (int unit = SHADER_UNIT_DENSITY; unit < SHADER_UNIT_BLACKBODY; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(GL_TEXTURE_3D, volumes[unit]);
    }
    const GLuint pictures[] = {[SHADER_UNIT_BLACKBODY] = renderer->blackbody,
                               [SHADER_UNIT_SMOKE] = shown_smoke(renderer)->texture,
                               [SHADER_UNIT_SMOKE_BEHIND] = renderer->smoke_behind.texture,
                               [SHADER_UNIT_THROUGH] = renderer->through.texture,
                               [SHADER_UNIT_THROUGH_BEHIND] = renderer->through_behind.texture,
                               [SHADER_UNIT_SLICE_VALUES] = renderer->slice_values,
                               [SHADER_UNIT_SLICE_COLORS] = renderer->slice_colors,
                               [SHADER_UNIT_SLICE_UNDER] = renderer->slice_under.texture,
                               [SHADER_UNIT_LINEAR] = renderer->linear.texture,
                               [SHADER_UNIT_BACKDROP] = renderer->backdrop.texture,
                               [SHADER_UNIT_BLUE_NOISE] = renderer->blue_noise,
                               [SHADER_UNIT_GROUND_NOISE] = renderer->ground_noise,
                               [SHADER_UNIT_GROUND_OCCLUSION] = renderer->ground_occlusion,
                               [SHADER_UNIT_GROUND_GLOW] = renderer->ground_glow};
    for (int unit = SHADER_UNIT_BLACKBODY; unit < SHADER_UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(GL_TEXTURE_2D, pictures[unit]);
    }
    glActiveTexture(GL_TEXTURE0);
}

/* The colours of what is hot, once for each look. */
static void update_glow(Renderer *renderer, const RenderSettings *settings)
{
    const BlackbodyScale scale = {settings->smoke.glow_kelvin, settings->smoke.glow_range};
    if (!renderer->glows || !(settings->smoke.glow > 0) ||
        memcmp(&scale, &renderer->glow_scale, sizeof scale) == 0)
        return;
    glBindTexture(GL_TEXTURE_2D, renderer->blackbody);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, BLACKBODY_ENTRIES, 1, GL_RGBA, GL_FLOAT,
                    lighting_glow(&renderer->lighting, &settings->smoke));
    renderer->glow_scale = scale;
}

void renderer_reset_state(void)
{
    static const GLenum off[] = {GL_BLEND,        GL_CULL_FACE,    GL_DEPTH_TEST,
                                 GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_FRAMEBUFFER_SRGB};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        glDisable(off[i]);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

/* The smoke's bounds for this look; without any, nothing is marched and nothing shaded. */
static void find_bounds(Renderer *renderer, const RenderSettings *settings)
{
    FrameVolume *volume = &renderer->volume;
    volume->any = false;
    if (volume->n[0] == 0 || !(settings->smoke.extinction > 0))
        return;
    float hottest = renderer->bricks.temperature_max + BLACKBODY_AMBIENT;
    volume->glare = lighting_brightness_bound(settings, hottest, volume->cell_size);
    volume->empty_density = bricks_negligible(volume->n, volume->cell_size,
                                              lighting_most_extinction(&settings->smoke)) /
                            volume->glare;
    volume->any = bricks_bounds(&renderer->bricks, volume->empty_density, volume->n, volume->low,
                                volume->high);
}

/* Limits drawing further, to the pixels that the smoke's bounds can cover. */
static void scissor_to_bounds(const FrameBlock *block, const FrameVolume *volume, const int rows[2],
                              int margin)
{
    float low[2] = {1, 1}, high[2] = {-1, -1};
    const float *m = block->view_projection;
    for (int corner = 0; corner < 8; corner++) {
        float at[3], clip[4];
        for (int a = 0; a < 3; a++)
            at[a] = volume->origin[a] +
                    volume->cell_size * (corner >> a & 1 ? volume->high[a] : volume->low[a]);
        for (int c = 0; c < 4; c++)
            clip[c] = m[c] * at[0] + m[4 + c] * at[1] + m[8 + c] * at[2] + m[12 + c];
        if (clip[3] < 1e-3f)
            return; /* partly behind the camera */
        for (int c = 0; c < 2; c++) {
            low[c] = fminf(low[c], clip[c] / clip[3]);
            high[c] = fmaxf(high[c], clip[c] / clip[3]);
        }
    }
    int from[2], to[2];
    for (int c = 0; c < 2; c++) {
        float size = block->picture[2 + c], corner = block->tile[c]; /* marched */
        from[c] = (int)(floorf((fmaxf(low[c], -1) * 0.5f + 0.5f) * size) - corner) - margin;
        to[c] = (int)(ceilf((fminf(high[c], 1) * 0.5f + 0.5f) * size) - corner) + margin;
        from[c] = from[c] > 0 ? from[c] : 0;
        to[c] = to[c] > from[c] ? to[c] : from[c];
    }
    from[1] = from[1] > rows[0] ? from[1] : rows[0];
    to[1] = to[1] < rows[1] ? to[1] : rows[1];
    to[1] = to[1] > from[1] ? to[1] : from[1];
    glScissor(from[0], from[1], to[0] - from[0], to[1] - from[1]);
}

/* Between solids, smoke goes into two textures: what is in front of their edges, and behind. What
 * comes through each of both goes into two more, where the frame asks for it. anew: without what
 * they hold. */
static void bind_smoke(const Renderer *renderer, bool anew)
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
        if (anew && textures[layer] != 0)
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
           (settings->lamp_count > 0 ? SHADER_MARCH_LAMPS : 0) |
           (renderer->coordinates[0].texture != 0 && settings->smoke.detail > 0
                ? SHADER_MARCH_DETAIL
                : 0) |
           (renderer->lighting.join.values != NULL ? SHADER_MARCH_JOINED : 0) |
           (renderer->cubic ? SHADER_MARCH_CUBIC : 0) |
           (keeps_through(renderer, frame) ? SHADER_MARCH_THROUGH : 0) |
           (renderer->volume.by_color ? SHADER_MARCH_TINT : 0);
}

/* Whether there are lamps that are seen themselves, wherever they may be. */
static bool shows_lamps(const Renderer *renderer, const RenderSettings *settings)
{
    for (int l = 0; l < settings->lamp_count && renderer->volume.n[0] > 0; l++)
        if (settings->lamps[l].radius > 0)
            return true;
    return false;
}

bool renderer_scissor_to_smoke(const Renderer *renderer, const FrameBlock *block,
                               const RenderSettings *settings, const int rows[2], int margin)
{
    bool balls = shows_lamps(renderer, settings);
    glScissor(0, rows[0], (int)block->picture[2], rows[1] - rows[0]);
    glEnable(GL_SCISSOR_TEST);
    if (!balls && renderer->volume.any)
        scissor_to_bounds(block, &renderer->volume, rows, margin);
    return balls || renderer->volume.any;
}

/* Rows [from, to) of the smoke's target. */
static bool march(Renderer *renderer, const FrameBlock *block, const RenderSettings *settings,
                  const RenderFrame *frame, const int rows[2], BillowError *error)
{
    bind_smoke(renderer, rows[0] == 0);
    if (!renderer->volume.any && !shows_lamps(renderer, settings))
        return true;
    GLuint program = shader_set_march(&renderer->shaders, renderer_shader_folder(renderer),
                                      march_set(renderer, settings, frame), error);
    if (program == 0)
        return false;
    renderer_scissor_to_smoke(renderer, block, settings, rows, 1);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_SCISSOR_TEST);
    return true;
}

static void set_viewport(const RenderFrame *frame)
{
    int viewport[4];
    frame_block_viewport(frame, viewport);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
}

/* Over the smoke's radiance and transmittance, whatever smoke is behind them: what a tracer covers,
 * it covers of all the smoke that its ray meets, in the share in which it shows itself. */
static void draw_tracers(const Renderer *renderer, const RenderFrame *frame)
{
    if (renderer->tracers.count == 0)
        return;
    static const GLenum layer = GL_COLOR_ATTACHMENT0;
    bool solids = renderer->volume.solids;
    glDrawBuffers(1, &layer);
    glUseProgram(renderer->shaders.programs[solids ? SHADER_TRACERS_SOLIDS : SHADER_TRACERS]);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
    if (frame->tile.width > 0)
        set_viewport(frame);
    glBindVertexArray(renderer->tracers.vertex_array);
    glDrawArrays(GL_POINTS, 0, renderer->tracers.count);
    glBindVertexArray(renderer->vertex_array);
    glDisable(GL_BLEND);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

static BackdropKey backdrop_key(const FrameBlock *block)
{
    BackdropKey key;
    memcpy(key.camera[0], block->camera_origin, sizeof key.camera[0]);
    memcpy(key.camera[1], block->camera_right, sizeof key.camera[1]);
    memcpy(key.camera[2], block->camera_up, sizeof key.camera[2]);
    memcpy(key.camera[3], block->camera_forward, sizeof key.camera[3]);
    memcpy(key.box[0], block->box_min, sizeof key.box[0]);
    memcpy(key.box[1], block->box_max, sizeof key.box[1]);
    memcpy(key.sun[0], block->sun_direction, sizeof key.sun[0]);
    memcpy(key.sun[1], block->sun_irradiance, sizeof key.sun[1]);
    memcpy(key.sky[0], block->sky_zenith, sizeof key.sky[0]);
    memcpy(key.sky[1], block->sky_horizon, sizeof key.sky[1]);
    key.ground = block->ground_color[3];
    memcpy(key.size, block->picture, sizeof key.size);
    memcpy(key.tile, block->tile, sizeof key.tile);
    return key;
}

/* Sky and ground, where they are not still there: they cost more than all the rest of the picture
 * but the smoke, and stay as they are while neither camera nor sun moves. */
static void draw_backdrop(Renderer *renderer, const FrameBlock *block, const RenderFrame *frame)
{
    BackdropKey key = backdrop_key(block);
    bool same = memcmp(&key, &renderer->backdrop_key, sizeof key) == 0;
    if (frame->transparent || (renderer->backdrop_drawn && same))
        return;
    renderer_cover(&renderer->backdrop, renderer->shaders.programs[SHADER_BACKDROP]);
    renderer->backdrop_key = key;
    renderer->backdrop_drawn = true;
}

/* Where the frame asks for it: what else is known of each pixel. */
static bool find_depth(Renderer *renderer, BillowError *error)
{
    if (renderer->depth.texture == 0)
        return true;
    static const GLenum layers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->depth.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D,
                           renderer->surface.texture, 0);
    glDrawBuffers(2, layers);
    int solids = renderer->volume.solids ? SHADER_PICTURE_SOLIDS : 0;
    return renderer_cover(
        &renderer->depth,
        shader_set_depth(&renderer->shaders, renderer_shader_folder(renderer), solids, error));
}

static void overlay(const Renderer *renderer, const RenderFrame *frame)
{
    if (!frame->outline || renderer->volume.n[0] == 0)
        return;
    set_viewport(frame);
    glUseProgram(renderer->shaders.programs[SHADER_OVERLAY]);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, BOX_EDGES * LINE_VERTICES);
    glDisable(GL_BLEND);
}

static bool prepare_backdrop(Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    Target *backdrop = &renderer->backdrop;
    RenderTile drawn = render_frame_drawn(frame);
    int width = frame->turning ? (drawn.width + 1) / 2 : drawn.width;
    int height = frame->turning ? (drawn.height + 1) / 2 : drawn.height;
    if (backdrop->width != width || backdrop->height != height)
        renderer->backdrop_drawn = false;
    return target_resize(backdrop, width, height, GL_RGBA16F, "backdrop", error);
}

static bool prepare_smoke(Renderer *renderer, const RenderFrame *frame, BillowError *error)
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

static bool prepare_targets(Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    int most = renderer->texture_2d_max;
    RenderTile drawn = render_frame_drawn(frame);
    if (drawn.width > most || drawn.height > most)
        return fail(error,
                    "picture: %dx%d pixels are more than this graphics driver draws, %d a side; a "
                    "smaller picture would help",
                    drawn.width, drawn.height, most);
    return prepare_smoke(renderer, frame, error) &&
           (!renderer->linear_drawn || target_resize(&renderer->linear, drawn.width, drawn.height,
                                                     GL_RGBA16F, "linear picture", error)) &&
           (frame->transparent || prepare_backdrop(renderer, frame, error)) &&
           target_resize(&renderer->picture, drawn.width, drawn.height, GL_RGBA8, "picture target",
                         error);
}

static void tell_shaders(const Renderer *renderer, const FrameBlock *block)
{
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof *block, block);
}

/* All that the passes take for granted. */
static void prepare(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                    FrameBlock *block)
{
    find_bounds(renderer, settings);
    Camera camera = camera_from_settings(&settings->camera, frame->width, frame->height);
    frame_block_fill(block, settings, frame, &camera, &renderer->volume);
    tell_shaders(renderer, block);
    glBindBufferBase(GL_UNIFORM_BUFFER, SHADER_FRAME_BINDING, renderer->frame_buffer);
    renderer_reset_state();
    update_glow(renderer, settings);
    bind_textures(renderer);
    glBindVertexArray(renderer->vertex_array);
}

static void finish(void)
{
    glBindVertexArray(0);
    glUseProgram(0);
}

static SmokeKey smoke_key(const Renderer *renderer, const FrameBlock *block,
                          const RenderSettings *settings, const RenderFrame *frame)
{
    SmokeKey key = {*block, renderer->matter, (uint64_t)march_set(renderer, settings, frame)};
    memset(key.frame.slice, 0, sizeof key.frame.slice);
    memset(key.frame.slice_look, 0, sizeof key.frame.slice_look);
    key.frame.film[0] = key.frame.film[1] = 0;
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

/* What solids part and what dims by colour is left as it is. */
static bool smooth(Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    if (!frame->smooth || renderer->volume.solids || renderer->through.texture != 0)
        return true;
    Target smoke = renderer->smoke;
    GLuint program = shader_set_program(&renderer->shaders, renderer_shader_folder(renderer),
                                        SHADER_SMOOTH, error);
    if (!target_resize(&renderer->smoothed, smoke.width, smoke.height, GL_RGBA16F, "smoothed smoke",
                       error) ||
        !renderer_cover(&renderer->smoothed, program))
        return false;
    renderer->smoke = renderer->smoothed;
    renderer->smoothed = smoke;
    return true;
}

/* By rays that are elsewhere in each picture, and what was there before. */
static bool draw_history(Renderer *renderer, const FrameBlock *block,
                         const RenderSettings *settings, const RenderFrame *frame,
                         const int rows[2], BillowError *error)
{
    FrameBlock rays = *block;
    renderer_history_aim(renderer, &rays, frame);
    tell_shaders(renderer, &rays);
    bool good = march(renderer, &rays, settings, frame, rows, error) &&
                renderer_history_add(renderer, &rays, settings, error);
    tell_shaders(renderer, block);
    return good;
}

/* The smoke with its tracers, where it is not still there. */
static bool draw_smoke(Renderer *renderer, const FrameBlock *block, const RenderSettings *settings,
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
    show_smoke(shown_smoke(renderer)->texture);
    draw_tracers(renderer, frame);
    renderer->smoke_key = key;
    renderer->smoke_drawn = true;
    return true;
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
    if (*done == 0) {
        if (!light(renderer, settings, error))
            return false;
        if (renderer->matter != before)
            return true; /* another order of scattering: not settled yet */
        renderer->smoke_drawn = false;
    }
    if (!prepare_smoke(renderer, frame, error))
        return false;
    FrameBlock block;
    prepare(renderer, settings, frame, &block);
    int height = renderer->smoke.height;
    const int part[2] = {*done, *done + rows < height ? *done + rows : height};
    bool good = march(renderer, &block, settings, frame, part, error);
    if (good && part[1] == height) {
        renderer->history.shown = false;
        draw_tracers(renderer, frame);
        renderer->smoke_key = smoke_key(renderer, &block, settings, frame);
        renderer->smoke_drawn = true;
    }
    finish();
    *done = part[1];
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
    assert(!frame->depth || frame->scale == 1); /* what a pixel shows is between marched ones */
    renderer->linear_drawn =
        frame->linear || settings->picture.auto_exposure || settings->picture.bloom > 0;
    bool slice = frame->slice.field != NULL && renderer->volume.n[0] > 0;
    if (!prepare_targets(renderer, frame, error) ||
        (slice && !renderer_slice_upload(renderer, frame, error)) ||
        (!lighting_is_for(&renderer->lighting, settings) && !light(renderer, settings, error)))
        return false;
    prepare(renderer, settings, frame, &block);
    stopwatch_start(watch);
    bool good = draw_smoke(renderer, &block, settings, frame, error);
    times->march_ms = stopwatch_stop(watch);
    stopwatch_start(watch);
    draw_backdrop(renderer, &block, frame);
    times->backdrop_ms = stopwatch_stop(watch);
    stopwatch_start(watch);
    good = good && find_depth(renderer, error) &&
           renderer_develop(renderer, &block, settings, frame, error);
    if (good && slice)
        renderer_slice_draw(renderer, frame->transparent);
    if (good)
        overlay(renderer, frame);
    times->composite_ms = stopwatch_stop(watch);
    finish();
    return good && gl_check("drawing the picture", error);
}
