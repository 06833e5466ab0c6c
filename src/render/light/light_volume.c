/* SPDX-License-Identifier: MIT */
#include "render/light/light_volume.h"
#include "render/view_spans.h"

#include "base/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Sweep sweep_plan(const int n[3], const float to[3])
{
    const ptrdiff_t strides[3] = {1, n[0], (ptrdiff_t)n[0] * n[1]};
    int a = 0;
    for (int axis = 1; axis < 3; axis++)
        a = fabsf(to[axis]) > fabsf(to[a]) ? axis : a;
    int u = a == 0 ? 1 : 0, v = a == 2 ? 1 : 2;
    float steep = fabsf(to[a]);
    float shift_u = to[u] / steep, shift_v = to[v] / steep;
    Sweep sweep = {.axis = a,
                   .planes = n[a],
                   .nu = n[u],
                   .nv = n[v],
                   .step = to[a] > 0 ? -strides[a] : strides[a],
                   .first = to[a] > 0 ? (n[a] - 1) * strides[a] : 0,
                   .step_u = strides[u],
                   .step_v = strides[v],
                   .offset_u = shift_u < 0 ? -1 : 0,
                   .offset_v = shift_v < 0 ? -1 : 0,
                   .path = 1 / steep};
    sweep.weight_u = shift_u - (float)sweep.offset_u;
    sweep.weight_v = shift_v - (float)sweep.offset_v;
    return sweep;
}

void light_volume_destroy(LightVolume *volume)
{
    free(volume->density); /* the sky's depth and the scratch are slices of this allocation */
    free(volume->depth);
    free(volume->color);
    *volume = (LightVolume){0};
}

enum { PARTS = 4 }; /* parts that the rays are divided into, which are swept in parallel */

static bool out_of_memory(const int n[3], BillowError *error)
{
    return fail(error, "picture: no memory for the light volume of %dx%dx%d cells", n[0], n[1],
                n[2]);
}

static bool set_channels(LightVolume *volume, int channels, BillowError *error)
{
    volume->channels = channels;
    if (volume->room >= channels)
        return true;
    free(volume->depth);
    volume->depth = calloc(cells_count(volume->n) * (size_t)channels, sizeof *volume->depth);
    volume->room = volume->depth != NULL ? channels : 0;
    return volume->depth != NULL || out_of_memory(volume->n, error);
}

/* One allocation:  density | sky    | scratch
 *                  count   | ground | of each part the rays through all planes, those through one,
 *                  and a row of rays */
static bool resize(LightVolume *volume, const BillowView *view, int reduction, BillowError *error)
{
    const int n[3] = {(view->nx + reduction - 1) / reduction,
                      (view->ny + reduction - 1) / reduction,
                      (view->nz + reduction - 1) / reduction};
    if (volume->density != NULL && memcmp(n, volume->n, sizeof n) == 0 &&
        volume->reduction == reduction)
        return true;
    const LightVolume before = *volume;
    light_volume_destroy(volume);
    volume->slab = before.slab;
    volume->fade = before.fade;
    size_t count = cells_count(n), ground = (size_t)n[0] * (size_t)n[2];
    size_t longest = (size_t)cells_longest(n);
    volume->rays =
        (2 * longest + 1) * (2 * longest + 1) + (longest + 1) * (longest + 1) + (longest + 3);
    float *all = malloc((count + ground + PARTS * volume->rays) * sizeof *all);
    if (all == NULL)
        return out_of_memory(n, error);
    volume->density = all;
    volume->sky = all + count;
    volume->scratch = all + count + ground;
    memcpy(volume->n, n, sizeof n);
    volume->reduction = reduction;
    return set_channels(volume, 1, error);
}

/* Smaller densities count as none: they dim no light, and their products with others would be
 * denormal numbers, which processors take a hundred times as long to compute. */
#define FAINTEST 1e-9f

