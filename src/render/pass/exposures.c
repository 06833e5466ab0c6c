/* SPDX-License-Identifier: MIT
 * Depth of field and motion blur: the mean of pictures from places in the lens, at times while the
 * shutter is open (Cook, Porter, Carpenter, Distributed Ray Tracing, 1984; Haeberli, Akeley, The
 * Accumulation Buffer, 1990). Each is a whole picture, so smoke, solids and ground hide each other
 * correctly. */
#include "render/pass/exposures.h"
#include "base/fail.h"
#include "render/light/light_noise.h"
#include "render/pass/develop.h"
#include "render/pass/march.h"
#include "render/renderer_state.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- samples ----------------------------------------------------------------------------------- */

typedef struct Sample {
    float lens[2];  /* place in a lens of radius 1 */
    float time;     /* share of the shutter time from its middle, -1/2 to 1/2 */
    float pixel[2]; /* offset from the middle of a pixel, pixels */
} Sample;

static int divisor(int a, int b)
{
    return b == 0 ? a : divisor(b, a % b);
}

static float fraction(double x)
{
    return (float)(x - floor(x));
}

/* Sample `index` of `count`. In the lens: Vogel's spiral (1979), which covers a disc evenly. In
 * time: each of `count` equal intervals once. In the pixel: Roberts' R2 sequence (2018). */
static Sample sample_at(int index, int count)
{
    const double golden = 2.399963229728653; /* angle, rad */
    float radius = sqrtf(((float)index + 0.5f) / (float)count);
    float angle = (float)fmod(golden * index, 6.283185307179586);
    /* The number nearest to 0.41421 count, from above, that has no divisor in common with count.
     * Its multiples modulo count are all numbers below count, in an order unrelated to the golden
     * angle. */
    int stride = (int)(0.41421f * (float)count);
    while (divisor(count, ++stride) != 1)
        ;
    int turn = (int)((long)index * stride % count);
    return (Sample){.lens = {radius * cosf(angle), radius * sinf(angle)},
                    .time = ((float)turn + 0.5f) / (float)count - 0.5f,
                    .pixel = {fraction(0.5 + 0.7548776662466927 * index) - 0.5f,
                              fraction(0.5 + 0.5698402909980532 * index) - 0.5f}};
}

/* -- camera ------------------------------------------------------------------------------------ */

static float between(float a, float b, float share)
{
    return a + share * (b - a);
}

/* The camera at a share of the shutter time. Azimuths change by the shorter way round. */
static RenderCamera camera_at(const RenderSettings *settings, const RenderFrame *frame, float share)
{
    if (frame->moves == NULL)
        return settings->camera;
    const RenderCamera *open = &frame->moves[0], *close = &frame->moves[1];
    RenderCamera camera;
    for (int axis = 0; axis < 3; axis++)
        camera.target[axis] = between(open->target[axis], close->target[axis], share);
    camera.distance = between(open->distance, close->distance, share);
    camera.azimuth = open->azimuth + share * remainderf(close->azimuth - open->azimuth, 360);
    camera.elevation = between(open->elevation, close->elevation, share);
    camera.fov = between(open->fov, close->fov, share);
    return camera;
}

/* -- smoke that moves -------------------------------------------------------------------------- */

bool renderer_shutter_motion(Renderer *renderer, const Motion *motion, const BillowView *view,
                             const RenderSettings *settings, BillowError *error)
{
    const BillowView *drawn = renderer->coarsened > 1 ? &renderer->coarse.view : view;
    brick_motion_destroy(&renderer->flow);
    return renderer_upload_motion(renderer, motion, error) &&
           (motion->n[0] == 0 ||
            brick_motion_build(&renderer->flow, &renderer->bricks, drawn, settings->smoke.flame,
                               motion->n, motion->values, error));
}

bool renderer_upload_shutter(Renderer *renderer, const BillowView *view,
                             const RenderSettings *settings, BillowError *error)
{
    const int grid[3] = {view->nx, view->ny, view->nz};
    int n[3];
    float *values = malloc(motion_size(grid, MOTION_EDGE_STILL, n) * sizeof *values);
    if (values == NULL)
        return fail(error, "picture: no memory for the motion of %dx%dx%d cells", grid[0], grid[1],
                    grid[2]);
    const Motion motion = motion_fill(view, MOTION_EDGE_STILL, values);
    bool good = renderer_shutter_motion(renderer, &motion, view, settings, error);
    free(values);
    return good;
}

