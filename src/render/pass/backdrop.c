/* SPDX-License-Identifier: MIT
 * The backdrop pass: draws sky and ground. */
#include "render/renderer_state.h"
#include <string.h>

static BackdropKey backdrop_key(const Renderer *renderer, const FrameBlock *block)
{
    BackdropKey key;
    memset(&key, 0, sizeof key);
    key.map = renderer->lighting.around_version;
    memcpy(key.sky[2], block->sky_map, sizeof key.sky[2]);
    memcpy(key.camera[0], block->camera_origin, sizeof key.camera[0]);
    memcpy(key.camera[1], block->camera_right, sizeof key.camera[1]);
    memcpy(key.camera[2], block->camera_up, sizeof key.camera[2]);
    memcpy(key.camera[3], block->camera_forward, sizeof key.camera[3]);
    memcpy(key.home, block->home, sizeof key.home);
    memcpy(key.sun[0], block->sun_direction, sizeof key.sun[0]);
    memcpy(key.sun[1], block->sun_irradiance, sizeof key.sun[1]);
    memcpy(key.sky[0], block->sky_zenith, sizeof key.sky[0]);
    memcpy(key.sky[1], block->sky_horizon, sizeof key.sky[1]);
    key.ground[0] = block->ground_color[3];
    key.ground[1] = block->ground_light[3];
    memcpy(key.size, block->picture, sizeof key.size);
    memcpy(key.tile, block->tile, sizeof key.tile);
    return key;
}

bool renderer_prepare_backdrop(Renderer *renderer, const RenderFrame *frame, BillowError *error)
{
    Target *backdrop = &renderer->backdrop;
    RenderTile drawn = render_frame_drawn(frame);
    int width = frame->turning ? (drawn.width + 1) / 2 : drawn.width;
    int height = frame->turning ? (drawn.height + 1) / 2 : drawn.height;
    if (backdrop->width != width || backdrop->height != height)
        renderer->backdrop_drawn = false;
    return target_resize(backdrop, width, height, GL_RGBA16F, "backdrop", error);
}

/* Draws sky and ground, if the values of BackdropKey have changed. Only the march of the
 * smoke takes longer than this pass. */
void renderer_backdrop(Renderer *renderer, const FrameBlock *block, const RenderFrame *frame)
{
    BackdropKey key = backdrop_key(renderer, block);
    bool same = memcmp(&key, &renderer->backdrop_key, sizeof key) == 0;
    if (frame->transparent || (renderer->backdrop_drawn && same))
        return;
    target_cover(&renderer->backdrop, renderer->shaders.programs[SHADER_BACKDROP]);
    renderer->backdrop_key = key;
    renderer->backdrop_drawn = true;
}