/* Writes means over cubes of cells of a field to row (j, k). Each plane has its own row of sums. */
static void gather_means(const LightVolume *volume, const BillowView *view, const float *field,
                         int j, int k, float *out)
{
    const int edge = volume->reduction;
    const float share = 1 / (float)(edge * edge * edge);
    float *sum = volume->scratch + edge * (ptrdiff_t)volume->n[0] * k;
    memset(sum, 0, (size_t)(edge * volume->n[0]) * sizeof *sum);
    for (int row = 0; row < edge * edge; row++) {
        int fine_j = edge * j + row % edge, fine_k = edge * k + row / edge;
        if (fine_j >= view->ny || fine_k >= view->nz)
            continue;
        const float *cells = field + fine_j * view->stride_y + fine_k * view->stride_z;
        const BillowSpan span = view_span(view, fine_j, fine_k);
        for (int i = span.begin; i < span.end; i++)
            sum[i] += cells[i] > FAINTEST ? cells[i] : 0;
    }
    for (int i = 0; i < volume->n[0]; i++, sum += edge) {
        float all = sum[0];
        for (int c = 1; c < edge; c++)
            all += sum[c];
        out[i] = share * all;
    }
}

/* Multiplies row (j, k) of a field by the share that is seen at the middles of its cells. */
static void fade_row(const LightVolume *volume, int j, int k, float *row)
{
    const float edge = (float)volume->reduction;
    const float beside = fade_along(&volume->fade, 1, edge * ((float)j + 0.5f)) *
                         fade_along(&volume->fade, 2, edge * ((float)k + 0.5f));
    for (int i = 0; i < volume->n[0]; i++)
        row[i] *= beside * fade_along(&volume->fade, 0, edge * ((float)i + 0.5f));
}

static void gather_field(LightVolume *volume, const BillowView *view, const float *field,
                         float *out)
{
    const int *n = volume->n;
    int layers[2];
    slab_layers(volume->slab, n[2], volume->reduction, layers);
#pragma omp parallel for schedule(static)
    for (int k = layers[0]; k < layers[1]; k++)
        for (int j = 0; j < n[1]; j++) {
            float *row = out + cells_index(n, 0, j, k);
            const float *cells = field + j * view->stride_y + k * view->stride_z;
            if (volume->reduction > 1)
                gather_means(volume, view, field, j, k, row);
            for (int i = 0; i < n[0] && volume->reduction == 1; i++)
                row[i] = cells[i] > FAINTEST ? cells[i] : 0;
            if (volume->fade.on)
                fade_row(volume, j, k, row);
        }
}

bool light_volume_gather(LightVolume *volume, const BillowView *view, int reduction,
                         BillowError *error)
{
    assert(reduction >= 1);
    if (!resize(volume, view, reduction, error))
        return false;
    volume->spacing = (float)reduction * view->cell_size;
    gather_field(volume, view, view->density, volume->density);
    return true;
}

bool light_volume_gather_colors(LightVolume *volume, const BillowView *view, BillowError *error)
{
    size_t count = cells_count(volume->n);
    free(volume->color);
    volume->color = NULL;
    if (view->color[0] == NULL)
        return true;
    volume->color = malloc(3 * count * sizeof *volume->color);
    if (volume->color == NULL)
        return out_of_memory(volume->n, error);
    for (int c = 0; c < 3; c++)
        gather_field(volume, view, view->color[c], volume->color + (size_t)c * count);
    return true;
}

void light_volume_share(LightVolume *volume)
{
    const size_t count = cells_count(volume->n), layer = count / (size_t)volume->n[2];
    const size_t bytes = layer * sizeof(float);
    slab_share(volume->slab, volume->density, volume->n[2], volume->reduction, bytes);
    for (size_t c = 0; c < 3 && volume->color != NULL; c++)
        slab_share(volume->slab, volume->color + c * count, volume->n[2], volume->reduction, bytes);
}

/* Where the rays of the sun cross a plane: ray (i, j) between elements (i - 1, j - 1) and (i, j),
 * both counted from (u, v). */
typedef struct Crossing {
    int u, v;
    float share_u, share_v; /* share of the lower elements */
} Crossing;

