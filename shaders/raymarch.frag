#version 330 core
// SPDX-License-Identifier: MIT
// Marches the camera's rays through the smoke: in-scattered and emitted radiance, and transmittance.
// The features are defined one by one:
//   SOLIDS    there are solids, which shade the smoke; the smoke in front of their edges and the
//             smoke behind are written separately
//   MET       the rays of these pixels may meet solids, at which the smoke ends; with SOLIDS
//   EMISSION  something is hot enough to glow
//   FLAME     fuel burns; only with EMISSION
//   COLOR     the smoke has colours
//   RAMP      the smoke takes its colour from a ramp, in place of COLOR
//   GLOW_RAMP the glow takes its colour from a ramp; only with EMISSION
//   LAMPS     there are lamps
//   THROUGH   writes transmittance by colour and the smoke's distance as well
//   TINT      smoke dims colours differently; only with THROUGH, and SPECTRAL as well
//   SPECTRAL  smoke scatters each colour of light ahead differently
//   CUBIC     volumes are interpolated by B-splines
//   MOTION    the shutter is open while the smoke moves
//   JOINED    one volume holds the sun's optical depth and the ambient light; not with TINT
//   SLAB      marches the rays through one slab of planes only: reads their state and writes it for
//             the next slab (src/render/pass/slab_march.c)
//   ARRIVED   writes what rays have seen that were marched through all slabs
#include "frame.glsl"
#include "box.glsl"
#include "fade.glsl"
#include "phase.glsl"
#include "solid.glsl"
#include "lamps.glsl"
#include "volume.glsl"
#include "surroundings.glsl"

#ifdef RAMP
#undef COLOR
#endif
#include "ramp.glsl"

#define SKIP_EMPTY 1

#if defined(TINT) && !defined(SPECTRAL)
#define SPECTRAL
#endif

const float SPHERE = 12.566370614; // solid angle of all directions, 4 pi sr
const float FAINT = 0.1;     // transmittance below which steps are twice as long
const float AT_LEAST = 12.0; // steps past a brick before the next test for empty bricks
const float BRICK = 8.0;     // cells along the edge of a brick, as in bricks.h

uniform sampler3D density_volume;
uniform sampler3D light_volume;   // root of the optical depth to the sun; with JOINED, gba: ambient
                                  // light
uniform sampler3D ambient_volume; // mean radiance of all other light
uniform sampler3D brick_volume; // x: largest density in a brick
uniform sampler2D blue_noise;   // a tile of 64 x 64, see noise.h
#if defined(EMISSION) && !defined(GLOW_RAMP)
uniform sampler3D temperature_volume;
uniform sampler2D blackbody_table;
#endif
#ifdef COLOR
uniform sampler3D color_volume; // density times its colour
#endif
#ifdef FLAME
uniform sampler3D flame_volume; // fuel burning, 1/s
#endif

#ifdef MOTION
uniform sampler3D motion_volume; // velocity, m/s
#endif

#if defined(SLAB) || defined(ARRIVED)
// State of the rays of a band of the picture, in layers: see load_ray().
uniform sampler2DArray ray_states;
#endif

#ifdef SOLIDS
uniform sampler3D shade_volume; // share of the sun's light that solids let through
#endif
#ifdef SLAB
layout(location = 0) out vec4 state_radiance; // a: step
layout(location = 1) out vec4 state_transmittance; // a: sum of distances
layout(location = 2) out vec4 state_depth;
#ifdef LAMPS
layout(location = 3) out vec4 state_lamps; // with TINT: of red
#ifdef TINT
layout(location = 4) out vec4 state_lamps_green;
layout(location = 5) out vec4 state_lamps_blue;
#endif
#endif
#else
#ifdef SOLIDS
layout(location = 0) out vec4 color;  // rgb: radiance, a: transmittance
layout(location = 1) out vec4 behind; // the same of the smoke behind the edge of a solid
#else
layout(location = 0) out vec4 color; // rgb: radiance, a: transmittance
#endif
#ifdef THROUGH
layout(location = 2) out vec4 through; // rgb: transmittance, a: mean distance of the smoke from the
                                       // camera, m, weighted by its share of the light; 0 = no
                                       // smoke
