/* SPDX-License-Identifier: MIT
 * The march pass: computes radiance and transmittance of smoke and tracers, accumulates the smoke
 * over pictures, and computes the depth of each pixel. */
#include "render/pass/march.h"
#include "render/light/light_noise.h"
#include "render/pass/geometry.h"
#include "render/pass/slab_march.h"
#include "render/renderer_state.h"
#include <math.h>
#include <string.h>

/* -- bounds of the smoke ----------------------------------------------------------------------- */

void renderer_find_bounds(Renderer *renderer)
{
    FrameVolume *volume = &renderer->volume;
    volume->any = false;
    if (volume->n[0] == 0 || !(renderer->settings.smoke.extinction > 0))
        return;
    float hottest = renderer->bricks.temperature_max + BLACKBODY_AMBIENT;
    volume->brightness_bound =
        lighting_brightness_bound(&renderer->settings, hottest, volume->cell_size);
    volume->empty_density = bricks_negligible(volume->n, volume->cell_size,
                                              lighting_most_extinction(&renderer->settings.smoke)) /
                            volume->brightness_bound;
    volume->any = bricks_bounds(&renderer->bricks, volume->empty_density, volume->n, volume->low,
                                volume->high);
}

/* Whether a lamp has a radius and is therefore drawn as a ball. */
static bool shows_lamps(const Renderer *renderer)
{
    for (int l = 0; l < renderer->settings.lamp_count && renderer->volume.n[0] > 0; l++)
        if (renderer->settings.lamps[l].radius > 0)
            return true;
    return false;
}

/* The pixels that smoke and visible lamps can cover, in a target of the block's marched size. rows:
 * first row, and row after the last. margin: pixels to add around the covered ones. */
static PixelBox smoke_pixels(const Renderer *renderer, const FrameBlock *block, const int rows[2],
                             int margin)
{
    const PixelBox target = {{0, rows[0]}, {(int)block->picture[2], rows[1]}};
    if (shows_lamps(renderer) || !renderer->volume.any)
        return target;
    return frame_block_covered(block, renderer->volume.low, renderer->volume.high,
                               block->picture + 2, margin, &target);
}

/* Limits drawing to the pixels that smoke and visible lamps can cover. Arguments as for
 * smoke_pixels. Returns false if there is neither smoke nor a visible lamp. */
static bool scissor_to_smoke(const Renderer *renderer, const FrameBlock *block, const int rows[2],
                             int margin)
{
    const PixelBox box = smoke_pixels(renderer, block, rows, margin);
    glEnable(GL_SCISSOR_TEST);
    renderer_scissor(&box);
    return shows_lamps(renderer) || renderer->volume.any;
}

/* -- history ----------------------------------------------------------------------------------- */

/* Accumulates smoke over pictures. The history has more pixels than the march. Each history pixel
 * blends its previous value with a share of the new rays. The previous value is read at the
 * position that the smoke had in the last picture, computed from the motion of camera and smoke. It
 * is clamped to the range of the new rays around the pixel. Smoke that has moved away therefore
 * leaves no trail (Karis, High Quality Temporal Supersampling, 2014; Salvi, An Excursion in
 * Temporal Supersampling, 2016). */

const Target *renderer_shown_smoke(const Renderer *renderer)
{
    return renderer->history.shown ? &renderer->history.sharpened : &renderer->smoke;
}

const Target *renderer_shown_through(const Renderer *renderer)
{
    const History *history = &renderer->history;
    return history->shown && renderer->volume.by_color ? &history->through[history->current]
                                                       : &renderer->through;
}

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

bool renderer_keeps_history(const Renderer *renderer)
{
    return renderer->frame.history > 0 && renderer->frame.exposures == 0 &&
           renderer->frame.tile.width == 0;
}

void renderer_drop_history(Renderer *renderer)
{
    History *history = &renderer->history;
    Target *const targets[] = {&history->accumulated[0], &history->accumulated[1],
                               &history->through[0],     &history->through[1],
                               &history->sharpened,      &history->joined,
                               &history->joined_through, &history->mean,
                               &history->margin,         &history->displacement};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        target_destroy(targets[i]);
    history->count = 0;
}

