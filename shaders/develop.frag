#version 330 core
// SPDX-License-Identifier: MIT
// Develops the linear picture into the 8-bit picture that is shown and written.
#include "frame.glsl"
#include "develop.glsl"

uniform sampler2D linear_picture; // rgb: radiance times opacity, a: opacity
#ifdef BLOOM
uniform sampler2D level_picture; // bloom, at a quarter of the resolution
#endif

out vec4 color;

void main()
{
    vec4 light = texelFetch(linear_picture, ivec2(gl_FragCoord.xy), 0);
#ifdef BLOOM
    vec2 place = PICTURE_PIXEL * 0.25 / vec2(textureSize(level_picture, 0));
    light.rgb = mix(light.rgb, texture(level_picture, place).rgb, film.y);
#endif
    color = developed(light, PICTURE_PIXEL);
}