#ifdef SOLIDS
layout(location = 3) out vec4 through_behind;
#endif
#endif
#endif

#ifdef THROUGH
vec4 passed_through; // `through` of the ray marched last
#endif

#ifdef TINT
#define SHARE vec3 // of light that is not scattered
#else
#define SHARE float
#endif
#ifdef SPECTRAL
#define SCALED vec3 // by the extinction scaled by the similarity factor (lighting.h)
#else
#define SCALED float
#endif

float gray(float share)
{
    return share;
}

float gray(vec3 share)
{
    return dot(share, vec3(1.0 / 3.0));
}

float largest(float share)
{
    return share;
}

float largest(vec3 share)
{
    return max(share.r, max(share.g, share.b));
}

// Share of light that has come straight through an optical depth of smoke, of that which has not been
// scattered or only ahead (lighting.h).
SCALED straight(SHARE depth, SCALED similarity)
{
    return min(exp((similarity - 1.0) * depth), SCALED(1.0));
}

#ifdef LAMPS
vec4 lamp_along; // distance at which the ray is nearest to each lamp, cells
#ifdef TINT
#define LAMP_DEPTH mat3x4
#else
#define LAMP_DEPTH vec4
#endif
LAMP_DEPTH lamp_depth; // depth of the smoke up to those distances, density times cells

// Depth that a segment adds in front of each lamp. spans: length of the segment in front of each
// lamp. whole: depth per cell.
vec4 along_lamps(vec4 spans, float whole)
{
    return spans * whole;
}

mat3x4 along_lamps(vec4 spans, vec3 whole)
{
    return outerProduct(spans, whole);
}

float of_lamp(vec4 depth, int i)
{
    return depth[i];
}

vec3 of_lamp(mat3x4 depth, int i)
{
    return vec3(depth[0][i], depth[1][i], depth[2][i]);
}

void place_lamps(vec3 origin, vec3 direction)
{
    lamp_depth = LAMP_DEPTH(0.0);
    for (int i = 0; i < 4; i++)
        lamp_along[i] = lamp_nearest(i, origin, direction);
}

// Mean of 1 / r^2 over a part of a ray. Distances along the ray count from the point nearest to the
// lamp, which is `off` away from it. Near a lamp one sample would be far from this mean.
float lamp_nearness(float off, float from, float to)
{
    float across = max(off * (to - from), 1e-6);
    return atan(across, off * off + from * to) / across;
}

// Light of the lamps that a segment of a ray scatters towards the camera, per unit of albedo over
// the similarity factor (lighting.h). before and after: lengths of the segment on both sides of the
// point. depth: optical depth in front of it.
vec3 lamp_light_scattered(vec3 point, vec3 direction, float before, float after, float depth,
                          SCALED similarity)
{
#ifdef TINT
    mat3x4 dimming = lamp_dimming(point / light_grid.xyz);
#else
    vec4 dimming = texture(lamp_volume, point / light_grid.xyz);
#endif
    vec3 sum = vec3(0.0);
    for (int i = 0; i < int(lamps.x); i++) {
        vec3 to_lamp = lamp_place[i].xyz - point;
        float distance = max(length(to_lamp), 1e-4);
        float along = dot(to_lamp, direction);
        float least = lamp_place[i].w;
        float off = sqrt(max(distance * distance - along * along, least * least) + lamp_shape[i].z);
        SHARE way_depth = distance * of_lamp(dimming, i);
        float cosine = along / distance;
        SCALED phase = mix(SCALED(lamps.z / SPHERE),
                           SCALED(phase_two_lobes(cosine, lobes.x, lobes.y, lobes.z)),
                           straight(way_depth + depth, similarity));
        sum += lamp_light[i].rgb * exp(-similarity * way_depth)
               * (lamp_nearness(off, -before - along, after - along) * phase)
               * (lamp_shape[i].x > 0.0 ? lamp_shine(i, -to_lamp / distance) : 1.0);
    }
    return sum;
}

