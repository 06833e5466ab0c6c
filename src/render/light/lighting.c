/* SPDX-License-Identifier: MIT */
#include "render/light/lighting.h"
#include "render/view_spans.h"

#include "base/fail.h"
#include "render/light/ramp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265f

/* Cells of the ambient light: few for a window, which has a few milliseconds. */
static const double ambient_cells[] = {
    [LIGHT_LIVE] = 36.0 * 36 * 36,
    [LIGHT_FRAME] = 72.0 * 72 * 72,
    [LIGHT_STILL] = 104.0 * 104 * 104,
};
#define CELLS_JOINED (80.0 * 80.0 * 80.0)
#define ORDERS_MOST  200 /* largest number of orders of scattering for a still */

static void light_shown_destroy(LightShown *shown)
{
    free(shown->depth); /* the other arrays are slices of this allocation */
    *shown = (LightShown){0};
}

void lighting_destroy(Lighting *lighting)
{
    light_volume_destroy(&lighting->direct);
    lamp_volume_destroy(&lighting->lamps);
    ambient_destroy(&lighting->ambient);
    light_shown_destroy(&lighting->shown);
    free(lighting->matter);
    *lighting = (Lighting){0};
}

/* f divided by the mean cosine g. In thick smoke 1 is right, after many scatterings; less makes up
 * for light that has been scattered a few times only. See lighting.h for the rest. */
#define AHEAD 0.92f

LightingOptics lighting_optics(const RenderSmoke *smoke)
{
    float mean_cosine =
        (1 - smoke->backscatter) * smoke->anisotropy + smoke->backscatter * smoke->back_anisotropy;
    LightingOptics optics = {.ahead = AHEAD * mean_cosine};
    optics.sun_share = fmaxf(1 - optics.ahead * (1.25f + optics.ahead), 0);
    optics.lamp_share = powf(1 - optics.ahead, 0.63f);
    return optics;
}

bool lighting_by_color(const RenderSmoke *smoke, bool colored)
{
    const float *tint = smoke->extinction_color;
    return tint[0] != 1.0f || tint[1] != 1.0f || tint[2] != 1.0f ||
           (colored && smoke->tint_extinction > 0);
}

bool lighting_spread_by_color(const RenderSmoke *smoke, bool colored)
{
    const float *albedo = smoke->albedo;
    bool gray = !colored && albedo[0] == albedo[1] && albedo[1] == albedo[2];
    return lighting_by_color(smoke, colored) || (!gray && lighting_optics(smoke).ahead != 0.0f);
}

float lighting_most_extinction(const RenderSmoke *smoke)
{
    const float *tint = smoke->extinction_color;
    return smoke->extinction * fmaxf(tint[0], fmaxf(tint[1], tint[2])) *
           (1 + smoke->tint_extinction);
}

float lighting_risen(const RenderSettings *settings)
{
    float share = fminf(fmaxf(0.5f + 0.5f * settings->sun.elevation, 0), 1);
    return settings->ground.visible ? share * share * (3 - 2 * share) : 1;
}

bool lighting_lamp_counts(const RenderSettings *settings, int lamp, float floor)
{
    const RenderLamp *of = &settings->lamps[lamp];
    bool above = of->kind == RENDER_LAMP_SUN ? of->direction[1] < 0 : of->position[1] >= floor;
    return !settings->ground.visible || above;
}

static float largest(const float rgb[3])
{
    return fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
}

/* As phase_two_lobes in shaders/phase.glsl, for the bound below. */
static float two_lobes(float cosine, const float lobes[3])
{
    float phase[2];
    for (int lobe = 0; lobe < 2; lobe++) {
        float g = lobes[lobe], d = 1 + g * g - 2 * g * cosine;
        phase[lobe] = (1 - g * g) / (12.566370614f * d * sqrtf(d));
    }
    return (1 - lobes[2]) * phase[0] + lobes[2] * phase[1];
}

