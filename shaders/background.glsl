// SPDX-License-Identifier: MIT
// Sky and ground behind everything else. Smoke and solids shade the ground. SKY is defined where no
// ground is visible, GLOW where hot soot lights the ground.
#ifdef SKY

vec3 background(vec3 direction, vec4 far)
{
    return far.rgb;
}

#else

// Transmittance of the smoke from a point on the ground to the sun, read from the light volume
// where the ray to the sun enters the box.
vec3 sun_shadow(vec3 point)
{
    vec3 direction = ray_safe(sun_direction.xyz);
    vec2 box = box_interval(point, 1.0 / direction, box_min.xyz, box_max.xyz);
    vec3 cells = (point + direction * box.x - box_min.xyz) / box_min.w;
    vec3 shadow = exp(-sun_depth(texture(light_volume, cells / light_grid.xyz)));
    return box.x < box.y ? shadow : vec3(1.0);
}

// Share of the light that reaches a point on the ground past smoke and solids. rgb: of the sun's
// light; a: of the sky's. point: in metres.
vec4 ground_sees(vec3 point)
{
    vec4 seen = vec4(1.0);
    bool shaded = occupied_max.w > 0.0;
    vec3 cells = (point - box_min.xyz) / box_min.w;
#ifdef SOLIDS
    shaded = true;
    seen.rgb *= solid_sunlight(cells, sun_direction.xyz, NEVER);
    // Distances are not known beyond the box's floor: the solids' occlusion fades out there.
    vec2 off = max(max(-cells.xz, cells.xz - grid.xz), vec2(0.0));
    float near = exp(-0.3 * length(off));
    seen.a = mix(1.0, solid_openness(cells, vec3(0.0, 1.0, 0.0)), near);
#endif
    if (shaded) {
        seen.rgb *= sun_shadow(point);
        // The map is centred on the box's floor and spans twice its edges.
        vec2 place = (point.xz - box_min.xz) / (box_max.xz - box_min.xz);
        seen.a *= texture(ground_occlusion, place * 0.5 + 0.25).x;
    }
    return seen;
}

// Radiance of sky and ground in a direction. far: output of backdrop.frag for that direction.
vec3 background(vec3 direction, vec4 far)
{
    float height = camera_origin.y - home.y;
    float along = min(height / max(-direction.y, 1e-7), 1e4 * home.w);
    vec3 point = camera_origin.xyz + direction * along;
    point.y = home.y;
    vec4 seen = ground_sees(point);
    vec3 light = sun_irradiance.rgb * max(sun_direction.y, 0.0) * seen.rgb / 3.14159265
                 + sky_light.rgb * seen.a;
    vec3 cells = (point - box_min.xyz) / box_min.w;
#ifdef GLOW
    // ambient.h has this mapping.
    vec2 off = (point.xz - 0.5 * (box_min.xz + box_max.xz)) / box_max.w;
    light += texture(ground_glow, 0.5 + off / (1.0 + 2.0 * abs(off))).rgb / 3.14159265;
#endif
#ifdef LAMPS
    for (int i = 0; i < int(lamps.x); i++)
#ifdef SOLIDS
        light += solid_lamplight(i, cells, vec3(0.0, 1.0, 0.0), 0.0) / 3.14159265;
#else
        light += lamp_irradiance(i, cells, vec3(0.0, 1.0, 0.0)) / 3.14159265;
#endif
#endif
    return far.rgb + far.a * ground_color.rgb * light;
}

#endif