// Adds the shining balls of the lamps in a part of a ray, dimmed by its smoke. depth: lamp_depth
// before that part was marched.
vec4 with_balls(vec4 marched, vec3 origin, vec3 direction, float from, float to, LAMP_DEPTH depth)
{
    for (int i = 0; i < int(lamps.x); i++) {
        if (lamp_along[i] < from || lamp_along[i] >= to)
            continue;
        vec4 ball = lamp_ball(i, origin, direction, lamp_along[i], camera_forward.w * picture.y / picture.w);
        marched.rgb += ball.rgb * exp(-grid.w * of_lamp(lamp_depth - depth, i));
        marched.a *= 1.0 - ball.a;
    }
    return vec4(min(marched.rgb, vec3(6e4)), marched.a);
}
#endif

// Place of a point in the volumes of the fields, which hold the planes of this slab.
vec3 field_place(vec3 point)
{
    return vec3(point.xy, point.z - slab.x) / vec3(grid.xy, slab.y);
}

#ifdef COLOR
// Share of the light that smoke reflects at a point, by colour. density: of the smoke there.
vec3 tint_at(vec3 point, float density)
{
    return clamp(volume_at(color_volume, field_place(point)).rgb / max(density, 1e-6), 0.0, 1.0);
}
#endif

#ifdef MOTION
// Displacement, cells, of the smoke around the present segment since the time of the view.
vec3 displacement;

// Follows the smoke at a point back to the time of the view by the midpoint rule.
vec3 displacement_at(vec3 point)
{
    vec3 velocity = texture(motion_volume, point / grid.xyz).xyz;
    return shutter.y
           * texture(motion_volume, (point - 0.5 * shutter.y * velocity) / grid.xyz).xyz;
}
#endif

// Light at a point of the smoke, without the lamps'.
struct Light {
    SHARE depth;  // optical depth to the sun
    float shade;  // share of the sun's light that solids let through
    vec3 around;  // mean radiance of all other light
};

// point: in cells.
Light light_at(vec3 point)
{
    Light light;
#ifdef JOINED
    vec4 all = volume_at(light_volume, point / light_grid.xyz);
    light.depth = SHARE(all.r);
    light.around = all.gba;
#else
#ifdef TINT
    light.depth = volume_at(light_volume, point / light_grid.xyz).rgb;
#else
    light.depth = volume_at(light_volume, point / light_grid.xyz).r;
#endif
    light.around = volume_at(ambient_volume, point / ambient_grid.xyz).rgb;
#endif
    light.depth *= light.depth;
#ifdef SOLIDS
    light.shade = texture(shade_volume, point / shade_grid.xyz).x;
#else
    light.shade = 1.0;
#endif
    return light;
}

// The sun's light in smoke that neither smoke nor solids shade.
struct Sun {
    vec3 irradiance;
    vec2 lobes; // of blurred_lobes()
};

// Coefficients b and c of 1 / sqrt(4 pi p) = 1 + b x + c x^2, where p is the phase function with x times
// the mean cosines of the smoke: exact at x = 0, 0.5 and 1, and within 10 % between.
vec2 blurred_lobes(float cosine)
{
    float whole = SPHERE * phase_two_lobes(cosine, lobes.x, lobes.y, lobes.z);
    float blurred = SPHERE * phase_two_lobes(cosine, 0.5 * lobes.x, 0.5 * lobes.y, lobes.z);
    float c = 2.0 + 2.0 * inversesqrt(whole) - 4.0 * inversesqrt(blurred);
    return vec2(inversesqrt(whole) - 1.0 - c, c);
}

// Radiance that smoke scatters towards the camera, per unit of albedo over the similarity factor
// (lighting.h). depth: optical depth between the camera and the smoke.
vec3 scattered(Light light, Sun sun, SHARE depth, SCALED similarity)
{
    // How often the light has been scattered ahead, and x of lighting.h: exp(-0.22 times), to 1 % of 1
    // where the exponent is above -1
    SCALED times = max((1.0 - similarity) * (light.depth + depth), SCALED(0.0));
    SCALED x = 1.0 / (1.0 + times * (0.22 + 0.0242 * times));
    SCALED root = 1.0 + x * (sun.lobes.x + x * sun.lobes.y);
    SCALED phase = mix(SCALED(lobes.w), 1.0 / (root * root), x * (1.2 - 0.2 * x)) / SPHERE;
    return sun.irradiance * (phase * exp(-similarity * light.depth) * light.shade)
           + (1.0 - albedo.w) * light.around;
}

