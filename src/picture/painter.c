/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "backdrop.h"
#include "blue_noise.h"
#include "bricks.h"
#include "camera.h"
#include "develop.h"
#include "fail.h"
#include "lamp_light.h"
#include "slice_paint.h"

#include <stdlib.h>
#include <string.h>

enum { EDGE_SAMPLES = 8 };
#define PAINTER_NOWHERE 1e10f /* the distance of nothing */

struct Painter {
    Bricks bricks;
    Lighting lighting;
    SolidLight solid_light;
    FrameBlock frame;
    March march;
    SolidTrace solids;
    Backdrop backdrop;
    float blue_noise[BLUE_NOISE_EDGE * BLUE_NOISE_EDGE];
    SlicePaint slice;
    bool has_solids;
    Develop develop;
    int width, height;
    float *linear;     /* radiance times opacity, and opacity; rows from the bottom, as in */
    float *pixels;     /* sRGB and opacity, 0..1 */
    float *through[2]; /* likewise as painter_read_through gives them; NULL where not asked for */
    float *depth, *surface; /* as painter_read_depth gives them */
};

Painter *painter_create(BillowError *error)
{
    Painter *painter = calloc(1, sizeof *painter);
    if (painter == NULL) {
        fail(error, "picture: no memory for the painter");
        return NULL;
    }
    if (blue_noise_fill(painter->blue_noise, error) && backdrop_open(&painter->backdrop, error))
        return painter;
    free(painter);
    return NULL;
}

void painter_destroy(Painter *painter)
{
    if (painter == NULL)
        return;
    bricks_destroy(&painter->bricks);
    lighting_destroy(&painter->lighting);
    solid_light_destroy(&painter->solid_light);
    backdrop_close(&painter->backdrop);
    develop_close(&painter->develop);
    free(painter->linear);
    free(painter->pixels);
    free(painter->through[0]);
    free(painter->depth);
    free(painter);
}

/* -- what is drawn ------------------------------------------------------------------------------
 */

/* What the frame asks for beside the picture. */
static bool resize_more(Painter *painter, const RenderFrame *frame)
{
    size_t pixels = (size_t)frame->width * (size_t)frame->height;
    free(painter->through[0]);
    free(painter->depth);
    painter->through[0] = painter->through[1] = painter->depth = painter->surface = NULL;
    if (frame->through) {
        painter->through[0] = malloc(8 * pixels * sizeof(float));
        if (painter->through[0] == NULL)
            return false;
        painter->through[1] = painter->through[0] + 4 * pixels;
    }
    if (frame->depth) {
        painter->depth = malloc(5 * pixels * sizeof(float));
        if (painter->depth == NULL)
            return false;
        painter->surface = painter->depth + 4 * pixels;
    }
    return true;
}

static bool resize(Painter *painter, const RenderFrame *frame, BillowError *error)
{
    if (painter->width == frame->width && painter->height == frame->height &&
        (painter->through[0] != NULL) == frame->through && (painter->depth != NULL) == frame->depth)
        return true;
    size_t floats = 4 * (size_t)frame->width * (size_t)frame->height;
    free(painter->linear);
    free(painter->pixels);
    painter->width = painter->height = 0;
    painter->linear = malloc(floats * sizeof(float));
    painter->pixels = malloc(floats * sizeof(float));
    if (painter->linear == NULL || painter->pixels == NULL || !resize_more(painter, frame))
        return fail(error, "picture: no memory for %dx%d pixels", frame->width, frame->height);
    painter->width = frame->width;
    painter->height = frame->height;
    return true;
}

