/* SPDX-License-Identifier: MIT
 * Copies the fields of a view into textures, and computes the light volumes. */
#include "base/clock.h"
#include "base/fail.h"
#include "render/light/blackbody.h"
#include "render/light/ramp.h"
#include "render/renderer_state.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool shade(Renderer *renderer, const float sun[3], BillowError *error)
{
    SolidLight *light = &renderer->solid_light;
    if (!renderer->volume.solids || memcmp(sun, renderer->shaded_sun, 3 * sizeof *sun) == 0)
        return true;
    solid_light_compute(light, sun);
    if (!volume_upload_packed(&renderer->shade, light->n, 2, light->visibility, true,
                              "shade of the solids", error))
        return false;
    memcpy(renderer->shaded_sun, sun, 3 * sizeof *sun);
    return true;
}

static bool upload_lamps(Renderer *renderer, BillowError *error)
{
    const LampVolume *lamps = &renderer->lighting.lamps;
    int n[3] = {lamps->n[0], lamps->n[1], lamps->n[2] * lamps->colors};
    const float *dimming = lamps->dimming;
    renderer->volume.lamps_by_color = lamps->colors > 1 && n[2] <= renderer->limits.texture_3d_max;
    if (lamps->colors > 1 &&
        !renderer->volume.lamps_by_color) { /* the volume does not fit by colour: all colours use
                                               the dimming of green */
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
    int channels = shown->joined != NULL ? 4 : direct->channels;
    VolumeData data = {.n = {direct->n[0], direct->n[1], direct->n[2]},
                       .channels = channels,
                       .stride_y = (ptrdiff_t)channels * direct->n[0],
                       .stride_z = (ptrdiff_t)channels * direct->n[0] * direct->n[1],
                       .values = shown->joined != NULL ? shown->joined : shown->depth,
                       .half = shown->joined == NULL && channels >= 3,
                       .smooth = true};
    return volume_upload(&renderer->light, &data, "light volume", error);
}

bool renderer_light(Renderer *renderer, const RenderSettings *settings, BillowError *error)
{
    float sun[3], ground[LIGHT_VOLUME_GROUND * LIGHT_VOLUME_GROUND];
    Lighting *lighting = &renderer->lighting;
    const SolidLight *solids = renderer->volume.solids ? &renderer->solid_light : NULL;
    render_direction(settings->sun.azimuth, settings->sun.elevation, sun);
    if (!shade(renderer, sun, error))
        return false;
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

/* Returns how many cells to merge along each axis, so that all volumes fit into the driver's
 * limits: a power of two, at least `coarse_least`. */
static int least_factor(const Renderer *renderer, const BillowView *view)
{
    int longest = view->nx > view->ny ? view->nx : view->ny, factor = 1;
    longest = longest > view->nz ? longest : view->nz;
    int more = view->solid != NULL; /* solids are sampled at cell corners, one more than cells */
    while ((longest + factor - 1) / factor + more > renderer->limits.texture_3d_max)
        factor *= 2;
    return factor > renderer->coarse_least ? factor : renderer->coarse_least;
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
    lighting_forget(&renderer->lighting);
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
    const int corners[3] = {view->nx + 1, view->ny + 1, view->nz + 1};
    bool known = volume->solids && renderer->solid_version == view->solid_version &&
                 memcmp(corners, renderer->solid.n, sizeof corners) == 0;
    if (known)
        return true;
    volume->solids = false; /* remains false if an upload below fails */
    VolumeData data = {.n = {corners[0], corners[1], corners[2]},
                       .channels = 1,
                       .stride_y = view->stride_y,
                       .stride_z = view->stride_z,
                       .values = view->solid,
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
    renderer->solid_version = view->solid_version;
    volume->solids = true;
    return true;
}

void renderer_fine_light(Renderer *renderer, bool fine)
{
    renderer->fine_light = fine;
}

/* Largest number of cells of a grid whose light volume has the grid's own resolution, in the window
 * and in stills. */
#define LIGHT_CELLS_FULL (72 * 72 * 72)
#define LIGHT_CELLS_FINE (200 * 200 * 200)

int renderer_light_reduction(double cells)
{
    return cells <= LIGHT_CELLS_FULL ? 1 : 2;
}

/* Grid cells along the edge of a cell of the light volume and of a texel of the texture
 * coordinates: 1 or 2. */
static int reduction_for(const Renderer *renderer, const int n[3])
{
    double cells = (double)n[0] * n[1] * n[2];
    return renderer->fine_light ? (cells <= LIGHT_CELLS_FINE ? 1 : 2)
                                : renderer_light_reduction(cells);
}

/* Computes the data for the uploads on the CPU: occupancy bricks and light volumes. */
static bool gather(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                   BillowError *error)
{
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
    LightingEffort effort = {reduction_for(renderer, n), renderer->fine_light,
                             renderer->glows && settings->smoke.glow > 0};
    bool good = lighting_gather(&renderer->lighting, view, settings, effort, error);
    if (slab_agree(renderer->slab, good, error))
        lighting_share(&renderer->lighting);
    else
        good = false;
    renderer->times.light_ms = 1e3 * (clock_seconds() - start);
    return good;
}

static bool upload_all(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                       BillowError *error)
{
    const Bricks *bricks = &renderer->bricks;
    const Lighting *lighting = &renderer->lighting;
    const int *held = renderer->volume.held, n[3] = {view->nx, view->ny, view->nz};
    slab_own(renderer->slab, view->nz, renderer->volume.slab);
    slab_held(renderer->slab, view->nz, renderer->volume.held);
    if (!gather(renderer, view, settings, error) ||
        !volume_upload_field(&renderer->density, view, held, view->density, true, "density",
                             error) ||
        (view->temperature != NULL &&
         !volume_upload_field(&renderer->temperature, view, held, view->temperature, false,
                              "temperature", error)) ||
        !renderer_upload_matter(renderer, view, settings, reduction_for(renderer, n), error) ||
        !volume_upload_packed(&renderer->occupancy, bricks->n, 1, bricks->density, false, "bricks",
                              error) ||
        !upload_solids(renderer, view, error) || !renderer_light(renderer, settings, error))
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
    return gl_check("upload of the smoke", error);
}

/* Frees all textures of a view. */
static void drop_all(Renderer *renderer)
{
    Volume *const volumes[] = {&renderer->density,       &renderer->temperature, &renderer->light,
                               &renderer->ambient,       &renderer->occupancy,   &renderer->color,
                               &renderer->flame,         &renderer->lamps,       &renderer->ramp,
                               &renderer->whole_density, &renderer->whole_color};
    for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++)
        volume_destroy(volumes[i]);
    renderer_drop_rest(renderer);
    drop_solids(renderer);
    renderer->volume.n[0] = 0; /* nothing */
}

static bool upload_coarsened(Renderer *renderer, const BillowView *view, int factor,
                             const RenderSettings *settings, BillowError *error)
{
    renderer->coarsened = factor;
    if (factor > 1 && !coarse_view_build(&renderer->coarse, view, factor, error))
        return false;
    if (factor == 1)
        coarse_view_destroy(&renderer->coarse);
    return upload_all(renderer, factor > 1 ? &renderer->coarse.view : view, settings, error);
}

/* Uploads on all ranks, which cannot merge cells. */
static bool upload_together(Renderer *renderer, const BillowView *view,
                            const RenderSettings *settings, BillowError *error)
{
    bool fits = least_factor(renderer, view) == 1 ||
                fail(error, "%dx%dx%d cells do not fit into this graphics driver's textures",
                     view->nx, view->ny, view->nz);
    return slab_agree(renderer->slab, fits, error) &&
           slab_agree(renderer->slab, upload_coarsened(renderer, view, 1, settings, error), error);
}

/* Largest number of cells to merge along an axis. A coarser grid would no longer show the smoke. */
#define COARSENED_MOST 32

static bool upload_what_fits(Renderer *renderer, const BillowView *view,
                             const RenderSettings *settings, BillowError *error)
{
    BillowError why = {""};
    if (renderer->slab != NULL)
        return upload_together(renderer, view, settings, error);
    for (int factor = least_factor(renderer, view); factor <= COARSENED_MOST; factor *= 2) {
        if (upload_coarsened(renderer, view, factor, settings, &why))
            return true;
        drop_all(renderer);
        if (!gl_check_ran_short(&why))
            break;
        renderer->coarse_least = 2 * factor;
    }
    return fail(error, "%s", why.text);
}

bool renderer_divide(Renderer *renderer, const RenderRanks *ranks, int planes, int first,
                     BillowError *error)
{
    renderer->slab = slab_create(ranks, planes, first, error);
    return renderer->slab != NULL;
}

int renderer_planes_beside(const Renderer *renderer, const int cells[3])
{
    const LightingEffort effort = {reduction_for(renderer, cells), renderer->fine_light, true};
    const int bricks = BRICKS_EDGE + 2, light = lighting_planes_beside(cells, effort);
    return bricks > light ? bricks : light;
}

int renderer_coarsened(const Renderer *renderer)
{
    return renderer->coarsened;
}

void renderer_limit_volumes(Renderer *renderer, int cells)
{
    if (cells < renderer->limits.texture_3d_max)
        renderer->limits.texture_3d_max = cells;
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
    settings = renderer_surround(renderer, settings, error);
    if (settings == NULL)
        return false;
    renderer->matter++;
    renderer->time = view->time;
    renderer->volume.grain_seed = grain_seed(view->time);
    stopwatch_start(&renderer->watch);
    bool good = upload_what_fits(renderer, view, settings, error);
    double took = stopwatch_stop(&renderer->watch);
    renderer->times.upload_ms =
        renderer->watch.on && !renderer->watch.queries ? took - renderer->times.light_ms : took;
    return good;
}

bool renderer_upload_whole(Renderer *renderer, const BillowView *view,
                           const RenderSettings *settings, BillowError *error)
{
    return renderer_upload(renderer, view, settings, error) &&
           (renderer->coarsened == 1 ||
            fail(error, "%dx%dx%d cells do not fit into this graphics driver's textures", view->nx,
                 view->ny, view->nz));
}
