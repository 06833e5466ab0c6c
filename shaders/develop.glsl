// SPDX-License-Identifier: MIT
// A pixel of the linear picture to one of 8 bits: exposure, film curve, sRGB, dither. TRANSPARENT is
// defined where the picture is to be laid over something else.
#include "tone.glsl"

#ifdef TRANSPARENT

const float LIGHT_GREY = 0.4;

// Straight colour and alpha. Who lays an image over something mixes what is encoded, colour a +
// behind (1 - a), where light would be added and then go through the film curve. Colour times alpha
// is what is seen over black. Alpha is what then is right, in luminance, over what shows as light
// grey, or else as much as that colour needs; so nothing bright is lost, and other backgrounds are
// near.
vec4 cut_out(vec3 light, float opacity, float noise)
{
    vec3 seen = tone_encoded(light);
    vec3 added = tone_encoded(light + LIGHT_GREY * (1.0 - opacity)) - seen;
    float grey = tone_encoded(vec3(LIGHT_GREY)).y;
    float alpha = 1.0 - dot(added, vec3(0.2126, 0.7152, 0.0722)) / grey;
    alpha = max(alpha, max(seen.r, max(seen.g, seen.b)));
    // To one of the 8-bit steps around it, for which the colour makes up; what is empty stays so.
    alpha = floor(clamp(alpha, 0.0, 1.0) * 255.0 + noise) / 255.0;
    return alpha > 0.0 ? vec4(seen / alpha + (noise - 0.5) / 255.0, alpha) : vec4(0.0);
}

#endif

// light: radiance times opacity, and opacity. place: of the pixel, from the lower left.
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
