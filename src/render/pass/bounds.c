/* SPDX-License-Identifier: MIT
 * The part of the box and of the picture that smoke covers. */
#include "renderer_state.h"

#include <math.h>

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
