#version 330 core
// SPDX-License-Identifier: MIT
// Composites smoke over solids, sky and ground into the linear picture: radiance times opacity, and
// opacity. SOLIDS and LAMPS are defined where there are any, MET where these pixels may show solids.
// DEVELOP is defined where no other pass works in linear light: this one then writes the 8-bit
// picture.
#include "frame.glsl"
#include "box.glsl"
#include "phase.glsl"
#include "develop.glsl"
#include "by_color.glsl"

uniform sampler2D smoke; // rgb: radiance, a: transmittance
uniform sampler3D light_volume;     // root of the optical depth to the sun
uniform sampler3D ambient_volume;   // mean radiance of all other light
uniform sampler2D backdrop;         // output of backdrop.frag
uniform sampler2D ground_occlusion; // share of the sky that the ground sees
uniform sampler2D ground_glow;      // irradiance of the ground by hot soot

#ifdef SOLIDS
uniform sampler2D smoke_front;  // as smoke, of the new rays alone, in front of the edge of a solid
uniform sampler2D smoke_behind; // the same behind the edge
#endif
#ifdef TINT
uniform sampler2D through_smoke; // rgb: transmittance
#ifdef SOLIDS
uniform sampler2D level_picture;  // rgb: transmittance of the new rays in front of the edge of a solid
uniform sampler2D through_behind; // rgb: transmittance behind the edge
#endif
#endif

vec3 through_front(vec2 point, vec4 marched)
{
#ifdef TINT
    return by_color(texture(through_smoke, drawn_place(point)).rgb, marched.a);
#else
    return vec3(marched.a);
#endif
}

#ifdef SOLIDS
// What the new rays found at a point. In frames with a history they are offset from their pixels'
// centres by history.xy.
vec4 found(sampler2D rays, vec2 point)
{
    return texture(rays, drawn_place(point) - history.xy / picture.zw);
}

vec3 through_edge(vec2 point, vec4 marched)
{
#ifdef TINT
    return by_color(found(level_picture, point).rgb, marched.a);
#else
    return vec3(marched.a);
#endif
}

vec3 through_between(vec2 point, vec4 marched)
{
#ifdef TINT
    return by_color(found(through_behind, point).rgb, marched.a);
#else
    return vec3(marched.a);
#endif
}
#endif
#include "solid.glsl"
#include "lamps.glsl"
#ifdef HAZE
uniform sampler2D haze_shift; // output of haze.frag

// The place at which the pixel at `point` shows solids, sky and ground through hot air.
vec2 hazed(vec2 point)
{
    vec3 origin = (camera_origin.xyz - box_min.xyz) / box_min.w;
    vec3 direction = ray_safe(camera_ray(point));
    float height = camera_origin.y - home.y, along = 1e9; // m
    if (ground_color.w > 0.0 && height > 0.0 && direction.y < 0.0)
        along = min(height / -direction.y, along);
#ifdef MET
    along = min(along, solid_trace(origin, direction, 0.0).end * box_min.w);
#endif
    vec4 shift = textureLod(haze_shift, drawn_place(point), 0.0);
    return point + shift.xy - shift.zw / max(along, box_min.w);
}

vec4 backdrop_at(vec2 point)
{
    return textureLod(backdrop, drawn_place(point), 0.0);
}
#endif
#include "surroundings.glsl"
#include "background.glsl"
#include "solid_shade.glsl"

const float BRIGHTEST = 60000.0; // largest radiance written; half floats hold 65504

out vec4 color;

void main()
{
    vec2 point = PICTURE_PIXEL / picture.xy;
    vec4 marched = texture(smoke, gl_FragCoord.xy / tile.zw);
#ifdef MET
    marched = over_solids(point, marched);
#elif defined(HAZE)
    vec2 seen = hazed(point);
    if (camera_origin.w == 0.0)
        marched.rgb += background(camera_ray(seen), backdrop_at(seen)) * through_front(point, marched);
#else
    if (camera_origin.w == 0.0)
        marched.rgb += background(camera_ray(point),
                                  textureLod(backdrop, gl_FragCoord.xy / tile.zw, 0.0))
                       * through_front(point, marched);
#endif
    float opacity = camera_origin.w > 0.0 ? 1.0 - marched.a : 1.0;
    color = vec4(min(marched.rgb, vec3(BRIGHTEST)), opacity);
#ifdef DEVELOP
    color = developed(color, PICTURE_PIXEL);
#endif
}
