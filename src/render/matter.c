/* SPDX-License-Identifier: MIT
 * Uploads the parts of a view that only some scenes have: colours, flame, texture coordinates,
 * tracers. */
#include "base/fail.h"
#include "render/light/light_noise.h"
#include "render/light/ramp.h"
#include "render/renderer_state.h"
#include <stdlib.h>
#include <string.h>

static bool make_room(Renderer *renderer, const int n[3], BillowError *error)
{
    size_t floats = 3 * (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    if (renderer->fused_floats == floats)
        return true;
    free(renderer->fused);
    renderer->fused = malloc(floats * sizeof(float));
    renderer->fused_floats = renderer->fused != NULL ? floats : 0;
    return renderer->fused != NULL ||
           fail(error, "picture: no memory for the colours or the detail of %dx%dx%d cells", n[0],
                n[1], n[2]);
}

/* Interleaves planes of three fields into texels of three channels. `factor` multiplies every
 * value.
 */
static void weave(const BillowView *view, const int planes[2], const float *const fields[3],
                  float factor, float *out)
{
    for (int k = planes[0]; k < planes[1]; k++)
        for (int j = 0; j < view->ny; j++) {
            ptrdiff_t at = j * view->stride_y + k * view->stride_z;
            const float *a = fields[0] + at, *b = fields[1] + at, *c = fields[2] + at;
            for (int i = 0; i < view->nx; i++, out += 3) {
                out[0] = factor * a[i];
                out[1] = factor * b[i];
                out[2] = factor * c[i];
            }
        }
}

/* Interleaves three fields at half the resolution. A texel holds the mean of 2 x 2 x 2 cells. If an
 * edge has an odd number of cells, its last cell counts twice. first: first plane, even. */
static void weave_halved(const BillowView *view, int first, const float *const fields[3],
                         float factor, const int n[3], float *out)
{
    for (int k = first / 2; k < first / 2 + n[2]; k++)
        for (int j = 0; j < n[1]; j++) {
            int up = 2 * j + 1 < view->ny ? 2 * j + 1 : 2 * j;
            int front = 2 * k + 1 < view->nz ? 2 * k + 1 : 2 * k;
            const ptrdiff_t rows[4] = {2 * j * view->stride_y + 2 * k * view->stride_z,
                                       up * view->stride_y + 2 * k * view->stride_z,
                                       2 * j * view->stride_y + front * view->stride_z,
                                       up * view->stride_y + front * view->stride_z};
            for (int i = 0; i < n[0]; i++, out += 3) {
                int right = 2 * i + 1 < view->nx ? 2 * i + 1 : 2 * i;
                for (int c = 0; c < 3; c++) {
                    float sum = 0;
                    for (int row = 0; row < 4; row++)
                        sum += fields[c][rows[row] + 2 * i] + fields[c][rows[row] + right];
                    out[c] = 0.125f * factor * sum;
                }
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
    weave(view, held, view->color, 1, renderer->fused);
    return volume_upload_packed(&renderer->color, n, 3, renderer->fused, true, "colours", error);
}

/* Interleaves the fields of the two ramps. The field of a ramp that is off is 0. */
static void weave_ramps(const BillowView *view, const int planes[2], const Ramp ramps[2],
                        float *out)
{
    for (int k = planes[0]; k < planes[1]; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++)
                for (int r = 0; r < 2; r++)
                    *out++ = ramps[r].on ? ramp_field(&ramps[r], (const int[3]){i, j, k}) : 0;
}

static bool upload_ramps(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                         BillowError *error)
{
    const int *held = renderer->volume.held, n[3] = {view->nx, view->ny, held[1] - held[0]};
    const Ramp ramps[2] = {ramp_of(&settings->smoke_ramp, view),
                           ramp_of(&settings->fire_ramp, view)};
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
    weave_ramps(view, held, ramps, renderer->fused);
    return volume_upload_packed(&renderer->ramp, n, 2, renderer->fused, true, "ramps", error);
}

/* Uploads the flame. flame: density of smoke that a flame value of 1 stands for. */
static bool upload_flame(Renderer *renderer, const BillowView *view, float flame,
                         BillowError *error)
{
    renderer->volume.flame = flame;
    renderer->burns = view->flame != NULL && flame > 0;
    if (renderer->burns)
        return volume_upload_field(&renderer->flame, view, renderer->volume.held, view->flame, true,
                                   "flame", error);
    volume_destroy(&renderer->flame);
    return true;
}

void renderer_drop_rest(Renderer *renderer)
{
    volume_destroy(&renderer->coordinates[0]);
    volume_destroy(&renderer->coordinates[1]);
    volume_destroy(&renderer->detail);
}

static bool upload_noise(Renderer *renderer, BillowError *error)
{
    const int edge = DETAIL_NOISE_EDGE;
    if (renderer->detail.texture != 0)
        return true;
    float *values = malloc((size_t)edge * edge * edge * sizeof *values);
    if (values == NULL)
        return fail(error, "picture: no memory for the noise of fine detail");
    detail_noise_fill(values);
    VolumeData data = {.n = {edge, edge, edge},
                       .channels = 1,
                       .stride_y = edge,
                       .stride_z = (ptrdiff_t)edge * edge,
                       .values = values,
                       .smooth = true,
                       .tiles = true};
    bool good = volume_upload(&renderer->detail, &data, "noise of fine detail", error);
    free(values);
    return good;
}

/* Uploads the advected texture coordinates, in cells. reduction: cells along the edge of a texel.
 * The coordinates are smooth. Half the grid's resolution is therefore enough for them if the light
 * volume has no more. */
static bool upload_rest(Renderer *renderer, const BillowView *view, int reduction,
                        BillowError *error)
{
    FrameVolume *volume = &renderer->volume;
    if (view->texture[0][0] == NULL) {
        renderer_drop_rest(renderer);
        return true;
    }
    const int *held = volume->held, cells[3] = {view->nx, view->ny, held[1] - held[0]};
    int n[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = (cells[axis] + reduction - 1) / reduction;
        volume->texture_cells[axis] = reduction * n[axis];
    }
    if (!upload_noise(renderer, error) || !make_room(renderer, n, error))
        return false;
    for (int set = 0; set < 2; set++) {
        if (reduction == 1)
            weave(view, held, view->texture[set], 1 / view->cell_size, renderer->fused);
        else
            weave_halved(view, held[0], view->texture[set], 1 / view->cell_size, n,
                         renderer->fused);
        if (!volume_upload_packed(&renderer->coordinates[set], n, 3, renderer->fused, true,
                                  "texture coordinates", error))
            return false;
        volume->texture_weight[set] = view->texture_weight[set];
    }
    return true;
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
    const VolumeData density = {.n = {n[0], n[1], n[2]},
                                .channels = 1,
                                .stride_y = n[0],
                                .stride_z = (ptrdiff_t)n[0] * n[1],
                                .values = direct->density,
                                .half = true,
                                .smooth = true};
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

bool renderer_upload_matter(Renderer *renderer, const BillowView *view,
                            const RenderSettings *settings, int reduction, BillowError *error)
{
    return upload_ramps(renderer, view, settings,
                        error) && /* before colours, which a ramp replaces */
           upload_color(renderer, view, error) &&
           upload_flame(renderer, view, settings->smoke.flame, error) &&
           points_upload(&renderer->tracers, view, error) && upload_whole(renderer, error) &&
           upload_rest(renderer, view, reduction, error);
}
