/* SPDX-License-Identifier: MIT
 *
 * Picture of examples/terrain.c: the terrain as a mesh with a vertex at the centre of each cell,
 * the water as a second mesh that is blended over it, and the bulldozer as boxes. */
#include "common/raster.h"
#include "terrain.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = 256 };

struct View {
    Raster raster;
    Camera camera;
    double azimuth, elevation, distance; /* of the camera around the middle of the terrain */
    float time;                          /* simulated, s */
    float *place;                        /* x, y of the ground at each pixel, m; x < 0 = none */
    float *ground, *occluder; /* heights of the vertices, without and with the bulldozer, m */
    float highest;            /* of the occluder, m */
    float *lit;               /* part of the sun that reaches each vertex, 0 to 1 */
    Vertex *soil, *water;     /* the two meshes */
    float noise[TILE * TILE]; /* smooth noise that repeats, 0 to 1 */
};

static const Vec sun = {-0.52f, -0.55f, 0.653f}; /* towards it, length 1 */

/* -- noise ------------------------------------------------------------------------------------ */

static float tile_at(const View *view, int i, int j)
{
    return view->noise[(i & (TILE - 1)) + TILE * (j & (TILE - 1))];
}

/* The tile between its points. x and y are in points. */
static float noise_at(const View *view, float x, float y)
{
    float fx = floorf(x), fy = floorf(y), u = x - fx, v = y - fy;
    int i = (int)fx, j = (int)fy;
    return mix(mix(tile_at(view, i, j), tile_at(view, i + 1, j), u),
               mix(tile_at(view, i, j + 1), tile_at(view, i + 1, j + 1), u), v);
}

static void fill_noise(View *view)
{
    uint32_t seed = 1;
    for (int n = 0; n < TILE * TILE; n++) {
        seed = seed * 1664525u + 1013904223u;
        view->noise[n] = (float)(seed >> 8) * 0x1p-24f;
    }
}

/* -- camera ----------------------------------------------------------------------------------- */

/* A sky without ground. */
static void clear(View *view)
{
    for (int y = 0; y < view->raster.height; y++) {
        float s = (float)y / (float)view->raster.height;
        for (int x = 0; x < view->raster.width; x++) {
            size_t pixel = (size_t)x + (size_t)y * (size_t)view->raster.width;
            float *light = view->raster.light + 3 * pixel;
            light[0] = mix(0.30f, 0.62f, s);
            light[1] = mix(0.42f, 0.66f, s);
            light[2] = mix(0.58f, 0.68f, s);
            view->raster.near[pixel] = 0;
            view->place[2 * pixel] = view->place[2 * pixel + 1] = -1;
        }
    }
}

View *view_create(const Terrain *t, int width, int height)
{
    View *view = calloc(1, sizeof *view);
    size_t pixels = (size_t)width * (size_t)height, count = cell_count(t);
    if (view == NULL)
        return NULL;
    view->place = calloc(2 * pixels, sizeof *view->place);
    view->ground = calloc(3 * count, sizeof *view->ground);
    view->soil = calloc(2 * count, sizeof *view->soil);
    if (!raster_create(&view->raster, width, height) || view->place == NULL ||
        view->ground == NULL || view->soil == NULL) {
        view_destroy(view);
        return NULL;
    }
    view->occluder = view->ground + count;
    view->lit = view->occluder + count;
    view->water = view->soil + count;
    view->azimuth = -0.8;
    view->elevation = 0.66;
    view->distance = 50;
    fill_noise(view);
    clear(view);
    return view;
}

void view_destroy(View *view)
{
    if (view == NULL)
        return;
    raster_destroy(&view->raster);
    free(view->place);
    free(view->ground);
    free(view->soil);
    free(view);
}

void view_orbit(View *view, double azimuth, double elevation, double zoom)
{
    view->azimuth += azimuth;
    view->elevation = fmin(fmax(view->elevation + elevation, 0.35), 1.5);
    view->distance = fmin(fmax(view->distance * zoom, 14), 80);
}

static void place_camera(View *view, const Terrain *t)
{
    Vec target = {(float)(0.53 * t->nx * t->cell), (float)(0.44 * t->ny * t->cell), 1.3f};
    view->camera = camera_orbit(target, (float)view->azimuth, (float)view->elevation,
                                (float)view->distance, 1.42f * (float)view->raster.height);
}

