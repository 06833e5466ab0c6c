/* SPDX-License-Identifier: MIT
 * Copies the fields of a view into textures, and computes the light volumes. */
#include "render/upload.h"

#include "base/clock.h"
#include "base/fail.h"
#include "render/light/blackbody.h"
#include "render/light/ramp.h"
#include "render/pass/geometry.h"
#include "render/renderer_state.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* -- fewer, larger cells, for drivers that cannot hold the whole grid -------------------------- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Mean of a field over the cells of a block that lie inside the grid. whole: divide by the size of
 * the full block instead. */
static float mean(const BillowView *view, const float *field, const int low[3], int factor,
                  bool whole)
{
    const int high[3] = {least(low[0] + factor, view->nx), least(low[1] + factor, view->ny),
                         least(low[2] + factor, view->nz)};
    double sum = 0, cells = (double)factor * factor * factor;
    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++) {
            const float *row = field + j * view->stride_y + k * view->stride_z;
            for (int i = low[0]; i < high[0]; i++)
                sum += (double)row[i];
        }
    if (!whole)
        cells = (double)(high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
    return (float)(sum / cells);
}

static void coarsen(const BillowView *small, const BillowView *view, const float *field, int factor,
                    bool whole, float *out)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < small->nz; k++)
        for (int j = 0; j < small->ny; j++)
            for (int i = 0; i < small->nx; i++) {
                const int low[3] = {i * factor, j * factor, k * factor};
                out[i + j * small->stride_y + k * small->stride_z] =
                    mean(view, field, low, factor, whole);
            }
}

/* Takes every factor-th distance, because distances are stored at corners and every corner of a
 * large cell is a corner of the grid. Divides by factor, because distances are in cells. */
static void thin_out(const BillowView *small, const BillowView *view, const float *field,
                     int factor, float *out)
{
    for (int k = 0; k <= small->nz; k++)
        for (int j = 0; j <= small->ny; j++)
            for (int i = 0; i <= small->nx; i++)
                out[i + j * small->stride_y + k * small->stride_z] =
                    field[least(i * factor, view->nx) +
                          least(j * factor, view->ny) * view->stride_y +
                          least(k * factor, view->nz) * view->stride_z] /
                    (float)factor;
}

static void merge_cells(BillowView *small, const BillowView *view, int factor)
{
    *small = *view;
    small->spans = NULL;
    small->nx = (view->nx + factor - 1) / factor;
    small->ny = (view->ny + factor - 1) / factor;
    small->nz = (view->nz + factor - 1) / factor;
    small->cell_size = view->cell_size * (float)factor;
    small->stride_y = small->nx + 1;
    small->stride_z = small->stride_y * (small->ny + 1);
}

static size_t array_floats(const BillowView *view)
{
    return (size_t)(view->stride_z * (view->nz + 1));
}

static int refine_of(const BillowView *view)
{
    return view->refine > 1 ? view->refine : 1;
}

/* Reduces a view to cells `factor` times as long (next_factor): each is the mean of factor^3 cells.
 * If the grid's size is no multiple of the factor, the missing cells count as empty air, so that
 * the total amount of smoke is preserved. Cells of wind are merged only where those of the smoke
 * become larger than they are. Velocity, fuel and pressure are omitted. */
