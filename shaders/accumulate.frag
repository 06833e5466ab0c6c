#version 330 core
// SPDX-License-Identifier: MIT
// Computes the shown smoke from the history and the new rays. The history is displaced with the
// smoke, clamped to the range of the new rays around each pixel and blended with
// them. See src/render/pass/smoke_history.c.
#include "frame.glsl"

const float SHARE = 0.2; // weight of a new ray in a pixel whose centre it hits

uniform sampler2D smoke; // the new rays; rgb: radiance, a: transmittance
uniform sampler2D smoke_mean;
uniform sampler2D smoke_margin;
uniform sampler2D smoke_displacement;
uniform sampler2D level_picture; // the history: smoke shown in the last picture

out vec4 color;

void main()
{
    // Rays are offset from their pixels' centres by history.xy.
    vec2 place = gl_FragCoord.xy * history_size.zw;
    vec2 ray = place * picture.zw - history.xy;
    vec2 at = ray / picture.zw;
    vec4 fresh = texture(smoke, at);
    vec4 mean = texture(smoke_mean, at);
    vec4 margin = texture(smoke_margin, at);
    vec2 before = place + texture(smoke_displacement, place).xy;
    vec4 old = texture(level_picture, before);
    old = clamp(old, mean - margin, mean + margin);

    // Offset from the nearest ray, pixels of the history.
    vec2 off = (fract(ray) - 0.5) * history_size.xy / picture.zw;
    float share = max(SHARE * exp2(-dot(off, off)), history.z);
    bool known = all(greaterThanEqual(before, vec2(0.0))) && all(lessThanEqual(before, vec2(1.0)));
    color = mix(old, fresh, known ? share : 1.0);
}
