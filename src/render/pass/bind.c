/* SPDX-License-Identifier: MIT
 * What the passes share: the uniform block Frame, textures, the viewport. */
#include "renderer_state.h"
#include <string.h>

const Target *renderer_shown_smoke(const Renderer *renderer)
{
    const History *history = &renderer->history;
    return history->shown ? &history->kept[history->current] : &renderer->smoke;
}

void renderer_bind_textures(const Renderer *renderer)
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
                               [SHADER_UNIT_GROUND_GLOW] = renderer->ground_glow};
    for (int unit = SHADER_UNIT_BLACKBODY; unit < SHADER_UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
        glBindTexture(GL_TEXTURE_2D, pictures[unit]);
    }
    glActiveTexture(GL_TEXTURE0);
}

/* The colours of what is hot, once for each scale of them. */
void renderer_update_glow(Renderer *renderer, const RenderSettings *settings)
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
