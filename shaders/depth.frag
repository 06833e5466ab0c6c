#version 330 core
// SPDX-License-Identifier: MIT
// Depth of each pixel: the distance of the solid or ground that it shows, and the transmittance and
// mean distance of the smoke in front. Distances are along the view axis, in metres. SOLIDS is
// defined where there are any.
#include "frame.glsl"
#include "box.glsl"
#include "solid.glsl"

const float NOWHERE = 1e10; // distance where nothing is hit

uniform sampler2D through_smoke; // `through` of raymarch.frag
#ifdef SOLIDS
uniform sampler2D through_behind;
#endif

layout(location = 0) out vec4 through;  // rgb: transmittance of the smoke in front of the surface;
                                        // a: mean distance of that smoke, weighted by its opacity
layout(location = 1) out float surface; // distance of the solid or the ground

// Distance of the ground along a ray, m.
float ground_distance(vec3 direction)
{
    float height = camera_origin.y - home.y;
    bool hit = camera_origin.w == 0.0 && ground_color.w > 0.0 && height > 0.0 && direction.y < 0.0;
    return hit ? height / max(-direction.y, 1e-7) : NOWHERE;
}

float gray(vec3 passed)
{
    return dot(passed, vec3(1.0 / 3.0));
}

void main()
{
    vec2 place = gl_FragCoord.xy / tile.zw;
    vec3 direction = ray_safe(camera_ray(PICTURE_PIXEL / picture.xy));
    vec4 front = texture(through_smoke, place);
    float taken = 1.0 - gray(front.rgb);
    float far = taken * front.a;
    through.rgb = front.rgb;
    surface = ground_distance(direction);
#ifdef SOLIDS
    vec3 origin = (camera_origin.xyz - box_min.xyz) / box_min.w;
    float split = solid_trace(origin, direction, marched_pixels(1.0)).split;
    float along = solid_met(origin, direction, solid_trace(origin, direction, 0.0)).end;
    if (along < NEVER)
        surface = along * box_min.w;
    // As in behind_split: another solid may lie behind the edge of the first.
    if (split == NEVER || along == NEVER || along > split + 2.0) {
        vec4 behind = texture(through_behind, place);
        float more = gray(front.rgb) * (1.0 - gray(behind.rgb));
        taken += more;
        far += more * behind.a;
        through.rgb *= behind.rgb;
    }
#endif
    float axis = dot(direction, camera_forward.xyz);
    through.a = taken > 0.0 ? axis * far / taken : NOWHERE;
    surface = surface < NOWHERE ? surface * axis : NOWHERE;
}
