#version 330 core
// SPDX-License-Identifier: MIT
// Joins the smoke in front of the edges of solids to that behind them, where a ray sees both, for the
// history: it follows what a ray sees as a whole.
#include "by_color.glsl"

uniform sampler2D smoke;         // rgb: radiance, a: transmittance
uniform sampler2D smoke_behind;
uniform sampler2D through_smoke; // rgb: transmittance, a: mean distance, m; negative where the ray
                                 // ends at a solid, which hides the smoke behind the edge
uniform sampler2D through_behind;

layout(location = 0) out vec4 color;
layout(location = 1) out vec4 through;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 front = texelFetch(smoke, at, 0);
    vec4 behind = texelFetch(smoke_behind, at, 0);
    vec4 first = texelFetch(through_smoke, at, 0);
    vec4 second = texelFetch(through_behind, at, 0);
    vec2 weights = vec2(1.0 - front.a, front.a * (1.0 - behind.a));
    color = front;
    through = first;
    if (first.a >= 0.0) {
        vec3 passed = by_color(first.rgb, front.a);
        color = vec4(front.rgb + passed * behind.rgb, front.a * behind.a);
        through = vec4(first.rgb * second.rgb,
                       dot(weights, vec2(first.a, second.a)) / max(weights.x + weights.y, 1e-6));
    }
}
