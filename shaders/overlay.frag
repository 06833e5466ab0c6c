#version 330 core
// SPDX-License-Identifier: MIT
// A line's coverage of the pixel, from the distance to its middle.

in vec2 across;
out vec4 color;

void main()
{
    float coverage = clamp(across.y + 0.5 - abs(across.x), 0.0, 1.0);
    float strength = across.y > 0.8 ? 0.75 : 0.4; // the ring stands out more than the box
    color = vec4(1.0, 0.98, 0.94, coverage * strength);
}
