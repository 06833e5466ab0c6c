/* SPDX-License-Identifier: MIT */
#include "render/frame/frame.h"
#include "base/render_settings.h"
#include "render/light/ambient.h"
#include "render/light/blackbody.h"
#include "render/light/light_noise.h"
#include "render/light/lighting.h"
#include <math.h>
#include <string.h>

RenderFrame render_default_frame(void)
{
    return (RenderFrame){
        .width = 1280, .height = 720, .scale = 1, .step = 1, .slice = {.high = 1, .veil = 0.3f}};
}

RenderFrame render_still_frame(int width, int height)
{
    RenderFrame frame = render_default_frame();
    frame.width = width;
    frame.height = height;
    frame.step = 0.5f;
    return frame;
}

static void set(float out[4], const float xyz[3], float scale, float w)
{
    for (int c = 0; c < 3; c++)
        out[c] = xyz[c] * scale;
    out[3] = w;
}

static void set_cells(float out[4], const int cells[3], float w)
{
    set(out, (const float[3]){(float)cells[0], (float)cells[1], (float)cells[2]}, 1, w);
}

static void fill_camera(FrameBlock *block, const Camera *camera, const RenderFrame *frame)
{
    camera_view_projection(camera, block->view_projection);
    set(block->camera_origin, camera->origin, 1, frame->transparent ? 1 : 0);
    set(block->camera_right, camera->right, camera->half_height * camera->aspect, 0);
    set(block->camera_up, camera->up, camera->half_height, 0);
    set(block->camera_forward, camera->forward, 1, 2 * camera->half_height / (float)frame->height);
    for (int axis = 0; axis < 3; axis++)
        block->camera_forward[axis] -=
            camera->shear[0] * camera->right[axis] + camera->shear[1] * camera->up[axis];
}

/* The slabs at the ends of the box include what is beyond. */
void frame_block_slab(FrameBlock *block, const FrameVolume *volume)
{
    const float beyond = 1e9f;
    const int *held = volume->held, *slab = volume->slab;
    block->slab[0] = (float)held[0];
    block->slab[1] = (float)(held[1] - held[0]);
    block->slab[2] = slab[0] > 0 ? (float)slab[0] : -beyond;
    block->slab[3] = slab[1] < volume->n[2] ? (float)slab[1] : beyond;
}

/* The ground lies where the box had its floor at first, and its texture has the scale of that box:
 * neither moves when the box grows. Needs box_min and box_max. */
static void fill_home(FrameBlock *block, const FrameVolume *volume)
{
    const bool grows = volume->home[1][0] > volume->home[0][0];
    const float *low = grows ? volume->home[0] : block->box_min;
    const float *high = grows ? volume->home[1] : block->box_max;
    float longest = grows ? 0 : block->box_max[3];
    for (int a = 0; grows && a < 3; a++)
        longest = fmaxf(longest, high[a] - low[a]);
    const float home[3] = {0.5f * (low[0] + high[0]), low[1], 0.5f * (low[2] + high[2])};
    set(block->home, home, 1, longest);
}

static void fill_volume(FrameBlock *block, const FrameVolume *volume, const RenderSmoke *smoke)
{
    float far_corner[3], longest = 0;
    for (int a = 0; a < 3; a++) {
        float edge = (float)volume->n[a] * volume->cell_size;
        far_corner[a] = volume->origin[a] + edge;
        longest = fmaxf(longest, edge);
    }
    /* Before the first upload the box counts as 1 m wide, because the background needs a scale. */
    if (volume->n[0] == 0) {
        longest = 1;
        for (int a = 0; a < 3; a++)
            far_corner[a] = volume->origin[a] + longest;
    }
    set(block->box_min, volume->origin, 1, volume->cell_size);
    set(block->box_max, far_corner, 1, longest);
    fill_home(block, volume);
    set_cells(block->grid, volume->n, smoke->extinction * volume->cell_size);
    set_cells(block->light_grid, volume->light_cells, volume->empty_density);
    for (int line = 0; line < 2; line++)
        for (int a = 0; a < 3; a++) {
            block->fade_low[line][a] = volume->fade.low[a][line];
            block->fade_high[line][a] = volume->fade.high[a][line];
        }
    if (volume->any) {
        const float opaque = 0.003f; /* transmittance at which a ray ends */
        set(block->occupied_min, volume->low, 1, opaque / volume->brightness_bound);
        set(block->occupied_max, volume->high, 1, 1);
    }
}

