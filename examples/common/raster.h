/* SPDX-License-Identifier: MIT
 *
 * Triangles in software, for examples that show their fluid in 3D: a perspective camera, a depth
 * buffer, and linear light that becomes bytes at the end. A shader is a function that is called for
 * each pixel of a triangle with the values that its vertices have, interpolated. They are
 * interpolated along the screen, so triangles should be small. */
#ifndef EXAMPLE_RASTER_H
#define EXAMPLE_RASTER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline float clamp(float x, float least, float most)
{
    return x < least ? least : x > most ? most : x;
}

static inline float mix(float a, float b, float part)
{
    return a + part * (b - a);
}

/* 0 below `from`, 1 above `to`. */
static inline float ramp(float from, float to, float x)
{
    float s = clamp((x - from) / (to - from), 0, 1);
    return s * s * (3 - 2 * s);
}

typedef struct Vec {
    float x, y, z;
} Vec;

/* a + factor * b */
static inline Vec vec_add(Vec a, Vec b, float factor)
{
    return (Vec){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

static inline float vec_dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec vec_unit(Vec a)
{
    float length = sqrtf(vec_dot(a, a));
    return (Vec){a.x / length, a.y / length, a.z / length};
}

/* A camera without roll, z upwards. */
typedef struct Camera {
    Vec place, forward, right, up;
    float focal; /* pixels */
} Camera;

/* Looks at `target` from a distance, m, at two angles, rad: around z, and above the horizon. */
Camera camera_orbit(Vec target, float azimuth, float elevation, float distance, float focal);

enum { RASTER_VALUES = 9 };

typedef struct Vertex {
    float px, py;               /* on the screen, pixels */
    float near;                 /* 1 / distance along the view, 1/m */
    float value[RASTER_VALUES]; /* what the shader interpolates */
} Vertex;

typedef struct Raster {
    int width, height;
    float *light; /* linear R, G, B of each pixel */
    float *near;  /* of the surface that each pixel shows, 0 = none */
} Raster;

/* Called where a triangle is nearer than `near` of the pixel, which it may set. */
typedef void RasterShader(void *context, size_t pixel, float near, const float *value);

bool raster_create(Raster *raster, int width, int height); /* false if memory is short */
void raster_destroy(Raster *raster);

/* Sets the place of a vertex on the screen. */
void raster_project(const Raster *raster, const Camera *camera, Vec point, Vertex *vertex);
/* `values` is the number of values that the shader takes. A triangle that is not wholly in front of
 * the camera is left out. */
void raster_triangle(Raster *raster, const Vertex *a, const Vertex *b, const Vertex *c, int values,
                     RasterShader *shader, void *context);
/* a, b, c, d around a flat or nearly flat quadrilateral. */
void raster_quad(Raster *raster, const Vertex *a, const Vertex *b, const Vertex *c, const Vertex *d,
                 int values, RasterShader *shader, void *context);
/* Makes bytes of the light: a shoulder for what is brighter than white, then a gamma of 2. */
void raster_develop(const Raster *raster, uint8_t *rgb);

#endif
