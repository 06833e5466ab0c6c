#version 330 core
// SPDX-License-Identifier: MIT
// For each marched pixel, from the new rays around it: the bounds to which the history is clamped, and
// the place in the last picture of the smoke seen there. MOTION is defined where the smoke's velocity
// is known. See src/render/pass/march.c.
#include "frame.glsl"
#include "ycocg.glsl"
#include "cross.glsl"

const float NOWHERE = 9.0; // displacement without a place in the last picture
const float DEVIATIONS = 1.25; // half width of the bounds, standard deviations of a cross of 5 rays

uniform sampler2D smoke;         // rgb: radiance, a: transmittance
uniform sampler2D through_smoke; // a: the smoke's mean distance, m; negative where a ray ends at a
                                 // solid
#ifdef MOTION
uniform sampler3D motion_volume; // m/s
#endif

layout(location = 0) out vec4 mean; // YCoCg, and transmittance
layout(location = 1) out vec4 margin; // half width of the bounds around the mean
layout(location = 2) out vec2 displacement; // to the place in the last picture, as a fraction of its size

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 last = ivec2(picture.zw) - 1;
    vec4 sum = vec4(0.0);
    vec4 squares = vec4(0.0);
    float count = 0.0;
    float taken = 0.0;
    float far = 0.0;
    bool ends = texelFetch(through_smoke, at, 0).a < 0.0;
    for (int i = 0; i < 5; i++) {
        ivec2 place = clamp(at + CROSS[i], ivec2(0), last);
        float distance = texelFetch(through_smoke, place, 0).a;
        if ((distance < 0.0) != ends) // across the edge of a solid all may be different
            continue;
        vec4 ray = texelFetch(smoke, place, 0);
        float weight = 1.0 - ray.a;
        vec4 value = to_ycocg(ray);
        sum += value;
        squares += value * value;
        count += 1.0;
        taken += weight;
        far += weight * abs(distance);
    }
    mean = sum / count;
    margin = DEVIATIONS * sqrt(max(squares / count - mean * mean, vec4(0.0)));

    // Without smoke any distance will do: the history has no smoke there, or it has gone.
    far = taken > 1e-4 ? far / taken : 1e4 * box_max.w;
    vec2 point = gl_FragCoord.xy / picture.zw;
    vec3 seen = camera_origin.xyz + camera_ray(point) * far;
#ifdef MOTION
    seen -= history.w * texture(motion_volume, (seen - box_min.xyz) / (box_max.xyz - box_min.xyz)).xyz;
#endif
    vec4 before = previous * vec4(seen, 1.0);
    vec2 place = before.w > 1e-4 ? before.xy / before.w * 0.5 + 0.5 : vec2(-1.0);
    displacement = place - point;
    ivec2 from = clamp(ivec2(place * picture.zw), ivec2(0), last);
    if ((texelFetch(through_smoke, from, 0).a < 0.0) != ends)
        displacement = vec2(NOWHERE);
}