/* What of the view the frame tells: see frame_block.h. */
static FrameVolume volume_of(Painter *painter, const BillowView *view,
                             const RenderSettings *settings)
{
    const Lighting *lighting = &painter->lighting;
    FrameVolume volume = {.n = {view->nx, view->ny, view->nz},
                          .cell_size = view->cell_size,
                          .solids = painter->has_solids};
    for (int axis = 0; axis < 3; axis++) {
        volume.origin[axis] = view->origin[axis];
        volume.light_cells[axis] = lighting->direct.reduction * lighting->direct.n[axis];
        volume.ambient_cells[axis] = lighting->ambient.reduction * lighting->ambient.n[axis];
        volume.solid_low[axis] = painter->solid_light.low[axis];
        volume.solid_high[axis] = painter->solid_light.high[axis];
        volume.shade_cells[axis] = painter->solid_light.reduction * painter->solid_light.n[axis];
    }
    bool burns = view->flame != NULL && settings->smoke.flame > 0;
    volume.flame = burns ? settings->smoke.flame : 0;
    volume.ground_glows = lighting->ground_glows;
    volume.by_color = lighting->ambient.lanes > 1;
    volume.colored = view->color[0] != NULL;
    float hottest = painter->bricks.temperature_max + BLACKBODY_AMBIENT;
    volume.glare = lighting_brightness_bound(settings, hottest, view->cell_size);
    volume.empty_density =
        bricks_negligible(volume.n, view->cell_size, lighting_most_extinction(&settings->smoke)) /
        volume.glare;
    volume.any =
        settings->smoke.extinction > 0 &&
        bricks_bounds(&painter->bricks, volume.empty_density, volume.n, volume.low, volume.high);
    return volume;
}

static bool prepare(Painter *painter, const BillowView *view, const RenderSettings *settings,
                    const RenderFrame *frame, BillowError *error)
{
    float sun[3];
    SolidLight *solids = view->solid != NULL ? &painter->solid_light : NULL;
    painter->has_solids = solids != NULL;
    camera_direction(settings->sun.azimuth, settings->sun.elevation, sun);
    bool cubic = settings->picture.filter == RENDER_FILTER_CUBIC;
    painter->bricks.reach = cubic ? 1 : 0;
    if (!resize(painter, frame, error) ||
        !bricks_build(&painter->bricks, view, settings->smoke.flame, error))
        return false;
    bool glows = settings->smoke.glow > 0 &&
                 painter->bricks.temperature_max + BLACKBODY_AMBIENT > BLACKBODY_KELVIN_MIN;
    const LightingEffort effort = {1, true, glows};
    if (!lighting_gather(&painter->lighting, view, settings, effort, error) ||
        (solids != NULL && !solid_light_gather(solids, view, error)))
        return false;
    if (solids != NULL)
        solid_light_compute(solids, sun);
    bool anew;
    if (!lighting_compute(&painter->lighting, settings, solids, &anew, error))
        return false;
    light_volume_ground(&painter->lighting.direct, solids, painter->backdrop.occlusion);

    FrameVolume volume = volume_of(painter, view, settings);
    Camera camera = camera_from_look(&settings->camera, frame->width, frame->height);
    RenderFrame whole = *frame;
    whole.scale = 1;
    frame_block_fill(&painter->frame, settings, &whole, &camera, &volume);
    march_prepare(&painter->march, &painter->frame, view, &painter->lighting, solids, glows);
    painter->march.cubic = cubic;
    painter->solids = solid_trace_open(&painter->march, view);
    painter->backdrop.march = &painter->march;
    painter->backdrop.solids = painter->has_solids ? &painter->solids : NULL;
    return true;
}

/* -- a pixel ------------------------------------------------------------------------------------
 */

static Vec3 camera_way(const FrameBlock *frame, float x, float y)
{
    Vec3 way =
        vec3_along(vec3_from(frame->camera_forward), vec3_from(frame->camera_right), 2 * x - 1);
    return vec3_unit(vec3_along(way, vec3_from(frame->camera_up), 2 * y - 1));
}

typedef struct Pixel {
    Vec3 origin; /* of its ray, in cells */
    Vec3 direction;
    float x, y; /* 0..1 across the picture */
    float jitter, begin, end;
    ptrdiff_t number;
} Pixel;

static Marched behind(Marched front, Marched rest)
{
    front.radiance = vec3_add(front.radiance, vec3_mul(rest.radiance, front.through));
    front.through = vec3_mul(front.through, rest.through);
    front.transmittance *= rest.transmittance;
    return front;
}

