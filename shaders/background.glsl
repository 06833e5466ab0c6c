// SPDX-License-Identifier: MIT
// Sky and ground.

const float HAZE = 12.0; // distance, in longest edges of the box, at which the ground fades

// Radiance of the sky. Below the horizon it goes on as it is at the horizon, which is what the
// ground fades to.
vec3 sky_radiance(vec3 direction)
{
    float up = max(direction.y, 0.0);
    vec3 flat_direction = normalize(vec3(direction.x, up, direction.z) + vec3(0.0, 1e-6, 0.0));
    vec3 sky = mix(sky_zenith.rgb, sky_horizon.rgb, exp(-6.0 * up));
    // Aureole: what haze scatters forwards out of the sun's light, and the sun's soft disc.
    float cosine = dot(flat_direction, sun_direction.xyz);
    float aureole = 0.010 * phase_henyey_greenstein(cosine, 0.75);
    float disc = smoothstep(0.99955, 0.9999, cosine);
    return sky + sun_irradiance.rgb * (aureole + 0.4 * disc);
}

// Albedo of the ground at a place, filtered to a pixel's footprint (metres): two scales of one
// tileable noise, turned against each other so that neither repeats visibly.
vec3 ground_albedo(vec2 place, float footprint)
{
    const mat2 TURN = mat2(0.8, -0.6, 0.6, 0.8);
    float texels = float(textureSize(ground_noise, 0).x);
    float fine_edge = 0.9 * box_max.w; // metres one tile spans
    float coarse_edge = 5.3 * box_max.w;
    float fine = textureLod(ground_noise, place / fine_edge,
                            log2(max(footprint * texels / fine_edge, 1e-6))).x;
    float coarse = textureLod(ground_noise, TURN * place / coarse_edge,
                              log2(max(footprint * texels / coarse_edge, 1e-6))).x;
    return ground_color.rgb * (1.0 + 0.24 * fine + 0.14 * coarse);
}

// Transmittance of the smoke from a point on the ground to the sun: that of the light volume where
// the ray to the sun enters the box.
float sun_shadow(vec3 point)
{
    vec3 direction = ray_safe(sun_direction.xyz);
    vec2 box = box_interval(point, 1.0 / direction, box_min.xyz, box_max.xyz);
    vec3 cells = (point + direction * box.x - box_min.xyz) / box_min.w;
    float shadow = exp(-texture(light_volume, cells / light_grid.xyz).x);
    return box.x < box.y ? shadow : 1.0;
}

vec3 ground_radiance(vec3 direction, float along)
{
    vec3 point = camera_origin.xyz + direction * along;
    point.y = box_min.y;
    // A pixel's footprint is long and thin towards the horizon; filtering to nearly its length
    // leaves no streaks.
    float across = along * camera_forward.w;
    float footprint = across * pow(max(-direction.y, 1e-4), -0.8);
    float shadow = 1.0;
    float occlusion = 1.0;
    bool shaded = occupied_max.w > 0.0;
#ifdef SOLIDS
    shaded = true;
    vec3 cells = (point - box_min.xyz) / box_min.w;
    shadow = solid_sunlight(cells, sun_direction.xyz);
    // Off the box's floor there are no distances; the map below fades out there.
    vec2 off = max(max(-cells.xz, cells.xz - grid.xz), vec2(0.0));
    float near = exp(-0.3 * length(off));
    occlusion = mix(1.0, solid_openness(cells, vec3(0.0, 1.0, 0.0)), near);
#endif
    if (shaded) {
        shadow *= sun_shadow(point);
        // The map spans twice the box, about its centre.
        vec2 place = (point.xz - box_min.xz) / (box_max.xz - box_min.xz);
        occlusion *= texture(ground_occlusion, place * 0.5 + 0.25).x;
    }
    vec3 light = sun_irradiance.rgb * max(sun_direction.y, 0.0) * shadow / 3.14159265
                 + sky_light.rgb * occlusion;
    return ground_albedo(point.xz, footprint) * light;
}

vec3 background(vec3 direction)
{
    vec3 sky = sky_radiance(direction);
    float height = camera_origin.y - box_min.y;
    bool hit = ground_color.w > 0.0 && height > 0.0 && direction.y < 0.0;
    float along = hit ? min(height / max(-direction.y, 1e-7), 1e4 * box_max.w) : 0.0;
    float haze = hit ? 1.0 - exp(-along / (HAZE * box_max.w)) : 1.0;
    return mix(ground_radiance(direction, along), sky, haze);
}
