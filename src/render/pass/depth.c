/* SPDX-License-Identifier: MIT
 * The depth pass: computes the distances of surface and smoke at each pixel. */
#include "render/renderer_state.h"

bool renderer_depth(Renderer *renderer, BillowError *error)
{
    if (renderer->depth.texture == 0)
        return true;
    static const GLenum layers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->depth.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D,
                           renderer->surface.texture, 0);
    glDrawBuffers(2, layers);
    int solids = renderer->volume.solids ? SHADER_PICTURE_SOLIDS : 0;
    return target_cover(&renderer->depth,
                        shader_set_picture(&renderer->shaders, SHADER_DEPTH, solids, error));
}
