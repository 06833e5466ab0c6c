#version 330 core
// SPDX-License-Identifier: MIT
// The first level of the bloom's pyramid: means of 4 x 4 pixels.

uniform sampler2D level_picture;

out vec4 color;

void main()
{
    vec2 size = vec2(textureSize(level_picture, 0));
    vec2 place = gl_FragCoord.xy * 4.0;
    color = 0.25 * (texture(level_picture, (place + vec2(-1.0, -1.0)) / size)
                    + texture(level_picture, (place + vec2(1.0, -1.0)) / size)
                    + texture(level_picture, (place + vec2(-1.0, 1.0)) / size)
                    + texture(level_picture, (place + vec2(1.0, 1.0)) / size));
}