#ifdef EMISSION
// Radiance of hot soot at a point per unit of opacity, without similarity. density: of the smoke
// there.
vec3 glow_at(vec3 point, float density)
{
#ifdef GLOW_RAMP
    return sun_irradiance.w * glow_ramp(field_place(point), density);
#else
    float kelvin = volume_at(temperature_volume, field_place(point)).x + 293.0;
    const float ENTRIES = 512.0; // as in blackbody.h; the first and last are the ends of the range
    float share = (march.z - 1.0 / max(kelvin, 1.0)) * march.w;
    float place = (0.5 + (ENTRIES - 1.0) * share) / ENTRIES;
    return sun_irradiance.w * texture(blackbody_table, vec2(place, 0.5)).rgb;
#endif
}
#endif

// Radiance of sky and ground around a direction, without the sun, blurred as by the forward
// scattering of smoke: too widely for a horizon to show.
vec3 surroundings(vec3 direction)
{
    if (MAPPED)
        return surroundings_blurred(direction, vec2(0.8, 0.5));
    vec3 sky = mix(sky_zenith.rgb, sky_horizon.rgb, exp(-6.0 * max(direction.y, 0.0)));
    return mix(ground_light.rgb, sky, smoothstep(-0.4, 0.4, direction.y));
}

// State of a ray during the march.
struct Ray {
    float k;             // steps before its next segment
    SCALED transmittance;
    SHARE depth;         // by the whole extinction, density times cells
    vec3 radiance;
#ifdef THROUGH
    float distance_sum;
#endif
};

// Marches the segment of a ray from `start` to start + span, sampled at `along`. light: what
// scattered() returns, times the albedo over the similarity factor; with SPECTRAL, its arguments,
// because the factor then depends on the colour of the sample.
#ifdef SPECTRAL
void take(inout Ray ray, vec3 origin, vec3 direction, float start, float span, float along,
          Light light, Sun sun)
#else
void take(inout Ray ray, vec3 origin, vec3 direction, float start, float span, float along,
          vec3 light)
#endif
{
    vec3 point = origin + direction * along;
    vec3 place = point; // in the view
#ifdef MOTION
    place -= displacement;
#endif
    float density = max(volume_at(density_volume, field_place(place)).x, 0.0);
    vec3 tint = vec3(1.0);
#ifdef COLOR
    tint = tint_at(place, density);
#endif
#ifdef RAMP
    tint = smoke_ramp(field_place(place), density);
#endif
#ifdef SPECTRAL
    vec3 similarity = 1.0 - albedo.w * albedo.rgb * tint;
    vec3 reflects = albedo.rgb * tint / similarity;
#else
    float similarity = albedo_gray.w;
    vec3 reflects = tint;
#endif
    float seen = seen_share(point);
#ifdef TINT
    // Coloured smoke takes more of the light that it does not reflect.
    vec3 whole = extinction_color.rgb * (seen * density);
    vec3 scaled = similarity * whole;
    vec3 scatters = scaled;
    vec3 excess = fire.z * (1.0 - tint) * whole;
    scaled += excess;
    whole += excess;
#else
    float whole = seen * density;
    SCALED scaled = similarity * whole;
    SCALED scatters = SCALED(1.0);
#endif
#ifdef FLAME
    // By Kirchhoff's law, soot that shines absorbs as well, and does not scatter.
    float soot = seen * fire.x * volume_at(flame_volume, field_place(place)).x;
    scaled += soot;
    whole += soot;
#ifndef TINT
    scatters = 1.0 - soot / max(scaled, SCALED(1e-6));
#endif
#endif
#ifdef TINT
    scatters /= max(scaled, vec3(1e-6));
#endif
#ifdef SPECTRAL
    vec3 lit = scattered(light, sun, grid.w * ray.depth, similarity);
#else
    vec3 lit = light;
#endif
#ifdef LAMPS
    vec3 lamplight = lamp_light_scattered(point, direction, along - start, start + span - along,
                                          grid.w * gray(ray.depth), similarity);
#ifndef SPECTRAL
    lamplight *= albedo_gray.rgb;
#endif
    lit += lamplight;
    lamp_depth += along_lamps(clamp(lamp_along - start, 0.0, span), whole);
#endif
    vec3 source = lit * reflects * scatters;
#ifdef EMISSION
    source += glow_at(place, density) * (whole / max(scaled, SCALED(1e-6)));
#endif
    // Over a segment of constant extinction and source S, the integral of
    // T S extinction ds is T S (1 - exp(-extinction ds)).
    SCALED passed = exp(-grid.w * scaled * span);
    SCALED taken = ray.transmittance * (1.0 - passed);
    ray.radiance += taken * source;
#ifdef THROUGH
    ray.distance_sum += gray(taken) * (start + 0.5 * span);
#endif
    ray.transmittance *= passed;
    ray.depth += whole * span;
}

