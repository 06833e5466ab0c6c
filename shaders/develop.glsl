// SPDX-License-Identifier: MIT
// Develops a pixel of the linear picture to 8 bits: exposure, grade, film curve, sRGB, grain,
// dither. TRANSPARENT is defined where the picture will be laid over another one, GRADE where the
// grade changes anything.
#include "tone.glsl"
#include "grade.glsl"

// Encoded display value, 0..1, of exposed light: radiance times opacity, and opacity.
vec3 filmed(vec3 light, float opacity)
{
#ifdef GRADE
    return tone_encoded(graded(light, opacity));
#else
    return tone_encoded(light);
#endif
}

#ifdef TRANSPARENT

const float LIGHT_GREY = 0.4;

// Straight colour and alpha. Programs that lay an image over another one mix encoded values,
// colour a + behind (1 - a); exact compositing would add light before the film curve. Colour times
// alpha is the picture over black. Alpha makes the luminance over light grey exact, but is at least
// the largest channel, so that nothing bright is lost. Over other backgrounds the result is close.
vec4 cut_out(vec3 light, float opacity, vec2 place, float noise)
{
    vec3 seen = filmed(light, opacity);
    vec3 added = filmed(light + LIGHT_GREY * (1.0 - opacity), 1.0) - seen;
#ifdef GRADE
    float grey = max(dot(filmed(vec3(LIGHT_GREY), 1.0), vec3(0.2126, 0.7152, 0.0722)), 1e-3);
#else
    float grey = filmed(vec3(LIGHT_GREY), 1.0).y;
#endif
    float alpha = 1.0 - dot(added, vec3(0.2126, 0.7152, 0.0722)) / grey;
#ifdef GRADE
    seen = grained(seen, place);
#endif
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
    return cut_out(light.rgb * film.x, light.a, place, noise);
#else
    vec3 shown = filmed(light.rgb * film.x, 1.0);
#ifdef GRADE
    shown = grained(shown, place);
#endif
    return vec4(shown + (noise - 0.5) / 255.0, 1.0);
#endif
}
