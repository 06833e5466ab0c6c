#version 330 core
// SPDX-License-Identifier: MIT
// A line's coverage of the pixel, from the distance to its middle.

in vec2 across;
out vec4 color;

void main()
{
    float coverage = clamp(across.y + 0.5 - abs(across.x), 0.0, 1.0);
    color = vec4(1.0, 0.98, 0.94, 0.4 * coverage);
}
