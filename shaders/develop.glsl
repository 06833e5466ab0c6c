// SPDX-License-Identifier: MIT
// Develops a pixel of the linear picture to 8 bits: exposure, film curve, sRGB, dither. TRANSPARENT
// is defined where the picture will be laid over another one.
#include "tone.glsl"

#ifdef TRANSPARENT

const float LIGHT_GREY = 0.4;

// Straight colour and alpha. Programs that lay an image over another one mix encoded values,
// colour a + behind (1 - a); exact compositing would add light before the film curve. Colour times
// alpha is the picture over black. Alpha makes the luminance over light grey exact, but is at least
// the largest channel, so that nothing bright is lost. Over other backgrounds the result is close.
vec4 cut_out(vec3 light, float opacity, float noise)
{
    vec3 seen = tone_encoded(light);
    vec3 added = tone_encoded(light + LIGHT_GREY * (1.0 - opacity)) - seen;
    float grey = tone_encoded(vec3(LIGHT_GREY)).y;
    float alpha = 1.0 - dot(added, vec3(0.2126, 0.7152, 0.0722)) / grey;
    alpha = max(alpha, max(seen.r, max(seen.g, seen.b)));
    // Dithers alpha to one of the two nearest 8-bit steps. The colour compensates; 0 stays 0.
    alpha = floor(clamp(alpha, 0.0, 1.0) * 255.0 + noise) / 255.0;
    return alpha > 0.0 ? vec4(seen / alpha + (noise - 0.5) / 255.0, alpha) : vec4(0.0);
}

#endif

// light: radiance times opacity, and opacity. place: of the pixel, pixels from the lower left.
vec4 developed(vec4 light, vec2 place)
{
    // Half a step of 8 bits, up and down, so that gradients do not band.
    float noise = 0.001 + 0.998 * gradient_noise(place);
#ifdef TRANSPARENT
    return cut_out(light.rgb * film.x, light.a, noise);
#else
    return vec4(tone_encoded(light.rgb * film.x) + (noise - 0.5) / 255.0, 1.0);
#endif
}