/* Planes are sheared along the light, so that rays have fixed indices: ray r passes through a plane
 * at x = r - shift, between two elements. Only the density read and the depth written are
 * interpolated. (If the depth were interpolated from plane to plane, it would blur in each, and
 * blurred depth is darker than blurred light: by 4 % in a cloud of half a unit per cell.) */
typedef struct Shear {
    Crossing at;        /* of the plane's middle; rays are counted from its (u, v) */
    Crossing halves[2]; /* of the middles of its first and second half */
    int row;            /* row of rays through the plane's first row */
    float *entered;     /* optical depth of the rays that have entered; [0] is ray (u, v) */
    ptrdiff_t pitch;    /* distance between rays along v, floats */
    float *middle;      /* depth in the plane's middle; rows of nu + 1 rays */
    float *mixed;       /* scratch: one row of rays, with one ray more at either end */
} Shear;

static Crossing crossing(const Sweep *sweep, float plane)
{
    float u = plane * ((float)sweep->offset_u + sweep->weight_u);
    float v = plane * ((float)sweep->offset_v + sweep->weight_v);
    Crossing at = {.u = (int)floorf(u), .v = (int)floorf(v)};
    at.share_u = u - (float)at.u;
    at.share_v = v - (float)at.v;
    return at;
}

static Shear shear_plane(const Sweep *sweep, int k, float *scratch)
{
    Shear shear = {
        .at = crossing(sweep, (float)k),
        .halves = {crossing(sweep, (float)k - 0.25f), crossing(sweep, (float)k + 0.25f)}};
    /* Rays that enter at later planes lie before or after those of the first plane. */
    int most_u = sweep->offset_u < 0 ? sweep->planes : 0;
    int most_v = sweep->offset_v < 0 ? sweep->planes : 0;
    shear.pitch = sweep->nu + sweep->planes + 1;
    shear.row = shear.at.v + most_v;
    shear.entered = scratch + shear.row * shear.pitch + shear.at.u + most_u;
    shear.middle = scratch + shear.pitch * (sweep->nv + sweep->planes + 1);
    shear.mixed = shear.middle + (ptrdiff_t)(sweep->nu + 1) * (sweep->nv + 1) + 1;
    return shear;
}

/* A row of elements that rays pass between: ray i between elements i + first - 1 and i + first. */
typedef struct Passed {
    const float *low, *high; /* rows below and above the rays along v */
    float share_low, share_high;
    ptrdiff_t step;
    int count, first;
} Passed;

static float element(const Passed *of, int i)
{
    if (i < 0 || i >= of->count)
        return 0;
    return of->share_low * of->low[i * of->step] + of->share_high * of->high[i * of->step];
}

/* Density at the rays of a row. share: of the element before each ray. */
static inline void meet_elements(const Passed *of, ptrdiff_t s, float share, float *row)
{
    int from = of->first < 1 ? 1 - of->first : 0, to = of->count - of->first;
    float low = of->share_low, high = of->share_high;
    for (int i = 0; i <= of->count; i += i == from - 1 && from < to ? to - from + 1 : 1)
        row[i] = (1 - share) * element(of, i + of->first) + share * element(of, i + of->first - 1);
    int end = to < of->count + 1 ? to : of->count + 1;
    float a = (1 - share) * low, b = (1 - share) * high, c = share * low, d = share * high;
    const float *below = of->low + of->first * s, *above = of->high + of->first * s;
    for (int i = from; i < end; i++)
        row[i] =
            a * below[i * s] + b * above[i * s] + c * below[(i - 1) * s] + d * above[(i - 1) * s];
}

/* Density that row j of the rays meets at a crossing. */
static void meet_row(const Sweep *sweep, const Shear *shear, const Crossing *at,
                     const float *density, int j, float *row)
{
    int high = j + shear->at.v - at->v, low = high - 1;
    bool has_low = low >= 0 && low < sweep->nv, has_high = high >= 0 && high < sweep->nv;
    Passed of = {.low = density + (has_low ? low * sweep->step_v : 0),
                 .high = density + (has_high ? high * sweep->step_v : 0),
                 .share_low = has_low ? at->share_v : 0,
                 .share_high = has_high ? 1 - at->share_v : 0,
                 .step = sweep->step_u,
                 .count = sweep->nu,
                 .first = shear->at.u - at->u};
    if (of.step == 1)
        meet_elements(&of, 1, at->share_u,
                      row); /* a constant, so that the compiler vectorises it */
    else
        meet_elements(&of, of.step, at->share_u, row);
}

