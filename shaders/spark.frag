#version 330 core
// SPDX-License-Identifier: MIT
// A spark's streak with soft edges, added to the linear picture.

flat in vec3 light;
flat in vec2 half_size;
in vec2 off;
out vec4 color;

void main()
{
    vec2 beyond = vec2(max(abs(off.x) - half_size.x, 0.0), off.y) / half_size.y;
    float rim = max(1.0 - dot(beyond, beyond), 0.0);
    color = vec4(light * min(2.0 * rim, 1.0), 0.0);
}