float lighting_brightness_bound(const RenderSettings *settings, float hottest, float cell)
{
    const float WHITE = 4, MOST = 1000,
                METERED = 16; /* MOST limits the bound; METERED is the largest factor that metering
                                 adds at night */
    const RenderSmoke *smoke = &settings->smoke;
    const float lobes[3] = {smoke->anisotropy, smoke->back_anisotropy, smoke->backscatter};
    float lit = 0, glow[3] = {0};
    for (int l = 0; l < settings->lamp_count; l++) {
        const RenderLamp *lamp = &settings->lamps[l];
        float nearest = lamp->kind == RENDER_LAMP_SUN ? 1 : fmaxf(lamp->radius, cell);
        lit = fmaxf(lit, lamp->intensity * largest(lamp->color) / (nearest * nearest));
    }
    float albedo = largest(smoke->albedo);
    lit *= fmaxf(two_lobes(1, lobes), two_lobes(-1, lobes)) * albedo /
           (1 - albedo * lighting_optics(smoke).ahead);
    float ramp = render_ramp_most(&settings->fire_ramp);
    if (smoke->glow > 0 && hottest > BLACKBODY_KELVIN_MIN)
        blackbody_color(hottest, (BlackbodyScale){smoke->glow_kelvin, smoke->glow_range}, glow);
    float most = fmaxf(lit, smoke->glow * fmaxf(largest(glow), ramp)) * settings->exposure;
    if (settings->picture.auto_exposure)
        most = fmaxf(most, METERED * WHITE);
    return fminf(fmaxf(most / WHITE, 1), MOST);
}

/* -- data from a view -------------------------------------------------------------------------- */

/* Floats of `matter` per cell: emission per unit of glow (red, green, blue), soot density of
 * flames, colour. */
enum { SHINE = 0, SOOT = 3, TINT = 4, MATTER = 7 };

/* The cells of the grid that one cell of the ambient light covers. */
typedef struct Block {
    int low[3], high[3];
} Block;

typedef struct Gather {
    Lighting *lighting;
    const BillowView *view;
    float flame;       /* density that a unit of flame counts as */
    const Bricks *hot; /* NULL: nothing glows */
    int step; /* distance between the cells of a block that are looked at. In a window two along
                 each axis stand for all */
    Ramp tint, glow;
} Gather;

/* Mean colour of a block, weighted by density. */
static void find_tint(const Gather *gather, const Block *block, float tint[3])
{
    const BillowView *view = gather->view;
    float density = 0, color[3] = {0}, rgb[3];
    const int step = gather->step, first = step / 2;
    for (int k = block->low[2] + first; k < block->high[2]; k += step)
        for (int j = block->low[1] + first; j < block->high[1]; j += step)
            for (int i = block->low[0] + first; i < block->high[0]; i += step) {
                ptrdiff_t at = j * view->stride_y + k * view->stride_z + i;
                density += view->density[at];
                if (gather->tint.on)
                    ramp_color(&gather->tint, (const int[3]){i, j, k}, rgb);
                for (int c = 0; c < 3; c++)
                    color[c] +=
                        gather->tint.on ? view->density[at] * fminf(rgb[c], 1) : view->color[c][at];
            }
    for (int c = 0; c < 3; c++)
        tint[c] = density > 1e-6f ? fminf(fmaxf(color[c] / density, 0), 1) : 1;
}

static inline float burning_at(const Gather *gather, ptrdiff_t at)
{
    float burning = gather->flame > 0.0f ? gather->flame * gather->view->flame[at] : 0;
    return burning > 0 ? burning : 0;
}

/* Density with the soot of flames. */
static inline float soot_at(const Gather *gather, ptrdiff_t at)
{
    float density = gather->view->density[at];
    return (density > 0 ? density : 0) + burning_at(gather, at);
}

/* The glow of a block: sums of density, and of density times glow, at the same places. Their
 * quotient is never brighter than the hottest place, even where density changes by orders of
 * magnitude from one cell to the next. */
typedef struct Shine {
    float density, glow[3];
} Shine;

/* Adds a place a quarter of the way from a cell's centre to three of its neighbours, one per axis,
 * where temperature and density are interpolated linearly. The radiance of hot soot grows so
 * steeply with the temperature that, between a hot cell and a cold one, its mean is a tenth of the
 * mean at both centres. beside: the three neighbours, counted from the cell. */
static inline void add_glow(const Gather *gather, ptrdiff_t at, const ptrdiff_t beside[3],
                            Shine *shine)
{
    const float *warm = gather->view->temperature + at;
    float kelvin =
        0.25f * (warm[0] + warm[beside[0]] + warm[beside[1]] + warm[beside[2]]) + BLACKBODY_AMBIENT;
    float density = soot_at(gather, at);
    for (int axis = 0; axis < 3; axis++)
        density += soot_at(gather, at + beside[axis]);
    shine->density += density;
    if (!(kelvin > BLACKBODY_KELVIN_MIN))
        return;
    const int entry = (int)(blackbody_place(kelvin) * (BLACKBODY_ENTRIES - 1) + 0.5f);
    const float *glow = gather->lighting->glow + 4 * entry;
    for (int c = 0; c < 3; c++)
        shine->glow[c] += density * glow[c];
}

