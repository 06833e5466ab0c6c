#version 330 core
// SPDX-License-Identifier: MIT
// Tracers as points: the size of each, its radiance, and how much the smoke in front dims it.
// SOLIDS is defined where there are any; they hide and shade tracers.
#include "frame.glsl"
#include "box.glsl"
#include "solid.glsl"
#include "lamps.glsl"
#include "veil.glsl"

const float NEAR = 1e-3;
const float LEAST = 1.6;   // pixels; smaller tracers are drawn this large, and fainter
const int SEGMENTS = 24;   // samples of the smoke in front

layout(location = 0) in float place_x;
layout(location = 1) in float place_y;
layout(location = 2) in float place_z;
layout(location = 3) in float age; // s; below 0: no tracer

uniform sampler3D light_volume;   // root of the optical depth to the sun
uniform sampler3D ambient_volume; // mean radiance of all other light
uniform sampler3D motion_volume;  // velocity of the smoke, m/s
#ifdef SOLIDS
uniform sampler3D shade_volume; // share of the sun's light that solids let through
#endif

flat out vec4 light; // radiance times opacity, opacity; both dimmed by the smoke in front

// Radiance of a small white ball in this light. The sun and lamps are assumed to stand to its side
// and light half of it; the ambient light comes from all sides.
vec3 received(vec3 point)
{
    vec3 sun = exp(-sun_depth(texture(light_volume, point / light_grid.xyz)));
#ifdef SOLIDS
    sun *= texture(shade_volume, point / shade_grid.xyz).x;
#endif
    vec3 light = sun_irradiance.rgb * sun_direction.w * sun;
    for (int i = 0; i < int(lamps.x); i++)
        light += lamp_irradiance(i, point, normalize(lamp_place[i].xyz - point + 1e-4));
    return light * (0.5 / 3.14159265) + texture(ambient_volume, point / ambient_grid.xyz).rgb;
}

void main()
{
    gl_Position = vec4(2.0, 2.0, 0.0, 1.0); // outside: not drawn
    gl_PointSize = 1.0;
    light = vec4(0.0);
    vec3 place = vec3(place_x, place_y, place_z);
    if (shutter.x != 0.0)
        place += shutter.x * textureLod(motion_volume, (place - box_min.xyz) / (box_min.w * grid.xyz), 0.0).xyz;
    vec4 clip = view_projection * vec4(place, 1.0);
    if (age < 0.0 || clip.w < NEAR)
        return;
    vec3 origin = (camera_origin.xyz - box_min.xyz) / box_min.w;
    vec3 point = (place - box_min.xyz) / box_min.w;
    float along = length(point - origin);
    vec3 direction = ray_safe((point - origin) / along);
#ifdef SOLIDS
    if (solid_trace(origin, direction, 0.0).end < along - 0.3)
        return;
#endif
    float pixel = clip.w * camera_forward.w * picture.y / picture.w; // width of a marched one, m
    float size = tracer_style.x / pixel;
    float opacity = tracer_style.y * min(size * size / (LEAST * LEAST), 1.0);
    vec3 veil = smoke_veil(origin, direction, along, SEGMENTS);
    vec3 radiance = tracer_color.rgb * (received(point) + tracer_color.w);
    light = opacity * vec4(radiance * veil, dot(veil, vec3(1.0 / 3.0)));
    gl_PointSize = max(size, LEAST);
    gl_Position = vec4(clip.xy / clip.w * tile_clip.xy + tile_clip.zw, 0.0, 1.0);
}
