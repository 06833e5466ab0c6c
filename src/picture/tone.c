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

/* Hill's fit of the ACES transforms, 0..1. */
static Vec3 aces(Vec3 radiance)
{
    static const float in[9] = {0.59719f, 0.07600f, 0.02840f, 0.35458f, 0.90834f,
                                0.13383f, 0.04823f, 0.01566f, 0.83777f};
    static const float out[9] = {1.60475f,  -0.10208f, -0.00327f, -0.53108f, 1.10813f,
                                 -0.07276f, -0.07367f, -0.00605f, 1.07602f};
    Vec3 v = times(in, clamped3(vec3_scale(radiance, 1.6f), 1e6f));
    return clamped3(times(out, (Vec3){curve(v.x), curve(v.y), curve(v.z)}), 1);
}

/* IEC 61966-2-1. */
static float encode(float x)
{
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

static float sigmoid(float v)
{
    float x = (log2f(fmaxf(v, 1e-10f)) + 12.473931f) / 16.5f;
    x = clamped(x, 1);
    float sum = -39.50662f + x * 15.2718f;
    sum = -6.25291f + x * (31.1643f + x * sum);
    return x * (0.12387f + x * (0.19956f + x * sum));
}

static Vec3 agx(Vec3 radiance)
{
    static const float in[9] = {0.842479062f, 0.042328242f, 0.042375655f, 0.0784336f,  0.878468636f,
                                0.0784336f,   0.079223745f, 0.079166127f, 0.879142974f};
    static const float out[9] = {1.196879005f,  -0.052896852f, -0.052971636f,
                                 -0.098020881f, 1.151903130f,  -0.098043450f,
                                 -0.099029744f, -0.098961177f, 1.151073673f};
    Vec3 v = times(in, clamped3(radiance, 1e6f));
    return clamped3(times(out, (Vec3){sigmoid(v.x), sigmoid(v.y), sigmoid(v.z)}), 1);
}

Vec3 tone_encoded(RenderTone tone, Vec3 radiance)
{
    if (tone == RENDER_TONE_AGX)
        return agx(radiance);
    Vec3 shown = aces(radiance);
    return (Vec3){encode(shown.x), encode(shown.y), encode(shown.z)};
}