static bool coarse_view_build(CoarseView *coarse, const BillowView *view, int factor,
                              BillowError *error)
{
    const int refine = refine_of(view), wind_factor = factor > refine ? factor / refine : 1;
    const BillowView wind = billow_wind_view(view);
    BillowView *small = &coarse->view, small_wind;
    merge_cells(small, view, factor);
    merge_cells(&small_wind, &wind, wind_factor);
    small->refine = factor > refine ? 1 : refine / factor;
    small->wind_stride_y = small_wind.stride_y;
    small->wind_stride_z = small_wind.stride_z;
    BillowField fields[BILLOW_FIELDS_MAX];
    int count = billow_list_fields(view, fields);
    size_t floats = 0;
    for (int f = 0; f < count; f++)
        if (fields[f].drawn)
            floats += (size_t)fields[f].arrays * array_floats(fields[f].wind ? &small_wind : small);
    if (floats != coarse->floats) {
        free(coarse->memory);
        coarse->memory = malloc(floats * sizeof(float));
        coarse->floats = coarse->memory != NULL ? floats : 0;
    }
    if (coarse->memory == NULL)
        return fail(error, "picture: no memory for %dx%dx%d cells at a %dth of their resolution",
                    view->nx, view->ny, view->nz, factor);
    float *next = coarse->memory;
    for (int f = 0; f < count; f++) {
        const BillowField *field = &fields[f];
        const BillowView *from = field->wind ? &wind : view;
        const BillowView *to = field->wind ? &small_wind : small;
        const int merged = field->wind ? wind_factor : factor;
        const float *made[3] = {NULL};
        for (int a = 0; a < field->arrays && field->drawn; a++, next += array_floats(to)) {
            if (field->place == BILLOW_AT_CORNERS)
                thin_out(to, from, field->values[a], merged, next);
            else
                coarsen(to, from, field->values[a], merged, field->amount, next);
            made[a] = next;
        }
        billow_set_field(small, field, made);
    }
    return true;
}

/* -- parts of a view that only some scenes have ------------------------------------------------ */

