// SPDX-License-Identifier: MIT
// Rays and boxes.

// Replaces components of a direction whose inverse would overflow.
vec3 ray_safe(vec3 direction)
{
    vec3 tiny = vec3(1e-7);
    return mix(direction, tiny, lessThan(abs(direction), tiny));
}

// Distances at which a ray enters and leaves a box (slab method; Kay, Kajiya 1986). x is 0 where it
// starts inside. A miss has x >= y.
vec2 box_interval(vec3 origin, vec3 inverse, vec3 low, vec3 high)
{
    vec3 a = (low - origin) * inverse;
    vec3 b = (high - origin) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    return vec2(max(max(near.x, near.y), max(near.z, 0.0)), min(far.x, min(far.y, far.z)));
}