static void fill_solids(FrameBlock *block, const FrameVolume *volume, const RenderSolid *solid)
{
    if (!volume->solids)
        return;
    set(block->solid_low, volume->solid_low, 1, volume->solid_cell);
    set(block->solid_high, volume->solid_high, 1, 0);
    set(block->solid_color, solid->color, 1, 1);
    set_cells(block->shade_grid, volume->shade_cells, 0);
}

/* Writes the lamps. Positions and radii are in cells. Without smoke there are no cells, so no lamps
 * are written. */
static void fill_lamps(FrameBlock *block, const RenderSettings *settings, const FrameVolume *volume)
{
    const float least = 0.5f; /* smallest radius of a lamp, cells */
    float cell = volume->cell_size, size[3];
    for (int axis = 0; axis < 3; axis++)
        size[axis] = (float)volume->n[axis] * cell;
    block->lamps[1] = volume->lamps_by_color ? 3 : 1;
    for (int l = 0; l < settings->lamp_count && volume->n[0] > 0; l++) {
        const LampPlaced placed = lamp_placed(&settings->lamps[l], volume->origin, size);
        const RenderLamp *lamp = &placed.lamp;
        for (int axis = 0; axis < 3; axis++)
            block->lamp_place[l][axis] = (lamp->position[axis] - volume->origin[axis]) / cell;
        block->lamp_place[l][3] = placed.spread > 0 ? least : fmaxf(lamp->radius / cell, least);
        set(block->lamp_aim[l], lamp->direction, 1, placed.edge);
        block->lamp_shape[l][0] = lamp->kind == RENDER_LAMP_SPOT   ? 1
                                  : lamp->kind == RENDER_LAMP_AREA ? 2
                                                                   : 0;
        block->lamp_shape[l][1] = 1 / (placed.inner - placed.edge);
        block->lamp_shape[l][2] = placed.spread * placed.spread / (cell * cell);
        if (lighting_lamp_counts(settings, l, volume->origin[1]))
            set(block->lamp_light[l], lamp->color, lamp->intensity / (cell * cell),
                lamp->radius / cell);
        block->lamps[0]++;
    }
}

static void fill_surroundings(FrameBlock *block, const RenderSettings *settings,
                              const FrameVolume *volume)
{
    Surroundings around =
        volume->around != NULL ? *volume->around : surroundings_of(settings, NULL);
    if (around.mapped) {
        RenderSurroundingsKind kind = settings->surroundings.kind;
        /* Distance at which the ground fades into the surroundings, in longest edges of the box. In
         * a studio the floor has become the wall there. */
        const float fade = kind == RENDER_AIR ? 60 : kind == RENDER_STUDIO ? 6 : 8;
        block->sky_map[0] = (float)kind;
        block->sky_map[1] = surroundings_turn(settings) / 360;
        block->sky_map[2] = surroundings_scale(settings);
        block->sky_map[3] = fade * block->home[3];
        for (int b = 0; b < SURROUNDINGS_BANDS; b++)
            set(block->sky_bands[b], around.bands[b], 1, 0);
    }
    set(block->sky_zenith, around.zenith, 1, 0);
    set(block->sky_horizon, around.horizon, 1, 0);
    set(block->sky_light, around.sky, 1, 0);
    set(block->ground_light, around.ground, 1, settings->ground.roughness);
}

/* Writes the stops of the ramps that the uploaded fields belong to. */
static void fill_ramps(FrameBlock *block, const RenderSettings *settings, const FrameVolume *volume)
{
    const RenderRamp *const ramps[2] = {&settings->smoke_ramp, &settings->fire_ramp};
    for (int r = 0; r < 2; r++) {
        RampTable table = render_ramp_table(ramps[r]);
        for (int s = 0; volume->ramps[r] && s < table.count; s++)
            set(block->ramp_stops[RENDER_STOPS_MAX * r + s], table.colors[s], 1, table.values[s]);
        block->ramp_style[r] = volume->ramps[r] ? (float)table.count : 0;
        block->ramp_style[2 + r] = volume->ramp_weighted[r] ? 1 : 0;
    }
}