static void project(const View *view, Vec point, Vertex *vertex)
{
    raster_project(&view->raster, &view->camera, point, vertex);
}

bool view_pick(const View *view, double px, double py, double *x, double *y)
{
    if (!(px >= 0 && py >= 0 && px < view->raster.width && py < view->raster.height))
        return false;
    const float *place = view->place + 2 * ((size_t)px + (size_t)py * (size_t)view->raster.width);
    *x = (double)place[0];
    *y = (double)place[1];
    return place[0] >= 0;
}

/* -- ground ----------------------------------------------------------------------------------- */

/* Height between vertices; beyond the edges it is that of the edge. x and y are in cells. */
static float height_at(const Terrain *t, const float *heights, float x, float y)
{
    x = clamp(x, 0, (float)t->nx - 1.001f);
    y = clamp(y, 0, (float)t->ny - 1.001f);
    int i = (int)x, j = (int)y;
    const float *h = heights + cell_at(t, i, j);
    float u = x - (float)i, v = y - (float)j;
    return mix(mix(h[0], h[1], u), mix(h[t->nx], h[t->nx + 1], u), v);
}

/* The part of the sun that no hill hides. Its disc makes the edges of shadows soft. */
static float sunlight(const View *view, const Terrain *t, int i, int j)
{
    float cell = (float)t->cell, reach = hypotf(sun.x, sun.y), lit = 1;
    float start = view->ground[cell_at(t, i, j)] + 0.05f;
    for (float far = 1.5f; far < 60 && lit > 0; far *= 1.18f) { /* cells */
        float x = (float)i + far * sun.x / reach, y = (float)j + far * sun.y / reach;
        float ray = start + far * cell * sun.z / reach;
        if (ray > view->highest || x < 0 || y < 0 || x > (float)t->nx - 1 || y > (float)t->ny - 1)
            break;
        float clear = (ray - height_at(t, view->occluder, x, y)) / (far * cell);
        lit = fminf(lit, clamp(0.5f + 7 * clear, 0, 1));
    }
    return lit;
}

/* Slope of heights at a vertex, m per m. */
static void slope_at(const Terrain *t, const float *heights, int i, int j, float *sx, float *sy)
{
    int left = i > 0 ? i - 1 : i, right = i + 1 < t->nx ? i + 1 : i;
    int low = j > 0 ? j - 1 : j, high = j + 1 < t->ny ? j + 1 : j;
    *sx = (heights[cell_at(t, right, j)] - heights[cell_at(t, left, j)]) /
          ((float)(right - left) * (float)t->cell);
    *sy = (heights[cell_at(t, i, high)] - heights[cell_at(t, i, low)]) /
          ((float)(high - low) * (float)t->cell);
}

/* Colour of the soil: grass on gentle slopes, earth on steep ones and where soil was moved, darker
 * where it is wet. */
static Vec soil_colour(const View *view, const Terrain *t, int i, int j, float steep)
{
    size_t c = cell_at(t, i, j);
    float patch = noise_at(view, 0.11f * (float)i, 0.11f * (float)j);
    float patch2 = noise_at(view, 0.37f * (float)i + 50, 0.37f * (float)j);
    float high = ramp(5, 9, view->ground[c] + patch);
    Vec meadow = {mix(0.085f, 0.155f, patch), mix(0.145f, 0.19f, patch2), 0.04f};
    Vec heath = {0.22f, 0.20f, 0.09f}, earth = {0.30f, 0.195f, 0.105f};
    Vec grass = vec_add(meadow, vec_add(heath, meadow, -1), 0.7f * high);
    float bare =
        fmaxf(t->cover[c] == GRASS ? 0 : 1, ramp(0.45f, 0.68f, steep + 0.2f * (patch2 - 0.5f)));
    bare = fmaxf(bare, 0.85f * t->wet[c]); /* beds of streams and shores are mud */
    Vec colour = vec_add(grass, vec_add(earth, grass, -1), bare);
    return vec_add(colour, colour, -0.5f * t->wet[c]);
}

