/* SPDX-License-Identifier: MIT
 *
 * Vectors of three floats: positions, directions, colours. They are passed by value as a Vec3, or
 * lie in arrays, as in public structs. */
#ifndef BASE_VEC3_H
#define BASE_VEC3_H

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

static inline Vec3 vec3_scale(Vec3 a, float s)
{
    return (Vec3){a.x * s, a.y * s, a.z * s};
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

/* -- arrays -- */

static inline float vector_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = a + s b; `out` may be the same array as `a`. */
static inline void vector_add_scaled(const float a[3], float s, const float b[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + s * b[i];
}

/* Unlike fminf and fmaxf, these two become vector instructions. */
static inline float vector_least(float a, float b)
{
    return a < b ? a : b;
}

static inline float vector_most(float a, float b)
{
    return a > b ? a : b;
}

static inline float vector_clamp(float value, float least, float most)
{
    return value < least ? least : value > most ? most : value;
}

#endif
