#version 330 core
// SPDX-License-Identifier: MIT
// Optical depth towards the sun, as src/picture/light_volume.c sweeps it: rays that stand still while
// plane after plane, seen along the light, passes by them. Every pass fills so many layers at once:
//
//     GATHER   what dims the light, from the smoke, at the light volume's resolution
//     RAYS     a group of planes: how deep each ray is in the middle of each of them
//     CELLS    the light volume, from the rays around each cell
//
// src/render/light_sweep.c runs them.
#define LAYERS 4

uniform int first_layer; // of those that are filled

out vec4 layers[LAYERS];

#ifdef GATHER
uniform sampler3D density_volume;
uniform int reduction; // cells of the grid along one of the light volume's
#ifdef COLOR
uniform sampler3D color_volume;
uniform float excess; // see LightColors in src/picture/light_volume.h
#endif

vec4 layer(int index)
{
    ivec3 cell = ivec3(ivec2(gl_FragCoord.xy), first_layer + index) * reduction;
    ivec3 size = textureSize(density_volume, 0);
    float density = 0.0;
    vec3 color = vec3(0.0);
    for (int corner = 0; corner < reduction * reduction * reduction; corner++) {
        ivec3 fine = cell + ivec3(corner & 1, corner >> 1 & 1, corner >> 2);
        if (any(greaterThanEqual(fine, size)))
            continue;
        density += max(texelFetch(density_volume, fine, 0).r, 0.0);
#ifdef COLOR
        color += max(texelFetch(color_volume, fine, 0).rgb, vec3(0.0));
#endif
    }
    float share = reduction == 1 ? 1.0 : 0.125;
    vec3 dimming = vec3(share * density);
#ifdef COLOR
    dimming += excess * max(dimming - share * color, vec3(0.0));
#endif
    return vec4(dimming, 1.0);
}
#else

// Plane p's element (i, j) is the light volume's cell origin + p along + i across + j up.
uniform ivec3 origin;
uniform ivec3 along;
uniform ivec3 across;
uniform ivec3 up;
uniform vec2 drift; // elements that rays move by from plane to plane

vec2 moved(int plane)
{
    return float(plane) * drift;
}

// The ray through a plane's element (0, 0), or the nearest one before it.
ivec2 first_ray(int plane)
{
    return ivec2(floor(moved(plane)));
}

vec2 share(int plane)
{
    return moved(plane) - floor(moved(plane));
}

// Ray of the first texel in a group's layers; plane is its first one.
ivec2 window(int plane)
{
    return min(first_ray(plane), first_ray(plane + LAYERS - 1));
}
#endif

#ifdef RAYS
uniform sampler3D sweep_matter;
uniform sampler3D sweep_rays_0; // the group before, whose last plane is this layer
uniform int layer_before;
uniform ivec3 planes;   // elements across and up of one; z: how many
uniform vec3 half_path; // extinction times half the way from plane to plane

vec3 carry; // depth of the ray behind the planes that it has passed

// Without branches here and below: a rasteriser on the CPU takes ten times as long to compile them.
vec3 matter_at(int plane, ivec2 at)
{
    ivec2 inside = clamp(at, ivec2(0), planes.xy - 1);
    vec3 matter = texelFetch(sweep_matter, origin + plane * along + inside.x * across + inside.y * up, 0).rgb;
    return inside == at ? matter : vec3(0.0);
}

// Depth of half a plane where the ray passes through it.
vec3 own(int plane, ivec2 ray)
{
    ivec2 at = ray - first_ray(plane);
    vec2 t = share(plane);
    vec3 low = mix(matter_at(plane, at - ivec2(0, 1)), matter_at(plane, at - ivec2(1, 1)), t.x);
    vec3 high = mix(matter_at(plane, at), matter_at(plane, at - ivec2(1, 0)), t.x);
    return half_path * mix(high, low, t.y);
}

ivec2 ray()
{
    return window(first_layer) + ivec2(gl_FragCoord.xy);
}

void start()
{
    ivec2 texel = ray() - window(first_layer - LAYERS);
    ivec2 known = clamp(texel, ivec2(0), textureSize(sweep_rays_0, 0).xy - 1);
    carry = texelFetch(sweep_rays_0, ivec3(known, max(layer_before, 0)), 0).rgb + own(max(first_layer - 1, 0), ray());
    if (first_layer == 0 || known != texel) // rays that only come in now have passed nothing
        carry = vec3(0.0);
}

vec4 layer(int index)
{
    vec3 half_way = own(first_layer + index, ray());
    vec3 middle = carry + half_way;
    carry = middle + half_way;
    return vec4(middle, 1.0);
}
#endif

#ifdef CELLS
uniform sampler3D sweep_rays_0; // groups 0, 2, 4 and so on
uniform sampler3D sweep_rays_1; // the others

vec4 rays_at(int group, ivec3 texel)
{
    return (group & 1) == 0 ? texelFetch(sweep_rays_0, texel, 0) : texelFetch(sweep_rays_1, texel, 0);
}

vec4 layer(int index)
{
    vec3 off = vec3(ivec3(ivec2(gl_FragCoord.xy), first_layer + index) - origin);
    int plane = int(dot(off, vec3(along)) + 0.5);
    int group = plane / LAYERS;
    ivec2 at = ivec2(vec2(dot(off, vec3(across)), dot(off, vec3(up))) + 0.5);
    ivec3 low = ivec3(at + first_ray(plane) - window(group * LAYERS), group / 2 * LAYERS + plane % LAYERS);
    vec2 t = share(plane);
    return mix(mix(rays_at(group, low), rays_at(group, low + ivec3(1, 0, 0)), t.x),
               mix(rays_at(group, low + ivec3(0, 1, 0)), rays_at(group, low + ivec3(1, 1, 0)), t.x), t.y);
}
#endif

void main()
{
#ifdef RAYS
    start();
#endif
    layers[0] = layer(0); // by constant indices: GLES knows no others
    layers[1] = layer(1);
    layers[2] = layer(2);
    layers[3] = layer(3);
}
