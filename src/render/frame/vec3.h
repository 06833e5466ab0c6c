/* SPDX-License-Identifier: MIT
 *
 * Vectors of three floats, passed by value: positions, directions, colours. */
#ifndef RENDER_VEC3_H
#define RENDER_VEC3_H

#include <math.h>

typedef struct Vec3 {
    float x, y, z;
} Vec3;

static inline Vec3 vec3(float x, float y, float z)
{
    return (Vec3){x, y, z};
}

static inline Vec3 vec3_from(const float v[3])
{
    return (Vec3){v[0], v[1], v[2]};
}

static inline void vec3_store(Vec3 v, float out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static inline Vec3 vec3_add(Vec3 a, Vec3 b)
{
    return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec3 vec3_sub(Vec3 a, Vec3 b)
{
    return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec3 vec3_mul(Vec3 a, Vec3 b)
{
    return (Vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline Vec3 vec3_scale(Vec3 a, float s)
{
    return (Vec3){a.x * s, a.y * s, a.z * s};
}

/* Divides component by component. */
static inline Vec3 vec3_over(Vec3 a, const float by[3])
{
    return (Vec3){a.x / by[0], a.y / by[1], a.z / by[2]};
}

/* a + s b */
static inline Vec3 vec3_along(Vec3 a, Vec3 b, float s)
{
    return (Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline float vec3_dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline float vec3_length(Vec3 a)
{
    return sqrtf(vec3_dot(a, a));
}

static inline Vec3 vec3_unit(Vec3 a)
{
    return vec3_scale(a, 1 / vec3_length(a));
}

static inline Vec3 vec3_mix(Vec3 a, Vec3 b, float t)
{
    return vec3_add(vec3_scale(a, 1 - t), vec3_scale(b, t));
}

#endif