static bool make_room(Renderer *renderer, const int n[3], BillowError *error)
{
    size_t floats = 3 * (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    if (renderer->fused_floats == floats)
        return true;
    free(renderer->fused);
    renderer->fused = malloc(floats * sizeof(float));
    renderer->fused_floats = renderer->fused != NULL ? floats : 0;
    return renderer->fused != NULL ||
           fail(error, "picture: no memory for the colours of %dx%dx%d cells", n[0], n[1], n[2]);
}

/* Interleaves planes of three fields into texels of three channels. */
static void weave(const BillowView *view, const int planes[2], const float *const fields[3],
                  float *out)
{
    for (int k = planes[0]; k < planes[1]; k++)
        for (int j = 0; j < view->ny; j++) {
            ptrdiff_t at = j * view->stride_y + k * view->stride_z;
            const float *a = fields[0] + at, *b = fields[1] + at, *c = fields[2] + at;
            for (int i = 0; i < view->nx; i++, out += 3) {
                out[0] = a[i];
                out[1] = b[i];
                out[2] = c[i];
            }
        }
}

static bool upload_color(Renderer *renderer, const BillowView *view, BillowError *error)
{
    const int *held = renderer->volume.held, n[3] = {view->nx, view->ny, held[1] - held[0]};
    renderer->colored = view->color[0] != NULL && !renderer->volume.ramps[0];
    renderer->volume.colored = renderer->colored || renderer->volume.ramps[0];
    if (!renderer->colored) {
        volume_destroy(&renderer->color);
        return true;
    }
    if (!make_room(renderer, n, error))
        return false;
    weave(view, held, view->color, renderer->fused);
    return volume_upload_packed(&renderer->color, n, 3, renderer->fused, true, "colours", error);
}

static bool upload_ramps(Renderer *renderer, const BillowView *view, BillowError *error)
{
    const int *held = renderer->volume.held, n[3] = {view->nx, view->ny, held[1] - held[0]};
    const Ramp ramps[2] = {ramp_of(&renderer->settings.smoke_ramp, view),
                           ramp_of(&renderer->settings.fire_ramp, view)};
    for (int r = 0; r < 2; r++) {
        renderer->volume.ramps[r] = ramps[r].on;
        renderer->volume.ramp_weighted[r] = ramps[r].weighted;
    }
    if (!ramps[0].on && !ramps[1].on) {
        volume_destroy(&renderer->ramp);
        return true;
    }
    if (!make_room(renderer, n, error))
        return false;
    float *out = renderer->fused; /* the field of a ramp that is off is 0 */
    for (int k = held[0]; k < held[1]; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++)
                for (int r = 0; r < 2; r++)
                    *out++ = ramps[r].on ? ramp_field(&ramps[r], (const int[3]){i, j, k}) : 0;
    return volume_upload_packed(&renderer->ramp, n, 2, renderer->fused, true, "ramps", error);
}

static bool upload_flame(Renderer *renderer, const BillowView *view, BillowError *error)
{
    renderer->volume.flame = renderer->settings.smoke.flame;
    renderer->burns = view->flame != NULL && renderer->volume.flame > 0;
    return volume_upload_field(&renderer->flame, view, renderer->volume.held,
                               renderer->burns ? view->flame : NULL, true, "flame", error);
}

/* Uploads density and colours of the whole box from those of the light volumes, where tracers need
 * them and the view has a slab only. */
static bool upload_whole(Renderer *renderer, BillowError *error)
{
    const LightVolume *direct = &renderer->lighting.direct;
    const int *n = direct->n;
    const size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    const bool needed =
        renderer->slab != NULL && renderer->slab->rank == 0 && renderer->tracers.count > 0;
    volume_destroy(&renderer->whole_density);
    volume_destroy(&renderer->whole_color);
    if (!needed)
        return true;
    VolumeData density = volume_packed(n, 1, direct->density, true);
    density.half = true;
    if (!volume_upload(&renderer->whole_density, &density, "density of the box", error))
        return false;
    if (direct->color == NULL)
        return true;
    if (!make_room(renderer, n, error))
        return false;
    for (size_t i = 0; i < 3 * count; i++)
        renderer->fused[i] = direct->color[i % 3 * count + i / 3];
    return volume_upload_packed(&renderer->whole_color, n, 3, renderer->fused, true,
                                "colours of the box", error);
}

/* -- light and solids -------------------------------------------------------------------------- */

static bool upload_lamps(Renderer *renderer, BillowError *error)
{
    const LampVolume *lamps = &renderer->lighting.lamps;
    int n[3] = {lamps->n[0], lamps->n[1], lamps->n[2] * lamps->colors};
    const float *dimming = lamps->dimming;
    renderer->volume.lamps_by_color = lamps->colors > 1 && n[2] <= renderer->limits.texture_3d_max;
    if (lamps->colors > 1 && !renderer->volume.lamps_by_color) {
        /* The volume does not fit by colour: all colours use the dimming of green. */
        n[2] = lamps->n[2];
        dimming += (size_t)lamps->count * (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    }
    return lamps->count == 0 ||
           volume_upload_packed(&renderer->lamps, n, lamps->count, dimming, true, "lamps", error);
}

/* Uploads the sun's optical depth, and with it the ambient light if they are joined. */
static bool upload_light(Renderer *renderer, BillowError *error)
{
    const LightVolume *direct = &renderer->lighting.direct;
    const LightShown *shown = &renderer->lighting.shown;
    if (shown->joined == NULL)
        return volume_upload_packed(&renderer->light, direct->n, direct->channels, shown->depth,
                                    true, "light volume", error);
    VolumeData data = volume_packed(direct->n, 4, shown->joined, true);
    data.half = false;
    return volume_upload(&renderer->light, &data, "light volume", error);
}

bool renderer_light(Renderer *renderer, BillowError *error)
{
    const RenderSettings *settings = &renderer->settings;
    float sun[3], ground[LIGHT_VOLUME_GROUND * LIGHT_VOLUME_GROUND];
    Lighting *lighting = &renderer->lighting;
    SolidLight *solids = renderer->volume.solids ? &renderer->solid_light : NULL;
    render_direction(settings->sun.azimuth, settings->sun.elevation, sun);
    if (solids != NULL && memcmp(sun, renderer->shaded_sun, sizeof sun) != 0) {
        solid_light_compute(solids, sun);
        if (!volume_upload_packed(&renderer->shade, solids->n, 2, solids->visibility, true,
                                  "shade of the solids", error))
            return false;
        memcpy(renderer->shaded_sun, sun, sizeof sun);
    }
    double start = clock_seconds();
    bool changed, good = lighting_compute(lighting, settings, solids, &changed, error);
    renderer->times.light_ms += 1e3 * (clock_seconds() - start);
    if (!good || !changed)
        return good;
    renderer->matter++;
    light_volume_ground(&lighting->direct, solids, ground);
    if (!upload_light(renderer, error) || !upload_lamps(renderer, error) ||
        !volume_upload_packed(&renderer->ambient, lighting->ambient.n, 4, lighting->ambient.shown,
                              true, "ambient light", error))
        return false;
    glBindTexture(GL_TEXTURE_2D, renderer->ground_occlusion);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, LIGHT_VOLUME_GROUND, LIGHT_VOLUME_GROUND, GL_RED,
                    GL_FLOAT, ground);
    renderer->volume.ground_glows = lighting->ground_glows;
    renderer->volume.by_color = lighting->by_color;
    renderer->volume.spread_by_color = lighting->ambient.lanes > 1;
    if (lighting->ground_glows) {
        glBindTexture(GL_TEXTURE_2D, renderer->ground_glow);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, GROUND_GLOW, GROUND_GLOW, GL_RGBA, GL_FLOAT,
                        lighting->ground);
    }
    return true;
}

