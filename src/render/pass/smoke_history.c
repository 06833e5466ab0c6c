/* SPDX-License-Identifier: MIT
 * Accumulates smoke over pictures. The history has more pixels than the march. Each history pixel
 * blends its previous value with a share of the new rays. The previous value is read at the
 * position that the smoke had in the last picture, computed from the motion of camera and smoke. It
 * is clamped to the range of the new rays around the pixel. Smoke that has moved away therefore
 * leaves no trail (Karis, High Quality Temporal Supersampling, 2014; Salvi, An Excursion in
 * Temporal Supersampling, 2016). */
#include "render/light/light_noise.h"
#include "render/renderer_state.h"
#include <math.h>
#include <string.h>

/* Angle about the middle of the box that the camera moves from one picture to the next, rad. From
 * this angle on the history is dropped. */
#define TURN_FORGETS 0.26f
/* Largest step back in simulated time that does not drop the history, s. Showing past states makes
 * small steps back; a larger one is a restart. */
#define BACK_FORGETS 0.5

/* Van der Corput's sequence in a base. Bases 2 and 3 together are Halton's sequence, which places
 * the rays within their pixel. Any few successive points of it cover the pixel evenly. */
static float van_der_corput(unsigned index, unsigned base)
{
    float digit = 1, sum = 0;
    for (; index > 0; index /= base) {
        digit /= (float)base;
        sum += digit * (float)(index % base);
    }
    return sum;
}

static void accumulate_offset(unsigned index, float offset[2])
{
    /* The sequence repeats after 1024 points. More points gain nothing, and with so few digits
     * subtracting 0.5 is exact. */
    unsigned place = index % 1024 + 1;
    offset[0] = van_der_corput(place, 2) - 0.5f;
    offset[1] = van_der_corput(place, 3) - 0.5f;
}

bool renderer_keeps_history(const Renderer *renderer, const RenderFrame *frame)
{
    return frame->history > 0 && frame->exposures == 0 && frame->tile.width == 0 &&
           !renderer->volume.solids && !renderer->volume.by_color;
}

void renderer_drop_history(Renderer *renderer)
{
    History *history = &renderer->history;
    Target *const targets[] = {&history->accumulated[0], &history->accumulated[1],
                               &history->sharpened,      &history->mean,
                               &history->margin,         &history->displacement};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        target_destroy(targets[i]);
    history->count = 0;
}

bool renderer_upload_motion(Renderer *renderer, const Motion *motion, BillowError *error)
{
    History *history = &renderer->history;
    if (motion->n[0] == 0) {
        volume_destroy(&history->motion);
        return true;
    }
    return volume_upload_packed(&history->motion, motion->n, 3, motion->values, true,
                                "smoke's motion", error);
}

/* Angle about the middle of the box between the camera's position in the last picture and now, rad.
 * Smoke has no surface: seen from another side, the history is at the wrong distance. */
static float turned(const History *history, const FrameBlock *block)
{
    float dot = 0, lengths[2] = {0, 0};
    for (int c = 0; c < 3; c++) {
        float middle = 0.5f * (block->box_min[c] + block->box_max[c]);
        float now = block->camera_origin[c] - middle, then = history->eye[c] - middle;
        dot += now * then;
        lengths[0] += now * now;
        lengths[1] += then * then;
    }
    float cosine = dot / fmaxf(sqrtf(lengths[0] * lengths[1]), 1e-12f);
    return acosf(fminf(fmaxf(cosine, -1), 1));
}

void renderer_history_aim(Renderer *renderer, FrameBlock *block, const RenderFrame *frame)
{
    History *history = &renderer->history;
    double since = renderer->time - history->time;
    if (since < -BACK_FORGETS)
        history->count = 0;
    float *offset = block->history;
    accumulate_offset(history->index, offset);
    /* The ray offset is passed in block->tile, whose corner the march does not use. */
    memcpy(block->tile, offset, 2 * sizeof *offset);
    block->march[1] = blue_noise_shift(history->index);
    history->index++;
    float least = turned(history, block) / TURN_FORGETS;
    block->history[2] = fminf(fmaxf(least, 1 / (1 + (float)history->count)), 1);
    block->history[3] = (float)since;
    memcpy(block->previous, history->count > 0 ? history->camera : block->view_projection,
           sizeof block->previous);
    const int size[2] = {frame->width, frame->height};
    for (int side = 0; side < 2; side++) {
        int pixels = frame_block_marched(size[side], frame->history);
        block->history_size[side] = (float)pixels;
        block->history_size[2 + side] = 1 / (float)pixels;
    }
}

/* Pixel format of the history. A CPU takes longer to decode halves than to read floats, which have
 * twice the size. */
static GLenum kept_format(const Renderer *renderer)
{
    return renderer->limits.software ? GL_RGBA32F : GL_RGBA16F;
}