/* Sets the bounds of the smoke, and the bricks that rays do not skip, at a time of the shutter.
 * scale: time since that of the view over the edge of a cell, s/m. */
static bool move(Renderer *renderer, float scale, BillowError *error)
{
    FrameVolume *volume = &renderer->volume;
    Bricks moved = renderer->bricks;
    moved.density = renderer->moving_bound;
    brick_motion_bounds(&renderer->flow, &renderer->bricks, scale, moved.density);
    volume->any =
        bricks_bounds(&moved, volume->empty_density, volume->n, volume->low, volume->high);
    return volume_upload_packed(&renderer->moving, moved.n, 1, moved.density, false,
                                "bricks that move", error);
}

/* -- solids that move -------------------------------------------------------------------------- */

static bool solid_moves(const RenderFrame *frame)
{
    for (int s = 0; s < frame->solid_count; s++)
        for (int axis = 0; axis < 3; axis++)
            if (frame->solids[s].velocity[axis] != 0 || frame->solids[s].spin[axis] != 0)
                return true;
    return false;
}

/* Distance of a solid after `seconds`, m: that of the point moved back with it. */
static double distance_then(const BillowSolid *solid, Vec3 point, float seconds)
{
    Vec3 center = vec3_from(solid->center);
    Vec3 arm = vec3_along(vec3_sub(point, center), vec3_from(solid->velocity), -seconds);
    arm = motion_turned(arm, vec3_from(solid->spin), -seconds);
    const double place[3] = {(double)(center.x + arm.x), (double)(center.y + arm.y),
                             (double)(center.z + arm.z)};
    return billow_solid_distance(solid, place);
}

/* Computes the distances of the solids at the cells' corners after `seconds`, as in a view: in
 * cells, at most 8. */
static bool move_solids(Renderer *renderer, float seconds, BillowError *error)
{
    const float reach = 8;
    const RenderFrame *frame = &renderer->frame;
    const FrameVolume *volume = &renderer->volume;
    const int n[3] = {volume->n[0] + 1, volume->n[1] + 1, volume->n[2] + 1};
    Vec3 origin = vec3_from(volume->origin);
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n[1] * n[2]; row++)
        for (int i = 0; i < n[0]; i++) {
            Vec3 corner = {(float)i, (float)(row % n[1]), (float)(row / n[1])};
            Vec3 point = vec3_along(origin, corner, volume->cell_size);
            float least = reach;
            for (int s = 0; s < frame->solid_count; s++)
                least = fminf(least, (float)distance_then(&frame->solids[s], point, seconds) /
                                         volume->cell_size);
            renderer->moving_distance[(ptrdiff_t)row * n[0] + i] = fmaxf(least, -reach);
        }
    return volume_upload_packed(&renderer->moving_solid, n, 1, renderer->moving_distance, true,
                                "solids that move", error);
}

/* -- shutter ----------------------------------------------------------------------------------- */

/* Moves smoke and solids to a time since that of the view, s. */
static bool move_to(Renderer *renderer, float seconds, BillowError *error)
{
    const bool smoke = renderer->moving_bound != NULL, solids = renderer->moving_distance != NULL;
    if ((smoke && !move(renderer, seconds / renderer->volume.cell_size, error)) ||
        (solids && !move_solids(renderer, seconds, error)))
        return false;
    if (smoke || solids)
        renderer_bind_textures(renderer); /* uploads bind their textures in place of others */
    if (smoke)
        texture_bind(SHADER_UNIT_BRICKS, GL_TEXTURE_3D, renderer->moving.texture);
    if (solids)
        texture_bind(SHADER_UNIT_SOLID, GL_TEXTURE_3D, renderer->moving_solid.texture);
    return true;
}

static bool open_for_smoke(Renderer *renderer, BillowError *error)
{
    const int *n = renderer->flow.n;
    if (!renderer->volume.any || renderer->flow.range == NULL ||
        memcmp(n, renderer->bricks.n, sizeof renderer->bricks.n) != 0)
        return true;
    renderer->moving_bound =
        malloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof *renderer->moving_bound);
    return renderer->moving_bound != NULL ||
           fail(error, "picture: no memory for the motion of the smoke");
}