/* Advances row j of the rays through a plane, by one half and the other: with a single sample in
 * each plane, the depth behind the face of dense smoke is up to 12 % of a plane's too large. */
static void pass_row(const Sweep *sweep, const Shear *shear, const float *density, int j,
                     float half_path)
{
    float *entered = shear->entered + j * shear->pitch,
          *middle = shear->middle + j * (sweep->nu + 1), *second = shear->mixed;
    meet_row(sweep, shear, &shear->halves[0], density, j, middle);
    meet_row(sweep, shear, &shear->halves[1], density, j, second);
    for (int i = 0; i <= sweep->nu; i++) {
        middle[i] = entered[i] + half_path * middle[i];
        entered[i] = middle[i] + half_path * second[i];
    }
}

/* Weights of four elements in a row in the value between the second and third, at a share w of the
 * way: linear, less w (1 - w) / 2 times the mean of the second differences around both. Linear
 * interpolation alone is too dark at the edge of smoke, by up to an eighth of a second difference.
 * before, after: whether the first and last element exist. */
static void weigh(float w, bool before, bool after, float weight[4])
{
    float bend = 0.25f * w * (1 - w), first = before ? bend : 0, last = after ? bend : 0;
    weight[0] = -first;
    weight[1] = 1 - w + 2 * first - last;
    weight[2] = w + 2 * last - first;
    weight[3] = -last;
}

/* Writes the depth of row j: first interpolates rows of rays along v, then the result along u. */
static void give_row(const Sweep *sweep, const Shear *shear, int j, int channels, float *depth)
{
    ptrdiff_t rays = sweep->nu + 1;
    const float *low = shear->middle + j * rays;
    bool before = j > 0, after = j + 2 <= sweep->nv;
    const float *row[4] = {before ? low - rays : low, low, low + rays,
                           after ? low + 2 * rays : low};
    float v[4], u[4], *mixed = shear->mixed;
    weigh(shear->at.share_v, before, after, v);
    weigh(shear->at.share_u, true, true, u);
    for (ptrdiff_t i = 0; i < rays; i++)
        mixed[i] = v[0] * row[0][i] + v[1] * row[1][i] + v[2] * row[2][i] + v[3] * row[3][i];
    mixed[-1] = 2 * mixed[0] - mixed[1];
    mixed[rays] = 2 * mixed[rays - 1] - mixed[rays - 2];
    for (int i = 0; i < sweep->nu; i++)
        depth[channels * i * sweep->step_u] =
            u[0] * mixed[i - 1] + u[1] * mixed[i] + u[2] * mixed[i + 1] + u[3] * mixed[i + 2];
}

typedef struct Work {
    const LightVolume *volume;
    const Sweep *sweep;
    const float *density;
    float half_path, *depth;
} Work;

