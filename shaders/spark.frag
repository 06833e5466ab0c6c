#version 330 core
// SPDX-License-Identifier: MIT
// A spark's streak, added to the linear picture. The light falls as a Gaussian does from its core: sparks
// are so much brighter than the picture can show that any profile which ends would show steps from
// pixel to pixel at its end.

flat in vec3 light;
flat in vec2 core;
in vec2 off;
out vec4 color;

const float VARIANCE = 0.24; // of the Gaussian, square pixels: it samples well on the grid of pixels

void main()
{
    vec2 beyond = vec2(max(abs(off.x) - core.x, 0.0), off.y);
    float distance = max(length(beyond) - core.y, 0.0);
    color = vec4(light * exp(-0.5 / VARIANCE * distance * distance), 0.0);
}
