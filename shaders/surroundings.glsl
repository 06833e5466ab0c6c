// SPDX-License-Identifier: MIT
// Radiance around the box, where it is a map of all directions (src/render/light/surroundings.h).

#define MAPPED (sky_map.x > 0.0)
#define AIR    (sky_map.x == 1.0)
#define STUDIO (sky_map.x == 2.0)

// The map's light, with the ground below the horizon, blurred: its spherical harmonics of order 0, 1
// and 2, where share is the part of the last two that the blur leaves. Their order is that of
// harmonics() in surroundings.c.
vec3 surroundings_blurred(vec3 d, vec2 share)
{
    vec3 first = sky_bands[1].rgb * d.x + sky_bands[2].rgb * d.y + sky_bands[3].rgb * d.z;
    vec3 second = 1.092548 * (sky_bands[4].rgb * (d.x * d.y) + sky_bands[5].rgb * (d.y * d.z)
                              + sky_bands[6].rgb * (d.x * d.z))
                  + 0.315392 * sky_bands[7].rgb * (3.0 * d.y * d.y - 1.0)
                  + 0.546274 * sky_bands[8].rgb * (d.x * d.x - d.z * d.z);
    return max(0.282095 * sky_bands[0].rgb + 0.488603 * share.x * first + share.y * second,
               vec3(0.0));
}