static int within(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* tau(p) = sum of e ds rho over the previous planes, plus half of the current plane. Outside the
 * box the density is 0. The first plane's half step covers half a cell, up to the face. The part
 * computes the elements between rays of rows [from, to]. It needs the rows of rays [from - 1,
 * to + 1], three of which the next part computes as well. */
static void march_part(const Work *work, int from, int to, float *scratch)
{
    const Sweep *sweep = work->sweep;
    int channels = work->volume->channels;
    Shear first = shear_plane(sweep, 0, scratch);
    memset(scratch, 0, (size_t)(first.middle - scratch) * sizeof *scratch);
    for (int k = 0; k < sweep->planes; k++) {
        Shear shear = shear_plane(sweep, k, scratch);
        ptrdiff_t base = sweep->first + k * sweep->step;
        int low = from - shear.row, high = to - shear.row;
        for (int j = within(low - 1, 0, sweep->nv + 1); j <= within(high + 1, -1, sweep->nv); j++)
            pass_row(sweep, &shear, work->density + base, j, work->half_path);
        for (int j = within(low, 0, sweep->nv); j < within(high, 0, sweep->nv); j++)
            give_row(sweep, &shear, j, channels,
                     work->depth + channels * (base + j * sweep->step_v));
    }
}

static void march_planes(const LightVolume *volume, const Sweep *sweep, const float *density,
                         float extinction, float *depth)
{
    Work work = {volume, sweep, density, 0.5f * extinction * volume->spacing * sweep->path, depth};
    int first = shear_plane(sweep, 0, volume->scratch).row;
    int last = shear_plane(sweep, sweep->planes - 1, volume->scratch).row;
    int low = first < last ? first : last, rows = sweep->nv + abs(last - first);
#pragma omp parallel for schedule(static, 1)
    for (int part = 0; part < PARTS; part++)
        march_part(&work, low + rows * part / PARTS, low + rows * (part + 1) / PARTS,
                   volume->scratch + volume->rays * (size_t)part);
}

/* Adds the optical depth straight up from the centres of the lowest cells. */
static void sum_columns(LightVolume *volume, float extinction)
{
    const int *n = volume->n;
    float half_path = 0.5f * extinction * volume->spacing;
    memset(volume->sky, 0, (size_t)n[0] * (size_t)n[2] * sizeof *volume->sky);
    for (int k = 0; k < n[2]; k++)
        for (int j = n[1] - 1; j >= 0; j--) {
            const float *density = volume->density + cells_index(n, 0, j, k);
            float *sky = volume->sky + (ptrdiff_t)n[0] * k, path = (j > 0 ? 2 : 1) * half_path;
            for (int i = 0; i < n[0]; i++)
                sky[i] += path * density[i];
        }
}

void light_volume_compute(LightVolume *volume, const float sun[3], float extinction)
{
    Sweep to_sun = sweep_plan(volume->n, sun);
    volume->channels = 1; /* a single channel always fits into the memory */
    march_planes(volume, &to_sun, volume->density, extinction, volume->depth);
    sum_columns(volume, extinction);
}

void light_volume_dim(const LightVolume *volume, float excess, int c, float *density)
{
    size_t count = cells_count(volume->n);
    const float *color = volume->color + (size_t)c * count;
    for (size_t i = 0; i < count; i++) {
        float rest = volume->density[i] - color[i];
        density[i] = volume->density[i] + (rest > 0 ? excess * rest : 0);
    }
}

bool light_volume_compute_colors(LightVolume *volume, const float sun[3], const RenderSmoke *smoke,
                                 BillowError *error)
{
    Sweep to_sun = sweep_plan(volume->n, sun);
    bool tinted = volume->color != NULL && smoke->tint_extinction > 0;
    size_t count = cells_count(volume->n);
    float *dimming = tinted ? malloc(count * sizeof *dimming) : NULL;
    if ((tinted && dimming == NULL) || !set_channels(volume, 4, error)) {
        free(dimming);
        return out_of_memory(volume->n, error);
    }
    for (int c = 0; c < 3; c++) {
        if (tinted)
            light_volume_dim(volume, smoke->tint_extinction, c, dimming);
        march_planes(volume, &to_sun, tinted ? dimming : volume->density,
                     smoke->extinction * smoke->extinction_color[c], volume->depth + c);
    }
    sum_columns(volume, smoke->extinction);
    free(dimming);
    return true;
}

void light_volume_take_roots(LightVolume *volume)
{
    const size_t values = cells_count(volume->n) * (size_t)volume->channels;
    float *depth = volume->depth;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < values; i++)
        depth[i] = depth[i] > 0 ? sqrtf(depth[i]) : 0;
}

/* One row of cells, and the rows beside it. */
typedef struct Rows {
    const float *own, *beside[4];
    float weight[4]; /* of each row beside; 0: there is none */
} Rows;

/* Weight of the neighbour on one side of an axis. in: whether there is one; other: whether there is
 * one on the other side. At a rim, the interpolation is constant over half a cell. */
