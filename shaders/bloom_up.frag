#version 330 core
// SPDX-License-Identifier: MIT
// Upsamples a level of the bloom pyramid to twice its edges by a tent filter. Blending mixes it in.

uniform sampler2D level_picture;

out vec4 color;

vec4 tap(float x, float y)
{
    return texture(level_picture,
                   (gl_FragCoord.xy * 0.5 + vec2(x, y)) / vec2(textureSize(level_picture, 0)));
}

void main()
{
    vec4 sides = tap(-1.0, 0.0) + tap(1.0, 0.0) + tap(0.0, -1.0) + tap(0.0, 1.0);
    vec4 corners = tap(-1.0, -1.0) + tap(1.0, -1.0) + tap(-1.0, 1.0) + tap(1.0, 1.0);
    color = 0.25 * tap(0.0, 0.0) + 0.125 * sides + 0.0625 * corners;
}
