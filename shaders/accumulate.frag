#version 330 core
// SPDX-License-Identifier: MIT
// The smoke that is shown: the history, moved to where its smoke is now and clamped to the new rays
// around, mixed with a share of these rays. See src/render/pass/smoke_history.c.
#include "frame.glsl"

const float SHARE = 0.2; // of a new ray in the pixel that it meets in the middle

uniform sampler2D smoke; // the new rays; rgb: radiance, a: transmittance
uniform sampler2D smoke_mean;
uniform sampler2D smoke_margin;
uniform sampler2D smoke_displacement;
uniform sampler2D level_picture; // what was shown before

out vec4 color;

void main()
{
    // Rays were marched off the middles of their pixels.
    vec2 place = gl_FragCoord.xy * history_size.zw;
    vec2 ray = place * picture.zw - history.xy;
    vec2 at = ray / picture.zw;
    vec4 fresh = texture(smoke, at);
    vec4 mean = texture(smoke_mean, at);
    vec4 margin = texture(smoke_margin, at);
    vec2 before = place + texture(smoke_displacement, place).xy;
    vec4 old = texture(level_picture, before);
    old = clamp(old, mean - margin, mean + margin);

    // In pixels of the history, from the nearest ray.
    vec2 off = (fract(ray) - 0.5) * history_size.xy / picture.zw;
    float share = max(SHARE * exp2(-dot(off, off)), history.z);
    bool known = all(greaterThanEqual(before, vec2(0.0))) && all(lessThanEqual(before, vec2(1.0)));
    color = mix(old, fresh, known ? share : 1.0);
}
