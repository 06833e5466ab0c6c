/* SPDX-License-Identifier: MIT
 * What the passes share: the uniform block Frame, textures, the viewport, and the surroundings. */
#include "render/renderer_state.h"

#include "base/fail.h"
#include "render/pass/march.h"

#include <stdlib.h>
#include <string.h>

void renderer_bind_textures(const Renderer *renderer)
{
    const bool whole = renderer->whole_density.texture != 0;
    const Volume *density = whole ? &renderer->whole_density : &renderer->density;
    const Volume *color = whole ? &renderer->whole_color : &renderer->color;
    const GLuint textures[] = {[SHADER_UNIT_DENSITY] = density->texture,
                               [SHADER_UNIT_TEMPERATURE] = renderer->temperature.texture,
                               [SHADER_UNIT_LIGHT] = renderer->light.texture,
                               [SHADER_UNIT_BRICKS] = renderer->occupancy.texture,
                               [SHADER_UNIT_SOLID] = renderer->solid.texture,
                               [SHADER_UNIT_SHADE] = renderer->shade.texture,
                               [SHADER_UNIT_COLOR] = color->texture,
                               [SHADER_UNIT_FLAME] = renderer->flame.texture,
                               [SHADER_UNIT_AMBIENT] = renderer->ambient.texture,
                               [SHADER_UNIT_LAMPS] = renderer->lamps.texture,
                               [SHADER_UNIT_MOTION] = renderer->history.motion.texture,
                               [SHADER_UNIT_RAMP] = renderer->ramp.texture,
                               [SHADER_UNIT_BLACKBODY] = renderer->blackbody,
                               [SHADER_UNIT_SMOKE] = renderer_shown_smoke(renderer)->texture,
                               [SHADER_UNIT_SMOKE_FRONT] = renderer->smoke.texture,
                               [SHADER_UNIT_SMOKE_BEHIND] = renderer->smoke_behind.texture,
                               [SHADER_UNIT_THROUGH] = renderer_shown_through(renderer)->texture,
                               [SHADER_UNIT_THROUGH_BEHIND] = renderer->through_behind.texture,
                               [SHADER_UNIT_SLICE_VALUES] = renderer->slice_values,
                               [SHADER_UNIT_SLICE_COLORS] = renderer->slice_colors,
                               [SHADER_UNIT_LINEAR] = renderer->linear.texture,
                               [SHADER_UNIT_BACKDROP] = renderer->backdrop.texture,
                               [SHADER_UNIT_BLUE_NOISE] = renderer->blue_noise,
                               [SHADER_UNIT_GROUND_NOISE] = renderer->ground_noise,
                               [SHADER_UNIT_GROUND_OCCLUSION] = renderer->ground_occlusion,
                               [SHADER_UNIT_GROUND_GLOW] = renderer->ground_glow,
                               [SHADER_UNIT_HAZE] = renderer->haze.texture,
                               [SHADER_UNIT_SURROUNDINGS] = renderer->surroundings};
    for (int unit = 0; unit < SHADER_UNIT_RAYS; unit++)
        texture_bind(unit, unit < SHADER_UNIT_BLACKBODY ? GL_TEXTURE_3D : GL_TEXTURE_2D,
                     textures[unit]);
}

/* Only if their scale has changed. */
void renderer_update_glow(Renderer *renderer)
{
    const RenderSmoke *smoke = &renderer->settings.smoke;
    const BlackbodyScale scale = {smoke->glow_kelvin, smoke->glow_range};
    if (!((renderer->glows && smoke->glow > 0) || renderer->tracers.sparks) ||
        memcmp(&scale, &renderer->glow_scale, sizeof scale) == 0)
        return;
    glBindTexture(GL_TEXTURE_2D, renderer->blackbody);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, BLACKBODY_ENTRIES, 1, GL_RGBA, GL_FLOAT,
                    lighting_glow(&renderer->lighting, smoke));
    renderer->glow_scale = scale;
}

void renderer_viewport(const RenderFrame *frame)
{
    int viewport[4];
    frame_block_viewport(frame, viewport);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
}

void renderer_scissor(const PixelBox *box)
{
    glScissor(box->from[0], box->from[1], box->to[0] - box->from[0], box->to[1] - box->from[1]);
}

PixelBox renderer_solid_pixels(const Renderer *renderer, const float size[2], int margin,
                               const PixelBox *box)
{
    const FrameVolume *volume = &renderer->volume;
    if (!volume->solids)
        return (PixelBox){{box->from[0], box->from[1]}, {box->from[0], box->from[1]}};
    if (renderer->frame.exposures > 0) /* each has a camera and solids of its own */
        return *box;
    return frame_block_covered(&renderer->block, volume->solid_low, volume->solid_high, size,
                               margin, box);
}

void renderer_tell_shaders(const Renderer *renderer, const FrameBlock *block)
{
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof *block, block);
}

void renderer_fill_block(Renderer *renderer)
{
    const RenderFrame *frame = &renderer->frame;
    Camera camera = camera_from_settings(&renderer->settings.camera, frame->width, frame->height);
    frame_block_fill(&renderer->block, &renderer->settings, frame, &camera, &renderer->volume);
    renderer_tell_shaders(renderer, &renderer->block);
}