static void shade_ground(void *context, size_t pixel, float near, const float *value)
{
    View *view = context;
    float grain =
        noise_at(view, 9 * value[3], 9 * value[4]) + noise_at(view, 23 * value[3], 23 * value[4]);
    float *light = view->raster.light + 3 * pixel;
    for (int k = 0; k < 3; k++)
        light[k] = value[k] * (0.7f + 0.3f * grain);
    view->raster.near[pixel] = near;
    view->place[2 * pixel] = value[3];
    view->place[2 * pixel + 1] = value[4];
}

static void prepare_ground(View *view, const Terrain *t)
{
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            float sx, sy, lit = view->lit[c] = sunlight(view, t, i, j);
            slope_at(t, view->ground, i, j, &sx, &sy);
            Vec normal = vec_unit((Vec){-sx, -sy, 1});
            float direct = 2.85f * lit * fmaxf(vec_dot(normal, sun), 0), ambient = 0.55f * normal.z;
            Vec colour = soil_colour(view, t, i, j, hypotf(sx, sy));
            Vec point = {((float)i + 0.5f) * (float)t->cell, ((float)j + 0.5f) * (float)t->cell,
                         view->ground[c]};
            Vertex *v = &view->soil[c];
            project(view, point, v);
            v->value[0] = colour.x * (direct + 0.75f * ambient);
            v->value[1] = colour.y * (0.95f * direct + 0.9f * ambient);
            v->value[2] = colour.z * (0.85f * direct + 1.25f * ambient);
            v->value[3] = point.x;
            v->value[4] = point.y;
        }
}

/* Draws the quadrilaterals between the vertices; of water, those that have a wet corner. */
static void draw_mesh(View *view, const Terrain *t, const Vertex *mesh, int values,
                      RasterShader *shader)
{
    for (int j = 0; j + 1 < t->ny; j++)
        for (int i = 0; i + 1 < t->nx; i++) {
            const Vertex *v = mesh + cell_at(t, i, j);
            if (shader != shade_ground && v[0].value[0] <= 0 && v[1].value[0] <= 0 &&
                v[t->nx].value[0] <= 0 && v[t->nx + 1].value[0] <= 0)
                continue;
            raster_quad(&view->raster, v, v + 1, v + t->nx + 1, v + t->nx, values, shader, view);
        }
}

static void shade_flat(void *context, size_t pixel, float near, const float *value)
{
    View *view = context;
    memcpy(view->raster.light + 3 * pixel, value, 3 * sizeof *value);
    view->raster.near[pixel] = near;
}

/* The cut sides of the terrain, between vertices a and b of the edge. */
static void draw_side(View *view, size_t a, size_t b, Vec normal)
{
    const float base = 0.8f;
    float light = 0.35f + 0.9f * fmaxf(vec_dot(normal, sun), 0);
    Vertex v[4] = {view->soil[a], view->soil[b], view->soil[b], view->soil[a]};
    Vec low_a = {v[0].value[3], v[0].value[4], base}, low_b = {v[1].value[3], v[1].value[4], base};
    project(view, low_b, &v[2]);
    project(view, low_a, &v[3]);
    for (int k = 0; k < 4; k++) {
        float shade = light * (k < 2 ? 1 : 0.55f);
        v[k].value[0] = 0.21f * shade;
        v[k].value[1] = 0.145f * shade;
        v[k].value[2] = 0.09f * shade;
    }
    raster_quad(&view->raster, &v[0], &v[1], &v[2], &v[3], 3, shade_flat, view);
}

static void draw_sides(View *view, const Terrain *t)
{
    for (int i = 0; i + 1 < t->nx; i++) {
        draw_side(view, cell_at(t, i, 0), cell_at(t, i + 1, 0), (Vec){0, -1, 0});
        draw_side(view, cell_at(t, i, t->ny - 1), cell_at(t, i + 1, t->ny - 1), (Vec){0, 1, 0});
    }
    for (int j = 0; j + 1 < t->ny; j++) {
        draw_side(view, cell_at(t, 0, j), cell_at(t, 0, j + 1), (Vec){-1, 0, 0});
        draw_side(view, cell_at(t, t->nx - 1, j), cell_at(t, t->nx - 1, j + 1), (Vec){1, 0, 0});
    }
}