// The march of a ray between box.x and box.y. Positions and lengths are in cells from the corner of
// the box. A segment covers two steps, [box.x + k step, box.x + (k + 2) step]; the last one covers what
// is left. Each half is sampled once, at the same share of its length. The segments cover the ray
// exactly, so that uniform smoke gives exp(-extinction length) whatever the step and the jitter. Light
// is smoother than smoke and is sampled once a segment, midway between these two samples. Where the
// transmittance is below FAINT, steps are twice as long.

Ray start_ray(vec2 box, vec2 occupied)
{
    Ray ray;
    ray.k = max(2.0 * floor(0.5 * (occupied.x - box.x) / march.x), 0.0);
    ray.transmittance = SCALED(1.0);
    ray.depth = SHARE(0.0);
    ray.radiance = vec3(0.0);
#ifdef THROUGH
    ray.distance_sum = 0.0;
#endif
    return ray;
}

#ifdef SLAB
// Whether the segment from `start` on, of two steps of length `span`, belongs to this slab, or to one
// that the ray has left.
bool in_slab(vec3 origin, vec3 direction, float start, float span)
{
    float middle = origin.z + direction.z * (start + span);
    return direction.z >= 0.0 ? middle < slab.w : middle >= slab.z;
}
#else
#define in_slab(origin, direction, start, span) true
#endif

void march_ray(inout Ray ray, vec3 origin, vec3 direction, vec2 box, vec2 occupied, Sun sun)
{
    vec3 inverse = 1.0 / direction;
    float jitter = fract(texelFetch(blue_noise, ivec2(PICTURE_PIXEL) & 63, 0).x + march.y);
    float length_step = march.x;
    float k = ray.k;
    float end = occupied.x < occupied.y ? ceil((occupied.y - box.x) / length_step) : 0.0;
    bool inside = true;

    while (k < end && largest(ray.transmittance) > occupied_min.w && inside) {
        float steps = largest(ray.transmittance) > FAINT ? 1.0 : 2.0;
        float next = 0.0; // number of the next sample, counted from k
        float brick_end;
        bool empty;
        do {
            float place = 2.0 * floor(0.5 * next);
            float start = box.x + (k + steps * place) * length_step;
            float span = min(steps * length_step, 0.5 * (box.y - start));
            float along = start + (next - place + jitter) * span;
            vec3 brick = clamp(floor((origin + direction * along) / BRICK), vec3(0.0),
                               ceil(grid.xyz / BRICK) - 1.0);
            vec3 exits = ((brick + step(0.0, direction)) * BRICK - origin) * inverse;
            float leave = min(exits.x, min(exits.y, exits.z));
            brick_end = ceil(((leave - box.x) / length_step - k) / steps - jitter);
            brick_end = max(next + 1.0, brick_end);
            empty = texelFetch(brick_volume, ivec3(brick), 0).x <= light_grid.w;
#if !SKIP_EMPTY
            empty = false;
#endif
            next = empty ? brick_end : next;
        } while (empty && k + steps * next < end);

        // Neighbouring rays run in lockstep: a test after every brick would make most of them wait.
        brick_end = min(k + 2.0 * steps * ceil(0.5 * brick_end) + AT_LEAST, end);
        k += 2.0 * steps * floor(0.5 * next);
        while (k < brick_end && largest(ray.transmittance) > occupied_min.w) {
            steps = largest(ray.transmittance) > FAINT ? 1.0 : 2.0;
            float start = box.x + k * length_step;
            float span = max(min(steps * length_step, 0.5 * (box.y - start)), 0.0);
            inside = in_slab(origin, direction, start, span);
            if (!inside)
                break;
            float along = start + jitter * span;
            vec3 middle = origin + direction * (along + 0.5 * span);
#ifdef MOTION
            displacement = displacement_at(middle);
            middle -= displacement; // smoke keeps its light on the way
#endif
            Light light = light_at(middle);
#ifdef SPECTRAL
            take(ray, origin, direction, start, span, along, light, sun);
            take(ray, origin, direction, start + span, span, along + span, light, sun);
#else
            vec3 lit = albedo_gray.rgb * scattered(light, sun, grid.w * ray.depth, albedo_gray.w);
            take(ray, origin, direction, start, span, along, lit);
            take(ray, origin, direction, start + span, span, along + span, lit);
#endif
            k += 2.0 * steps;
        }
    }
    ray.k = k;
}

