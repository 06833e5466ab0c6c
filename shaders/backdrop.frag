#version 330 core
// SPDX-License-Identifier: MIT
// Sky, haze and the ground's texture. They depend on the camera and the sun but not on the smoke,
// and are reused while neither moves.
#include "frame.glsl"
#include "phase.glsl"
#include "surroundings.glsl"

uniform sampler2D ground_noise; // mean 0
uniform sampler2D surroundings_map;

out vec4 color; // rgb: radiance of sky and haze, a: factor on the ground's radiance:
                // transmittance of the haze times the ground's texture

const float HAZE = 12.0; // distance, in longest edges of the box, at which the ground fades

// Radiance of the sky. Below the horizon it is the same as at the horizon. hit: the ray hits the
// ground, which fades to this radiance; the sun's disc is then left out.
vec3 sky_radiance(vec3 direction, bool hit)
{
    float up = max(direction.y, 0.0);
    vec3 flat_direction = normalize(vec3(direction.x, up, direction.z) + vec3(0.0, 1e-6, 0.0));
    vec3 sky = mix(sky_zenith.rgb, sky_horizon.rgb, exp(-6.0 * up));
    // Aureole: sunlight that haze scatters forwards. Then the sun's disc with a soft edge.
    float cosine = dot(hit ? flat_direction : direction, sun_direction.xyz);
    float aureole = 0.010 * phase_henyey_greenstein(cosine, 0.75);
    float disc = hit ? 0.0 : smoothstep(0.99955, 0.9999, cosine);
    return sky + sun_irradiance.rgb * (aureole + 0.4 * disc);
}

// Radiance of the map, filtered to a pixel.
vec3 map_radiance(vec3 direction)
{
    vec2 place = vec2(atan(direction.x, direction.z + 1e-9) / 6.28318531 - sky_map.y,
                      asin(clamp(direction.y, -1.0, 1.0)) / 3.14159265 + 0.5);
    float texels = camera_forward.w * float(textureSize(surroundings_map, 0).y) / 3.14159265;
    return sky_map.z * textureLod(surroundings_map, place, log2(max(texels, 1.0))).rgb;
}

// Radiance of the sun in clear air: its disc, 0.53 degrees wide, with light that the lens and haze near
// the eye scatter around it.
vec3 sun_in_air(vec3 direction)
{
    const float RADIUS = 0.00465; // rad
    float off = length(direction - sun_direction.xyz); // nearly the angle, rad
    float pixel = max(camera_forward.w, 1e-5);
    float disc = clamp((RADIUS - off) / pixel + 0.5, 0.0, 1.0);
    float glow = 0.0012 * phase_henyey_greenstein(1.0 - 0.5 * off * off, 0.96);
    return sun_irradiance.rgb * sun_direction.w * (disc / (3.14159265 * RADIUS * RADIUS) + glow);
}

// Noise of the ground in tiles of `edge` metres, filtered to a pixel's footprint, metres.
float ground_scale(vec2 place, float edge, float footprint)
{
    float texels = float(textureSize(ground_noise, 0).x);
    return textureLod(ground_noise, place / edge, log2(max(footprint * texels / edge, 1e-6))).x;
}

const mat2 TURN = mat2(0.8, -0.6, 0.6, 0.8); // so that scales of the noise do not repeat together

// Fine texture and relief of rough ground, with mean 0: three smaller scales of the noise, each as
// steep as the others. Slopes that face the sun are brighter, by their height above a point closer
// to it.
float ground_relief(vec2 place, float footprint)
{
    const float TEXELS = 512.0; // along a tile's edge, GROUND_NOISE_EDGE
    float length_sun = max(length(sun_direction.xz), 1e-3);
    float steep = min(length_sun / max(sun_direction.y, 0.2), 3.0); // cotangent of its elevation
    vec2 to_sun = sun_direction.xz / length_sun;
    float sum = 0.0, edge = 0.23 * home.w;
    for (int scale = 0; scale < 3; scale++) {
        float apart = max(edge / TEXELS, 0.5 * footprint);
        float here = ground_scale(place, edge, footprint);
        float ahead = ground_scale(place + to_sun * apart, edge, footprint);
        sum += 0.1 * here + 6.0 * steep * (here - ahead) * (edge / TEXELS) / apart;
        place = TURN * place;
        to_sun = TURN * to_sun;
        edge *= 0.27;
    }
    return sum;
}

// The ground's texture at a place: two scales of the noise, and relief where it is rough.
float ground_texture(vec2 place, float footprint)
{
    float fine = ground_scale(place, 0.9 * home.w, footprint);
    float coarse = ground_scale(TURN * place, 5.3 * home.w, footprint);
    float rough = ground_light.w;
    float relief = rough > 0.0 ? rough * ground_relief(place, footprint) : 0.0;
    return max(1.0 + 0.24 * fine + 0.14 * coarse + relief, 0.1);
}

void main()
{
    vec3 direction = camera_ray((gl_FragCoord.xy * film.zw + tile.xy) / picture.xy);
    float height = camera_origin.y - home.y;
    bool hit = ground_color.w > 0.0 && height > 0.0 && direction.y < 0.0;
    float along = hit ? min(height / max(-direction.y, 1e-7), 1e4 * home.w) : 0.0;
    float haze = hit ? 1.0 - exp(-along / (HAZE * home.w)) : 1.0;
    // A pixel's footprint is long and thin towards the horizon; filtering to nearly its length
    // leaves no streaks.
    float footprint = along * camera_forward.w * pow(max(-direction.y, 1e-4), -0.8);
    vec2 place = camera_origin.xz + direction.xz * along;
    if (MAPPED) {
        float off = STUDIO ? length(place - home.xz) : along;
        float fade = STUDIO ? smoothstep(0.35, 1.0, off / sky_map.w) : 1.0 - exp(-off / sky_map.w);
        fade = hit ? fade : 1.0;
        vec3 far = map_radiance(direction);
        if (AIR && !hit)
            far += sun_in_air(direction);
        color = vec4(min(far * fade, vec3(6e4)),
                     (1.0 - fade) * (STUDIO ? 1.0 : ground_texture(place, footprint)));
        return;
    }
    color = vec4(min(sky_radiance(direction, hit) * haze, vec3(6e4)),
                 (1.0 - haze) * ground_texture(place, footprint));
}