/* Distance to the next value along an axis, upwards or downwards; 0 at the end of the grid. */
static inline ptrdiff_t step_along(int cell, int n, ptrdiff_t stride, bool up)
{
    return up ? (cell + 1 < n ? stride : 0) : (cell > 0 ? -stride : 0);
}

/* The glow of a cell is taken at four corners of a tetrahedron around its centre; that of a block
 * of several cells at one corner of each, so that its cells share the four. */
static void find_shine(const Gather *gather, const Block *block, float matter[MATTER])
{
    const BillowView *view = gather->view;
    Shine shine = {0};
    float soot = 0, ramp[3];
    float edge = (float)gather->lighting->ambient.reduction;
    int corners = edge > 1 ? 1 : 4;
    const int step = gather->step, first = step / 2;
    const float each = (float)(step * step * step) / (edge * edge * edge);
    for (int k = block->low[2] + first; k < block->high[2]; k += step)
        for (int j = block->low[1] + first; j < block->high[1]; j += step)
            for (int i = block->low[0] + first; i < block->high[0]; i += step) {
                ptrdiff_t at = j * view->stride_y + k * view->stride_z + i;
                soot += burning_at(gather, at);
                if (gather->glow.on) {
                    ramp_color(&gather->glow, (const int[3]){i, j, k}, ramp);
                    shine.density += soot_at(gather, at);
                    for (int c = 0; c < 3; c++)
                        shine.glow[c] += soot_at(gather, at) * ramp[c];
                }
                for (int corner = 0; corner < corners && !gather->glow.on; corner++) {
                    bool right = (i / step + k / step + corner) & 1,
                         above = (j / step + k / step + (corner >> 1)) & 1;
                    const ptrdiff_t beside[3] = {
                        step_along(i, view->nx, 1, right),
                        step_along(j, view->ny, view->stride_y, above),
                        step_along(k, view->nz, view->stride_z, right == above)};
                    add_glow(gather, at, beside, &shine);
                }
            }
    for (int c = 0; c < 3; c++)
        matter[SHINE + c] = shine.density > 0 ? shine.glow[c] / shine.density : 0;
    const float middle[3] = {0.5f * (float)(block->low[0] + block->high[0]),
                             0.5f * (float)(block->low[1] + block->high[1]),
                             0.5f * (float)(block->low[2] + block->high[2])};
    matter[SOOT] = each * soot * fade_at(&gather->lighting->direct.fade, middle);
}

/* Whether there may be glow or soot of flames in a block. */
static bool may_shine(const Gather *gather, const Block *block)
{
    return gather->glow.on || gather->flame > 0.0f ||
           bricks_temperature(gather->hot, block->low, block->high) + BLACKBODY_AMBIENT >
               BLACKBODY_KELVIN_MIN;
}

static void gather_plane(const Gather *gather, int k)
{
    const BillowView *view = gather->view;
    const int *n = gather->lighting->ambient.n, edge = gather->lighting->ambient.reduction;
    const int cells[3] = {view->nx, view->ny, view->nz};
    float *matter = gather->lighting->matter + (ptrdiff_t)MATTER * n[0] * n[1] * k;
    for (int j = 0; j < n[1]; j++)
        for (int i = 0; i < n[0]; i++, matter += MATTER) {
            Block block = {{i * edge, j * edge, k * edge}, {0}};
            for (int axis = 0; axis < 3; axis++) {
                int high = block.low[axis] + edge;
                block.high[axis] = high < cells[axis] ? high : cells[axis];
            }
            memset(matter, 0, TINT * sizeof *matter);
            for (int c = 0; c < 3; c++)
                matter[TINT + c] = 1;
            if (view_is_empty(view, block.low, block.high))
                continue;
            if (gather->tint.on || gather->view->color[0] != NULL)
                find_tint(gather, &block, matter + TINT);
            if (gather->hot != NULL && may_shine(gather, &block))
                find_shine(gather, &block, matter);
        }
}