/* -- water ------------------------------------------------------------------------------------ */

/* Depth of the water at a vertex, m. At a dry vertex beside water it is how far the ground is above
 * the level of that water, negative, so that the shore lies between the two. */
static float depth_at(const View *view, const Terrain *t, int i, int j)
{
    const Height film = 1 << (HEIGHT_BITS - 7);
    size_t c = cell_at(t, i, j);
    float sum = 0, count = 0;
    if (t->water[c] > film)
        return (float)metres(t->water[c]);
    for (int dj = j > 0 ? -1 : 0; dj <= 1 && j + dj < t->ny; dj++)
        for (int di = i > 0 ? -1 : 0; di <= 1 && i + di < t->nx; di++) {
            size_t n = cell_at(t, i + di, j + dj);
            if (t->water[n] > film) {
                sum += (float)metres(level_at(t, n));
                count++;
            }
        }
    return count > 0 ? fminf(sum / count - view->ground[c], 0) : -1;
}

/* Velocity of the water at a vertex, m/s. */
static void velocity_at(const Terrain *t, int i, int j, float *u, float *v)
{
    size_t c = cell_at(t, i, j), row = (size_t)t->nx;
    double deep = fmax(metres(t->water[c]), 0.02);
    *u = (float)(0.5 * (t->flux_x[c] + (i > 0 ? t->flux_x[c - 1] : 0)) / deep);
    *v = (float)(0.5 * (t->flux_y[c] + (j > 0 ? t->flux_y[c - row] : 0)) / deep);
}

/* values: depth, slopes of the surface, place x, y, z, velocity, sunlight. */
static void prepare_water(View *view, const Terrain *t)
{
    float *surface = view->occluder; /* its heights have done their work */
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            float depth = view->water[c].value[0] = depth_at(view, t, i, j);
            surface[c] = view->ground[c] + depth + (float)ponds_wave(t, c);
        }
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            Vertex *v = &view->water[c];
            Vec point = {view->soil[c].value[3], view->soil[c].value[4], surface[c]};
            project(view, point, v);
            slope_at(t, surface, i, j, &v->value[1], &v->value[2]);
            v->value[1] = clamp(v->value[1], -1, 1);
            v->value[2] = clamp(v->value[2], -1, 1);
            v->value[3] = point.x;
            v->value[4] = point.y;
            v->value[5] = point.z;
            velocity_at(t, i, j, &v->value[6], &v->value[7]);
            v->value[8] = view->lit[c];
        }
}

static Vec sky_colour(float up)
{
    float s = clamp(up, 0, 1);
    return (Vec){mix(0.75f, 0.16f, s), mix(0.85f, 0.36f, s), mix(0.95f, 0.75f, s)};
}

/* Noise that moves with the water. Two copies, each moved for 2 s at most, fade into each other. */
static float moving_noise(const View *view, float x, float y, float u, float v, float scale)
{
    float first = fmodf(0.5f * view->time, 1), second = fmodf(first + 0.5f, 1);
    float weight = fabsf(2 * first - 1), a = 2 * first, b = 2 * second;
    return mix(noise_at(view, scale * (x - a * u), scale * (y - a * v)),
               noise_at(view, scale * (x - b * u) + 37, scale * (y - b * v)), weight);
}