bool renderer_upload_motion(Renderer *renderer, const Motion *motion, BillowError *error)
{
    const float *values = motion->n[0] > 0 ? motion->values : NULL;
    return volume_upload_packed(&renderer->history.motion, motion->n, 3, values, true,
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

/* Sets the ray offsets in the block before the march. */
static void history_aim(Renderer *renderer)
{
    History *history = &renderer->history;
    FrameBlock *block = &renderer->block;
    double since = renderer->time - history->time;
    if (since < -BACK_FORGETS)
        history->count = 0;
    float *offset = block->history;
    /* The sequence repeats after 1024 points. More points gain nothing, and with so few digits
     * subtracting 0.5 is exact. */
    unsigned place = history->index % 1024 + 1;
    offset[0] = van_der_corput(place, 2) - 0.5f;
    offset[1] = van_der_corput(place, 3) - 0.5f;
    /* The ray offset is passed in block->tile, whose corner the march does not use. */
    memcpy(block->tile, offset, 2 * sizeof *offset);
    memcpy(history->offset, offset, sizeof history->offset);
    block->march[1] = blue_noise_shift(history->index);
    history->index++;
    float least = turned(history, block) / TURN_FORGETS;
    block->history[2] = fminf(fmaxf(least, 1 / (1 + (float)history->count)), 1);
    block->history[3] = (float)since;
    memcpy(block->previous, history->count > 0 ? history->camera : block->view_projection,
           sizeof block->previous);
    const int size[2] = {renderer->frame.width, renderer->frame.height};
    for (int side = 0; side < 2; side++) {
        int pixels = frame_block_marched(size[side], renderer->frame.history);
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

/* Lets the next pass write to 1 to 3 targets at once, by the framebuffer of the first. */
static void attach(const Target *const *targets, int count)
{
    static const GLenum layers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                    GL_COLOR_ATTACHMENT2};
    glBindFramebuffer(GL_FRAMEBUFFER, targets[0]->framebuffer);
    for (int layer = 1; layer < 3; layer++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, layers[layer], GL_TEXTURE_2D,
                               layer < count ? targets[layer]->texture : 0, 0);
    glDrawBuffers(count, layers);
}

/* Joins the new rays' smoke in front of the edges of solids to that behind them, where there are
 * solids. */
static bool join(Renderer *renderer, BillowError *error)
{
    const Target *smoke = &renderer->smoke, *through = &renderer->through;
    texture_bind(SHADER_UNIT_SMOKE, GL_TEXTURE_2D, smoke->texture);
    texture_bind(SHADER_UNIT_THROUGH, GL_TEXTURE_2D, through->texture);
    if (!renderer->volume.solids)
        return true;
    History *history = &renderer->history;
    Target *joined = &history->joined, *joined_through = &history->joined_through;
    const GLuint program = shader_set_program(&renderer->shaders, SHADER_JOIN, error);
    if (!target_resize(joined, smoke->width, smoke->height, GL_RGBA16F, "joined smoke", error) ||
        !target_resize(joined_through, smoke->width, smoke->height, GL_RGBA32F, "joined through",
                       error))
        return false;
    attach((const Target *const[]){joined, joined_through}, 2);
    /* The margin is larger than that of the next pass, which reads neighbours. */
    scissor_to_smoke(renderer, &renderer->block, (const int[2]){0, smoke->height}, 5);
    if (!target_cover(joined, program))
        return false;
    texture_bind(SHADER_UNIT_SMOKE, GL_TEXTURE_2D, joined->texture);
    texture_bind(SHADER_UNIT_THROUGH, GL_TEXTURE_2D, joined_through->texture);
    return true;
}

static bool find_neighbours(Renderer *renderer, BillowError *error)
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
    attach((const Target *const[]){&history->mean, &history->margin, &history->displacement}, 3);
    /* The margin is larger than that of later passes, which interpolate between these pixels. */
    scissor_to_smoke(renderer, &renderer->block, (const int[2]){0, height}, 4);
    return target_cover(&history->mean, program);
}

/* Runs a program on the pixels of the history that smoke can cover; the others stay empty. */
static bool cover_history(Renderer *renderer, const Target *to, ShaderProgram name, int margin,
                          BillowError *error)
{
    FrameBlock block = renderer->block;
    GLuint program = shader_set_program(&renderer->shaders, name, error);
    block.picture[2] = block.history_size[0];
    block.picture[3] = block.history_size[1];
    block.tile[0] = block.tile[1] = 0;
    scissor_to_smoke(renderer, &block, (const int[2]){0, to->height}, margin);
    return target_cover(to, program);
}

/* Blends the last history and the new rays into the target that the last picture did not use, and
 * sharpens the result for the screen. */
static bool blend(Renderer *renderer, BillowError *error)
{
    History *history = &renderer->history;
    const int next = 1 - history->current;
    const Target *to = &history->accumulated[next], *from = &history->accumulated[history->current];
    const bool by_color = renderer->volume.by_color;
    texture_bind(SHADER_UNIT_SMOKE_MEAN, GL_TEXTURE_2D, history->mean.texture);
    texture_bind(SHADER_UNIT_SMOKE_MARGIN, GL_TEXTURE_2D, history->margin.texture);
    texture_bind(SHADER_UNIT_SMOKE_DISPLACEMENT, GL_TEXTURE_2D, history->displacement.texture);
    /* The first picture consists of new rays alone and ignores the texture bound here. */
    texture_bind(SHADER_UNIT_LEVEL, GL_TEXTURE_2D,
                 history->count > 0 ? from->texture : history->mean.texture);
    attach((const Target *const[]){to, &history->through[next]}, by_color ? 2 : 1);
    if (by_color)
        texture_bind(SHADER_UNIT_LINEAR, GL_TEXTURE_2D, history->through[history->current].texture);
    const bool good = cover_history(
        renderer, to, by_color ? SHADER_ACCUMULATE_TINT : SHADER_ACCUMULATE, 1, error);
    texture_bind(SHADER_UNIT_LINEAR, GL_TEXTURE_2D, renderer->linear.texture);
    if (!good)
        return false;
    texture_bind(SHADER_UNIT_LEVEL, GL_TEXTURE_2D, to->texture);
    return cover_history(renderer, &history->sharpened, SHADER_SHARPEN, 2, error);
}

/* Resizes a target and clears it to pixels without smoke: transmittance 1 in alpha, and `rgb` in
 * the colours, 0 if they are radiance and 1 if they are transmittance. */
static bool clear(Renderer *renderer, Target *target, float rgb, BillowError *error)
{
    const GLfloat nothing[4] = {rgb, rgb, rgb, 1};
    if (!target_resize(target, (int)renderer->block.history_size[0],
                       (int)renderer->block.history_size[1], kept_format(renderer),
                       "smoke's history", error))
        return false;
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glClearBufferfv(GL_COLOR, 0, nothing);
    return true;
}

/* Binds what later passes show of the smoke, and tells them whether it is the history. */
static void tell_shown(Renderer *renderer)
{
    texture_bind(SHADER_UNIT_SMOKE, GL_TEXTURE_2D, renderer_shown_smoke(renderer)->texture);
    texture_bind(SHADER_UNIT_THROUGH, GL_TEXTURE_2D, renderer_shown_through(renderer)->texture);
    texture_bind(SHADER_UNIT_LEVEL, GL_TEXTURE_2D, renderer->through.texture);
    const History *history = &renderer->history;
    for (int axis = 0; axis < 2; axis++)
        renderer->block.history[axis] = history->shown ? history->offset[axis] : 0;
    renderer->block.history[2] = history->shown ? 1 : 0;
    renderer_tell_shaders(renderer, &renderer->block);
}

/* Blends the marched rays into the history, which is then shown. The block must be bound. */
static bool history_add(Renderer *renderer, BillowError *error)
{
    History *history = &renderer->history;
    Target *to = &history->accumulated[1 - history->current];
    if (!clear(renderer, to, 0, error) || !clear(renderer, &history->sharpened, 0, error))
        return false;
    if (renderer->volume.by_color)
        for (int i = 0; i < 2; i++)
            if ((i != history->current || history->count == 0) &&
                !clear(renderer, &history->through[i], 1, error))
                return false;
    bool any = scissor_to_smoke(renderer, &renderer->block, (const int[2]){0, 1}, 1);
    bool good = !any || (join(renderer, error) && find_neighbours(renderer, error) &&
                         blend(renderer, error));
    glDisable(GL_SCISSOR_TEST);
    if (!good)
        return false;
    history->current = 1 - history->current;
    memcpy(history->camera, renderer->block.view_projection, sizeof history->camera);
    memcpy(history->eye, renderer->block.camera_origin, sizeof history->eye);
    history->time = renderer->time;
    history->shown = true;
    history->count++;
    return true;
}

/* -- the march --------------------------------------------------------------------------------- */

void renderer_bind_smoke(const Renderer *renderer, bool clear)
{
    enum { LAYERS = 4 };
    const GLuint textures[LAYERS] = {renderer->smoke.texture, renderer->smoke_behind.texture,
                                     renderer->through.texture, renderer->through_behind.texture};
    static const GLfloat nothing[LAYERS][4] = {
        {0, 0, 0, 1}, {0, 0, 0, 1}, {1, 1, 1, 0}, {1, 1, 1, 0}};
    GLenum layers[LAYERS];
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->smoke.framebuffer);
    for (int layer = 0; layer < LAYERS; layer++) {
        GLenum at = GL_COLOR_ATTACHMENT0 + (GLenum)layer;
        layers[layer] = textures[layer] != 0 ? at : GL_NONE;
        glFramebufferTexture2D(GL_FRAMEBUFFER, at, GL_TEXTURE_2D, textures[layer], 0);
    }
    glDrawBuffers(LAYERS, layers);
    glViewport(0, 0, renderer->smoke.width, renderer->smoke.height);
    for (int layer = 0; layer < LAYERS; layer++)
        if (clear && textures[layer] != 0)
            glClearBufferfv(GL_COLOR, layer, nothing[layer]);
}

static bool keeps_through(const Renderer *renderer)
{
    return renderer->frame.through || renderer->frame.depth || renderer->volume.by_color ||
           renderer_keeps_history(renderer);
}

static int march_set(const Renderer *renderer)
{
    bool emission = renderer->glows && renderer->settings.smoke.glow > 0;
    return (renderer->volume.solids ? SHADER_MARCH_SOLIDS : 0) |
           (emission ? SHADER_MARCH_EMISSION : 0) |
           (emission && renderer->burns ? SHADER_MARCH_FLAME : 0) |
           (renderer->colored ? SHADER_MARCH_COLOR : 0) |
           (renderer->volume.ramps[0] && renderer->settings.smoke_ramp.stop_count > 0
                ? SHADER_MARCH_RAMP
                : 0) |
           (emission && renderer->volume.ramps[1] && renderer->settings.fire_ramp.stop_count > 0
                ? SHADER_MARCH_GLOW_RAMP
                : 0) |
           (renderer->settings.lamp_count > 0 ? SHADER_MARCH_LAMPS : 0) |
           (renderer->lighting.shown.joined != NULL ? SHADER_MARCH_JOINED : 0) |
           (renderer->cubic ? SHADER_MARCH_CUBIC : 0) |
           (renderer->moving_bound != NULL ? SHADER_MARCH_MOTION : 0) |
           (keeps_through(renderer) ? SHADER_MARCH_THROUGH : 0) |
           (renderer->volume.by_color ? SHADER_MARCH_TINT : 0) |
           (renderer->volume.spread_by_color ? SHADER_MARCH_SPECTRAL : 0);
}

/* Marches the rays of some pixels. */
static bool march_box(Renderer *renderer, int set, const PixelBox *box, BillowError *error)
{
    if (pixel_box_is_empty(box))
        return true;
    GLuint program = shader_set_march(&renderer->shaders, set, error);
    if (program == 0)
        return false;
    renderer_scissor(box);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    return true;
}

/* Marches the smoke in a box of pixels. Only those that solids may cover look for them. */
static bool march_parts(Renderer *renderer, int set, const PixelBox *box, BillowError *error)
{
    const PixelBox met = renderer_solid_pixels(renderer, renderer->block.picture + 2, 1, box);
    PixelBox parts[4];
    const int count = pixel_box_around(box, &met, parts);
    bool good = march_box(renderer, set | SHADER_MARCH_MET, &met, error);
    for (int part = 0; part < count && good; part++)
        good = march_box(renderer, set, &parts[part], error);
    return good;
}

/* Marches rows rows[0] to rows[1] - 1 of the smoke's target. */
static bool march(Renderer *renderer, const int rows[2], BillowError *error)
{
    renderer_bind_smoke(renderer, rows[0] == 0);
    if (!renderer->volume.any && !shows_lamps(renderer))
        return true;
    const int set = march_set(renderer);
    const PixelBox box = smoke_pixels(renderer, &renderer->block, rows, 1);
    glEnable(GL_SCISSOR_TEST);
    bool good;
    if (renderer->slab != NULL && renderer->volume.any)
        good = pixel_box_is_empty(&box) || renderer_slab_march(renderer, set, &box, error);
    else
        good = march_parts(renderer, set, &box, error);
    glDisable(GL_SCISSOR_TEST);
    return good;
}

bool renderer_prepare_smoke(Renderer *renderer, BillowError *error)
{
    RenderTile drawn = render_frame_drawn(&renderer->frame);
    int width = frame_block_marched(drawn.width, renderer->frame.scale);
    int height = frame_block_marched(drawn.height, renderer->frame.scale);
    const struct {
        Target *target;
        bool wanted;
        GLenum format;
        const char *label;
    } marched[] = {
        {&renderer->smoke, true, GL_RGBA16F, "smoke target"},
        {&renderer->smoke_behind, renderer->volume.solids, GL_RGBA16F, "smoke behind"},
        {&renderer->through, keeps_through(renderer), GL_RGBA32F, "through target"},
        {&renderer->through_behind, keeps_through(renderer) && renderer->volume.solids, GL_RGBA32F,
         "through behind"},
        {&renderer->depth, renderer->frame.depth, GL_RGBA32F, "depth of smoke"},
        {&renderer->surface, renderer->frame.depth, GL_R32F, "depth of surfaces"},
    };
    if (renderer->smoke.width != width || renderer->smoke.height != height)
        renderer->smoke_drawn = false;
    for (size_t i = 0; i < sizeof marched / sizeof *marched; i++)
        if (!marched[i].wanted)
            target_destroy(marched[i].target);
        else if (!target_resize(marched[i].target, width, height, marched[i].format,
                                marched[i].label, error))
            return false;
    return true;
}

static SmokeKey smoke_key(const Renderer *renderer)
{
    SmokeKey key = {renderer->block, renderer->matter, (uint64_t)march_set(renderer)};
    memset(key.frame.slice, 0, sizeof key.frame.slice);
    memset(key.frame.slice_style, 0, sizeof key.frame.slice_style);
    key.frame.film[0] = key.frame.film[1] = 0;
    memset(key.frame.grade_slope, 0, sizeof key.frame.grade_slope);
    memset(key.frame.grade_offset, 0, sizeof key.frame.grade_offset);
    memset(key.frame.grade_power, 0, sizeof key.frame.grade_power);
    memset(key.frame.grain, 0, sizeof key.frame.grain);
    key.programs |= renderer->frame.smooth ? (uint64_t)SHADER_MARCH_SETS : 0;
    key.programs |= renderer_keeps_history(renderer) ? 2 * (uint64_t)SHADER_MARCH_SETS : 0;
    return key;
}

/* Smooths the marched smoke. Does nothing with solids or with transmittance by colour. */
static bool smooth(Renderer *renderer, BillowError *error)
{
    if (!renderer->frame.smooth || renderer->frame.exposures > 0 || renderer->volume.solids ||
        renderer->through.texture != 0)
        return true;
    Target smoke = renderer->smoke;
    GLuint program = shader_set_program(&renderer->shaders, SHADER_SMOOTH, error);
    if (!target_resize(&renderer->smoothed, smoke.width, smoke.height, GL_RGBA16F, "smoothed smoke",
                       error) ||
        !target_cover(&renderer->smoothed, program))
        return false;
    renderer->smoke = renderer->smoothed;
    renderer->smoothed = smoke;
    return true;
}

bool renderer_smoke(Renderer *renderer, BillowError *error)
{
    SmokeKey key = smoke_key(renderer);
    if (renderer->smoke_drawn && memcmp(&key, &renderer->smoke_key, sizeof key) == 0) {
        tell_shown(renderer);
        return true;
    }
    renderer->smoke_drawn = renderer->history.shown = false;
    const int rows[2] = {0, renderer->smoke.height};
    bool good;
    if (renderer_keeps_history(renderer)) { /* the rays' offset differs from picture to picture */
        const FrameBlock block = renderer->block;
        history_aim(renderer);
        renderer_tell_shaders(renderer, &renderer->block);
        good = march(renderer, rows, error) && history_add(renderer, error);
        renderer->block = block;
    } else {
        good = march(renderer, rows, error) && smooth(renderer, error);
    }
    if (!good)
        return false;
    tell_shown(renderer);
    renderer_tracers_over_smoke(renderer);
    renderer->smoke_key = key;
    renderer->smoke_drawn = true;
    return true;
}

bool renderer_smoke_rows(Renderer *renderer, int rows, int *done, BillowError *error)
{
    int height = renderer->smoke.height;
    const int part[2] = {*done, *done + rows < height ? *done + rows : height};
    bool good = march(renderer, part, error);
    if (good && part[1] == height) {
        renderer->history.shown = false;
        renderer_tracers_over_smoke(renderer);
        renderer->smoke_key = smoke_key(renderer);
        renderer->smoke_drawn = true;
    }
    *done = part[1];
    return good;
}

/* -- depth ------------------------------------------------------------------------------------- */

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
