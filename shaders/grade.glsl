// SPDX-License-Identifier: MIT
// Grade and film grain, where GRADE is defined.
#ifdef GRADE

const float MID_GREY = 0.18;

// The grade of exposed linear light. Slope, offset and power, and saturation at the end, are those
// of the ASC Color Decision List 1.2, without its clamp at 1, as highlights are left to the film
// curve. light: radiance times opacity.
vec3 graded(vec3 light, float opacity)
{
    vec3 v = light * grade_slope.rgb + grade_offset.rgb * opacity;
    v = pow(max(v, vec3(0.0)), grade_power.rgb);
    v = MID_GREY * pow(v / MID_GREY, vec3(grade_slope.w));
    return mix(vec3(dot(v, vec3(0.2126, 0.7152, 0.0722))), v, grade_offset.w);
}

// Three pseudorandom numbers, -1 to 1 (pcg3d: Jarzynski, Olano, Hash Functions for GPU Rendering,
// 2020).
vec3 grain_hash(ivec2 place)
{
    uvec3 v = uvec3(ivec3(place, int(grain.z))) * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return vec3(v >> 8u) / 8388608.0 - 1.0;
}

// Adds grain to an encoded picture. A pixel covered by grains with probability u has the variance
// u (1 - u) (Newson et al., A Stochastic Film Grain Model for Resolution-Independent Rendering,
// 2017). Noise at the corners of cells as large as a grain is interpolated and scaled to variance
// 1. The three layers of a film are correlated here by 5/6.
vec3 grained(vec3 shown, vec2 place)
{
    vec2 at = place / grain.y - 0.5;
    vec2 share = fract(at);
    vec3 noise = vec3(0.0);
    float squares = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        vec2 sides = mix(1.0 - share, share, vec2(corner));
        float weight = sides.x * sides.y;
        noise += weight * grain_hash(ivec2(floor(at)) + corner);
        squares += weight * weight;
    }
    noise *= sqrt(3.0 / squares);
    noise = (noise + (noise.r + noise.g + noise.b)) / sqrt(6.0);
    return clamp(shown + 2.0 * grain.x * sqrt(max(shown * (1.0 - shown), 0.0)) * noise, 0.0, 1.0);
}

#endif
