#version 330 core
// SPDX-License-Identifier: MIT
// The linear picture to the one that is shown and written.
#include "frame.glsl"
#include "develop.glsl"

uniform sampler2D linear_picture; // rgb: radiance times opacity, a: opacity

out vec4 color;

void main()
{
    color = developed(texelFetch(linear_picture, ivec2(gl_FragCoord.xy), 0), gl_FragCoord.xy);
}
