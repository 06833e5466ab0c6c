// SPDX-License-Identifier: MIT
// Light of lamps. Positions are in cells from the corner of the box, lengths in cells. lamp_volume
// holds, for each lamp, the mean extinction between it and a point: optical depth over distance.
// Where it is stored by colour, the volumes of red, green and blue are stacked along z.

uniform sampler3D lamp_volume;
const float LAMP_NEVER = 1e9;

// Mean extinction to each lamp (rows), by colour (columns). place: 0..1 over the light volume.
mat3x4 lamp_dimming(vec3 place)
{
    mat3x4 by_color;
    if (lamps.y > 1.0) {
        float rim = 1.5 / float(textureSize(lamp_volume, 0).z);
        place.z = clamp(place.z, rim, 1.0 - rim);
        for (int c = 0; c < 3; c++)
            by_color[c] = texture(lamp_volume, vec3(place.xy, (place.z + float(c)) / 3.0));
    } else {
        by_color[0] = texture(lamp_volume, place);
        by_color[1] = by_color[0];
        by_color[2] = by_color[0];
    }
    if (extinction_color.w > 0.0)
        for (int c = 0; c < 3; c++)
            by_color[c] *= extinction_color[c];
    return by_color;
}

// Share of the light of lamp i, a spot or an area, in a direction away from it.
float lamp_shine(int i, vec3 away)
{
    float cosine = dot(lamp_aim[i].xyz, away);
    if (lamp_shape[i].x == 2.0)
        return max(cosine, 0.0);
    float share = clamp((cosine - lamp_aim[i].w) * lamp_shape[i].y, 0.0, 1.0);
    return share * share * (3.0 - 2.0 * share);
}

// Irradiance by lamp i on a surface with this normal, dimmed by smoke, without the shadows of
// solids. 0 where the surface faces away.
vec3 lamp_irradiance(int i, vec3 point, vec3 normal)
{
    vec3 to_lamp = lamp_place[i].xyz - point;
    float distance = max(length(to_lamp), 1e-4);
    float facing = dot(normal, to_lamp) / distance;
    if (facing <= 0.0)
        return vec3(0.0);
    vec3 direction = ray_safe(to_lamp / distance);
    vec2 box = box_interval(point, 1.0 / direction, vec3(0.0), grid.xyz);
    vec3 depth = vec3(0.0);
    if (box.x < min(box.y, distance)) {
        vec3 enters = point + direction * box.x;
        mat3x4 mean = lamp_dimming(enters / light_grid.xyz);
        depth = vec3(mean[0][i], mean[1][i], mean[2][i]) * (distance - box.x);
    }
    float nearest = lamp_place[i].w;
    vec3 light = lamp_light[i].rgb * exp(-depth)
                 * (facing / max(distance * distance, nearest * nearest));
    if (lamp_shape[i].x > 0.0) {
        // On the axis of a disc of radius R, 1 / r^2 becomes 1 / (r^2 + R^2).
        float square = distance * distance;
        light *= lamp_shine(i, -to_lamp / distance) * square / (square + lamp_shape[i].z);
    }
    return light;
}

#ifdef SOLIDS
// lamp_irradiance with the shadows of solids. The smoke is sampled `off` cells above the surface.
vec3 solid_lamplight(int i, vec3 point, vec3 normal, float off)
{
    vec3 lit = lamp_irradiance(i, point + off * normal, normal);
    if (lit.r + lit.g + lit.b <= 0.0)
        return lit;
    vec3 from = point + 0.6 * off * normal;
    vec3 to_lamp = lamp_place[i].xyz - from;
    float distance = max(length(to_lamp), 1e-4);
    if (lamp_shape[i].x == 2.0) {
        float cone = clamp(sqrt(lamp_shape[i].z) / distance, 0.04, 0.7);
        return lit * solid_conelight(from, to_lamp / distance, distance, cone);
    }
    return lit * solid_sunlight(from, to_lamp / distance, distance);
}
#endif

// Distance along a ray at which it is nearest to lamp i, or crosses the plane of its disc.
float lamp_nearest(int i, vec3 origin, vec3 direction)
{
    vec3 to_lamp = lamp_place[i].xyz - origin;
    float facing = dot(direction, lamp_aim[i].xyz);
    if (lamp_shape[i].x == 2.0 && abs(facing) > 1e-4)
        return dot(to_lamp, lamp_aim[i].xyz) / facing;
    return dot(to_lamp, direction);
}

// The shining ball or disc of lamp i on a ray. w: share of the pixel that it covers; rgb: its radiance
// times w. along: distance at which the ray is nearest to it. pixel: width of a pixel per unit of
// distance.
vec4 lamp_ball(int i, vec3 origin, vec3 direction, float along, float pixel)
{
    float radius = lamp_light[i].w;
    float shine = lamp_shape[i].x > 0.0 ? lamp_shine(i, -direction) : 1.0;
    if (radius <= 0.0 || along <= 0.0 || shine <= 0.0)
        return vec4(0.0);
    if (lamp_shape[i].x == 2.0)
        shine = 1.0; // a disc is as bright from all sides in front of it
    float width = max(pixel * along, 1e-6);
    float shown = max(radius, 0.5 * width); // smaller balls are drawn this large, and fainter
    float off = length(lamp_place[i].xyz - origin - along * direction);
    float cover = clamp((shown - off) / width + 0.5, 0.0, 1.0);
    // A ball of radiance L and radius R lights a surface that faces it at r by pi L R^2 / r^2.
    return vec4(min(lamp_light[i].rgb / (3.14159265 * shown * shown), vec3(6e4)), 1.0)
           * (cover * shine);
}
