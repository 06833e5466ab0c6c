#version 330 core
// SPDX-License-Identifier: MIT
// Sparks as streaks of light over the linear picture: a rectangle for each, from where the spark was
// when the exposure began to where it is now. Its vertices are numbered 0 to 3, sparks are instances.
// SOLIDS is defined where there are any; they hide sparks.
#include "frame.glsl"
#include "box.glsl"
#include "solid.glsl"
#include "veil.glsl"

const float NEAR = 1e-3;
const float LEAST = 1.6;    // pixels; thinner streaks are drawn this thick, and fainter
const float REACH = 3.0;    // pixels around the core of a streak on which its light falls
const int SEGMENTS = 16;    // samples of the smoke in front
const float DARK = 800.0;   // temperature at the end of a spark's life, K
const float ENTRIES = 512.0; // of the table, as in blackbody.h
const vec3 LUMINANCE = vec3(0.2126, 0.7152, 0.0722);

layout(location = 0) in float place_x;
layout(location = 1) in float place_y;
layout(location = 2) in float place_z;
layout(location = 3) in float age;  // s; below 0: no spark
layout(location = 4) in float velocity_x;
layout(location = 5) in float velocity_y;
layout(location = 6) in float velocity_z;
layout(location = 7) in float life; // s; 0: it does not end

uniform sampler2D blackbody_table;

flat out vec3 light;     // radiance, dimmed by the smoke in front
flat out vec2 core;      // half the length of a streak between its round ends, and their radius up to
                         // where the light begins to fall, pixels
out vec2 off;            // from the streak's middle, along it and across, pixels

vec3 blackbody(float kelvin)
{
    float share = clamp((march.z - 1.0 / max(kelvin, 1.0)) * march.w, 0.0, 1.0);
    return textureLod(blackbody_table, vec2((0.5 + (ENTRIES - 1.0) * share) / ENTRIES, 0.5), 0.0).rgb;
}

// Temperature after a share of a spark's life. Radiation cools it by dT/dt = -c T^4, hence
// 1/T^3 = 1/T0^3 + 3 c t; c is such that it is dark at the end.
float cooled(float share)
{
    float start = tracer_spark.x;
    float ratio = start / min(DARK, start);
    return start * pow(1.0 + share * (ratio * ratio * ratio - 1.0), -1.0 / 3.0);
}

// Pixel of a point, from the picture's lower left corner; z: distance along the view axis.
vec3 pixel_of(vec3 place)
{
    vec4 clip = view_projection * vec4(place, 1.0);
    return vec3((0.5 + 0.5 * clip.xy / max(clip.w, NEAR)) * picture.xy, clip.w);
}

void main()
{
    gl_Position = vec4(2.0, 2.0, 0.0, 1.0); // outside: not drawn
    light = vec3(0.0);
    core = off = vec2(0.0);
    vec3 velocity = vec3(velocity_x, velocity_y, velocity_z);
    vec3 place = vec3(place_x, place_y, place_z) + shutter.x * velocity;
    vec3 head = pixel_of(place), tail = pixel_of(place - min(tracer_spark.y, max(age, 0.0)) * velocity);
    if (age < 0.0 || head.z < NEAR || tail.z < NEAR)
        return;
    vec3 origin = (camera_origin.xyz - box_min.xyz) / box_min.w;
    vec3 point = (place - box_min.xyz) / box_min.w;
    float along = length(point - origin);
    vec3 direction = ray_safe((point - origin) / along);
#ifdef SOLIDS
    if (solid_trace(origin, direction, 0.0).end < along - 0.3)
        return;
#endif
    // The same light as that of a ball, spread over the streak.
    float size = tracer_style.x / (head.z * camera_forward.w);
    float thick = max(size, LEAST);
    vec2 path = head.xy - tail.xy;
    float far = length(path);
    float spread = size * size / (thick * (thick + far));
    float share = life > 0.0 ? clamp(age / life, 0.0, 1.0) : 0.0;
    float white = max(dot(blackbody(tracer_spark.x), LUMINANCE), 1e-20);
    vec3 radiance = tracer_color.rgb * blackbody(cooled(share)) * (tracer_color.w / white);
    light = min(radiance * spread * smoke_veil(origin, direction, along, SEGMENTS), vec3(6e4));
    vec2 ahead = far > 1e-3 ? path / far : vec2(1.0, 0.0);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    // With this core, a dot has 3/4 of the light of an even disc of its thickness: the integral of the
    // core and the Gaussian around it. The thinnest have no core.
    core = vec2(0.5 * far, max(sqrt(0.1875 * thick * thick - 0.103) - 0.614, 0.0));
    off = corner * (vec2(core.x, 0.0) + core.y + REACH);
    vec2 pixel = 0.5 * (head.xy + tail.xy) + off.x * ahead + off.y * vec2(-ahead.y, ahead.x);
    gl_Position = vec4((2.0 * pixel / picture.xy - 1.0) * tile_clip.xy + tile_clip.zw, 0.0, 1.0);
}
