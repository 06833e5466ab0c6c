// SPDX-License-Identifier: MIT
// Transmittance, by colour, of the smoke along a ray of length `along`, from `segments` samples.
// Positions and lengths are in cells.
#include "fade.glsl"

uniform sampler3D density_volume;
uniform sampler3D color_volume; // density times colour; bound only where fire.w is 1

vec3 smoke_veil(vec3 origin, vec3 direction, float along, int segments)
{
    vec2 range = box_interval(origin, 1.0 / direction, occupied_min.xyz, occupied_max.xyz);
    range.y = min(range.y, along);
    if (occupied_max.w == 0.0 || range.x >= range.y)
        return vec3(1.0);
    float span = (range.y - range.x) / float(segments);
    bool colored = extinction_color.w > 0.0 && fire.z * fire.w > 0.0;
    float depth = 0.0;
    vec3 excess = vec3(0.0); // per colour: density of smoke that does not reflect it
    for (int i = 0; i < segments; i++) {
        vec3 point = origin + direction * (range.x + (float(i) + 0.5) * span);
        vec3 place = point / grid.xyz;
        float density = max(texture(density_volume, place).x, 0.0);
        float seen = seen_share(point);
        depth += seen * density;
        if (colored)
            excess += seen
                      * (density - clamp(texture(color_volume, place).rgb, vec3(0.0), vec3(density)));
    }
    if (extinction_color.w == 0.0)
        return vec3(exp(-grid.w * depth * span));
    return exp(-grid.w * span * extinction_color.rgb * (depth + fire.z * excess));
}
