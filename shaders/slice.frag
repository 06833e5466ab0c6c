#version 330 core
// SPDX-License-Identifier: MIT
// Draws a field on a plane over the picture, as colours with contour lines. Smoke and solids in
// front dim it. SOLIDS is defined where there are any.
#include "frame.glsl"
#include "box.glsl"
#include "solid.glsl"
#include "veil.glsl"

const int SEGMENTS = 48;          // samples of the smoke in front
const float ENTRIES = 256.0;      // as in legend.h
const vec3 SOLID = vec3(0.30);    // colour within solids, where the field has no meaning
const float HALF_LINE = 0.6;      // pixels
const float LINE = 0.75;          // opacity

uniform sampler2D slice_values;
uniform sampler2D slice_colors; // display colours
uniform sampler2D level_picture; // the picture drawn so far, where it is transparent

out vec4 color;

// Distance along the ray to the plane, m.
float meet(vec3 direction)
{
    int axis = int(slice.x);
    return (slice.y - camera_origin[axis]) / direction[axis];
}

// The point of the plane that the ray through a pixel hits, 0..1 over the box.
vec2 place_of(vec2 pixel)
{
    vec3 direction = ray_safe(camera_ray(pixel / picture.xy));
    vec3 point = camera_origin.xyz + direction * meet(direction);
    vec3 share = (point - box_min.xyz) / (box_max.xyz - box_min.xyz);
    return slice.x == 0.0 ? share.yz : slice.x == 1.0 ? share.xz : share.xy;
}

// Weights of four neighbours for a point between the middle two (Catmull, Rom 1974). spline_slope:
// their derivatives.
vec4 spline(float t)
{
    return vec4(t * (t * (1.0 - 0.5 * t) - 0.5), t * t * (1.5 * t - 2.5) + 1.0,
                t * (0.5 + t * (2.0 - 1.5 * t)), 0.5 * t * t * (t - 1.0));
}

vec4 spline_slope(float t)
{
    return vec4(t * (2.0 - 1.5 * t) - 0.5, t * (4.5 * t - 5.0), 0.5 + t * (4.0 - 4.5 * t),
                t * (1.5 * t - 1.0));
}

// The value at a place, and its derivatives along both sides, per side length.
vec3 value_at(vec2 place)
{
    ivec2 size = textureSize(slice_values, 0);
    vec2 at = place * vec2(size) - 0.5;
    ivec2 low = ivec2(floor(at));
    vec2 t = at - floor(at);
    vec4 across = spline(t.x);
    vec4 across_slope = spline_slope(t.x);
    vec4 up = spline(t.y);
    vec4 up_slope = spline_slope(t.y);
    vec3 sum = vec3(0.0);
    for (int row = 0; row < 4; row++) {
        vec4 four;
        for (int i = 0; i < 4; i++) {
            ivec2 cell = clamp(low + ivec2(i - 1, row - 1), ivec2(0), size - 1);
            four[i] = texelFetch(slice_values, cell, 0).x;
        }
        float value = dot(across, four);
        sum += vec3(up[row] * value, up[row] * dot(across_slope, four), up_slope[row] * value);
    }
    return vec3(sum.x, sum.yz * vec2(size));
}

vec3 color_of(float share)
{
    float entry = (0.5 + (ENTRIES - 1.0) * clamp(share, 0.0, 1.0)) / ENTRIES;
    return texture(slice_colors, vec2(entry, 0.5)).rgb;
}

// Draws the nearest contour line over a colour. The lines are at (i + 1/2) / n of the range, white
// on dark colours and black on light ones. change: change of the share per pixel.
vec3 with_line(vec3 shown, float share, float change)
{
    float number = slice_style.x;
    float at = share * number - 0.5;
    float line = clamp(floor(at + 0.5), 0.0, number - 1.0);
    float off = abs(at - line) / max(number * change, 1e-6); // pixels
    vec3 there = color_of((line + 0.5) / number);
    float light = dot(there, vec3(0.2126, 0.7152, 0.0722)) < 0.42 ? 1.0 : 0.0;
    return mix(shown, vec3(light), LINE * clamp(HALF_LINE + 0.5 - off, 0.0, 1.0));
}

void main()
{
    vec2 place = place_of(PICTURE_PIXEL);
    vec2 dx = place_of(PICTURE_PIXEL + vec2(1.0, 0.0)) - place;
    vec2 dy = place_of(PICTURE_PIXEL + vec2(0.0, 1.0)) - place;
    vec3 direction = ray_safe(camera_ray(PICTURE_PIXEL / picture.xy));
    float along = meet(direction);
    vec2 footprint = max(sqrt(dx * dx + dy * dy), vec2(1e-9));
    vec2 rim = min(place, 1.0 - place) / footprint + 0.5;
    float opacity = clamp(min(rim.x, rim.y), 0.0, 1.0);
    // A pixel that covers a whole side sees the plane edge-on or at its vanishing line.
    if (along <= 0.0 || !(opacity > 0.0) || max(footprint.x, footprint.y) > 1.0)
        discard;

    vec3 value = value_at(clamp(place, 0.0, 1.0));
    float share = (value.x - slice.z) / slice.w;
    vec3 shown = color_of(share);
    if (slice_style.x > 0.0) {
        vec2 change = vec2(dot(value.yz, dx), dot(value.yz, dy)) / slice.w;
        shown = with_line(shown, share, length(change));
    }
    vec3 origin = (camera_origin.xyz - box_min.xyz) / box_min.w;
    along /= box_min.w;
    // There is one opacity for all colours, from the mean transmittance.
    float passes = dot(smoke_veil(origin, direction, along, SEGMENTS), vec3(1.0 / 3.0));
#ifdef SOLIDS
    float pixel = along * camera_forward.w;
    float within = clamp(0.5 - solid_distance(origin + direction * along) / pixel, 0.0, 1.0);
    shown = mix(shown, SOLID, within);
    if (solid_trace(origin, direction, 0.0).end < along - 0.5)
        passes = 0.0;
#endif
    opacity *= 1.0 - slice_style.y * (1.0 - passes);
    color = vec4(shown, opacity);
    if (camera_origin.w > 0.0) {
        // Straight alpha over straight alpha: OpenGL's blending cannot do this.
        vec4 under = texelFetch(level_picture, ivec2(gl_FragCoord.xy), 0);
        under.a *= 1.0 - opacity;
        float sum = opacity + under.a;
        color = vec4((opacity * shown + under.a * under.rgb) / max(sum, 1e-6), sum);
    }
}