/* Resizes the volumes. J is preserved if the cells do not change. */
static bool resize(Lighting *lighting, const BillowView *view, int reduction, bool spread_by_color,
                   BillowError *error)
{
    Ambient *ambient = &lighting->ambient;
    const int cells[3] = {view->nx, view->ny, view->nz},
              before[3] = {ambient->n[0], ambient->n[1], ambient->n[2]};
    if (!ambient_resize(ambient, cells, view->cell_size, reduction, spread_by_color ? 4 : 1,
                        lighting->fine, error))
        return false;
    const int *n = ambient->n;
    if (lighting->matter != NULL && memcmp(before, n, sizeof before) == 0)
        return true;
    free(lighting->matter);
    lighting->matter = malloc(MATTER * sizeof(float) * cells_count(n));
    return lighting->matter != NULL ||
           fail(error, "picture: no memory for the light in %dx%dx%d cells", n[0], n[1], n[2]);
}

const float *lighting_glow(Lighting *lighting, const RenderSmoke *smoke)
{
    const BlackbodyScale scale = {smoke->glow_kelvin, smoke->glow_range};
    if (memcmp(&scale, &lighting->glow_scale, sizeof scale) != 0)
        blackbody_table(scale, lighting->glow);
    lighting->glow_scale = scale;
    return lighting->glow;
}

/* -- the light for the picture ----------------------------------------------------------------- */

enum { RGB = 4 }; /* floats per cell of the ambient light: red, green, blue and one unused */

/* The volumes are joined if they are small enough to upload fast and colours share one depth. */
static bool light_shown_resize(Lighting *lighting, BillowError *error)
{
    LightShown *shown = &lighting->shown;
    const int *n = lighting->direct.n;
    const bool joined =
        (double)n[0] * n[1] * n[2] <= CELLS_JOINED && !lighting->fine && !lighting->by_color;
    size_t cells = cells_count(n), depths = (lighting->by_color ? 4 : 1) * cells;
    size_t rows = (size_t)n[2] * RGB * (size_t)lighting->ambient.n[0];
    size_t floats = depths + (joined ? 4 * cells + rows : 0);
    if (shown->floats != floats) {
        light_shown_destroy(shown);
        shown->depth = malloc(floats * sizeof *shown->depth);
        if (shown->depth == NULL)
            return fail(error, "picture: no memory for the light in %dx%dx%d cells", n[0], n[1],
                        n[2]);
        shown->floats = floats;
    }
    shown->joined = joined ? shown->depth + depths : NULL;
    shown->rows = joined ? shown->joined + 4 * cells : NULL;
    return true;
}

/* Interpolation between two cell centres of another grid. */
typedef struct Between {
    int low, high;
    float share; /* weight of the second */
} Between;

static Between between(int cell, float scale, int n)
{
    float place = ((float)cell + 0.5f) * scale - 0.5f;
    int low = (int)(place + 1) - 1; /* rounds down, as no position is below -1 */
    return (Between){low > 0 ? low : 0, low + 1 < n ? low + 1 : n - 1, place - (float)low};
}

/* Interpolates J along y and z, to a row of the direct light, from four rows of J. */
static void mix_rows(const Ambient *ambient, Between y, Between z, float *row)
{
    const int *n = ambient->n;
    ptrdiff_t pitch = (ptrdiff_t)RGB * n[0], plane = pitch * n[1];
    const float *a = ambient->shown + y.low * pitch + z.low * plane;
    const float *b = ambient->shown + y.high * pitch + z.low * plane;
    const float *c = ambient->shown + y.low * pitch + z.high * plane;
    const float *d = ambient->shown + y.high * pitch + z.high * plane;
    float wa = (1 - y.share) * (1 - z.share), wb = y.share * (1 - z.share);
    float wc = (1 - y.share) * z.share, wd = y.share * z.share;
    for (ptrdiff_t i = 0; i < pitch; i++)
        row[i] = wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i];
}

/* Writes depths and J side by side. */
static void join_ambient(LightShown *shown, const LightVolume *direct, const Ambient *ambient)
{
    const int *n = direct->n, *around = ambient->n;
    float scale = (float)direct->reduction / (float)ambient->reduction;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n[2]; k++) {
        float *row = shown->rows + (ptrdiff_t)RGB * around[0] * k;
        for (int j = 0; j < n[1]; j++) {
            ptrdiff_t at = cells_index(n, 0, j, k);
            float *out = shown->joined + 4 * at;
            mix_rows(ambient, between(j, scale, around[1]), between(k, scale, around[2]), row);
            for (int i = 0; i < n[0]; i++, out += 4) {
                Between x = between(i, scale, around[0]);
                const float *low = row + RGB * x.low, *high = row + RGB * x.high;
                out[0] = shown->depth[at + i];
                for (int c = 0; c < 3; c++)
                    out[1 + c] = low[c] + x.share * (high[c] - low[c]);
            }
        }
    }
}

