// SPDX-License-Identifier: MIT
// Share of the smoke that is seen at a point, in cells: less than 1 near the faces through which smoke
// leaves the box (src/render/light/fade.h).
float seen_share(vec3 point)
{
    vec3 low = fade_low[0].xyz + fade_low[1].xyz * point;
    vec3 high = fade_high[0].xyz + fade_high[1].xyz * point;
    vec3 share = clamp(min(low, high), 0.0, 1.0);
    share *= share * (3.0 - 2.0 * share);
    float all = share.x * share.y * share.z;
    return all * all * all;
}