static void shade_water(void *context, size_t pixel, float near, const float *value)
{
    const View *view = context;
    float depth = value[0], x = value[3], y = value[4], speed = hypotf(value[6], value[7]);
    (void)near;
    if (depth <= 0)
        return;
    float rough = 0.02f + 0.14f * ramp(0.1f, 1.2f, speed), tick = 0.35f * view->time;
    float u = 0.6f * value[6], v = 0.6f * value[7];
    float wave = moving_noise(view, x, y, u, v, 5) - 0.5f;
    float wave2 = moving_noise(view, x + 31 + 0.1f * tick, y + tick, u, v, 6) - 0.5f;
    Vec normal = vec_unit((Vec){-value[1] + rough * 2 * wave, -value[2] + rough * 2 * wave2, 1});
    Vec eye = vec_unit(vec_add(view->camera.place, (Vec){x, y, value[5]}, -1));
    float facing = fmaxf(vec_dot(normal, eye), 0), f = 1 - facing;
    float fresnel = 0.02f + 0.98f * f * f * f * f * f; /* Schlick */
    Vec mirror = vec_add((Vec){-eye.x, -eye.y, -eye.z}, normal, 2 * facing);
    Vec sky = sky_colour(mirror.z);
    float glint = fmaxf(vec_dot(mirror, sun), 0), sunlit = value[8];
    glint = powf(glint, 180) * 9 * sunlit;
    float foam = ramp(0.9f, 2.4f, speed) * ramp(0.35f, 0.8f, moving_noise(view, x, y, u, v, 6)) *
                 ramp(0.01f, 0.06f, depth) * 0.8f;
    float film = ramp(0, 0.025f, depth); /* thinner water does not show */
    float sky_part[3] = {sky.x, sky.y, sky.z}, *light = view->raster.light + 3 * pixel;
    const float absorption[3] = {2.6f, 1.15f, 0.85f}, scatter[3] = {0.035f, 0.17f, 0.21f};
    /* Waves scatter more light on the side towards the sun. */
    float bright =
        (0.45f + 0.75f * sunlit) * clamp(1 + 4 * (vec_dot(normal, sun) - sun.z), 0.4f, 2);
    for (int k = 0; k < 3; k++) {
        float through = expf(-absorption[k] * (1.2f * depth + 0.05f * ramp(0, 0.05f, depth)));
        float body = light[k] * through + scatter[k] * bright * (1 - through);
        body = mix(body, sky_part[k], fresnel) + glint;
        light[k] = mix(light[k], mix(body, 0.85f * bright, foam), film);
    }
}

/* -- bulldozer -------------------------------------------------------------------------------- */

/* A box in the bulldozer's frame: from and to along, across and up, m; colour. */
typedef struct Box {
    Vec from, to, colour;
} Box;

static const Box boxes[] = {
    {{-1.0f, -0.8f, 0}, {1.0f, -0.42f, 0.5f}, {0.03f, 0.03f, 0.032f}}, /* tracks */
    {{-1.0f, 0.42f, 0}, {1.0f, 0.8f, 0.5f}, {0.03f, 0.03f, 0.032f}},
    {{-0.85f, -0.42f, 0.2f}, {0.95f, 0.42f, 0.8f}, {0.85f, 0.48f, 0.02f}}, /* hull */
    {{0.1f, -0.34f, 0.8f}, {0.9f, 0.34f, 1.05f}, {0.9f, 0.52f, 0.03f}},    /* engine */
    {{-0.75f, -0.38f, 0.8f}, {0.05f, 0.38f, 1.4f}, {0.05f, 0.07f, 0.09f}}, /* cabin */
    {{-0.82f, -0.45f, 1.4f}, {0.12f, 0.45f, 1.5f}, {0.9f, 0.52f, 0.03f}},  /* roof */
    {{0.5f, 0.12f, 1.05f}, {0.6f, 0.22f, 1.4f}, {0.06f, 0.06f, 0.06f}},    /* exhaust */
    {{0, -0.95f, 0.18f}, {1.35f, -0.85f, 0.32f}, {0.7f, 0.4f, 0.02f}},     /* arms */
    {{0, 0.85f, 0.18f}, {1.35f, 0.95f, 0.32f}, {0.7f, 0.4f, 0.02f}},
    {{1.3f, -1.15f, 0}, {1.42f, 1.15f, 0.75f}, {0.5f, 0.47f, 0.42f}}, /* blade */
};

/* The bulldozer's axes in the world: forwards, to its left, up. */
static void bulldozer_axes(const Bulldozer *b, Vec axes[3])
{
    axes[0] = vec_unit((Vec){(float)cos(b->heading), (float)sin(b->heading), (float)b->pitch});
    axes[1] = (Vec){-(float)sin(b->heading), (float)cos(b->heading), 0};
    axes[2] = (Vec){axes[0].y * axes[1].z - axes[0].z * axes[1].y,
                    axes[0].z * axes[1].x - axes[0].x * axes[1].z,
                    axes[0].x * axes[1].y - axes[0].y * axes[1].x};
}