static Marched opaque(Vec3 radiance)
{
    return (Marched){.radiance = radiance};
}

/* The lamps' own balls in a part of a ray, seen through the smoke of it. */
static void add_balls(const Painter *painter, const Pixel *pixel, float from, float to,
                      Marched *marched)
{
    const FrameBlock *frame = &painter->frame;
    for (int i = 0; i < (int)frame->lamps[0]; i++) {
        float along = lamp_along(frame, i, pixel->origin, pixel->direction);
        if (!(along >= from && along < to))
            continue;
        LampBall ball =
            lamp_ball(frame, i, pixel->origin, pixel->direction, along, frame->camera_forward[3]);
        Vec3 depth = marched->lamp_depth[i];
        Vec3 seen = {expf(-depth.x), expf(-depth.y), expf(-depth.z)};
        marched->radiance = vec3_add(marched->radiance, vec3_mul(ball.radiance, seen));
        marched->transmittance *= 1 - ball.cover;
        marched->through = vec3_scale(marched->through, 1 - ball.cover);
    }
}

static Marched backdrop(const Painter *painter, Vec3 direction)
{
    if (painter->frame.camera_origin[3] > 0)
        return MARCHED_NOTHING;
    return opaque(backdrop_radiance(&painter->backdrop, direction));
}

/* What lies behind a split, on one ray: solid or backdrop, with the smoke between in front. */
static Marched behind_split(const Painter *painter, Vec3 origin, float x, float y, Marched between,
                            float split)
{
    Vec3 direction = march_safe(camera_way(&painter->frame, x, y));
    float along = solid_trace(&painter->solids, origin, direction, 0).end;
    bool solid = along < SOLID_NEVER;
    Vec3 place = vec3_along(origin, direction, along);
    Marched seen = solid ? opaque(solid_radiance(&painter->solids, place, direction))
                         : backdrop(painter, direction);
    return !solid || along > split + 2 ? behind(between, seen) : seen;
}

static void keep_through(const Painter *painter, const Pixel *pixel, int behind, Marched marched)
{
    if (painter->through[0] == NULL)
        return;
    float *out = painter->through[behind] + 4 * pixel->number;
    vec3_store(marched.through, out);
    out[3] = marched.distance;
}

/* Along a ray, in metres. */
static float ground_distance(const FrameBlock *frame, Vec3 direction)
{
    float height = frame->camera_origin[1] - frame->box_min[1];
    bool hit =
        frame->camera_origin[3] == 0 && frame->ground_color[3] > 0 && height > 0 && direction.y < 0;
    return hit ? height / fmaxf(-direction.y, 1e-7f) : PAINTER_NOWHERE;
}

static float gray(Vec3 passed)
{
    return (passed.x + passed.y + passed.z) * (1 / 3.0f);
}

/* shaders/depth.frag. */
static void keep_depth(const Painter *painter, const Pixel *pixel, Marched front, Marched between)
{
    if (painter->depth == NULL)
        return;
    const FrameBlock *frame = &painter->frame;
    float surface = ground_distance(frame, pixel->direction);
    if (painter->has_solids) {
        const SolidTrace *solids = &painter->solids;
        float split =
            solid_trace(solids, pixel->origin, pixel->direction, frame->camera_forward[3]).split;
        float along = solid_trace(solids, pixel->origin, pixel->direction, 0).end;
        if (along < SOLID_NEVER)
            surface = along * frame->box_min[3];
        if (split < SOLID_NEVER && along < SOLID_NEVER && along <= split + 2)
            between = MARCHED_NOTHING;
    }
    float taken = 1 - gray(front.through), more = gray(front.through) * (1 - gray(between.through));
    float far = taken * front.distance + more * between.distance;
    float axis = vec3_dot(pixel->direction, vec3_from(frame->camera_forward));
    float *out = painter->depth + 4 * pixel->number;
    vec3_store(vec3_mul(front.through, between.through), out);
    out[3] = taken + more > 0 ? axis * far / (taken + more) : PAINTER_NOWHERE;
    painter->surface[pixel->number] = surface < PAINTER_NOWHERE ? surface * axis : PAINTER_NOWHERE;
}