/* The next larger number of cells to merge along each axis: a divisor of the view's refine or a
 * multiple of it, so that a cell of wind is a number of cells or the reverse. */
static int next_factor(const BillowView *view, int factor)
{
    const int refine = refine_of(view);
    if (factor >= refine)
        return 2 * factor;
    do
        factor++;
    while (refine % factor != 0);
    return factor;
}

/* Returns how many cells to merge along each axis, so that all volumes fit into the driver's
 * limits: at least `coarse_least`. */
static int least_factor(const Renderer *renderer, const BillowView *view)
{
    int longest = view->nx > view->ny ? view->nx : view->ny, factor = 1;
    longest = longest > view->nz ? longest : view->nz;
    int more = view->solid != NULL; /* solids are sampled at cell corners, one more than cells */
    while ((longest + factor - 1) / factor + more > renderer->limits.texture_3d_max ||
           factor < renderer->coarse_least)
        factor = next_factor(view, factor);
    return factor;
}

static void drop_solids(Renderer *renderer)
{
    volume_destroy(&renderer->solid);
    volume_destroy(&renderer->shade);
    target_destroy(&renderer->smoke_behind);
    solid_light_destroy(&renderer->solid_light);
    renderer->volume.solids = false;
}

void renderer_forget(Renderer *renderer)
{
    drop_solids(renderer);
    ambient_darken(&renderer->lighting.ambient);
    renderer->coarse_least = 1;
    renderer->fitting.width = 0;
    renderer->exposure.known = false;
    renderer->history.count = 0;
    renderer->history.index = 0; /* equal frames then have equal ray offsets */
    volume_destroy(&renderer->history.motion);
    brick_motion_destroy(&renderer->flow);
}

static bool upload_solids(Renderer *renderer, const BillowView *view, BillowError *error)
{
    FrameVolume *volume = &renderer->volume;
    if (view->solid == NULL) {
        if (volume->solids)
            drop_solids(renderer);
        return true;
    }
    const BillowView wind = billow_wind_view(view);
    const int corners[3] = {wind.nx + 1, wind.ny + 1, wind.nz + 1};
    bool known = volume->solids && renderer->solid_version == view->solid_version &&
                 memcmp(corners, renderer->solid.n, sizeof corners) == 0;
    if (known)
        return true;
    volume->solids = false; /* remains false if an upload below fails */
    VolumeData data = {.n = {corners[0], corners[1], corners[2]},
                       .channels = 1,
                       .stride_y = wind.stride_y,
                       .stride_z = wind.stride_z,
                       .values = wind.solid,
                       .smooth = true};
    SolidLight *light = &renderer->solid_light;
    if (!solid_light_gather(light, view, error) ||
        !volume_upload(&renderer->solid, &data, "solids", error))
        return false;
    for (int axis = 0; axis < 3; axis++) {
        volume->solid_low[axis] = light->low[axis];
        volume->solid_high[axis] = light->high[axis];
        volume->shade_cells[axis] = light->reduction * light->n[axis];
        renderer->shaded_sun[axis] = 0;
    }
    volume->solid_cell = (float)refine_of(view);
    renderer->solid_version = view->solid_version;
    volume->solids = true;
    return true;
}

