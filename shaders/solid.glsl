// SPDX-License-Identifier: MIT
// Solids as a distance field: places, distances and lengths in cells of smoke from the corner of the
// box. The distances are stored at the corners of larger cells, those of the wind.
#ifdef SOLIDS

const float NEVER = 1e9;
const float LEAST_STEP = 0.1; // cells; anything thinner along a ray may be missed
const int STEPS = 256;

uniform sampler3D solid_volume; // distance at the cells' corners, negative inside

float solid_distance(vec3 point)
{
    float cell = solid_low.w;
    return cell * texture(solid_volume, (point + 0.5 * cell) / (grid.xyz + cell)).x;
}

// solid_distance smoothed over a cell. Trilinear interpolation alone makes sharp edges that cross
// the grid look jagged. A sphere with a radius of r cells shrinks by 1 / (6 r) cells.
float solid_surface(vec3 point)
{
    vec2 h = solid_low.w * vec2(0.4, -0.4);
    return 0.25
           * (solid_distance(point + h.xxx) + solid_distance(point + h.xyy)
              + solid_distance(point + h.yxy) + solid_distance(point + h.yyx));
}

// Outward normal, by differences over two cells. The gradient of trilinear interpolation within one
// cell jumps from cell to cell, which would show.
vec3 solid_normal(vec3 point)
{
    vec2 e = vec2(solid_low.w, 0.0);
    vec3 slope = vec3(solid_distance(point + e.xyy) - solid_distance(point - e.xyy),
                      solid_distance(point + e.yxy) - solid_distance(point - e.yxy),
                      solid_distance(point + e.yyx) - solid_distance(point - e.yyx));
    return normalize(slope + vec3(0.0, 1e-6, 0.0));
}

// Where a ray meets solids. With near_miss 0, `split` and `end` are the first surface hit. With
// near_miss above 0, a ray that misses a surface or cuts into it by less than near_miss times its
// length goes on behind that place, which is `split`. Both may be a short step behind the surface;
// solid_met() finds `end` exactly.
struct SolidRay {
    float split; // first surface hit or nearly hit; NEVER when none is
    float end;   // where the ray ends in a solid; NEVER when it does not
    float before; // the last place before `end` that is outside of the solid
};

// Width of `count` marched pixels per unit of distance.
float marched_pixels(float count)
{
    return count * camera_forward.w * picture.y / picture.w;
}

// Sphere tracing (Hart 1996). Within `width` of a surface the ray counts as at its edge. It is then
// split where it is nearest to the surface or enters it, unless it goes deeper than width.
SolidRay solid_trace(vec3 origin, vec3 direction, float near_miss)
{
    SolidRay ray = SolidRay(NEVER, NEVER, NEVER);
    vec2 range = box_interval(origin, 1.0 / direction, solid_low.xyz, solid_high.xyz);
    float along = range.x;
    float last = along;
    float nearest = NEVER;
    float before = NEVER;
    float entered = -1.0; // where the ray entered the present solid; -1: it is outside
    bool passed = false;  // the ray has passed an edge
    for (int i = 0; i < STEPS && along < range.y; i++) {
        vec3 point = origin + direction * along;
        float distance = solid_distance(point);
        distance = abs(distance) < 1.0 ? solid_surface(point) : distance;
        float width = near_miss * along;
        if (distance < 0.0) {
            before = entered < 0.0 ? last : before;
            entered = entered < 0.0 ? along : entered;
            if (distance <= -width) {
                ray.end = entered;
                ray.split = passed ? ray.split : entered;
                break;
            }
        } else {
            if (entered >= 0.0 && !passed) {
                ray.split = entered; // a shallow cut: the ray is outside again
                passed = true;
            }
            entered = -1.0;
            if (!passed && distance < min(width, nearest)) {
                nearest = distance;
                ray.split = along;
            }
            passed = passed || (nearest < NEVER && distance > width);
        }
        last = along;
        along += max(0.95 * abs(distance), max(LEAST_STEP, 0.5 * width));
    }
    if (ray.end == NEVER && entered >= 0.0) { // the ray leaves the bounds inside a solid
        ray.end = entered;
        ray.split = passed ? ray.split : entered;
    }
    ray.before = before;
    return ray;
}

// A ray that ends at the surface, which is found by bisection.
SolidRay solid_met(vec3 origin, vec3 direction, SolidRay ray)
{
    if (ray.end == NEVER)
        return ray;
    float outside = ray.before;
    float inside = ray.end;
    for (int i = 0; i < 6; i++) {
        float middle = 0.5 * (outside + inside);
        bool within = solid_surface(origin + direction * middle) < 0.0;
        inside = within ? middle : inside;
        outside = within ? outside : middle;
    }
    float met = 0.5 * (outside + inside);
    ray.split = ray.split == ray.end ? met : ray.split;
    ray.end = met;
    return ray;
}

// Share of a disc of light that is visible from a point outside the solids. It follows from the
// ray's nearest approach to a surface, relative to the radius of the disc's cone there.
// light_distance: distance of the light, cells. cone: slope of the cone.
float solid_conelight(vec3 point, vec3 sun, float light_distance, float cone)
{
    sun = ray_safe(sun);
    vec2 range = box_interval(point, 1.0 / sun, solid_low.xyz, solid_high.xyz);
    range.y = min(range.y, light_distance);
    float along = max(range.x, 0.2);
    float seen = 1.0;
    for (int i = 0; i < STEPS && along < range.y && seen > -1.0; i++) {
        float distance = solid_distance(point + sun * along);
        float radius = cone * along + 0.02;
        seen = min(seen, distance / radius);
        along += clamp(abs(distance), max(0.3 * radius, LEAST_STEP), 8.0);
    }
    // Approximates the area of a disc on one side of a line.
    return smoothstep(-1.0, 1.0, seen);
}

// The same for the sun and for lamps that look small.
float solid_sunlight(vec3 point, vec3 sun, float light_distance)
{
    return solid_conelight(point, sun, light_distance, 0.04); // softer than the sun's 0.005, as
                                                              // through haze
}

// Share of the sky that solids leave visible from a surface (ambient occlusion). It is lower where
// points above the surface are nearer to a solid than to the surface.
float solid_openness(vec3 point, vec3 normal)
{
    float hidden = 0.0;
    float weight = 0.5;
    for (int i = 1; i <= 4; i++) {
        float height = 1.6 * solid_low.w * float(i);
        vec3 off = point + normal * height;
        // Distances are not known outside the box.
        if (all(greaterThanEqual(off, vec3(0.0))) && all(lessThanEqual(off, grid.xyz)))
            hidden += weight * max(height - solid_distance(off), 0.0) / height;
        weight *= 0.6;
    }
    return clamp(1.0 - 0.8 * hidden, 0.1, 1.0);
}

// solid_openness where the ground hides part of the sky too.
float solid_openness_above_ground(vec3 point, vec3 normal)
{
    float open = solid_openness(point, normal);
    float height = max(point.y, 0.0);
    float facing = max(-normal.y, 0.0);
    return open * (1.0 - 0.6 * facing * exp(-0.15 * height));
}

#endif