// Radiance, and transmittance in a, of a ray after its march. beyond: radiance from behind that smoke
// scatters forwards.
vec4 seen_by(Ray ray, vec2 box, vec3 beyond)
{
#ifdef LAMPS
    // The march ended early: lamps behind that point are hidden, however bright.
    if (largest(ray.transmittance) <= occupied_min.w)
        lamp_depth += along_lamps(1e6 * step(vec4(box.x + ray.k * march.x), lamp_along), SHARE(1.0));
#endif
    SHARE seen = exp(-grid.w * ray.depth); // transmittance of unscattered light
    ray.radiance += max(ray.transmittance - seen, SCALED(0.0)) * beyond;
#ifdef THROUGH
    float taken = 1.0 - gray(ray.transmittance);
    passed_through = vec4(vec3(seen), taken > 0.0 ? box_min.w * ray.distance_sum / taken : 0.0);
#endif
    return vec4(min(ray.radiance, vec3(6e4)), gray(seen));
}

vec2 occupied_part(vec3 origin, vec3 direction, vec2 box)
{
    vec2 occupied = box_interval(origin, 1.0 / direction, occupied_min.xyz, occupied_max.xyz);
    occupied.y = min(occupied.y, box.y);
    return occupied;
}

#if defined(SLAB) || defined(ARRIVED)
#if defined(LAMPS) && defined(TINT)
const int STATES = 6; // layers of a ray; those of rays behind the edges of solids follow
#elif defined(LAMPS)
const int STATES = 4;
#else
const int STATES = 3;
#endif

// Loads a ray from the layers from `first` on, and adds its depths before lamps.
Ray load_ray(int first)
{
    ivec2 at = ivec2(gl_FragCoord.xy - slab_rays.zw);
    vec4 radiance = texelFetch(ray_states, ivec3(at, first), 0);
    vec4 transmittance = texelFetch(ray_states, ivec3(at, first + 1), 0);
    Ray ray;
    ray.radiance = radiance.rgb;
    ray.k = radiance.a;
    ray.transmittance = SCALED(transmittance);
    ray.depth = SHARE(texelFetch(ray_states, ivec3(at, first + 2), 0));
#ifdef THROUGH
    ray.distance_sum = transmittance.a;
#endif
#ifdef LAMPS
#ifdef TINT
    for (int c = 0; c < 3; c++)
        lamp_depth[c] += texelFetch(ray_states, ivec3(at, first + 3 + c), 0);
#else
    lamp_depth += texelFetch(ray_states, ivec3(at, first + 3), 0);
#endif
#endif
    return ray;
}
#endif

#ifdef SLAB
// Marches a ray through this slab: from the state in which it left the slab before, unless this is the
// first of its slabs, to that in which it leaves.
void march_slab(vec3 origin, vec3 direction, vec2 box, Sun sun)
{
    bool first = direction.z >= 0.0 ? slab.z < 0.0 : slab.w > grid.z;
    vec2 occupied = occupied_part(origin, direction, box);
    Ray ray = start_ray(box, occupied);
    if (!first)
        ray = load_ray(int(slab_rays.y) * STATES);
    march_ray(ray, origin, direction, box, occupied, sun);
    state_radiance = vec4(ray.radiance, ray.k);
    state_transmittance = vec4(vec3(ray.transmittance), 0.0);
#ifdef THROUGH
    state_transmittance.a = ray.distance_sum;
#endif
    state_depth = vec4(vec3(ray.depth), 0.0);
#ifdef LAMPS
#ifdef TINT
    state_lamps = lamp_depth[0];
    state_lamps_green = lamp_depth[1];
    state_lamps_blue = lamp_depth[2];
#else
    state_lamps = lamp_depth;
#endif
#endif
}
#endif