void renderer_light_as(Renderer *renderer, LightFineness fineness)
{
    renderer->fineness = fineness;
}

/* Largest number of cells of a grid whose light volume has the grid's own resolution, and of a
 * light volume that is coarser in windows. */
static const double direct_cells[] = {
    [LIGHT_LIVE] = 72.0 * 72 * 72,
    [LIGHT_FRAME] = 200.0 * 200 * 200,
    [LIGHT_STILL] = 330.0 * 330 * 330,
};
#define LIGHT_CELLS_COARSE (56.0 * 56 * 56)

int renderer_light_reduction(double cells)
{
    int reduction = 1;
    if (cells > direct_cells[LIGHT_LIVE])
        do
            reduction++;
        while (cells > LIGHT_CELLS_COARSE * reduction * reduction * reduction);
    return reduction;
}

/* Grid cells along the edge of a cell of the light volume. */
static int reduction_for(const Renderer *renderer, const int n[3])
{
    double cells = (double)n[0] * n[1] * n[2];
    return renderer->fineness == LIGHT_LIVE            ? renderer_light_reduction(cells)
           : cells <= direct_cells[renderer->fineness] ? 1
                                                       : 2;
}

/* Computes the data for the uploads on the CPU: occupancy bricks and light volumes. */
static bool gather(Renderer *renderer, const BillowView *view, BillowError *error)
{
    const RenderSettings *settings = &renderer->settings;
    double start = clock_seconds();
    Bricks *bricks = &renderer->bricks;
    renderer->cubic = settings->picture.filter == RENDER_FILTER_CUBIC;
    bricks->margin = renderer->cubic ? 1 : 0;
    bricks->slab = renderer->lighting.direct.slab = renderer->slab;
    if (!slab_agree(renderer->slab, bricks_build(bricks, view, settings->smoke.flame, error),
                    error))
        return false;
    bricks_share(bricks);
    renderer->glows = ramp_of(&settings->fire_ramp, view).on ||
                      bricks->temperature_max + BLACKBODY_AMBIENT > BLACKBODY_KELVIN_MIN;
    const int n[3] = {view->nx, view->ny, view->nz};
    LightingEffort effort = {reduction_for(renderer, n), renderer->fineness,
                             renderer->glows && settings->smoke.glow > 0 ? bricks : NULL};
    bool good = slab_agree(
        renderer->slab, lighting_gather(&renderer->lighting, view, settings, effort, error), error);
    if (good)
        lighting_share(&renderer->lighting);
    renderer->times.light_ms = 1e3 * (clock_seconds() - start);
    return good;
}

static bool upload_all(Renderer *renderer, const BillowView *view, BillowError *error)
{
    const Bricks *bricks = &renderer->bricks;
    const Lighting *lighting = &renderer->lighting;
    const int *held = renderer->volume.held, n[3] = {view->nx, view->ny, view->nz};
    slab_own(renderer->slab, view->nz, renderer->volume.slab);
    slab_held(renderer->slab, view->nz, renderer->volume.held);
    if (!gather(renderer, view, error) ||
        !volume_upload_field(&renderer->density, view, held, view->density, true, "density",
                             error) ||
        !volume_upload_field(&renderer->temperature, view, held, view->temperature, false,
                             "temperature", error) ||
        /* ramps before colours, which a ramp replaces */
        !upload_ramps(renderer, view, error) || !upload_color(renderer, view, error) ||
        !upload_flame(renderer, view, error) || !points_upload(&renderer->tracers, view, error) ||
        !upload_whole(renderer, error) ||
        !volume_upload_packed(&renderer->occupancy, bricks->n, 1, bricks->density, false, "bricks",
                              error) ||
        !upload_solids(renderer, view, error) || !renderer_light(renderer, error))
        return false;
    FrameVolume *volume = &renderer->volume;
    memcpy(volume->n, n, sizeof n);
    for (int axis = 0; axis < 3; axis++) {
        volume->light_cells[axis] = lighting->direct.reduction * lighting->direct.n[axis];
        volume->ambient_cells[axis] = lighting->ambient.reduction * lighting->ambient.n[axis];
    }
    memcpy(volume->origin, view->origin, sizeof volume->origin);
    memcpy(volume->home, view->home, sizeof volume->home);
    volume->cell_size = view->cell_size;
    volume->fade = lighting->direct.fade;
    return gl_check("upload of the smoke", error);
}

