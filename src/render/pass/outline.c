/* SPDX-License-Identifier: MIT
 * The outline pass: draws the edges of the box over the picture. */
#include "render/renderer_state.h"

/* must agree with shaders/overlay.vert */
#define BOX_EDGES     12
#define LINE_VERTICES 6

void renderer_outline(const Renderer *renderer, const RenderFrame *frame)
{
    if (!frame->outline || renderer->volume.n[0] == 0)
        return;
    renderer_viewport(frame);
    glUseProgram(renderer->shaders.programs[SHADER_OVERLAY]);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, BOX_EDGES * LINE_VERTICES);
    glDisable(GL_BLEND);
}
