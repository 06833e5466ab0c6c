/* SPDX-License-Identifier: MIT
 * State that the passes share: the uniform block Frame, textures, the viewport, and the bounds of
 * the smoke. */
#include "render/renderer_state.h"

#include <math.h>
#include <string.h>

const Target *renderer_shown_smoke(const Renderer *renderer)
{
    return renderer->history.shown ? &renderer->history.sharpened : &renderer->smoke;
}

void renderer_bind_textures(const Renderer *renderer)
{
    const bool whole = renderer->whole_density.texture != 0;
    const Volume *density = whole ? &renderer->whole_density : &renderer->density;
    const Volume *color = whole ? &renderer->whole_color : &renderer->color;
    const GLuint volumes[] = {[SHADER_UNIT_DENSITY] = density->texture,
                              [SHADER_UNIT_TEMPERATURE] = renderer->temperature.texture,
                              [SHADER_UNIT_LIGHT] = renderer->light.texture,
                              [SHADER_UNIT_BRICKS] = renderer->occupancy.texture,
                              [SHADER_UNIT_SOLID] = renderer->solid.texture,
                              [SHADER_UNIT_SHADE] = renderer->shade.texture,
                              [SHADER_UNIT_COLOR] = color->texture,
                              [SHADER_UNIT_FLAME] = renderer->flame.texture,
                              [SHADER_UNIT_TEXTURE_0] = renderer->coordinates[0].texture,
                              [SHADER_UNIT_TEXTURE_1] = renderer->coordinates[1].texture,
                              [SHADER_UNIT_DETAIL] = renderer->detail.texture,
                              [SHADER_UNIT_AMBIENT] = renderer->ambient.texture,
                              [SHADER_UNIT_LAMPS] = renderer->lamps.texture,
                              [SHADER_UNIT_MOTION] = renderer->history.motion.texture,
                              [SHADER_UNIT_RAMP] = renderer->ramp.texture};
    for (int unit = SHADER_UNIT_DENSITY; unit < SHADER_UNIT_BLACKBODY; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(GL_TEXTURE_3D, volumes[unit]);
    }
    const GLuint pictures[] = {[SHADER_UNIT_BLACKBODY] = renderer->blackbody,
                               [SHADER_UNIT_SMOKE] = renderer_shown_smoke(renderer)->texture,
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
                               [SHADER_UNIT_GROUND_GLOW] = renderer->ground_glow,
                               [SHADER_UNIT_HAZE] = renderer->haze.texture,
                               [SHADER_UNIT_SURROUNDINGS] = renderer->surroundings};
    for (int unit = SHADER_UNIT_BLACKBODY; unit < SHADER_UNIT_RAYS; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(GL_TEXTURE_2D, pictures[unit]);
    }
    glActiveTexture(GL_TEXTURE0);
}

/* Recomputes and uploads the colours of glowing smoke and sparks if their scale has changed. */
void renderer_update_glow(Renderer *renderer, const RenderSettings *settings)
{
    const BlackbodyScale scale = {settings->smoke.glow_kelvin, settings->smoke.glow_range};
    bool smoke = renderer->glows && settings->smoke.glow > 0;
    if (!(smoke || renderer->tracers.sparks) ||
        memcmp(&scale, &renderer->glow_scale, sizeof scale) == 0)
        return;
    glBindTexture(GL_TEXTURE_2D, renderer->blackbody);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, BLACKBODY_ENTRIES, 1, GL_RGBA, GL_FLOAT,
                    lighting_glow(&renderer->lighting, &settings->smoke));
    renderer->glow_scale = scale;
}

void renderer_viewport(const RenderFrame *frame)
{
    int viewport[4];
    frame_block_viewport(frame, viewport);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
}

void renderer_tell_shaders(const Renderer *renderer, const FrameBlock *block)
{
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->frame_buffer);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof *block, block);
}

/* -- bounds of the smoke ----------------------------------------------------------------------- */

void renderer_find_bounds(Renderer *renderer, const RenderSettings *settings)
{
    FrameVolume *volume = &renderer->volume;
    volume->any = false;
    if (volume->n[0] == 0 || !(settings->smoke.extinction > 0))
        return;
    float hottest = renderer->bricks.temperature_max + BLACKBODY_AMBIENT;
    volume->brightness_bound = lighting_brightness_bound(settings, hottest, volume->cell_size);
    volume->empty_density = bricks_negligible(volume->n, volume->cell_size,
                                              lighting_most_extinction(&settings->smoke)) /
                            volume->brightness_bound;
    volume->any = bricks_bounds(&renderer->bricks, volume->empty_density, volume->n, volume->low,
                                volume->high);
}

/* Narrows the GL's scissor rectangle to the pixels that the bounds of the smoke can cover. rows:
 * first row, and row after the last. */
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
            return; /* no narrowing if the bounds extend behind the camera */
        for (int c = 0; c < 2; c++) {
            low[c] = fminf(low[c], clip[c] / clip[3]);
            high[c] = fmaxf(high[c], clip[c] / clip[3]);
        }
    }
    int from[2], to[2];
    for (int c = 0; c < 2; c++) {
        float size = block->picture[2 + c], corner = block->tile[c]; /* marched pixels */
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

bool renderer_shows_lamps(const Renderer *renderer, const RenderSettings *settings)
{
    for (int l = 0; l < settings->lamp_count && renderer->volume.n[0] > 0; l++)
        if (settings->lamps[l].radius > 0)
            return true;
    return false;
}

bool renderer_scissor_to_smoke(const Renderer *renderer, const FrameBlock *block,
                               const RenderSettings *settings, const int rows[2], int margin)
{
    bool balls = renderer_shows_lamps(renderer, settings);
    glScissor(0, rows[0], (int)block->picture[2], rows[1] - rows[0]);
    glEnable(GL_SCISSOR_TEST);
    if (!balls && renderer->volume.any)
        scissor_to_bounds(block, &renderer->volume, rows, margin);
    return balls || renderer->volume.any;
}