void renderer_drop_view(Renderer *renderer)
{
    Volume *const volumes[] = {&renderer->density,       &renderer->temperature, &renderer->light,
                               &renderer->ambient,       &renderer->occupancy,   &renderer->color,
                               &renderer->flame,         &renderer->lamps,       &renderer->ramp,
                               &renderer->whole_density, &renderer->whole_color};
    for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++)
        volume_destroy(volumes[i]);
    drop_solids(renderer);
    renderer->volume.n[0] = 0; /* nothing */
}

static bool upload_coarsened(Renderer *renderer, const BillowView *view, int factor,
                             BillowError *error)
{
    renderer->coarsened = factor;
    if (factor > 1 && !coarse_view_build(&renderer->coarse, view, factor, error))
        return false;
    if (factor == 1) {
        free(renderer->coarse.memory);
        renderer->coarse = (CoarseView){0};
    }
    return upload_all(renderer, factor > 1 ? &renderer->coarse.view : view, error);
}

/* Largest number of cells to merge along an axis. A coarser grid would no longer show the smoke. */
#define COARSENED_MOST 32

/* Fails, with a message that the textures cannot hold a view. */
static bool too_large(const BillowView *view, BillowError *error)
{
    return fail(error, "%dx%dx%d cells do not fit into this graphics driver's textures", view->nx,
                view->ny, view->nz);
}

static bool upload_what_fits(Renderer *renderer, const BillowView *view, BillowError *error)
{
    BillowError why = {""};
    if (renderer->slab != NULL) { /* ranks cannot merge cells */
        bool fits = least_factor(renderer, view) == 1 || too_large(view, error);
        return slab_agree(renderer->slab, fits, error) &&
               slab_agree(renderer->slab, upload_coarsened(renderer, view, 1, error), error);
    }
    for (int factor = least_factor(renderer, view); factor <= COARSENED_MOST;
         factor = next_factor(view, factor)) {
        if (upload_coarsened(renderer, view, factor, &why))
            return true;
        renderer_drop_view(renderer);
        if (!gl_check_ran_short(&why))
            break;
        renderer->coarse_least = next_factor(view, factor);
    }
    return fail(error, "%s", why.text);
}

int renderer_planes_beside(const Renderer *renderer, const int cells[3])
{
    const LightingEffort effort = {reduction_for(renderer, cells), renderer->fineness, NULL};
    const int bricks = BRICKS_EDGE + 2, light = lighting_planes_beside(cells, effort);
    return bricks > light ? bricks : light;
}

int renderer_coarsened(const Renderer *renderer)
{
    return renderer->coarsened;
}

/* Seed of the film grain from the simulated time: each frame of a video has its own grain, and a
 * frame drawn again has the same (SplitMix64; Steele, Lea, Flood 2014). */
static int grain_seed(double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return (int)(bits >> 41);
}

bool renderer_upload(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                     BillowError *error)
{
    assert(view->density != NULL && view->cell_size > 0);
    if (!renderer_surround(renderer, settings, error))
        return false;
    renderer->matter++;
    renderer->time = view->time;
    renderer->volume.grain_seed = grain_seed(view->time);
    stopwatch_start(&renderer->watch);
    bool good = upload_what_fits(renderer, view, error);
    double took = stopwatch_stop(&renderer->watch);
    renderer->times.upload_ms =
        renderer->watch.on && !renderer->watch.queries ? took - renderer->times.light_ms : took;
    return good;
}

bool renderer_upload_whole(Renderer *renderer, const BillowView *view,
                           const RenderSettings *settings, BillowError *error)
{
    return renderer_upload(renderer, view, settings, error) &&
           (renderer->coarsened == 1 || too_large(view, error));
}