static void fill_slice(FrameBlock *block, const RenderSlice *slice)
{
    if (slice->field == NULL)
        return;
    block->slice[0] = (float)slice->field->axis;
    block->slice[1] = slice->field->position;
    block->slice[2] = slice->low;
    block->slice[3] = slice->high - slice->low;
    block->slice_style[0] = (float)slice->contours;
    block->slice_style[1] = slice->veil;
}

static void fill_grade(FrameBlock *block, const RenderGrade *grade, const RenderFrame *frame,
                       const FrameVolume *volume)
{
    const float grain_size = 1.5f / 1080; /* share of the picture's height */
    set(block->grade_slope, grade->slope, 1, grade->contrast);
    set(block->grade_offset, grade->offset, 1, grade->saturation);
    set(block->grade_power, grade->power, 1, 0);
    block->grain[0] = grade->grain;
    block->grain[1] = fmaxf(grain_size * (float)frame->height, 1);
    block->grain[2] = (float)volume->grain_seed;
}

RenderTile render_frame_drawn(const RenderFrame *frame)
{
    return frame->tile.width > 0 ? frame->tile : (RenderTile){0, 0, frame->width, frame->height};
}

void frame_block_viewport(const RenderFrame *frame, int viewport[4])
{
    RenderTile tile = render_frame_drawn(frame);
    const int at[2] = {tile.x, tile.y}, size[2] = {tile.width, tile.height};
    const int whole[2] = {frame->width, frame->height};
    for (int side = 0; side < 2; side++) {
        int before = at[side] > 0 ? FRAME_BLOCK_MARGIN : 0;
        int after = at[side] + size[side] < whole[side] ? FRAME_BLOCK_MARGIN : 0;
        viewport[side] = -before;
        viewport[2 + side] = before + size[side] + after;
    }
}

static void fill_tile(FrameBlock *block, const RenderFrame *frame)
{
    RenderTile tile = render_frame_drawn(frame);
    const int at[2] = {tile.x, tile.y}, size[2] = {tile.width, tile.height};
    const int whole[2] = {frame->width, frame->height};
    int viewport[4];
    frame_block_viewport(frame, viewport);
    for (int side = 0; side < 2; side++) {
        float seen = (float)viewport[2 + side];
        block->tile[side] = (float)at[side];
        block->tile[2 + side] = (float)size[side];
        block->film[2 + side] =
            frame->turning ? (float)size[side] / (float)((size[side] + 1) / 2) : 1;
        block->tile_clip[side] = (float)whole[side] / seen;
        block->tile_clip[2 + side] =
            ((float)whole[side] - 2 * (float)(at[side] + viewport[side]) - seen) / seen;
    }
}

int frame_block_marched(int pixels, float scale)
{
    int marched = (int)lroundf((float)pixels * scale);
    return marched > 1 ? marched : 1;
}

void frame_block_fill(FrameBlock *block, const RenderSettings *settings, const RenderFrame *frame,
                      const Camera *camera, const FrameVolume *volume)
{
    memset(block, 0, sizeof *block);
    float sun[3];
    render_direction(settings->sun.azimuth, settings->sun.elevation, sun);
    fill_camera(block, camera, frame);
    fill_volume(block, volume, &settings->smoke);
    fill_lamps(block, settings, volume);
    fill_surroundings(block, settings, volume);
    fill_solids(block, volume, &settings->solid);
    set(block->sun_direction, sun, 1, lighting_risen(settings));
    const float lobes[3] = {settings->smoke.anisotropy, settings->smoke.back_anisotropy,
                            settings->smoke.backscatter};
    set(block->lobes, lobes, 1, 0);
    set(block->sun_irradiance, settings->sun.color, settings->sun.intensity, settings->smoke.glow);
    set(block->ground_color, settings->ground.color, 1, settings->ground.visible ? 1 : 0);
    LightingOptics optics = lighting_optics(&settings->smoke);
    const float *albedo = settings->smoke.albedo;
    set(block->albedo, albedo, 1, optics.ahead);
    float similarity = 1 - albedo[0] * optics.ahead;
    set(block->albedo_gray, albedo, 1 / similarity, similarity);
    block->lobes[3] = optics.sun_share;
    block->lamps[2] = optics.lamp_share;
    block->film[0] = render_exposure(settings);
    block->film[1] = settings->picture.bloom;
    block->picture[0] = (float)frame->width;
    block->picture[1] = (float)frame->height;
    block->picture[2] = (float)frame_block_marched(frame->width, frame->scale);
    block->picture[3] = (float)frame_block_marched(frame->height, frame->scale);
    fill_tile(block, frame);
    const float march[3] = {frame->step, blue_noise_shift(frame->frame), 1 / BLACKBODY_KELVIN_MIN};
    set(block->march, march, 1, 1 / (1 / BLACKBODY_KELVIN_MIN - 1 / BLACKBODY_KELVIN_MAX));
    block->fire[0] = volume->flame;
    block->fire[2] = settings->smoke.tint_extinction;
    block->fire[3] = volume->colored ? 1 : 0;
    set(block->extinction_color, settings->smoke.extinction_color, 1, volume->by_color ? 1 : 0);
    block->fire[1] = volume->ground_glows ? 1 : 0;
    set_cells(block->ambient_grid, volume->ambient_cells, 0);
    set(block->tracer_color, settings->tracers.color, 1, settings->tracers.glow);
    frame_block_slab(block, volume);
    block->tracer_style[0] = settings->tracers.size;
    block->tracer_style[1] = settings->tracers.opacity;
    block->haze[0] = settings->picture.haze;
    block->tracer_spark[0] = settings->tracers.kelvin;
    block->tracer_spark[1] = settings->tracers.streak;
    fill_ramps(block, settings, volume);
    fill_slice(block, &frame->slice);
    fill_grade(block, &settings->grade, frame, volume);
}

