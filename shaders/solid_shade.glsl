// SPDX-License-Identifier: MIT
// Shades solids by sun, sky, ground and lamps through the smoke, and antialiases their edges.
#ifdef MET

const int EDGE_SAMPLES = 8;

// Normal of the box's side where it cuts a solid open; 0 elsewhere.
vec3 cut_normal(vec3 point)
{
    const float ON_SIDE = 0.02;
    if (solid_distance(point) > -ON_SIDE)
        return vec3(0.0);
    return vec3(lessThan(grid.xyz - point, vec3(ON_SIDE))) - vec3(lessThan(point, vec3(ON_SIDE)));
}

// Radiance of a solid's surface at a place in cells; view: the ray that meets it there.
vec3 solid_radiance(vec3 point, vec3 view)
{
    vec3 normal = cut_normal(point);
    if (normal == vec3(0.0))
        normal = solid_normal(point);
    normal = dot(normal, view) < 0.05 ? normal : -view;
    vec3 above = point + normal;
    vec3 sun = exp(-sun_depth(texture(light_volume, above / light_grid.xyz)))
               * (max(dot(normal, sun_direction.xyz), 0.0) * sun_direction.w);
    if (sun.r + sun.g + sun.b > 1e-4)
        sun *= solid_sunlight(point + 0.6 * normal, sun_direction.xyz, NEVER);
    // Ambient light on the surface. Up to the mean of sky and ground it is split between them by
    // the normal. The excess comes from smoke, whose direction is not known.
    vec3 all = texture(ambient_volume, above / ambient_grid.xyz).rgb;
    vec3 mean = 0.5 * (ground_light.rgb + sky_light.rgb);
    vec3 seen = mix(ground_light.rgb, sky_light.rgb, 0.5 + 0.5 * normal.y);
    if (MAPPED) { // shares of a surface's irradiance (Ramamoorthi, Hanrahan 2001)
        mean = 0.282095 * sky_bands[0].rgb;
        seen = surroundings_blurred(normal, vec2(2.0 / 3.0, 0.25));
    }
    vec3 around = (min(all, mean) * seen / max(mean, vec3(1e-6)) + max(all - mean, vec3(0.0)))
                  * solid_openness_above_ground(point, normal);
    vec3 light = sun_irradiance.rgb * sun;
#ifdef LAMPS
    for (int i = 0; i < int(lamps.x); i++)
        light += solid_lamplight(i, point, normal, 1.0);
#endif
    return solid_color.rgb * (light / 3.14159265 + around);
}

// Composites the smoke in front of a split over the smoke behind it, for rays that hit no solid.
// passed: transmittance of both. Where the marched picture is coarser, its four pixels around are
// composited one by one, because each may be split at another distance.
vec4 joined(vec2 point, vec4 front, vec4 between, out vec3 passed)
{
    vec3 first = through_front(point, front);
    vec3 second = through_between(point, between);
    vec4 sum = vec4(front.rgb + first * between.rgb, front.a * between.a);
    passed = first * second;
    if (picture.x == picture.z && picture.y == picture.w)
        return sum;
    vec2 place = point * picture.zw - 0.5;
    vec2 share = fract(place);
    sum = vec4(0.0);
    passed = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        ivec2 at = clamp(ivec2(floor(place)) + corner, ivec2(0), ivec2(picture.zw) - 1);
        vec2 middle = (vec2(at) + 0.5) / picture.zw;
        front = texelFetch(smoke, at, 0);
        between = texelFetch(smoke_behind, at, 0);
        first = through_front(middle, front);
        second = through_between(middle, between);
        vec2 sides = mix(1.0 - share, share, vec2(corner));
        float weight = sides.x * sides.y;
        sum += weight * vec4(front.rgb + first * between.rgb, front.a * between.a);
        passed += weight * first * second;
    }
    return sum;
}

// Radiance, and transmittance in a, of everything behind the split on one ray: the solid or
// background, dimmed by the smoke between. passed: transmittance of that smoke.
vec4 behind_split(vec3 origin, vec2 point, vec4 smoke_between, vec3 passed, float split)
{
    vec3 direction = ray_safe(camera_ray(point));
    float along = solid_met(origin, direction, solid_trace(origin, direction, 0.0)).end;
    bool solid = along < NEVER;
    vec4 seen = vec4(0.0, 0.0, 0.0, 1.0);
    if (solid)
        seen = vec4(solid_radiance(origin + direction * along, direction), 0.0);
    else if (camera_origin.w == 0.0)
        seen = vec4(background(direction, textureLod(backdrop, drawn_place(point), 0.0)), 0.0);
    bool past = !solid || along > split + 2.0;
    return past ? vec4(smoke_between.rgb + passed * seen.rgb, smoke_between.a * seen.a) : seen;
}

// Composites the marched smoke over solids and background for the pixel at point, 0..1 across the
// picture. At the solids' edges it averages several rays.
vec4 over_solids(vec2 point, vec4 marched)
{
    vec2 seen = point; // where solids and background are looked up
#ifdef HAZE
    seen = hazed(point);
#endif
    vec3 origin = (camera_origin.xyz - box_min.xyz) / box_min.w;
    vec4 smoke_between = found(smoke_behind, point);
    vec3 direction = ray_safe(camera_ray(seen));
    bool kept = history.z > 0.0; // the history holds all smoke that a ray sees
    SolidRay ray = solid_trace(origin, direction, marched_pixels(1.0));
    bool edge = ray.split < ray.end;
    vec3 passed = through_front(point, marched);
    if (ray.split == NEVER) {
        if (!kept)
            marched = joined(point, marched, smoke_between, passed);
        if (camera_origin.w == 0.0)
            marched.rgb += passed
                           * background(direction, textureLod(backdrop, drawn_place(seen), 0.0));
        return marched;
    }
    // Marched rays are split up to 2.5 of their pixels off an edge, for a history up to 4. This ray
    // is within 1 pixel of one, so the marched rays around it are all split.
    if (edge) {
        if (kept) {
            marched = found(smoke_front, point);
            passed = through_edge(point, marched);
        }
        SolidRay narrow = solid_trace(origin, direction, camera_forward.w);
        edge = narrow.split < narrow.end;
    }
    int count = edge ? EDGE_SAMPLES : 1;
    float split = ray.split;
    vec3 between = through_between(point, smoke_between);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < count; i++) {
        // Rank-1 lattice: no two points share a row or a column.
        vec2 place = vec2(float(i) + 0.5, mod(float(i) * 3.0, 8.0) + 0.5) / 8.0 - 0.5;
        place = edge ? place / picture.xy : vec2(0.0);
        sum += behind_split(origin, seen + place, smoke_between, between, split);
    }
    sum /= float(count);
    return vec4(marched.rgb + passed * sum.rgb, marched.a * sum.a);
}

#endif