/* Number of grid cells along the edge of a cell of the ambient light. */
static int ambient_reduction(const int cells[3], LightingEffort effort)
{
    double most = ambient_cells[effort.fineness];
    double count = (double)cells[0] * cells[1] * cells[2];
    /* J is smooth, so that half the grid's resolution suffices but for a still. */
    bool half = effort.fineness != LIGHT_STILL && count > ambient_cells[LIGHT_LIVE];
    int reduction = half && effort.reduction < 2 ? 2 : effort.reduction;
    while (count > most * reduction * reduction * reduction)
        reduction *= 2;
    return reduction;
}

int lighting_planes_beside(const int cells[3], LightingEffort effort)
{
    /* Besides the cells that begin in the slab, glow needs the temperature next to them. */
    return ambient_reduction(cells, effort);
}

bool lighting_gather(Lighting *lighting, const BillowView *view, const RenderSettings *settings,
                     LightingEffort effort, BillowError *error)
{
    const int n[3] = {view->nx, view->ny, view->nz};
    const int reduction = ambient_reduction(n, effort);
    const Ramp tint = ramp_of(&settings->smoke_ramp, view);
    bool colored = tint.on || view->color[0] != NULL,
         by_color = lighting_by_color(&settings->smoke, colored);
    lighting->by_color = by_color;
    lighting->known = false;
    memcpy(lighting->origin, view->origin, sizeof lighting->origin);
    lighting->cell = view->cell_size;
    for (int axis = 0; axis < 3; axis++)
        lighting->size[axis] = (float)n[axis] * view->cell_size;
    lighting->fine = effort.fineness != LIGHT_LIVE;
    lighting->enough = lighting->fine ? 2e-3 : 5e-3;
    lighting->direct.fade = fade_of(&settings->smoke, view);
    if (!light_volume_gather(&lighting->direct, view, effort.reduction, error) ||
        !resize(lighting, view, reduction, lighting_spread_by_color(&settings->smoke, colored),
                error) ||
        (by_color && !light_volume_gather_colors(&lighting->direct, view, error)) ||
        !light_shown_resize(lighting, error))
        return false;
    Gather gather = {.lighting = lighting, .view = view, .tint = tint};
    gather.step = lighting->fine || reduction < 4 ? 1 : reduction / 2;
    gather.glow = ramp_of(&settings->fire_ramp, view);
    gather.hot = gather.glow.on || view->temperature != NULL ? effort.hot : NULL;
    lighting->hot = gather.hot != NULL;
    gather.flame = view->flame != NULL ? settings->smoke.flame : 0;
    if (lighting->hot)
        lighting_glow(lighting, &settings->smoke);
    int layers[2];
    slab_layers(lighting->direct.slab, lighting->ambient.n[2], lighting->ambient.reduction, layers);
#pragma omp parallel for schedule(static)
    for (int k = layers[0]; k < layers[1]; k++)
        gather_plane(&gather, k);
    return true;
}

void lighting_share(Lighting *lighting)
{
    const Ambient *ambient = &lighting->ambient;
    light_volume_share(&lighting->direct);
    slab_share(lighting->direct.slab, lighting->matter, ambient->n[2], ambient->reduction,
               MATTER * sizeof(float) * (size_t)ambient->n[0] * (size_t)ambient->n[1]);
}

/* -- cells of the ambient light ---------------------------------------------------------------- */

typedef struct Scatter {
    Lighting *lighting;
    const RenderSettings *settings;
    const SolidLight *solids;
    LightingOptics optics;
    float sun; /* irradiance by the sun, without its colour */
} Scatter;

/* Mean transmittance of a cell along the light's path, from the optical depth at its middle and
 * `half` the optical depth of the cell itself: exp(-depth) sinh(half) / half, at most 1. */
static inline float mean_light(float depth, float half)
{
    float square = half * half, middle = expf(-depth);
    float mean = half < 1 ? middle * (1 + square * (1.0f / 6 + square * (1.0f / 120)))
                          : middle * sinhf(half < 20 ? half : 20) / half;
    return mean < 1 ? mean : 1;
}

/* Irradiance of the lamps in a cell of the direct light: T' times its density. The distance is at
 * least 0.36 cells, which gives the mean over the lamp's own cell. */
