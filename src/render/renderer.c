/* SPDX-License-Identifier: MIT
 * Creates and destroys a renderer, reloads its shaders, and draws a picture: the passes in their
 * order. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "base/fail.h"
#include "render/light/blackbody.h"
#include "render/light/light_noise.h"
#include "render/pass/develop.h"
#include "render/pass/exposures.h"
#include "render/pass/geometry.h"
#include "render/pass/march.h"
#include "render/pass/slab_march.h"
#include "render/renderer_state.h"
#include "render/upload.h"
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
    renderer->watch.queries = gl_has_timers && !renderer->limits.software;
}

RenderTimes renderer_times(const Renderer *renderer)
{
    return renderer->times;
}

static void find_limits(Renderer *renderer)
{
    RenderLimits *limits = &renderer->limits;
    const char *name = gl_renderer_name();
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
    GLuint texture = texture_create(GL_TEXTURE_2D, GL_LINEAR, GL_CLAMP_TO_EDGE, label);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, layout, GL_FLOAT, values);
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
    renderer->surroundings = create_texture(1, 1, GL_RGBA16F, GL_RGBA, NULL, "surroundings");
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
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, MIPMAPS_MOST);
    glGenerateMipmap(GL_TEXTURE_2D);
    return true;
}

static bool create_objects(Renderer *renderer, BillowError *error)
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glGenVertexArrays(1, &renderer->vertex_array);
    /* glObjectLabel accepts a vertex array only after it was bound once. */
    glBindVertexArray(renderer->vertex_array);
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
    char offered[16];
    if (!gl_suffices(offered, sizeof offered)) {
        fail(error,
             "OpenGL: version 3.3 is needed, this context offers %s; a newer driver would help",
             offered);
        return NULL;
    }
    Renderer *renderer = calloc(1, sizeof *renderer);
    if (renderer == NULL) {
        fail(error, "picture: no memory for the renderer");
        return NULL;
    }
    renderer->coarsened = renderer->coarse_least = 1;
    gl_check_forget();
    gl_listen();
    find_limits(renderer);
    renderer->shader_stamp = shader_folder != NULL ? shader_source_stamp(shader_folder) : 0;
    renderer->shader_folder = shader_folder != NULL ? strdup(shader_folder) : NULL;
    bool good = shader_folder == NULL || renderer->shader_folder != NULL ||
                fail(error, "picture: no memory for the renderer");
    if (good && shader_set_create(&renderer->shaders, renderer->shader_folder, NULL, error) &&
        create_objects(renderer, error))
        return renderer;
    renderer_destroy(renderer);
    return NULL;
}

void renderer_destroy(Renderer *renderer)
{
    if (renderer == NULL)
        return;
    shader_set_destroy(&renderer->shaders);
    renderer_drop_targets(renderer);
    renderer_drop_develop(renderer);
    renderer_drop_view(renderer);
    volume_destroy(&renderer->history.motion);
    volume_destroy(&renderer->moving);
    volume_destroy(&renderer->moving_solid);
    brick_motion_destroy(&renderer->flow);
    rays_destroy(&renderer->rays);
    slab_destroy(renderer->slab);
    points_destroy(&renderer->tracers);
    const GLuint textures[] = {renderer->blackbody,    renderer->blue_noise,
                               renderer->ground_noise, renderer->ground_occlusion,
                               renderer->ground_glow,  renderer->surroundings};
    glDeleteTextures(sizeof textures / sizeof *textures, textures);
    renderer_slice_destroy(renderer);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteBuffers(1, &renderer->shown_buffer);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    free(renderer->coarse.memory);
    bricks_destroy(&renderer->bricks);
    lighting_destroy(&renderer->lighting);
    surroundings_map_destroy(&renderer->map);
    stopwatch_destroy(&renderer->watch);
    free(renderer->fused);
    free(renderer->shader_folder);
    free(renderer);
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
    if (!shader_set_create(&fresh, renderer->shader_folder, &renderer->shaders, error)) {
        renderer->shaders.folder = NULL; /* programs that are compiled until the next change */
        return false;
    }
    shader_set_destroy(&renderer->shaders);
    renderer->shaders = fresh;
    renderer->backdrop_drawn = renderer->smoke_drawn = false;
    if (changed != NULL)
        *changed = true;
    return true;
}

/* -- a picture --------------------------------------------------------------------------------- */

static bool prepare_targets(Renderer *renderer, BillowError *error)
{
    int most = renderer->texture_2d_max;
    RenderTile drawn = render_frame_drawn(&renderer->frame);
    if (drawn.width > most || drawn.height > most)
        return fail(error,
                    "picture: %dx%d pixels are too many for this graphics driver: it draws up to "
                    "%d a side; a smaller picture would help",
                    drawn.width, drawn.height, most);
    return renderer_prepare_smoke(renderer, error) &&
           (!renderer->linear_drawn || target_resize(&renderer->linear, drawn.width, drawn.height,
                                                     GL_RGBA16F, "linear picture", error)) &&
           (renderer->frame.transparent || renderer_prepare_backdrop(renderer, error)) &&
           target_resize(&renderer->picture, drawn.width, drawn.height, GL_RGBA8, "picture target",
                         error);
}