static float neighbour(float share, bool in, bool other)
{
    return !in ? 0 : other ? share : 0.125f;
}

/* Sharpens values [from, to) of a row. low, high: weights of the values `off` before and after. */
static inline void sharpen_values(const Rows *rows, int from, int to, int off, float low,
                                  float high, float *out)
{
    const float *own = rows->own, *a = rows->beside[0], *b = rows->beside[1], *c = rows->beside[2],
                *d = rows->beside[3], *weight = rows->weight;
    float whole = 1 + low + high + weight[0] + weight[1] + weight[2] + weight[3];
    int before = low > 0 ? off : 0, after = high > 0 ? off : 0;
    for (int at = from; at < to; at++) {
        float value = own[at];
        float sharp =
            whole * value - low * own[at - before] - high * own[at + after] -
            (weight[0] * a[at] + weight[1] * b[at] + weight[2] * c[at] + weight[3] * d[at]);
        sharp = sharp > 0.5f * value ? sharp : 0.5f * value;
        out[at] = sharp < 1.5f * value ? sharp : 1.5f * value;
    }
}

void light_volume_sharpen(const int n[3], int channels, float share, const float *in, float *out)
{
    ptrdiff_t row = (ptrdiff_t)channels * n[0], plane = row * n[1];
    int last = (n[0] - 1) * channels;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++) {
            const float *own = in + j * row + k * plane;
            const bool is[4] = {j > 0, j + 1 < n[1], k > 0, k + 1 < n[2]};
            const ptrdiff_t off[4] = {-row, row, -plane, plane};
            Rows rows = {.own = own};
            for (int side = 0; side < 4; side++) {
                rows.beside[side] = is[side] ? own + off[side] : own;
                rows.weight[side] = neighbour(share, is[side], is[side ^ 1]);
            }
            float *sharp = out + (own - in), first = neighbour(share, n[0] > 1, false);
            sharpen_values(&rows, 0, channels, channels, 0, first, sharp);
            sharpen_values(&rows, channels, last, channels, share, share, sharp);
            if (n[0] > 1)
                sharpen_values(&rows, last, last + channels, channels, 0.125f, 0, sharp);
        }
}

/* Mean over 2 radius + 1 neighbours along one direction of the map. Outside the map the sky is
 * open. */
static void blur(const float *in, float *out, ptrdiff_t along, ptrdiff_t across)
{
    const int edge = LIGHT_VOLUME_GROUND, radius = LIGHT_VOLUME_GROUND / 14;
    for (int row = 0; row < edge; row++)
        for (int i = 0; i < edge; i++) {
            float sum = 0;
            for (int d = -radius; d <= radius; d++)
                sum += i + d < 0 || i + d >= edge ? 1 : in[row * across + (i + d) * along];
            out[row * across + i * along] = sum / (float)(2 * radius + 1);
        }
}

void light_volume_ground(const LightVolume *volume, const SolidLight *solids, float *map)
{
    const int edge = LIGHT_VOLUME_GROUND;
    const int *n = volume->n;
    for (int row = 0; row < edge; row++)
        for (int i = 0; i < edge; i++) {
            /* the middle half of the map lies below the box */
            float across = ((float)i + 0.5f) / edge * 2 - 0.5f;
            float along = ((float)row + 0.5f) / edge * 2 - 0.5f;
            int x = (int)floorf(across * (float)n[0]), z = (int)floorf(along * (float)n[2]);
            bool under = x >= 0 && x < n[0] && z >= 0 && z < n[2];
            float *share = &map[row * edge + i];
            *share = under ? expf(-volume->sky[x + (ptrdiff_t)n[0] * z]) : 1;
            if (under && solids != NULL)
                *share *= solid_light_floor(solids, across, along);
        }
    /* So far the map holds the share of light from straight above. The whole sky lights the ground;
     * blurring the map approximates that. */
    float other[LIGHT_VOLUME_GROUND * LIGHT_VOLUME_GROUND];
    for (int pass = 0; pass < 2; pass++) {
        blur(map, other, 1, edge);
        blur(other, map, edge, 1);
    }
}