void renderer_begin(const Renderer *renderer)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, SHADER_FRAME_BINDING, renderer->frame_buffer);
    gl_reset_state();
    glBindVertexArray(renderer->vertex_array);
}

void renderer_end(void)
{
    glBindVertexArray(0);
    glUseProgram(0);
}

void renderer_drop_targets(Renderer *renderer)
{
    Target *const targets[] = {
        &renderer->haze,           &renderer->smoothed, &renderer->smoke,
        &renderer->smoke_behind,   &renderer->linear,   &renderer->through,
        &renderer->through_behind, &renderer->depth,    &renderer->surface,
        &renderer->picture,        &renderer->backdrop, &renderer->slice_under,
        &renderer->exposed,        &renderer->shown,    &renderer->kept};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        target_destroy(targets[i]);
    renderer_drop_history(renderer);
    renderer->backdrop_drawn = renderer->smoke_drawn = false;
}

/* -- surroundings ------------------------------------------------------------------------------ */

/* Half floats hold 65504. */
#define BRIGHTEST 6e4f

/* Uploads texels of red, green and blue as texels with an alpha of 1, because OpenGL ES generates
 * mipmaps of RGBA16F, but not of RGB16F. */
static bool send_rows(const float *texels, int width, int height, BillowError *error)
{
    float *row = malloc(4 * sizeof *row * (size_t)width);
    if (row == NULL)
        return fail(error, "picture: no memory for the surroundings");
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, width, height, 0, GL_RGBA, GL_FLOAT, NULL);
    bool good = gl_check("memory for the surroundings", error);
    for (int y = 0; y < height && good; y++) {
        const float *from = texels + 3 * (ptrdiff_t)width * y;
        for (int x = 0; x < width; x++) {
            for (int c = 0; c < 3; c++)
                row[4 * x + c] = from[3 * x + c] < BRIGHTEST ? from[3 * x + c] : BRIGHTEST;
            row[4 * x + 3] = 1;
        }
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, y, width, 1, GL_RGBA, GL_FLOAT, row);
    }
    free(row);
    return good;
}

/* Uploads the map, at half the size as often as the driver asks for. A panorama's texels are then
 * freed; its light stays. */
static bool upload_map(Renderer *renderer, BillowError *error)
{
    SurroundingsMap *map = &renderer->map;
    int most = renderer->texture_2d_max, width = map->width, height = map->height;
    float *texels = map->radiance;
    while (width > most && height > 1) {
        for (int y = 0; y < height / 2; y++)
            for (int x = 0; x < width / 2; x++)
                for (int c = 0; c < 3; c++) {
                    const float *low = texels + 3 * (2 * ((ptrdiff_t)width * y + x)) + c;
                    const float *high = low + 3 * (ptrdiff_t)width;
                    texels[3 * ((ptrdiff_t)(width / 2) * y + x) + c] =
                        0.25f * (low[0] + low[3] + high[0] + high[3]);
                }
        width /= 2;
        height /= 2;
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, renderer->surroundings);
    if (!send_rows(texels, width, height, error))
        return false;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, MIPMAPS_MOST);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    free(map->radiance);
    map->radiance = NULL;
    return gl_check("upload of the surroundings", error);
}

/* Whether the panorama's file has changed since it was read. */
static bool panorama_changed(Renderer *renderer, const RenderSettings *settings)
{
    if (settings->surroundings.kind != RENDER_PANORAMA)
        return false;
    if (strcmp(renderer->panorama.path, settings->surroundings.file) != 0) {
        renderer->panorama = file_watch_start(settings->surroundings.file);
        return false;
    }
    file_watch_changed(&renderer->panorama); /* notes how the file looks now */
    return file_watch_changed(&renderer->panorama);
}

bool renderer_surround(Renderer *renderer, const RenderSettings *settings, BillowError *error)
{
    SurroundingsMap *map = &renderer->map;
    const bool mapped = surroundings_mapped(settings);
    if (mapped) {
        uint64_t before = map->version;
        bool again = panorama_changed(renderer, settings), known = map->light != NULL;
        /* A file that is being changed and cannot be read now leaves the panorama as it is. */
        if ((!surroundings_map_make(map, settings, again, error) && !(again && known)) ||
            (map->version != before && !upload_map(renderer, error)))
            return false;
    }
    RenderSettings applied = surroundings_apply(settings, map);
    const RenderSettings *a = &applied, *b = &renderer->settings;
    bool same = memcmp(&a->sun, &b->sun, sizeof a->sun) == 0 &&
                memcmp(&a->sky, &b->sky, sizeof a->sky) == 0 &&
                memcmp(&a->ground, &b->ground, sizeof a->ground) == 0 &&
                memcmp(&a->surroundings, &b->surroundings, sizeof a->surroundings) == 0;
    if (mapped && (renderer->around_map != map->version || !same)) {
        renderer->around = surroundings_of(&applied, map);
        renderer->around_map = map->version;
        renderer->around_version++;
    }
    renderer->settings = applied;
    renderer->lighting.around = renderer->volume.around = mapped ? &renderer->around : NULL;
    renderer->lighting.around_version = mapped ? renderer->around_version : 0;
    return true;
}
