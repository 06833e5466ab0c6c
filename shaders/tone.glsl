// SPDX-License-Identifier: MIT
// Linear radiance to the values of an sRGB picture.
#ifdef AGX

// Sobotka's AgX (github.com/sobotka/AgX, 2022). The primaries are desaturated by a fifth, so that
// every colour has some of each channel and bright saturated colours turn pale. A sigmoid bends the
// logarithm of each channel, from 10 stops below middle grey to 6.5 above. Then the primaries are
// restored. The result is encoded for the screen already.
const mat3 TONE_IN = mat3(0.842479062, 0.042328242, 0.042375655, 0.0784336, 0.878468636, 0.0784336,
                          0.079223745, 0.079166127, 0.879142974);
const mat3 TONE_OUT = mat3(1.196879005, -0.052896852, -0.052971636, -0.098020881, 1.151903130,
                           -0.098043450, -0.099029744, -0.098961177, 1.151073673);
const float LEAST_STOPS = -12.473931; // log2(0.18) - 10
const float STOPS = 16.5;

// The sigmoid of slope 2 through middle grey, its toe and shoulder bent by powers of 3 and 3.25, as
// a polynomial through (0, 0) and (1, 1): 0.0036 off at most, and monotone.
vec3 tone_sigmoid(vec3 x)
{
    vec3 sum = -39.50662 + x * 15.2718;
    sum = -6.25291 + x * (31.1643 + x * sum);
    return x * (0.12387 + x * (0.19956 + x * sum));
}

// Encoded display value, 0..1, of any radiance.
vec3 tone_encoded(vec3 radiance)
{
    vec3 v = TONE_IN * clamp(radiance, 0.0, 1e6);
    vec3 stops = clamp((log2(max(v, 1e-10)) - LEAST_STOPS) / STOPS, 0.0, 1.0);
    return clamp(TONE_OUT * tone_sigmoid(stops), 0.0, 1.0);
}

#else

#include "tone_curve.glsl"

// Matrices into and out of the space of Hill's fit. Its channels are mixtures, so that bright
// saturated colours turn pale, as on film, instead of clipping.
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

// Encoded display value, 0..1, of any radiance.
vec3 tone_encoded(vec3 radiance)
{
    return srgb_encode(tone_map(radiance));
}

#endif
