#version 330 core
// SPDX-License-Identifier: MIT
// Refraction by hot air, at a quarter of the picture's pixels along each axis. The refractive index
// of air is 1 + 2.9e-4 (293 K / T), so that rays bend towards cold air. To first order, along the
// straight ray, the direction changes by A = integral of grad n ds, and what lies at the distance D
// is seen shifted by the angle A - B / D with B = integral of s grad n ds (both without their parts
// along the ray). SOLIDS is defined where there are any; rays end at them.
#include "frame.glsl"
#include "box.glsl"
#include "solid.glsl"

const float AIR = 2.9e-4;     // refractive index less 1 of air at 293 K
const float AMBIENT = 293.0;  // K
const float STEP = 1.5;       // cells

uniform sampler3D temperature_volume; // K above ambient

out vec4 color; // xy: shift by A, as a share of the picture's width and height; zw: by B, times m

float refraction(vec3 point)
{
    float kelvin = textureLod(temperature_volume, point / grid.xyz, 0.0).x + AMBIENT;
    return AIR * AMBIENT / max(kelvin, 1.0);
}

// Gradient of the refractive index, 1/cells.
vec3 refraction_gradient(vec3 point)
{
    vec3 slope;
    for (int axis = 0; axis < 3; axis++) {
        vec3 off = vec3(axis == 0, axis == 1, axis == 2);
        slope[axis] = 0.5 * (refraction(point + off) - refraction(point - off));
    }
    return slope;
}

// Shift, as a share of the picture's width and height, of the ray v by a small angle. v: the ray
// with a component of 1 along the view axis. place: -1 to 1 across the picture.
vec2 shift_of(vec3 angle, vec3 v, vec2 place)
{
    angle -= v * (dot(angle, v) / dot(v, v));
    vec2 across = vec2(dot(angle, camera_right.xyz) / dot(camera_right.xyz, camera_right.xyz),
                       dot(angle, camera_up.xyz) / dot(camera_up.xyz, camera_up.xyz));
    return 0.5 * haze.x * length(v) * (across - place * dot(angle, camera_forward.xyz));
}

void main()
{
    vec2 size = floor((tile.zw + 3.0) / 4.0); // as in haze.c
    vec2 point = (gl_FragCoord.xy / size * tile.zw + tile.xy) / picture.xy;
    vec2 place = point * 2.0 - 1.0;
    vec3 v = camera_forward.xyz + place.x * camera_right.xyz + place.y * camera_up.xyz;
    vec3 origin = (camera_origin.xyz - box_min.xyz) / box_min.w;
    vec3 direction = ray_safe(normalize(v));
    vec2 box = box_interval(origin, 1.0 / direction, vec3(0.0), grid.xyz);
#ifdef SOLIDS
    box.y = min(box.y, solid_trace(origin, direction, 0.0).end);
#endif
    vec3 bend = vec3(0.0), lever = vec3(0.0);
    float steps = box.x < box.y ? ceil((box.y - box.x) / STEP) : 0.0;
    float span = (box.y - box.x) / max(steps, 1.0);
    for (float i = 0.0; i < steps; i++) {
        float along = box.x + (i + 0.5) * span;
        vec3 slope = refraction_gradient(origin + direction * along) * span;
        bend += slope;
        lever += along * slope;
    }
    color = vec4(shift_of(bend, v, place), shift_of(lever * box_min.w, v, place));
}
