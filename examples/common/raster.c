/* SPDX-License-Identifier: MIT */
#include "raster.h"

#include <stdlib.h>

bool raster_create(Raster *raster, int width, int height)
{
    size_t pixels = (size_t)width * (size_t)height;
    *raster = (Raster){.width = width, .height = height};
    raster->light = calloc(4 * pixels, sizeof *raster->light);
    if (raster->light == NULL)
        return false;
    raster->near = raster->light + 3 * pixels;
    return true;
}

void raster_destroy(Raster *raster)
{
    free(raster->light);
}

Camera camera_orbit(Vec target, float azimuth, float elevation, float distance, float focal)
{
    float ca = cosf(azimuth), sa = sinf(azimuth), ce = cosf(elevation), se = sinf(elevation);
    Vec away = {ce * ca, ce * sa, se};
    return (Camera){
        .place = vec_add(target, away, distance),
        .forward = {-away.x, -away.y, -away.z},
        .right = {-sa, ca, 0},
        .up = {-se * ca, -se * sa, ce},
        .focal = focal,
    };
}

void raster_project(const Raster *raster, const Camera *camera, Vec point, Vertex *vertex)
{
    Vec p = vec_add(point, camera->place, -1);
    float far = vec_dot(p, camera->forward), scale = camera->focal / far;
    vertex->near = 1 / far;
    vertex->px = 0.5f * (float)raster->width + scale * vec_dot(p, camera->right);
    vertex->py = 0.5f * (float)raster->height - scale * vec_dot(p, camera->up);
}

/* Twice the area of the triangle a, b, (px, py), positive where it turns to the right. */
static float area(const Vertex *a, const Vertex *b, float px, float py)
{
    return (b->px - a->px) * (py - a->py) - (b->py - a->py) * (px - a->px);
}

static float smallest(float a, float b, float c)
{
    return fminf(a, fminf(b, c));
}

/* Whether a vertex is in front of the camera, by 0.2 m or more. */
static bool in_front(const Vertex *v)
{
    return v->near > 0 && v->near < 5;
}

void raster_triangle(Raster *raster, const Vertex *a, const Vertex *b, const Vertex *c, int values,
                     RasterShader *shader, void *context)
{
    float whole = area(a, b, c->px, c->py), value[RASTER_VALUES];
    if (!in_front(a) || !in_front(b) || !in_front(c) || whole == 0)
        return;
    int left = (int)fmaxf(ceilf(smallest(a->px, b->px, c->px)), 0);
    int top = (int)fmaxf(ceilf(smallest(a->py, b->py, c->py)), 0);
    int right = (int)fminf(-smallest(-a->px, -b->px, -c->px), (float)raster->width - 1);
    int bottom = (int)fminf(-smallest(-a->py, -b->py, -c->py), (float)raster->height - 1);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            float wa = area(b, c, (float)x, (float)y) / whole;
            float wb = area(c, a, (float)x, (float)y) / whole, wc = 1 - wa - wb;
            if (wa < 0 || wb < 0 || wc < 0)
                continue;
            size_t pixel = (size_t)x + (size_t)y * (size_t)raster->width;
            float near = wa * a->near + wb * b->near + wc * c->near;
            if (near < raster->near[pixel])
                continue;
            for (int v = 0; v < values; v++)
                value[v] = wa * a->value[v] + wb * b->value[v] + wc * c->value[v];
            shader(context, pixel, near, value);
        }
}

void raster_quad(Raster *raster, const Vertex *a, const Vertex *b, const Vertex *c, const Vertex *d,
                 int values, RasterShader *shader, void *context)
{
    raster_triangle(raster, a, b, c, values, shader, context);
    raster_triangle(raster, a, c, d, values, shader, context);
}

void raster_develop(const Raster *raster, uint8_t *rgb)
{
    for (size_t n = 0; n < 3 * (size_t)raster->width * (size_t)raster->height; n++) {
        float x = fmaxf(raster->light[n], 0);
        rgb[n] = (uint8_t)(255 * sqrtf(x < 0.6f ? x : 1 - 0.16f / (x - 0.2f)) + 0.5f);
    }
}
