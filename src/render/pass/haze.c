/* SPDX-License-Identifier: MIT
 * The haze pass: computes how hot air shifts what lies behind it. Compositing looks solids, sky and
 * ground up at the shifted places. Smoke and tracers are not shifted. */
#include "render/renderer_state.h"

bool renderer_hazes(const Renderer *renderer, const RenderSettings *settings)
{
    return settings->picture.haze > 0 && renderer->volume.n[0] > 0 &&
           renderer->temperature.texture != 0;
}

bool renderer_haze(Renderer *renderer, const FrameBlock *block, const RenderSettings *settings,
                   BillowError *error)
{
    if (!renderer_hazes(renderer, settings)) {
        target_destroy(&renderer->haze);
        return true;
    }
    int width = ((int)block->tile[2] + 3) / 4, height = ((int)block->tile[3] + 3) / 4;
    GLuint program = shader_set_program(
        &renderer->shaders, renderer->volume.solids ? SHADER_HAZE_SOLIDS : SHADER_HAZE, error);
    if (!target_resize(&renderer->haze, width, height, GL_RGBA32F, "haze", error) ||
        !target_cover(&renderer->haze, program))
        return false;
    glActiveTexture(GL_TEXTURE0 + SHADER_UNIT_HAZE);
    glBindTexture(GL_TEXTURE_2D, renderer->haze.texture);
    glActiveTexture(GL_TEXTURE0);
    return true;
}
