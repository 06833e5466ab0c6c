/* SPDX-License-Identifier: MIT
 *
 * The picture of the pond of pond.c, drawn in software. A camera looks down on the water; every
 * pixel is a ray that meets the plane of the water at rest. There:
 *
 *     (1) normal       n = (-dh/dx, -dh/dy, 1), normalised
 *     (2) reflection   r = d - 2 (d.n) n sees the sky and the sun
 *     (3) Fresnel      F = 0.02 + 0.98 (1 - cos)^5, Schlick's approximation for water
 *     (4) refraction   t = d / 1.33 + (cos / 1.33 - cos') n meets the floor in the depth D
 *     (5) colour       F sky(r) + (1 - F) floor(t), and dye over the floor
 *     (6) caustics     the light of each cell falls on the floor D (1 - 1/1.33) grad(h) away: it
 *                      gathers under crests
 *     (7) absorption   exp(-k s) over the way s of the light in the water, stored with the floor
 *
 * Heights are drawn 2.5 times as high as they are, as the paper too scales the pressure to a height
 * that shows. They bend light, but do not move the point where a ray meets the water. Colours are
 * linear until they are stored, with a gamma of 2. */
#include "pond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FLOOR_SCALE = 3, /* texels of the floor along a cell */
    FLOOR_X = FLOOR_SCALE * POND_NX,
    FLOOR_Y = FLOOR_SCALE * POND_NY,
    CELLS = POND_NX * POND_NY,
    PIXELS = POND_WIDTH * POND_HEIGHT,
    SKY = 256, /* texels of the clouds along an axis, which repeat; a power of 2 */
    TONES = 1024,
};

typedef struct Colour {
    float r, g, b;
} Colour;

/* What a ray meets at the surface, of the centre of a cell. */
typedef struct Surface {
    float slope_x, slope_y;
    float dye, r, g, b; /* part of the light that dye takes, and what it gives instead */
} Surface;

struct PondView {
    float depth[CELLS];
    float light[CELLS]; /* on the floor, 1 in still water */
    Surface surface[CELLS];
    float pigment[CELLS][POND_COLOURS]; /* elements on a cell */
    float clouds[SKY * SKY];
    uint8_t floor[FLOOR_X * FLOOR_Y][3]; /* seen through the water, lit by 1, gamma of 2 */
    uint8_t ground[PIXELS][3];           /* land */
    uint8_t water[PIXELS];               /* part of a pixel that is water, 255 = all */
    uint8_t tone[TONES];                 /* gamma */
};

static const float water_index = 1.33f, exaggeration = 2.5f;
static const float sun[3] = {-0.32f, 0.88f, 0.351f}; /* direction to it */
static const Colour pigments[POND_COLOURS] = {
    {0.75f, 0.03f, 0.16f}, {0.95f, 0.62f, 0.04f}, {0.12f, 0.1f, 0.75f}};

/* -- camera ---------------------------------------------------------------------------------- */

static const float camera[3] = {12, -23.2f, 16.6f};
static const float sine = 0.47f, cosine = 0.88267f; /* of the angle below the horizon */
static const float focal = 1350;                    /* pixels */

/* Direction of the ray of a pixel, not normalised. */
static void ray_of(float x, float y, float ray[3])
{
    float up = 0.5f * POND_HEIGHT - y;
    ray[0] = x - 0.5f * POND_WIDTH;
    ray[1] = cosine * focal + sine * up;
    ray[2] = cosine * up - sine * focal;
}

void pond_view_point(double pixel_x, double pixel_y, float point[2])
{
    float ray[3];
    ray_of((float)pixel_x, (float)pixel_y, ray);
    float t = -camera[2] / ray[2];
    point[0] = camera[0] + t * ray[0];
    point[1] = camera[1] + t * ray[1];
}