static void add_lamps(const Scatter *scatter, const int at[3], ptrdiff_t index, float own,
                      const float similarity[3], const float half[3], float sum[3])
{
    const LampVolume *lamps = &scatter->lighting->lamps;
    float edge = (float)scatter->lighting->direct.reduction, cell = scatter->lighting->cell;
    bool alike = scatter->lighting->ambient.lanes == 1;
    size_t values = (size_t)lamps->count * cells_count(lamps->n);
    for (int l = 0; l < lamps->count; l++) {
        const LampPlaced *placed = &lamps->placed[l];
        const RenderLamp *lamp = &placed->lamp;
        if (!lighting_lamp_counts(scatter->settings, l, scatter->lighting->origin[1]))
            continue;
        float square = 0, nearest = 0.36f * edge * cell, off[3];
        nearest = placed->spread > 0 ? nearest : fmaxf(lamp->radius, nearest);
        for (int axis = 0; axis < 3; axis++) {
            off[axis] = ((float)at[axis] + 0.5f) * edge - lamps->place[l][axis];
            square += off[axis] * off[axis];
        }
        float soft = placed->spread * placed->spread;
        float lit = own * lamp->intensity / (fmaxf(square * cell * cell, nearest * nearest) + soft);
        float distance = sqrtf(square), passed = 0;
        lit *= lamp_shine(placed, off, distance);
        const float *dimming = lamps->dimming + lamps->count * index + l;
        for (int c = 0; c<3; c++, dimming += lamps->colors> 1 ? values : 0) {
            if (c == 0 || !alike)
                passed = mean_light(similarity[c] * distance * *dimming *
                                        scatter->settings->smoke.extinction_color[c],
                                    half[c]);
            sum[c] += lit * passed * lamp->color[c];
        }
    }
}

/* Sums over the cells of the direct light that one cell of the ambient light covers. */
typedef struct Lit {
    float density;
    float lit[3];   /* density times the share of the sun's light that reaches it */
    float lamps[3]; /* density times the irradiance of the lamps */
} Lit;

/* Density of a cell of the direct light for the light that it scatters. The picture interpolates
 * density between the centres of cells, so its smoke reaches half a cell farther than they do, and
 * the outermost smoke is the best lit. The mean of the interpolated density has the weight 1/8 for
 * each neighbour along an axis. That would count the faint outermost smoke as lit all through, so
 * half of it is taken. */
static inline float spread_density(const LightVolume *direct, const int at[3], ptrdiff_t index)
{
    const float share = 1.0f / 16, *density = direct->density + index;
    const ptrdiff_t steps[3] = {1, direct->n[0], (ptrdiff_t)direct->n[0] * direct->n[1]};
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += density[at[axis] > 0 ? -steps[axis] : 0];
        sum += density[at[axis] + 1 < direct->n[axis] ? steps[axis] : 0];
    }
    return (1 - 6 * share) * density[0] + share * sum;
}

/* Adds a row of `count` cells from `index`, whose first is `at`. similarity: s, of each of the
 * first `colors` colours of light. */
static inline void add_cells(const Scatter *scatter, const int at[3], int count, ptrdiff_t index,
                             const float similarity[3], int colors, Lit *block)
{
    const LightVolume *direct = &scatter->lighting->direct;
    float thickness = 0.5f * scatter->settings->smoke.extinction * direct->spacing;
    for (int i = 0; i < count; i++) {
        const int cell[3] = {at[0] + i, at[1], at[2]};
        float own = spread_density(direct, cell, index + i), half[3];
        if (own <= 0.0f)
            continue;
        block->density += own;
        for (int c = 0; c < colors; c++) {
            ptrdiff_t value = direct->channels * (index + i) + (direct->channels == 1 ? 0 : c);
            half[c] = similarity[c] * thickness * own;
            block->lit[c] += own * mean_light(similarity[c] * direct->depth[value], half[c]);
        }
        if (scatter->lighting->lamps.count > 0)
            add_lamps(scatter, cell, index + i, own, similarity, half, block->lamps);
    }
}

/* Mean density of a cell, and the irradiance of sun and lamps at its smoke. */
static float find_irradiance(const Scatter *scatter, const int cell[3], const float similarity[3],
                             float irradiance[3])
{
    const LightVolume *direct = &scatter->lighting->direct;
    int times = scatter->lighting->ambient.reduction / direct->reduction;
    bool alike = scatter->lighting->ambient.lanes == 1;
    int low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = cell[axis] * times;
        high[axis] = low[axis] + times < direct->n[axis] ? low[axis] + times : direct->n[axis];
    }
    Lit block = {0};
    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++) {
            const int at[3] = {low[0], j, k};
            ptrdiff_t index = cells_index(direct->n, low[0], j, k);
            if (alike)
                add_cells(scatter, at, high[0] - low[0], index, similarity, 1, &block);
            else
                add_cells(scatter, at, high[0] - low[0], index, similarity, 3, &block);
        }
    const RenderSun *sun = &scatter->settings->sun;
    for (int c = 0; c < 3; c++) {
        float light = scatter->sun * sun->color[c] * block.lit[alike ? 0 : c] + block.lamps[c];
        irradiance[c] = block.density > 0 ? light / block.density : 0;
    }
    return block.density / (float)(times * times * times);
}