bool pixel_box_is_empty(const PixelBox *box)
{
    return box->to[0] <= box->from[0] || box->to[1] <= box->from[1];
}

PixelBox pixel_box_inside(const PixelBox *box, const PixelBox *within)
{
    PixelBox inside = *box;
    for (int c = 0; c < 2; c++) {
        inside.from[c] = box->from[c] > within->from[c] ? box->from[c] : within->from[c];
        inside.to[c] = box->to[c] < within->to[c] ? box->to[c] : within->to[c];
        inside.to[c] = inside.to[c] > inside.from[c] ? inside.to[c] : inside.from[c];
    }
    return inside;
}

int pixel_box_around(const PixelBox *whole, const PixelBox *hole, PixelBox parts[4])
{
    const PixelBox around[4] = {
        {{whole->from[0], whole->from[1]}, {whole->to[0], hole->from[1]}},
        {{whole->from[0], hole->to[1]}, {whole->to[0], whole->to[1]}},
        {{whole->from[0], hole->from[1]}, {hole->from[0], hole->to[1]}},
        {{hole->to[0], hole->from[1]}, {whole->to[0], hole->to[1]}},
    };
    int count = 0;
    if (pixel_box_is_empty(hole)) {
        parts[0] = *whole;
        return !pixel_box_is_empty(whole);
    }
    for (int part = 0; part < 4; part++)
        if (!pixel_box_is_empty(&around[part]))
            parts[count++] = around[part];
    return count;
}

PixelBox frame_block_covered(const FrameBlock *block, const float low[3], const float high[3],
                             const float size[2], int margin, const PixelBox *target)
{
    float from[2] = {1, 1}, to[2] = {-1, -1};
    const float *m = block->view_projection;
    for (int corner = 0; corner < 8; corner++) {
        float at[3], clip[4];
        for (int a = 0; a < 3; a++)
            at[a] = block->box_min[a] + block->box_min[3] * (corner >> a & 1 ? high[a] : low[a]);
        for (int c = 0; c < 4; c++)
            clip[c] = m[c] * at[0] + m[4 + c] * at[1] + m[8 + c] * at[2] + m[12 + c];
        if (clip[3] < 1e-3f)
            return *target;
        for (int c = 0; c < 2; c++) {
            from[c] = fminf(from[c], clip[c] / clip[3]);
            to[c] = fmaxf(to[c], clip[c] / clip[3]);
        }
    }
    PixelBox covered;
    for (int c = 0; c < 2; c++) {
        const float corner = block->tile[c];
        covered.from[c] =
            (int)(floorf((fmaxf(from[c], -1) * 0.5f + 0.5f) * size[c]) - corner) - margin;
        covered.to[c] = (int)(ceilf((fminf(to[c], 1) * 0.5f + 0.5f) * size[c]) - corner) + margin;
    }
    return pixel_box_inside(&covered, target);
}
