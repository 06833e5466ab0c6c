#version 330 core
// SPDX-License-Identifier: MIT
// A picture scaled to the target. Blending gives it its opacity.

uniform sampler2D level_picture;

in vec2 place;
out vec4 color;

void main()
{
    color = vec4(texture(level_picture, place).rgb, 1.0);
}