static Marched over_solids(const Painter *painter, const Pixel *pixel)
{
    const FrameBlock *frame = &painter->frame;
    const March *march = &painter->march;
    Vec3 origin = pixel->origin, direction = pixel->direction;
    float width = frame->camera_forward[3];
    /* As raymarch.frag parts the smoke. */
    SolidRay ray = solid_trace(&painter->solids, origin, direction, 2.5f * width);
    float end = fminf(pixel->end, ray.end), split = fminf(end, ray.split);
    Vec3 around = march_surroundings(frame, direction), at = vec3_along(origin, direction, end);
    Vec3 lit = grid_sample3(&march->ambient, vec3_over(at, frame->ambient_grid));
    Vec3 beyond = ray.end < pixel->end ? vec3_mul(vec3_from(frame->solid_color), lit) : around;
    bool whole = ray.split >= end;
    Marched front = march_ray(march, origin, direction, pixel->begin, split, pixel->jitter,
                              whole ? beyond : around);
    Marched between = MARCHED_NOTHING;
    if (!whole)
        between = march_ray(march, origin, direction, ray.split, end, pixel->jitter, beyond);
    keep_through(painter, pixel, 0, front);
    keep_through(painter, pixel, 1, between);
    keep_depth(painter, pixel, front, between);
    add_balls(painter, pixel, 0, fminf(ray.split, ray.end), &front);
    add_balls(painter, pixel, ray.split, ray.end, &between);
    /* As composite.frag puts it together. */
    ray = solid_trace(&painter->solids, origin, direction, width);
    if (ray.split == SOLID_NEVER)
        return behind(behind(front, between), backdrop(painter, direction));
    bool edge = ray.split < ray.end;
    int count = edge ? EDGE_SAMPLES : 1;
    Marched sum = opaque(vec3(0, 0, 0));
    for (int i = 0; i < count; i++) {
        float dx = edge ? (((float)i + 0.5f) / 8 - 0.5f) / frame->picture[0] : 0;
        float dy = edge ? (((float)(i * 3 % 8) + 0.5f) / 8 - 0.5f) / frame->picture[1] : 0;
        Marched one =
            behind_split(painter, origin, pixel->x + dx, pixel->y + dy, between, ray.split);
        sum.radiance = vec3_along(sum.radiance, one.radiance, 1 / (float)count);
        sum.transmittance += one.transmittance / (float)count;
    }
    return behind(front, sum);
}

static Marched seen_through(const Painter *painter, int x, int y)
{
    const FrameBlock *frame = &painter->frame;
    static const float corner[3] = {0, 0, 0};
    float fx = (float)x + 0.5f, fy = (float)y + 0.5f;
    Pixel pixel = {.x = fx / frame->picture[0],
                   .y = fy / frame->picture[1],
                   .number = (ptrdiff_t)y * painter->width + x,
                   .jitter = blue_noise_at(painter->blue_noise, x, y, frame->march[1])};
    pixel.direction = march_safe(camera_way(frame, pixel.x, pixel.y));
    pixel.origin = vec3_scale(vec3_sub(vec3_from(frame->camera_origin), vec3_from(frame->box_min)),
                              1 / frame->box_min[3]);
    march_box(pixel.origin, pixel.direction, corner, frame->grid, &pixel.begin, &pixel.end);
    if (painter->has_solids)
        return over_solids(painter, &pixel);
    Marched smoke = MARCHED_NOTHING;
    if (frame->occupied_max[3] > 0)
        smoke = march_ray(&painter->march, pixel.origin, pixel.direction, pixel.begin, pixel.end,
                          pixel.jitter, march_surroundings(frame, pixel.direction));
    keep_through(painter, &pixel, 0, smoke);
    keep_depth(painter, &pixel, smoke, MARCHED_NOTHING);
    add_balls(painter, &pixel, 0, SOLID_NEVER, &smoke);
    return behind(smoke, backdrop(painter, pixel.direction));
}

