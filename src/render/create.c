/* SPDX-License-Identifier: MIT
 * Creates and destroys a renderer, and reloads its shaders. */
#include "base/fail.h"
#include "render/gl/shader.h"
#include "render/light/blackbody.h"
#include "render/light/light_noise.h"
#include "render/renderer_state.h"
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
    if (good && shader_set_create(&renderer->shaders, renderer->shader_folder, NULL, error) &&
        create_objects(renderer, error))
        return renderer;
    renderer_destroy(renderer);
    return NULL;
}

void renderer_drop_targets(Renderer *renderer)
{
    Target *const targets[] = {
        &renderer->haze,    &renderer->smoothed, &renderer->smoke,          &renderer->smoke_behind,
        &renderer->linear,  &renderer->through,  &renderer->through_behind, &renderer->depth,
        &renderer->surface, &renderer->picture,  &renderer->backdrop,       &renderer->slice_under,
        &renderer->exposed};
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
    volume_destroy(&renderer->moving);
    volume_destroy(&renderer->moving_solid);
    brick_motion_destroy(&renderer->flow);
    volume_destroy(&renderer->solid);
    volume_destroy(&renderer->shade);
    volume_destroy(&renderer->color);
    volume_destroy(&renderer->flame);
    volume_destroy(&renderer->ramp);
    volume_destroy(&renderer->whole_density);
    volume_destroy(&renderer->whole_color);
    rays_destroy(&renderer->rays);
    slab_destroy(renderer->slab);
    points_destroy(&renderer->tracers);
    renderer_drop_rest(renderer);
    const GLuint textures[] = {renderer->blackbody,    renderer->blue_noise,
                               renderer->ground_noise, renderer->ground_occlusion,
                               renderer->ground_glow,  renderer->surroundings};
    glDeleteTextures(sizeof textures / sizeof *textures, textures);
    renderer_slice_destroy(renderer);
    glDeleteBuffers(1, &renderer->frame_buffer);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    coarse_view_destroy(&renderer->coarse);
    bricks_destroy(&renderer->bricks);
    lighting_destroy(&renderer->lighting);
    surroundings_map_destroy(&renderer->map);
    solid_light_destroy(&renderer->solid_light);
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