/* Treats a solid as smoke that is too dense for light to pass. */
static void add_solid(const float color[3], float share, AmbientCell *of)
{
    float thickness = -logf(1 - fminf(share, 0.999f));
    for (int c = 0; c < 3; c++) {
        float smoke = of->thickness[c];
        of->thickness[c] += thickness;
        of->albedo[c] = (of->albedo[c] * smoke + color[c] * thickness) / of->thickness[c];
        of->source[c] *= smoke / of->thickness[c];
    }
}

/* Share of the sun's light that reaches the ground below a cell of the lowest layer: the mean over
 * the cells of the direct light. */
static void find_sunlit(const Scatter *scatter, const int cell[3])
{
    const LightVolume *direct = &scatter->lighting->direct;
    Ambient *ambient = &scatter->lighting->ambient;
    int times = ambient->reduction / direct->reduction, count = 0;
    float share[3] = {0};
    for (int k = cell[2] * times; k < (cell[2] + 1) * times && k < direct->n[2]; k++)
        for (int i = cell[0] * times; i < (cell[0] + 1) * times && i < direct->n[0]; i++, count++)
            for (int c = 0; c < 3; c++) {
                ptrdiff_t index = cells_index(direct->n, i, 0, k);
                int channel = direct->channels == 1 ? 0 : c;
                float similarity = 1 - scatter->settings->smoke.albedo[c] * scatter->optics.ahead;
                share[c] += expf(-similarity * direct->depth[direct->channels * index + channel]);
            }
    for (int c = 0; c < 3; c++)
        share[c] /= (float)count;
    ambient_set_sunlit(ambient, cell[0], cell[2], share);
}

static void set_cell(const Scatter *scatter, const int cell[3])
{
    const RenderSettings *settings = scatter->settings;
    const RenderSmoke *smoke = &settings->smoke;
    Ambient *ambient = &scatter->lighting->ambient;
    ptrdiff_t index = cells_index(ambient->n, cell[0], cell[1], cell[2]);
    const float *matter = scatter->lighting->matter + MATTER * index;
    const LightingOptics *optics = &scatter->optics;
    float similarity[3], irradiance[3];
    for (int c = 0; c < 3; c++)
        similarity[c] = 1 - smoke->albedo[c] * matter[TINT + c] * optics->ahead;
    float density = find_irradiance(scatter, cell, similarity, irradiance);
    AmbientCell of;
    for (int c = 0; c < 3; c++) {
        /* Density that scatters, extra density that the smoke's colour absorbs, and density of
         * soot. */
        float white = smoke->extinction_color[c] * similarity[c] * density;
        float scatters = smoke->extinction_color[c] * density * smoke->albedo[c] *
                         matter[TINT + c] * (1 - optics->ahead);
        float rest = matter[SOOT] + smoke->extinction_color[c] * density * smoke->tint_extinction *
                                        (1 - matter[TINT + c]);
        float thick = white + rest;
        float shine = thick > 0 ? (smoke->extinction_color[c] * density + rest) / thick : 1;
        of.thickness[c] = smoke->extinction * ambient->spacing * thick;
        of.albedo[c] = thick > 0 ? scatters / thick : 0;
        of.source[c] =
            smoke->glow * shine * matter[SHINE + c] + of.albedo[c] * irradiance[c] / (4 * PI);
    }
    float solid = scatter->solids != NULL
                      ? solid_light_opacity(scatter->solids, ambient->reduction, cell)
                      : 0;
    if (solid > 0.0f)
        add_solid(settings->solid.color, solid, &of);
    ambient_set(ambient, index, &of);
    if (cell[1] == 0)
        find_sunlit(scatter, cell);
}

/* The picture interpolates J across the surface of a solid, but inside there is no light. A cell
 * that is more than half solid therefore takes the mean J of its neighbours that are not. The same
 * holds for the light that it reflects. A cell without such neighbours is unchanged. */