static void paint(Painter *painter, int x, int y)
{
    Marched seen = seen_through(painter, x, y);
    bool transparent = painter->frame.camera_origin[3] > 0;
    float *out = painter->linear + 4 * ((ptrdiff_t)y * painter->width + x);
    vec3_store(seen.radiance, out);
    out[3] = transparent ? 1 - seen.transmittance : 1;
}

/* Over the developed picture; alpha is straight in both. */
static void paint_slice(Painter *painter, const FieldSlice *field)
{
    slice_paint_open(&painter->slice, &painter->march, painter->backdrop.solids, field);
#pragma omp parallel for schedule(dynamic, 1)
    for (int y = 0; y < painter->height; y++)
        for (int x = 0; x < painter->width; x++) {
            float over[4], *out = painter->pixels + 4 * ((ptrdiff_t)y * painter->width + x);
            slice_paint_pixel(&painter->slice, (float)x + 0.5f, (float)y + 0.5f, over);
            float under = out[3] * (1 - over[3]), sum = over[3] + under;
            for (int c = 0; c < 3 && over[3] > 0; c++)
                out[c] = (over[3] * over[c] + under * fminf(fmaxf(out[c], 0), 1)) / sum;
            out[3] = sum;
        }
}

bool painter_draw(Painter *painter, const BillowView *view, const RenderSettings *settings,
                  const RenderFrame *frame, BillowError *error)
{
    if (!prepare(painter, view, settings, frame, error))
        return false;
#pragma omp parallel for schedule(dynamic, 1)
    for (int y = 0; y < painter->height; y++)
        for (int x = 0; x < painter->width; x++)
            paint(painter, x, y);
    if (!develop_picture(&painter->develop, settings, frame, painter->linear, painter->pixels,
                         error))
        return false;
    if (frame->slice.field != NULL)
        paint_slice(painter, frame->slice.field);
    return true;
}

Exposure painter_exposure(const Painter *painter)
{
    return painter->develop.exposure;
}

void painter_expose(Painter *painter, Exposure exposure)
{
    painter->develop.exposure = exposure;
}

void painter_read(const Painter *painter, int channels, uint8_t *pixels)
{
    for (int row = 0; row < painter->height; row++)
        for (int x = 0; x < painter->width; x++) {
            int y = painter->height - 1 - row;
            const float *from = painter->pixels + 4 * ((ptrdiff_t)y * painter->width + x);
            for (int c = 0; c < channels; c++)
                *pixels++ = (uint8_t)(fminf(fmaxf(from[c], 0), 1) * 255 + 0.5f);
        }
}

/* From the top. */
static void read_rows(const Painter *painter, const float *from, int floats, float *into)
{
    size_t row = (size_t)floats * (size_t)painter->width;
    for (int y = painter->height - 1; y >= 0; y--, into += row)
        memcpy(into, from + (size_t)y * row, row * sizeof *into);
}

void painter_read_linear(const Painter *painter, float *pixels)
{
    read_rows(painter, painter->linear, 4, pixels);
}

bool painter_read_through(const Painter *painter, bool behind, float *values)
{
    if (painter->through[behind] == NULL || (behind && !painter->has_solids))
        return false;
    read_rows(painter, painter->through[behind], 4, values);
    return true;
}

bool painter_read_depth(const Painter *painter, float *through, float *surface)
{
    if (painter->depth == NULL)
        return false;
    read_rows(painter, painter->depth, 4, through);
    read_rows(painter, painter->surface, 1, surface);
    return true;
}

bool painter_band(const Painter *painter, const RenderFrame *frame, int channels, BandTake *take,
                  void *context, BillowError *error)
{
    Band band;
    if (!band_open(&band, frame, channels, painter->height, error))
        return false;
    if (band.pixels != NULL)
        painter_read(painter, channels, band.pixels);
    if (band.linear != NULL)
        painter_read_linear(painter, band.linear);
    bool good = (band.through == NULL || painter_read_depth(painter, band.through, band.surface)) &&
                take(context, &band, error);
    band_close(&band);
    return good;
}
