// SPDX-License-Identifier: MIT
// A pixel of the linear picture to one of 8 bits: exposure, film curve, sRGB, dither.
#include "tone.glsl"

// picture_value: radiance times opacity, and opacity. place: of the pixel, from the lower left.
vec4 developed(vec4 picture_value, vec2 place)
{
    float opacity = picture_value.a;
    vec3 linear = opacity > 0.0 ? picture_value.rgb / opacity : vec3(0.0);
    vec3 encoded = tone_encoded(linear * film.x);
    // Half a step of 8 bits, up and down, so that gradients do not band.
    float dither = (gradient_noise(place) - 0.5) * (0.998 / 255.0);
    return vec4(encoded + dither, opacity);
}
