#version 330 core
// SPDX-License-Identifier: MIT
// Downsamples a level of the bloom pyramid to half its edges: five overlapping boxes of 2 x 2 taps.
// The middle box counts as much as the four others together (Jimenez 2014).

uniform sampler2D level_picture;

out vec4 color;

vec4 tap(float x, float y)
{
    return texture(level_picture,
                   (gl_FragCoord.xy * 2.0 + vec2(x, y)) / vec2(textureSize(level_picture, 0)));
}

void main()
{
    vec4 inner = tap(0.0, 0.0) + tap(-1.0, -1.0) + tap(1.0, -1.0) + tap(-1.0, 1.0) + tap(1.0, 1.0);
    vec4 sides = tap(-2.0, 0.0) + tap(2.0, 0.0) + tap(0.0, -2.0) + tap(0.0, 2.0);
    vec4 corners = tap(-2.0, -2.0) + tap(2.0, -2.0) + tap(-2.0, 2.0) + tap(2.0, 2.0);
    color = 0.125 * inner + 0.0625 * sides + 0.03125 * corners;
}