/* Solids may then be anywhere in the box. */
static bool open_for_solids(Renderer *renderer, BillowError *error)
{
    FrameVolume *volume = &renderer->volume;
    size_t corners = 1;
    if (!volume->solids || !solid_moves(&renderer->frame))
        return true;
    for (int axis = 0; axis < 3; axis++) {
        corners *= (size_t)(volume->n[axis] + 1);
        volume->solid_low[axis] = 0;
        volume->solid_high[axis] = (float)volume->n[axis];
    }
    renderer->moving_distance = malloc(corners * sizeof *renderer->moving_distance);
    return renderer->moving_distance != NULL ||
           fail(error, "picture: no memory for the motion of solids");
}

static void close_shutter(Renderer *renderer)
{
    free(renderer->moving_bound);
    free(renderer->moving_distance);
    renderer->moving_bound = renderer->moving_distance = NULL;
    for (int axis = 0; axis < 3 && renderer->volume.solids; axis++) {
        renderer->volume.solid_low[axis] = renderer->solid_light.low[axis];
        renderer->volume.solid_high[axis] = renderer->solid_light.high[axis];
    }
    renderer_find_bounds(renderer);
    renderer_bind_textures(renderer);
}

/* -- the mean ---------------------------------------------------------------------------------- */

bool renderer_exposes(const Renderer *renderer)
{
    const RenderLens *lens = &renderer->settings.lens;
    return renderer->frame.exposures > 0 && (lens->aperture > 0 || lens->shutter > 0);
}

/* Draws one sample and adds its share of the mean. */
static bool expose(Renderer *renderer, int index, BillowError *error)
{
    const RenderFrame *frame = &renderer->frame;
    FrameBlock *block = &renderer->block;
    const Sample sample = sample_at(index, frame->exposures);
    const RenderLens *lens = &renderer->settings.lens;
    RenderSettings then = renderer->settings;
    then.camera = camera_at(&renderer->settings, frame, sample.time + 0.5f);
    Camera camera = camera_from_settings(&then.camera, frame->width, frame->height);
    float radius = render_lens_radius(&then);
    const float place[2] = {radius * sample.lens[0], radius * sample.lens[1]};
    if (radius > 0)
        camera_move_in_lens(&camera, place, lens->focus > 0 ? lens->focus : then.camera.distance);
    const float time = lens->shutter * sample.time;
    if (!move_to(renderer, time, error))
        return false;
    frame_block_fill(block, &then, frame, &camera, &renderer->volume); /* at the moved bounds */
    for (int side = 0; side < 2; side++)
        block->tile[side] += sample.pixel[side];
    block->march[1] = blue_noise_shift(frame->frame * (unsigned)frame->exposures + (unsigned)index);
    block->shutter[0] = time;
    block->shutter[1] = time / renderer->volume.cell_size;
    renderer_tell_shaders(renderer, block);
    if (!renderer_smoke(renderer, error))
        return false;
    renderer_backdrop(renderer);
    if (!renderer_haze(renderer, error))
        return false;
    glEnable(GL_BLEND);
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE);
    glBlendColor(0, 0, 0, 1 / (float)frame->exposures);
    bool good = renderer_compose(renderer, &renderer->exposed, error);
    glDisable(GL_BLEND);
    return good;
}

bool renderer_expose_all(Renderer *renderer, BillowError *error)
{
    static const GLfloat nothing[4] = {0};
    const RenderFrame *frame = &renderer->frame;
    const FrameBlock sharp = renderer->block;
    Target *sum = &renderer->exposed;
    const int width = renderer->linear.width, height = renderer->linear.height;
    if (!target_resize(sum, width, height, GL_RGBA32F, "exposed picture", error))
        return false;
    glBindFramebuffer(GL_FRAMEBUFFER, sum->framebuffer);
    glClearBufferfv(GL_COLOR, 0, nothing);
    bool good = !(renderer->settings.lens.shutter > 0) ||
                (open_for_smoke(renderer, error) && open_for_solids(renderer, error));
    for (int index = 0; index < frame->exposures && good; index++)
        good =
            expose(renderer, index, error) &&
            (frame->proceed == NULL ||
             frame->proceed(frame->proceed_context, (float)(index + 1) / (float)frame->exposures) ||
             fail(error, "picture: given up"));
    close_shutter(renderer);
    renderer->block = sharp;
    renderer_tell_shaders(renderer, &sharp);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, sum->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, renderer->linear.framebuffer);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->linear.framebuffer);
    return good;
}