static void bind(int unit, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glActiveTexture(GL_TEXTURE0);
}

static bool find_neighbours(Renderer *renderer, const FrameBlock *block,
                            const RenderSettings *settings, BillowError *error)
{
    History *history = &renderer->history;
    int width = renderer->smoke.width, height = renderer->smoke.height;
    GLenum format = kept_format(renderer);
    bool moves = history->motion.texture != 0;
    GLuint program = shader_set_program(
        &renderer->shaders, moves ? SHADER_NEIGHBOURS_MOTION : SHADER_NEIGHBOURS, error);
    if (program == 0 ||
        !target_resize(&history->mean, width, height, format, "smoke's mean", error) ||
        !target_resize(&history->margin, width, height, format, "smoke's margin", error) ||
        !target_resize(&history->displacement, width, height, GL_RG16F, "smoke's displacement",
                       error))
        return false;
    static const GLenum layers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                    GL_COLOR_ATTACHMENT2};
    glBindFramebuffer(GL_FRAMEBUFFER, history->mean.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D,
                           history->margin.texture, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT2, GL_TEXTURE_2D,
                           history->displacement.texture, 0);
    glDrawBuffers(3, layers);
    bind(SHADER_UNIT_SMOKE, renderer->smoke.texture);
    bind(SHADER_UNIT_THROUGH, renderer->through.texture);
    /* The margin is larger than that of later passes, which interpolate between these pixels. */
    renderer_scissor_to_smoke(renderer, block, settings, (const int[2]){0, height}, 4);
    return target_cover(&history->mean, program);
}

/* Blends the last history and the new rays into the target that the last picture did not use.
 * Pixels that smoke cannot cover stay empty. */
static bool blend(Renderer *renderer, FrameBlock block, const RenderSettings *settings,
                  BillowError *error)
{
    History *history = &renderer->history;
    const Target *to = &history->accumulated[1 - history->current],
                 *from = &history->accumulated[history->current];
    GLuint program = shader_set_program(&renderer->shaders, SHADER_ACCUMULATE, error);
    bind(SHADER_UNIT_SMOKE_MEAN, history->mean.texture);
    bind(SHADER_UNIT_SMOKE_MARGIN, history->margin.texture);
    bind(SHADER_UNIT_SMOKE_DISPLACEMENT, history->displacement.texture);
    /* The first picture consists of new rays alone and ignores the texture bound here. */
    bind(SHADER_UNIT_LEVEL, history->count > 0 ? from->texture : history->mean.texture);
    block.picture[2] = block.history_size[0];
    block.picture[3] = block.history_size[1];
    block.tile[0] = block.tile[1] = 0;
    renderer_scissor_to_smoke(renderer, &block, settings, (const int[2]){0, to->height}, 1);
    return target_cover(to, program);
}

/* Sharpens the smoke of the blended history for the screen. */
static bool sharpen(Renderer *renderer, FrameBlock block, const RenderSettings *settings,
                    const Target *from, BillowError *error)
{
    const Target *to = &renderer->history.sharpened;
    GLuint program = shader_set_program(&renderer->shaders, SHADER_SHARPEN, error);
    bind(SHADER_UNIT_LEVEL, from->texture);
    block.picture[2] = block.history_size[0];
    block.picture[3] = block.history_size[1];
    block.tile[0] = block.tile[1] = 0;
    renderer_scissor_to_smoke(renderer, &block, settings, (const int[2]){0, to->height}, 2);
    return target_cover(to, program);
}

/* Resizes a target and fills it with no smoke. */
static bool clear(Renderer *renderer, const FrameBlock *block, Target *target, BillowError *error)
{
    static const GLfloat nothing[4] = {0, 0, 0, 1};
    if (!target_resize(target, (int)block->history_size[0], (int)block->history_size[1],
                       kept_format(renderer), "smoke's history", error))
        return false;
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glClearBufferfv(GL_COLOR, 0, nothing);
    return true;
}

bool renderer_history_add(Renderer *renderer, const FrameBlock *block,
                          const RenderSettings *settings, BillowError *error)
{
    History *history = &renderer->history;
    Target *to = &history->accumulated[1 - history->current];
    if (!clear(renderer, block, to, error) || !clear(renderer, block, &history->sharpened, error))
        return false;
    bool any = renderer_scissor_to_smoke(renderer, block, settings, (const int[2]){0, 1}, 1);
    bool good = !any || (find_neighbours(renderer, block, settings, error) &&
                         blend(renderer, *block, settings, error) &&
                         sharpen(renderer, *block, settings, to, error));
    glDisable(GL_SCISSOR_TEST);
    if (!good)
        return false;
    history->current = 1 - history->current;
    memcpy(history->camera, block->view_projection, sizeof history->camera);
    memcpy(history->eye, block->camera_origin, sizeof history->eye);
    history->time = renderer->time;
    history->shown = true;
    history->count++;
    return true;
}