static void light_surfaces(const Ambient *ambient, const SolidLight *solids, float *values)
{
    const int *n = ambient->n;
    const ptrdiff_t steps[3] = {4, (ptrdiff_t)4 * n[0], (ptrdiff_t)4 * n[0] * n[1]};
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const int cell[3] = {i, j, k};
                float *mean = values + i * steps[0] + j * steps[1] + k * steps[2];
                float sum[3] = {0}, count = 0;
                if (solid_light_opacity(solids, ambient->reduction, cell) <= 0.5f)
                    continue;
                for (int side = 0; side < 6; side++) {
                    int at[3] = {i, j, k}, axis = side / 2, sign = side % 2 ? 1 : -1;
                    at[axis] += sign;
                    if (at[axis] < 0 || at[axis] >= n[axis] ||
                        solid_light_opacity(solids, ambient->reduction, at) > 0.5f)
                        continue;
                    for (int c = 0; c < 3; c++)
                        sum[c] += mean[sign * steps[axis] + c];
                    count++;
                }
                for (int c = 0; c < 3 && count > 0; c++)
                    mean[c] = sum[c] / count;
            }
}

static void show_ambient(Lighting *lighting, const SolidLight *solids)
{
    Ambient *ambient = &lighting->ambient;
    if (solids != NULL)
        light_surfaces(ambient, solids, ambient->mean);
    ambient_show(ambient);
    if (solids != NULL)
        light_surfaces(ambient, solids, ambient->shown);
    if (lighting->shown.joined != NULL)
        join_ambient(&lighting->shown, &lighting->direct, ambient);
}

static bool same_light(const RenderSettings *a, const RenderSettings *b)
{
    return a->lamp_count == b->lamp_count &&
           memcmp(a->lamps, b->lamps, (size_t)a->lamp_count * sizeof a->lamps[0]) == 0 &&
           memcmp(&a->sun, &b->sun, sizeof a->sun) == 0 &&
           memcmp(&a->sky, &b->sky, sizeof a->sky) == 0 &&
           memcmp(&a->surroundings, &b->surroundings, sizeof a->surroundings) == 0 &&
           memcmp(&a->smoke, &b->smoke, sizeof a->smoke) == 0 &&
           memcmp(&a->solid, &b->solid, sizeof a->solid) == 0 &&
           memcmp(a->ground.color, b->ground.color, sizeof a->ground.color) == 0 &&
           a->ground.visible == b->ground.visible;
}

bool lighting_is_for(const Lighting *lighting, const RenderSettings *settings)
{
    return lighting->known && lighting->lit_version == lighting->around_version &&
           same_light(settings, &lighting->lit);
}

bool lighting_compute(Lighting *lighting, const RenderSettings *settings, const SolidLight *solids,
                      bool *changed, BillowError *error)
{
    const int *n = lighting->ambient.n;
    *changed = true;
    if (!lighting_is_for(lighting, settings)) {
        Scatter scatter = {lighting, settings, solids, lighting_optics(&settings->smoke),
                           settings->sun.intensity * lighting_risen(settings)};
        float sun[3];
        render_direction(settings->sun.azimuth, settings->sun.elevation, sun);
        if (!lighting->by_color)
            light_volume_compute(&lighting->direct, sun, settings->smoke.extinction);
        else if (!light_volume_compute_colors(&lighting->direct, sun, &settings->smoke, error))
            return false;
        if (!lamp_volume_compute(&lighting->lamps, &lighting->direct, lighting->origin,
                                 lighting->cell, settings, solids, error))
            return false;
#pragma omp parallel for schedule(static)
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    set_cell(&scatter, (const int[3]){i, j, k});
        light_volume_take_roots(&lighting->direct);
        light_volume_sharpen(lighting->direct.n, lighting->direct.channels, 1.0f / 12,
                             lighting->direct.depth, lighting->shown.depth);
        lighting->ground_glows =
            lighting->hot && settings->smoke.glow > 0 && settings->ground.visible &&
            ground_glow_map(&lighting->ambient, lighting->size, lighting->matter + SHINE, MATTER,
                            settings->smoke.glow, lighting->ground);
        lighting->lit = *settings;
        lighting->lit_version = lighting->around_version;
        lighting->known = true;
    } else if (lighting->fine || lighting->ambient.changed <= lighting->enough) {
        *changed = false;
        return true;
    }
    Surroundings around =
        lighting->around != NULL ? *lighting->around : surroundings_of(settings, NULL);
    if (lighting->fine)
        ambient_solve(&lighting->ambient, &around, ORDERS_MOST, lighting->enough);
    else
        ambient_sweep_half(&lighting->ambient, &around);
    show_ambient(lighting, solids);
    return true;
}