// What a ray sees between box.x and box.y, as seen_by(). layer: 0, or 1 behind the edge of a solid.
vec4 march_smoke(vec3 origin, vec3 direction, vec2 box, Sun sun, vec3 beyond, int layer)
{
#ifdef ARRIVED
    Ray ray = load_ray(layer * STATES);
#else
    vec2 occupied = occupied_part(origin, direction, box);
    Ray ray = start_ray(box, occupied);
    march_ray(ray, origin, direction, box, occupied, sun);
#endif
    return seen_by(ray, box, beyond);
}

void main()
{
    vec3 origin = (camera_origin.xyz - box_min.xyz) / box_min.w;
    vec3 direction = ray_safe(camera_ray(PICTURE_PIXEL / picture.zw));
    vec2 box = box_interval(origin, 1.0 / direction, vec3(0.0), grid.xyz);
#if defined(SLAB) || defined(ARRIVED)
    if ((direction.z >= 0.0) != (slab_rays.x > 0.0))
        discard;
#endif
    Sun sun;
    sun.irradiance = sun_irradiance.rgb * sun_direction.w;
    sun.lobes = blurred_lobes(dot(direction, sun_direction.xyz));
    vec3 around = surroundings(direction);
#ifdef LAMPS
    place_lamps(origin, direction);
#endif
#ifdef MET
    SolidRay ray =
        solid_met(origin, direction,
                  solid_trace(origin, direction, marched_pixels(history.z > 0.0 ? 4.0 : 2.5)));
    float end = min(box.y, ray.end);
#ifdef SLAB
    if (slab_rays.y == 0.0)
        march_slab(origin, direction, vec2(box.x, min(end, ray.split)), sun);
    else if (ray.split < end)
        march_slab(origin, direction, vec2(ray.split, end), sun);
    else
        discard;
#else
    vec3 lit = texture(ambient_volume, (origin + direction * end) / ambient_grid.xyz).rgb;
    vec3 beyond = ray.end < box.y ? solid_color.rgb * lit : around;
    bool whole = ray.split >= end;
    color = march_smoke(origin, direction, vec2(box.x, min(end, ray.split)), sun,
                        whole ? beyond : around, 0);
#ifdef THROUGH
    through = passed_through;
    passed_through = vec4(1.0, 1.0, 1.0, 0.0);
#endif
    behind = vec4(0.0, 0.0, 0.0, 1.0);
#ifdef LAMPS
    LAMP_DEPTH split_depth = lamp_depth;
    color = with_balls(color, origin, direction, 0.0, min(ray.split, ray.end), LAMP_DEPTH(0.0));
#endif
    if (!whole)
        behind = march_smoke(origin, direction, vec2(ray.split, end), sun, beyond, 1);
#ifdef THROUGH
    through_behind = passed_through;
    // The history has to know which rays end at a solid.
    bool ends = whole ? ray.end < box.y : solid_trace(origin, direction, 0.0).end < NEVER;
    through.a = history.z > 0.0 && ends ? -through.a - LEAST_STEP : through.a;
#endif
#ifdef LAMPS
    behind = with_balls(behind, origin, direction, ray.split, ray.end, split_depth);
#endif
#endif
#elif defined(SLAB)
    march_slab(origin, direction, box, sun);
#else
    color = march_smoke(origin, direction, box, sun, around, 0);
#ifdef THROUGH
    through = passed_through;
#endif
#ifdef LAMPS
    color = with_balls(color, origin, direction, 0.0, LAMP_NEVER, LAMP_DEPTH(0.0));
#endif
#ifdef SOLIDS
    behind = vec4(0.0, 0.0, 0.0, 1.0);
#ifdef THROUGH
    through_behind = vec4(1.0, 1.0, 1.0, 0.0);
#endif
#endif
#endif
}
