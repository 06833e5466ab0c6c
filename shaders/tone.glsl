// SPDX-License-Identifier: MIT
// Linear radiance to the values of an sRGB picture.
#include "tone_curve.glsl"

// Into and out of the space in which Hill's fit bends the channels: they are mixed there, so that
// bright saturated colours pale as on film instead of clipping.
const mat3 TONE_IN = mat3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566,
                          0.83777);
const mat3 TONE_OUT = mat3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367,
                           -0.00605, 1.07602);

vec3 tone_map(vec3 radiance)
{
    vec3 v = TONE_IN * clamp(radiance * 1.6, 0.0, 1e6);
    vec3 bent = vec3(tone_curve(v.x), tone_curve(v.y), tone_curve(v.z));
    return clamp(TONE_OUT * bent, 0.0, 1.0);
}

// IEC 61966-2-1.
vec3 srgb_encode(vec3 linear)
{
    vec3 curve = 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, 12.92 * linear, lessThanEqual(linear, vec3(0.0031308)));
}