/* Side `side` of a box: 0 and 1 across the first axis, and so on. */
static void draw_face(View *view, const Bulldozer *b, const Box *box, const Vec axes[3], int side,
                      float lift)
{
    int axis = side / 2, other = (axis + 1) % 3, third = (axis + 2) % 3;
    const float from[3] = {box->from.x, box->from.y, box->from.z + lift};
    const float to[3] = {box->to.x, box->to.y, box->to.z + lift};
    Vec centre = {(float)b->x, (float)b->y, (float)b->height + 0.02f}, normal = {0, 0, 0};
    normal = vec_add(normal, axes[axis], side % 2 ? 1 : -1);
    float light = 0.5f + 0.2f * normal.z + 1.5f * fmaxf(vec_dot(normal, sun), 0);
    Vertex v[4];
    for (int k = 0; k < 4; k++) {
        float at[3];
        at[axis] = side % 2 ? to[axis] : from[axis];
        at[other] = k == 1 || k == 2 ? to[other] : from[other];
        at[third] = k >= 2 ? to[third] : from[third];
        Vec p = vec_add(vec_add(vec_add(centre, axes[0], at[0]), axes[1], at[1]), axes[2], at[2]);
        project(view, p, &v[k]);
        v[k].value[0] = light * box->colour.x;
        v[k].value[1] = light * box->colour.y;
        v[k].value[2] = light * box->colour.z;
    }
    raster_quad(&view->raster, &v[0], &v[1], &v[2], &v[3], 3, shade_flat, view);
}

static void draw_bulldozer(View *view, const Bulldozer *b)
{
    Vec axes[3];
    bulldozer_axes(b, axes);
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++)
        for (int side = 0; side < 6; side++)
            draw_face(view, b, &boxes[n], axes, side,
                      n + 1 == sizeof boxes / sizeof *boxes && !b->lowered ? 0.3f : 0);
}

/* Heights for shadows: the bulldozer is a block of 1.2 m. */
static void prepare_heights(View *view, const Terrain *t)
{
    const Bulldozer *b = &t->bulldozer;
    view->highest = 0;
    float c = (float)cos(b->heading), s = (float)sin(b->heading), cell = (float)t->cell;
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t n = cell_at(t, i, j);
            float x = ((float)i + 0.5f) * cell - (float)b->x;
            float y = ((float)j + 0.5f) * cell - (float)b->y;
            bool below = fabsf(x * c + y * s) < 1 && fabsf(y * c - x * s) < 0.8f;
            view->ground[n] = (float)metres(t->soil[n]);
            view->highest = fmaxf(view->highest, view->ground[n] + 1.2f);
            view->occluder[n] = below ? (float)b->height + 1.2f : view->ground[n];
        }
}

/* Short bright lines that change with the time. */
static void draw_rain(View *view, const Terrain *t)
{
    const uint32_t length = 14;
    uint32_t seed = (uint32_t)t->slices / 3 * 2654435761u + 1, width = (uint32_t)view->raster.width;
    for (int drop = 0; t->rain > 0 && drop < 400; drop++) {
        uint32_t x, y;
        seed = seed * 1664525u + 1013904223u;
        x = (seed >> 8) % width;
        seed = seed * 1664525u + 1013904223u;
        y = (seed >> 8) % ((uint32_t)view->raster.height - length);
        for (uint32_t n = 0; n < 3 * length; n++) {
            float *light = view->raster.light + 3 * (x + (size_t)width * (y + n / 3)) + n % 3;
            *light = mix(*light, 0.8f, 0.25f);
        }
    }
}

/* -- the frame -------------------------------------------------------------------------------- */

void view_draw(View *view, const Terrain *t, ExampleFrame *frame)
{
    view->time = (float)t->slices / SLICES;
    clear(view);
    place_camera(view, t);
    prepare_heights(view, t);
    prepare_ground(view, t);
    draw_mesh(view, t, view->soil, 5, shade_ground);
    draw_sides(view, t);
    draw_bulldozer(view, &t->bulldozer);
    prepare_water(view, t);
    draw_mesh(view, t, view->water, RASTER_VALUES, shade_water);
    draw_rain(view, t);
    raster_develop(&view->raster, frame->rgb);
}
