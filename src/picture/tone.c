/* SPDX-License-Identifier: MIT */
#include "tone.h"

static float curve(float v)
{
    return 0.983729f * v * (v + 0.0245786f) / (v * (0.983729f * v + 0.4329510f) + 0.238081f);
}

/* Columns, as the shader has them. */
static Vec3 times(const float m[9], Vec3 v)
{
    return (Vec3){m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
                  m[2] * v.x + m[5] * v.y + m[8] * v.z};
}

static float clamped(float x, float most)
{
    return fminf(fmaxf(x, 0), most);
}

static Vec3 clamped3(Vec3 v, float most)
{
    return (Vec3){clamped(v.x, most), clamped(v.y, most), clamped(v.z, most)};
}

Vec3 tone_map(Vec3 radiance)
{
    static const float in[9] = {0.59719f, 0.07600f, 0.02840f, 0.35458f, 0.90834f,
                                0.13383f, 0.04823f, 0.01566f, 0.83777f};
    static const float out[9] = {1.60475f,  -0.10208f, -0.00327f, -0.53108f, 1.10813f,
                                 -0.07276f, -0.07367f, -0.00605f, 1.07602f};
    Vec3 v = times(in, clamped3(vec3_scale(radiance, 1.6f), 1e6f));
    return clamped3(times(out, (Vec3){curve(v.x), curve(v.y), curve(v.z)}), 1);
}

static float encode(float x)
{
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

Vec3 tone_encode(Vec3 linear)
{
    return (Vec3){encode(linear.x), encode(linear.y), encode(linear.z)};
}
