#version 330 core
// SPDX-License-Identifier: MIT
// A tracer's soft disc, blended over the smoke's radiance and transmittance.

flat in vec4 light;
out vec4 color;

void main()
{
    vec2 off = gl_PointCoord * 2.0 - 1.0;
    float rim = max(1.0 - dot(off, off), 0.0);
    color = light * min(2.0 * rim, 1.0);
}
