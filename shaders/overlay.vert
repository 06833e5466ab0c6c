#version 330 core
// SPDX-License-Identifier: MIT
// The twelve edges of the box as screen-space strips of two triangles each, without a vertex
// buffer.
#include "frame.glsl"

const float HALF_WIDTH = 0.6; // pixels
const float NEAR = 1e-3;

out vec2 across; // x: distance from the line's middle, pixels; y: half its width

vec3 box_corner(int edge, float end)
{
    int axis = edge / 4;
    float a = float(edge & 1);
    float b = float((edge >> 1) & 1);
    vec3 corner = axis == 0 ? vec3(end, a, b) : axis == 1 ? vec3(a, end, b) : vec3(a, b, end);
    return mix(box_min.xyz, box_max.xyz, corner);
}

void main()
{
    int line = gl_VertexID / 6;
    int corner = gl_VertexID - line * 6;
    bool far_end = corner == 1 || corner == 2 || corner == 4;
    float side = corner == 0 || corner == 1 || corner == 3 ? -1.0 : 1.0;
    vec4 a = view_projection * vec4(box_corner(line, 0.0), 1.0);
    vec4 b = view_projection * vec4(box_corner(line, 1.0), 1.0);
    if (a.w < NEAR && b.w < NEAR) {
        across = vec2(0.0);
        gl_Position = vec4(2.0, 2.0, 0.0, 1.0); // wholly behind the camera
        return;
    }
    // Clips the part behind the camera: w is linear along the line.
    float cut = (NEAR - a.w) / (b.w - a.w);
    vec4 start = a.w < NEAR ? mix(a, b, cut) : a;
    vec4 finish = b.w < NEAR ? mix(a, b, cut) : b;
    vec2 from = start.xy / start.w * picture.xy * 0.5;
    vec2 to = finish.xy / finish.w * picture.xy * 0.5;
    vec2 along = to - from;
    along = dot(along, along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
    float extent = HALF_WIDTH + 1.0;
    vec2 place = (far_end ? to : from) + vec2(-along.y, along.x) * side * extent;
    across = vec2(side * extent, HALF_WIDTH);
    gl_Position = vec4(place / (picture.xy * 0.5) * tile_clip.xy + tile_clip.zw, 0.0, 1.0);
}
