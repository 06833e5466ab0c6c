#version 330 core
// SPDX-License-Identifier: MIT
// Computes the shown smoke from the history and the new rays. The history is displaced with the
// smoke, clamped to the range of the new rays around each pixel and blended with them. TINT is
// defined where smoke dims colours differently. See src/render/pass/march.c.
#include "frame.glsl"
#include "ycocg.glsl"
#include "cross.glsl"

const float SHARE = 0.18; // weight of a new ray in a pixel whose centre it hits

uniform sampler2D smoke; // the new rays; rgb: radiance, a: transmittance
uniform sampler2D smoke_mean;
uniform sampler2D smoke_margin;
uniform sampler2D smoke_displacement;
uniform sampler2D level_picture; // the history: smoke shown in the last picture
#ifdef TINT
uniform sampler2D through_smoke; // rgb: transmittance of the new rays
uniform sampler2D linear_picture; // the history of through_smoke, in a unit that is free here

layout(location = 1) out vec4 through;
#endif
layout(location = 0) out vec4 color;

// The history at a place, 0..1, by Catmull-Rom splines. Interpolation by lines, repeated in each
// picture of a moving camera, would blur it. Five samples stand for the 16 texels: the lines between
// the inner two texels of each axis come from the texture unit, the four corners, of small weight,
// are left out (Jimenez, Filmic SMAA, 2016).
vec4 history_at(vec2 place)
{
    vec2 texel = place * history_size.xy;
    vec2 center = floor(texel - 0.5) + 0.5;
    vec2 f = texel - center;
    vec2 outer = 0.5 * f * (1.0 - f);
    vec2 w0 = -outer * (1.0 - f);
    vec2 w3 = -outer * f;
    vec2 w2 = f + outer * (3.0 * f - 1.0);
    vec2 inner = 1.0 - w0 - w3;
    vec2 middle = (center + w2 / inner) * history_size.zw;
    vec2 low = (center - 1.0) * history_size.zw;
    vec2 high = (center + 2.0) * history_size.zw;
    vec4 sum = texture(level_picture, middle) * (inner.x * inner.y);
    sum += texture(level_picture, vec2(low.x, middle.y)) * (w0.x * inner.y);
    sum += texture(level_picture, vec2(high.x, middle.y)) * (w3.x * inner.y);
    sum += texture(level_picture, vec2(middle.x, low.y)) * (inner.x * w0.y);
    sum += texture(level_picture, vec2(middle.x, high.y)) * (inner.x * w3.y);
    return sum / (inner.x * inner.y + (w0.x + w3.x) * inner.y + inner.x * (w0.y + w3.y));
}

void main()
{
    // Rays are offset from their pixels' centres by history.xy.
    vec2 place = gl_FragCoord.xy * history_size.zw;
    vec2 ray = place * picture.zw - history.xy;
    vec2 at = ray / picture.zw;
    vec4 fresh = texture(smoke, at);
    vec4 mean = texture(smoke_mean, at);
    vec4 margin = texture(smoke_margin, at);
    vec2 shift = texture(smoke_displacement, place).xy;
    vec2 before = place + shift;
    vec2 texels = abs(shift * history_size.xy);
    vec4 old = max(texels.x, texels.y) < 0.01 ? texture(level_picture, before) : history_at(before);
    old = from_ycocg(clamp(to_ycocg(old), mean - margin, mean + margin));

    // Offset from the nearest ray, pixels of the history.
    vec2 off = (fract(ray) - 0.5) * history_size.xy / picture.zw;
    float share = max(SHARE * exp2(-dot(off, off)), history.z);
    bool known = all(greaterThanEqual(before, vec2(0.0))) && all(lessThanEqual(before, vec2(1.0)));
    share = known ? share : 1.0;
    color = mix(old, fresh, share);
#ifdef TINT
    ivec2 nearest = clamp(ivec2(ray), ivec2(0), ivec2(picture.zw) - 1);
    vec4 low = texelFetch(through_smoke, nearest, 0);
    vec4 high = low;
    for (int i = 1; i < 5; i++) {
        vec4 value = texelFetch(through_smoke,
                                clamp(nearest + CROSS[i], ivec2(0), ivec2(picture.zw) - 1), 0);
        low = min(low, value);
        high = max(high, value);
    }
    through = mix(clamp(texture(linear_picture, before), low, high), texture(through_smoke, at), share);
#endif
}