/* Prepares what all passes need: the light, the bounds of the smoke, the uniform block and the
 * textures. */
static void prepare(Renderer *renderer)
{
    renderer_find_bounds(renderer);
    renderer_fill_block(renderer);
    renderer_begin(renderer);
    renderer_update_glow(renderer);
    renderer_bind_textures(renderer);
}

static bool light(Renderer *renderer, BillowError *error)
{
    return renderer->volume.n[0] == 0 || renderer_light(renderer, error);
}

bool renderer_refine(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                     int rows, int *done, BillowError *error)
{
    uint64_t before = renderer->matter;
    assert(rows > 0 && *done >= 0);
    renderer->frame = *frame;
    if (!renderer_surround(renderer, settings, error))
        return false;
    if (*done == 0) {
        if (!light(renderer, error))
            return false;
        if (renderer->matter != before)
            return true; /* the light is not converged: each call adds one order of scattering */
        renderer->smoke_drawn = false;
    }
    if (!renderer_prepare_smoke(renderer, error))
        return false;
    prepare(renderer);
    bool good = renderer_smoke_rows(renderer, rows, done, error);
    renderer_end();
    return good && gl_check("marching the smoke", error);
}

bool renderer_draw(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                   BillowError *error)
{
    Stopwatch *watch = &renderer->watch;
    RenderTimes *times = &renderer->times;
    assert(frame->width > 0 && frame->height > 0);
    assert(frame->scale > 0 && frame->scale <= 1 && frame->step > 0);
    assert(frame->tile.width == 0 || frame->scale == 1);
    /* Only marched pixels have a depth, so every pixel must be marched. */
    assert(!frame->depth || frame->scale == 1);
    renderer->frame = *frame;
    if (!renderer_surround(renderer, settings, error))
        return false;
    bool exposes = renderer_exposes(renderer);
    assert(!exposes || frame->scale == 1);
    renderer->linear_drawn = frame->linear || exposes || settings->picture.auto_exposure ||
                             settings->picture.bloom > 0 || renderer_tracers_last(renderer);
    bool slice = frame->slice.field != NULL && renderer->volume.n[0] > 0;
    if (!prepare_targets(renderer, error) || (slice && !renderer_slice_upload(renderer, error)) ||
        (!lighting_is_for(&renderer->lighting, &renderer->settings) && !light(renderer, error)))
        return false;
    prepare(renderer);
    stopwatch_start(watch);
    bool good = !exposes || renderer_expose_all(renderer, error);
    if (good && (!exposes || frame->depth || frame->through || slice))
        good = renderer_smoke(renderer, error);
    times->march_ms = stopwatch_stop(watch);
    stopwatch_start(watch);
    if (!exposes)
        renderer_backdrop(renderer);
    good = good && (exposes || renderer_haze(renderer, error));
    times->backdrop_ms = stopwatch_stop(watch);
    stopwatch_start(watch);
    good = good && renderer_depth(renderer, error) && renderer_develop(renderer, error);
    if (good && slice)
        renderer_slice_draw(renderer);
    if (good)
        renderer_outline(renderer);
    times->composite_ms = stopwatch_stop(watch);
    renderer_end();
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

/* Draws a picture over a target, scaled to its size. */
static bool lay_over(Renderer *renderer, const Target *picture, const Target *target, float opacity,
                     BillowError *error)
{
    const GLuint program = shader_set_program(&renderer->shaders, SHADER_CROSS_FADE, error);
    renderer_begin(renderer);
    texture_bind(SHADER_UNIT_LEVEL, GL_TEXTURE_2D, picture->texture);
    glEnable(GL_BLEND);
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    glBlendColor(0, 0, 0, opacity);
    const bool good = target_cover(target, program);
    glDisable(GL_BLEND);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    renderer_end();
    return good && gl_check("fading the picture", error);
}

bool renderer_keep(Renderer *renderer, float opacity, BillowError *error)
{
    const Target *picture = &renderer->picture;
    Target *kept = &renderer->kept;
    if (picture->width == 0)
        return true;
    if (opacity > 0 && kept->width > 0)
        return lay_over(renderer, picture, kept, 1 - opacity, error);
    return target_resize(kept, picture->width, picture->height, GL_RGBA8, "kept picture", error) &&
           lay_over(renderer, picture, kept, 1, error);
}

bool renderer_fade(Renderer *renderer, int window_width, int window_height, float opacity,
                   BillowError *error)
{
    const Target window = {.width = window_width, .height = window_height};
    return renderer->kept.width == 0 ||
           lay_over(renderer, &renderer->kept, &window, opacity, error);
}