void pond_view_pixel(float x, float y, float z, float pixel[2])
{
    float ahead = cosine * (y - camera[1]) - sine * (z - camera[2]);
    float up = sine * (y - camera[1]) + cosine * (z - camera[2]);
    pixel[0] = 0.5f * POND_WIDTH + focal * (x - camera[0]) / ahead;
    pixel[1] = 0.5f * POND_HEIGHT - focal * up / ahead;
}

/* -- colours and noise ----------------------------------------------------------------------- */

static float smooth(float least, float most, float x)
{
    float t = clampf((x - least) / (most - least), 0, 1);
    return t * t * (3 - 2 * t);
}

static Colour mix(Colour a, Colour b, float t)
{
    return (Colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

static Colour scale(Colour a, float by)
{
    return (Colour){a.r * by, a.g * by, a.b * by};
}

/* A number below 1 for a point of a lattice. */
static float hash(int i, int j, unsigned seed)
{
    uint32_t z = (uint32_t)i * 0x8da6b343u + (uint32_t)j * 0xd8163841u + seed * 0xcb1ab31fu;
    z = (z ^ (z >> 15)) * 0x2c1b3c6du;
    z = (z ^ (z >> 12)) * 0x297a2d39u;
    return (float)((z ^ (z >> 15)) >> 8) * 0x1p-24f;
}

/* Smooth noise between 0 and 1 that repeats after `period` units; a power of 2. */
static float noise(float x, float y, int period, unsigned seed)
{
    float fx = floorf(x), fy = floorf(y), s = x - fx, t = y - fy;
    int mask = period - 1, i = (int)fx & mask, j = (int)fy & mask;
    int i1 = (i + 1) & mask, j1 = (j + 1) & mask;
    s = s * s * (3 - 2 * s), t = t * t * (3 - 2 * t);
    return (1 - t) * ((1 - s) * hash(i, j, seed) + s * hash(i1, j, seed)) +
           t * ((1 - s) * hash(i, j1, seed) + s * hash(i1, j1, seed));
}

/* Octaves of noise, about 0.5 in the mean. */
static float fractal(float x, float y, int period, int octaves, unsigned seed)
{
    float sum = 0, weight = 0.5f;
    for (int k = 0; k < octaves; k++, weight *= 0.5f, x *= 2, y *= 2, period *= 2)
        sum += weight * noise(x, y, period, seed + (unsigned)k);
    return sum / (1 - 2 * weight); /* the sum of the weights */
}

static uint8_t tone_of(const PondView *view, float value)
{
    return view->tone[(int)(clampf(value, 0, 1) * (TONES - 1))];
}

static void store(const PondView *view, Colour colour, uint8_t *rgb)
{
    rgb[0] = tone_of(view, colour.r);
    rgb[1] = tone_of(view, colour.g);
    rgb[2] = tone_of(view, colour.b);
}

/* -- what does not move ---------------------------------------------------------------------- */

/* Pebbles of about `size` m on the ground `below`: domes around one point in each square, lit from
 * the sun's side. The nearest dome that covers the point wins. */
static Colour pebbles(float x, float y, float size, float share, unsigned seed, Colour below)
{
    float best = 1, dx = 0, dy = 0, shade = 0;
    int ci = (int)floorf(x / size), cj = (int)floorf(y / size);
    for (int j = cj - 1; j <= cj + 1; j++)
        for (int i = ci - 1; i <= ci + 1; i++) {
            if (hash(i, j, seed) > share)
                continue;
            float radius = (0.3f + 0.32f * hash(i, j, seed + 1)) * size;
            float px = x - ((float)i + 0.2f + 0.6f * hash(i, j, seed + 2)) * size;
            float py = y - ((float)j + 0.2f + 0.6f * hash(i, j, seed + 3)) * size;
            float turn = 3 * hash(i, j, seed + 4), c = cosf(turn), s = sinf(turn);
            float r = hypotf(c * px + s * py, 1.45f * (c * py - s * px)) / radius;
            if (r < best)
                best = r, dx = px / radius, dy = py / radius, shade = hash(i, j, seed + 5);
        }
    if (best >= 1)
        return below;
    Colour stone = mix((Colour){0.34f, 0.31f, 0.26f}, (Colour){0.58f, 0.52f, 0.42f}, shade);
    float lit = 0.75f + 0.5f * (sun[0] * dx + sun[1] * dy) - 0.25f * best * best;
    return mix(scale(stone, lit), below, smooth(0.85f, 1, best));
}

/* Ground without water over it. */
static Colour bottom(float x, float y)
{
    float grain = fractal(8 * x, 8 * y, 256, 3, 11), patch = fractal(0.5f * x, 0.5f * y, 64, 3, 23);
    Colour sand = scale((Colour){0.56f, 0.47f, 0.33f}, 0.7f + 0.6f * grain);
    sand = mix(sand, (Colour){0.2f, 0.24f, 0.12f}, 0.7f * smooth(0.5f, 0.7f, patch)); /* weed */
    sand = pebbles(x, y, 0.2f, 0.25f, 31, sand);
    return pebbles(x, y, 0.6f, 0.25f * smooth(0.55f, 0.35f, patch), 47, sand);
}

static Colour land(float x, float y, float shore)
{
    float tuft = fractal(3.1f * x, 2.2f * y, 256, 4, 61),
          field = fractal(0.4f * x, 0.4f * y, 64, 3, 71);
    Colour grass = mix((Colour){0.05f, 0.13f, 0.025f}, (Colour){0.22f, 0.31f, 0.07f},
                       clampf(2.2f * tuft - 0.9f + 0.8f * (field - 0.3f), 0, 1));
    Colour sand =
        scale(bottom(x, y), 0.85f - 0.4f * smooth(-0.3f, 0, shore)); /* wet by the water */
    return mix(sand, grass, smooth(0.25f, 0.6f, -shore + 0.5f * (tuft - 0.5f)));
}

static float depth_at(const PondView *view, float x, float y)
{
    int i = (int)clampf(x / POND_CELL, 0, POND_NX - 1),
        j = (int)clampf(y / POND_CELL, 0, POND_NY - 1);
    return view->depth[i + POND_NX * j];
}

/* (7), for the way down from the sun and up to the camera */
static void make_floor(PondView *view)
{
    const Colour turbid = {0.006f, 0.035f, 0.045f}; /* light that the water itself sends back */
    for (int j = 0; j < FLOOR_Y; j++)
        for (int i = 0; i < FLOOR_X; i++) {
            float x = ((float)i + 0.5f) * POND_CELL / FLOOR_SCALE;
            float y = ((float)j + 0.5f) * POND_CELL / FLOOR_SCALE;
            float depth = clampf(0.05f + 0.22f * pond_shore(x, y), 0, 0.42f), way = 4 * depth;
            Colour seen = bottom(x, y);
            seen.r = turbid.r + expf(-1.7f * way) * (seen.r - turbid.r);
            seen.g = turbid.g + expf(-0.6f * way) * (seen.g - turbid.g);
            seen.b = turbid.b + expf(-0.8f * way) * (seen.b - turbid.b);
            store(view, seen, view->floor[i + FLOOR_X * j]);
        }
}

static void make_ground(PondView *view)
{
    for (int py = 0; py < POND_HEIGHT; py++)
        for (int px = 0; px < POND_WIDTH; px++) {
            int pixel = px + POND_WIDTH * py;
            float point[2];
            pond_view_point(px + 0.5, py + 0.5, point);
            float shore = pond_shore(point[0], point[1]);
            view->water[pixel] = (uint8_t)(255 * clampf(0.5f + 25 * shore, 0, 1)); /* 4 cm */
            if (view->water[pixel] < 255)
                store(view, land(point[0], point[1], shore), view->ground[pixel]);
        }
}

PondView *pond_view_create(const PondWater *water)
{
    PondView *view = calloc(1, sizeof *view);
    if (view == NULL)
        return NULL;
    for (int c = 0; c < CELLS; c++)
        view->depth[c] = pond_water_depth(water, c % POND_NX, c / POND_NX);
    for (int t = 0; t < TONES; t++)
        view->tone[t] = (uint8_t)(255 * sqrtf((float)t / (TONES - 1)) + 0.5f);
    for (int j = 0; j < SKY; j++)
        for (int i = 0; i < SKY; i++)
            view->clouds[i + SKY * j] =
                smooth(0.45f, 0.75f, fractal((float)i / 32, (float)j / 32, 8, 4, 5));
    make_floor(view);
    make_ground(view);
    return view;
}

void pond_view_destroy(PondView *view)
{
    free(view);
}

/* -- light and dye, of cells ----------------------------------------------------------------- */

/* (1), between the neighbours that are wet */
static void find_slopes(PondView *view, const PondWater *water)
{
    const float *heights = pond_water_heights(water);
    size_t stride = pond_water_stride(water);
    for (int j = 0; j < POND_NY; j++)
        for (int i = 0; i < POND_NX; i++) {
            const float *h = heights + (size_t)i + stride * (size_t)j;
            int c = i + POND_NX * j;
            Surface *surface = &view->surface[c];
            if (view->depth[c] == 0) {
                surface->slope_x = surface->slope_y = 0;
                continue;
            }
            bool left = i > 0 && view->depth[c - 1] > 0;
            bool right = i < POND_NX - 1 && view->depth[c + 1] > 0;
            bool below = j > 0 && view->depth[c - POND_NX] > 0;
            bool above = j < POND_NY - 1 && view->depth[c + POND_NX] > 0;
            float gain = exaggeration / (2 * POND_CELL);
            surface->slope_x = gain * ((right ? h[1] : h[0]) - (left ? h[-1] : h[0]));
            surface->slope_y = gain * ((above ? h[stride] : h[0]) - (below ? *(h - stride) : h[0]));
        }
}

/* Adds `amount` around the place x, y, in cells, of a field with `step` floats a cell. */
static void splat(float *field, int step, float x, float y, float amount)
{
    int i = (int)floorf(x), j = (int)floorf(y);
    float s = x - (float)i, t = y - (float)j;
    if (i < 0 || i >= POND_NX - 1 || j < 0 || j >= POND_NY - 1)
        return;
    float *f = field + step * (i + POND_NX * j);
    f[0] += amount * (1 - s) * (1 - t);
    f[step] += amount * s * (1 - t);
    f[step * POND_NX] += amount * (1 - s) * t;
    f[step * (POND_NX + 1)] += amount * s * t;
}

/* (6) */
static void find_light(PondView *view)
{
    float bend = (1 - 1 / water_index) / POND_CELL;
    memset(view->light, 0, sizeof view->light);
    for (int j = 0; j < POND_NY; j++)
        for (int i = 0; i < POND_NX; i++) {
            int c = i + POND_NX * j;
            float way = bend * view->depth[c];
            splat(view->light, 1, (float)i + way * view->surface[c].slope_x,
                  (float)j + way * view->surface[c].slope_y, 1);
        }
}

/* The shadow of a hull on the floor, away from the sun. */
static void cast_shadow(PondView *view, const PondBoat *boat)
{
    const float above = 0.3f; /* height of the hull over the floor, m */
    PondBoat shadow = *boat;
    shadow.x -= above * sun[0] / sun[2];
    shadow.y -= above * sun[1] / sun[2];
    int reach = (int)(0.7f * POND_BOAT_LENGTH / POND_CELL);
    int ci = (int)(shadow.x / POND_CELL), cj = (int)(shadow.y / POND_CELL);
    for (int j = cj - reach > 0 ? cj - reach : 0; j <= cj + reach && j < POND_NY; j++)
        for (int i = ci - reach > 0 ? ci - reach : 0; i <= ci + reach && i < POND_NX; i++) {
            float hull =
                pond_hull(&shadow, ((float)i + 0.5f) * POND_CELL, ((float)j + 0.5f) * POND_CELL);
            view->light[i + POND_NX * j] *= 0.25f + 0.75f * smooth(0.75f, 1.35f, hull);
        }
}

/* Dye where elements are: each spreads over 3 x 3 cells. */
static void find_dye(PondView *view, const PondScene *scene)
{
    const float thickness = 0.16f; /* of an element on a cell */
    memset(view->pigment, 0, sizeof view->pigment);
    for (int e = 0; e < scene->element_count; e++) {
        const PondElement *element = &scene->elements[e];
        float x = element->x / POND_CELL - 1, y = element->y / POND_CELL - 1;
        for (int dy = 0; dy < 2; dy++)
            for (int dx = 0; dx < 2; dx++)
                splat(&view->pigment[0][element->colour], POND_COLOURS, x + (float)dx,
                      y + (float)dy, 0.25f * thickness);
    }
    for (int c = 0; c < CELLS; c++) {
        const float *amount = view->pigment[c];
        Surface *surface = &view->surface[c];
        float sum = amount[0] + amount[1] + amount[2];
        surface->dye = surface->r = surface->g = surface->b = 0;
        if (sum == 0)
            continue;
        surface->dye = 1 - expf(-sum);
        for (int k = 0; k < POND_COLOURS; k++) {
            float part = surface->dye * amount[k] / sum;
            surface->r += part * pigments[k].r;
            surface->g += part * pigments[k].g;
            surface->b += part * pigments[k].b;
        }
    }
}

/* -- water, of pixels ------------------------------------------------------------------------ */

static Surface surface_at(const PondView *view, float x, float y)
{
    float fx = clampf(x / POND_CELL - 0.5f, 0, POND_NX - 1.001f);
    float fy = clampf(y / POND_CELL - 0.5f, 0, POND_NY - 1.001f);
    int i = (int)fx, j = (int)fy;
    float s = fx - (float)i, t = fy - (float)j;
    const Surface *a = &view->surface[i + POND_NX * j], *b = a + 1, *c = a + POND_NX, *d = c + 1;
    float wa = (1 - s) * (1 - t), wb = s * (1 - t), wc = (1 - s) * t, wd = s * t;
    Surface mean = {
        .slope_x = wa * a->slope_x + wb * b->slope_x + wc * c->slope_x + wd * d->slope_x,
        .slope_y = wa * a->slope_y + wb * b->slope_y + wc * c->slope_y + wd * d->slope_y,
        .dye = wa * a->dye + wb * b->dye + wc * c->dye + wd * d->dye,
    };
    if (mean.dye > 0) {
        mean.r = wa * a->r + wb * b->r + wc * c->r + wd * d->r;
        mean.g = wa * a->g + wb * b->g + wc * c->g + wd * d->g;
        mean.b = wa * a->b + wb * b->b + wc * c->b + wd * d->b;
    }
    return mean;
}

/* The floor in its light. */
static Colour floor_at(const PondView *view, float x, float y)
{
    float fx = clampf(x / POND_CELL - 0.5f, 0, POND_NX - 1.001f);
    float fy = clampf(y / POND_CELL - 0.5f, 0, POND_NY - 1.001f);
    int i = (int)fx, j = (int)fy;
    float s = fx - (float)i, t = fy - (float)j;
    const float *l = &view->light[i + POND_NX * j];
    float light =
        (1 - t) * ((1 - s) * l[0] + s * l[1]) + t * ((1 - s) * l[POND_NX] + s * l[POND_NX + 1]);
    int u = (int)clampf(x * (FLOOR_SCALE / POND_CELL), 0, FLOOR_X - 1);
    int v = (int)clampf(y * (FLOOR_SCALE / POND_CELL), 0, FLOOR_Y - 1);
    const uint8_t *seen = view->floor[u + FLOOR_X * v];
    float gain = (0.35f + 0.65f * fminf(light, 3)) / (255 * 255);
    return (Colour){gain * (float)(seen[0] * seen[0]), gain * (float)(seen[1] * seen[1]),
                    gain * (float)(seen[2] * seen[2])};
}

/* The sky in the direction r, which may point a little below the horizon. */
static Colour sky_at(const PondView *view, const float r[3])
{
    float up = fmaxf(r[2], 0.02f), across = 60 / (up + 0.15f);
    int u = (int)(r[0] * across + 512) & (SKY - 1), v = (int)(r[1] * across) & (SKY - 1);
    Colour sky = mix((Colour){3.4f, 3.5f, 3.6f}, (Colour){0.3f, 0.7f, 1.5f}, sqrtf(up));
    sky = mix(sky, (Colour){3.4f, 3.3f, 3.2f}, 0.8f * view->clouds[u + SKY * v]);
    float off = 1 - (sun[0] * r[0] + sun[1] * r[1] + sun[2] * r[2]);
    float glare =
        off < 0.008f ? 40 * expf(-off / 0.0007f) : 0; /* the sun, 2 degrees around its middle */
    return (Colour){sky.r + glare, sky.g + 0.95f * glare, sky.b + 0.85f * glare};
}

/* (1) to (5). d: direction of the ray, normalised. */
static Colour water_at(const PondView *view, float x, float y, const float d[3])
{
    Surface at = surface_at(view, x, y);
    float unit = 1 / sqrtf(1 + at.slope_x * at.slope_x + at.slope_y * at.slope_y);
    float n[3] = {-at.slope_x * unit, -at.slope_y * unit, unit};
    float cos_in = fmaxf(-(d[0] * n[0] + d[1] * n[1] + d[2] * n[2]), 0);
    float r[3], t[3], away = 1 - cos_in, away2 = away * away;
    float fresnel = 0.02f + 0.98f * away2 * away2 * away;
    float cos_out = sqrtf(1 - (1 - cos_in * cos_in) / (water_index * water_index));
    for (int k = 0; k < 3; k++) {
        r[k] = d[k] + 2 * cos_in * n[k];
        t[k] = d[k] / water_index + (cos_in / water_index - cos_out) * n[k];
    }
    float way = depth_at(view, x, y) / fmaxf(-t[2], 0.2f);
    Colour seen = floor_at(view, x + way * t[0], y + way * t[1]);
    if (at.dye > 0)
        seen = (Colour){seen.r + at.dye * (0.2f * seen.r - seen.r) + 0.8f * at.r,
                        seen.g + at.dye * (0.2f * seen.g - seen.g) + 0.8f * at.g,
                        seen.b + at.dye * (0.2f * seen.b - seen.b) + 0.8f * at.b};
    return mix(seen, sky_at(view, r), fresnel);
}

static void draw_water(const PondView *view, uint8_t *rgb)
{
    for (int py = 0; py < POND_HEIGHT; py++)
        for (int px = 0; px < POND_WIDTH; px++) {
            int pixel = px + POND_WIDTH * py;
            if (view->water[pixel] == 0) {
                memcpy(rgb + 3 * pixel, view->ground[pixel], 3);
                continue;
            }
            float d[3];
            ray_of((float)px + 0.5f, (float)py + 0.5f, d);
            float t = -camera[2] / d[2], unit = 1 / sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            float x = camera[0] + t * d[0], y = camera[1] + t * d[1];
            d[0] *= unit, d[1] *= unit, d[2] *= unit;
            uint8_t *out = rgb + 3 * pixel;
            store(view, water_at(view, x, y, d), out);
            for (int k = 0; k < 3 && view->water[pixel] < 255; k++)
                out[k] = (uint8_t)((out[k] * view->water[pixel] +
                                    view->ground[pixel][k] * (255 - view->water[pixel])) /
                                   255);
        }
}

void pond_draw(PondView *view, const PondScene *scene, uint8_t *rgb)
{
    find_slopes(view, scene->water);
    find_light(view);
    for (int b = 0; b < POND_BOATS; b++)
        cast_shadow(view, &scene->boats[b]);
    find_dye(view, scene);
    draw_water(view, rgb);
    pond_draw_bodies(scene, rgb);
}
