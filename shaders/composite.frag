#version 330 core
// SPDX-License-Identifier: MIT
// Smoke over solids, sky and ground, exposure, film curve, sRGB. SOLIDS is defined where there are any.
#include "frame.glsl"
#include "box.glsl"
#include "phase.glsl"
#include "tone.glsl"

uniform sampler2D smoke; // rgb: radiance, a: transmittance
uniform sampler3D light_volume;     // optical depth to the sun
uniform sampler3D ambient_volume;   // mean radiance of all other light
uniform sampler2D ground_noise;     // mean 0
uniform sampler2D ground_occlusion; // share of the sky the ground sees

#ifdef SOLIDS
uniform sampler2D smoke_behind; // as smoke, past the edge of a solid
#endif
#include "solid.glsl"
#include "background.glsl"
#include "solid_shade.glsl"

out vec4 color;

void main()
{
    vec2 point = gl_FragCoord.xy / picture.xy;
    vec4 marched = texture(smoke, point);
#ifdef SOLIDS
    marched = over_solids(point, marched);
#else
    if (camera_origin.w == 0.0)
        marched.rgb += background(camera_ray(point)) * marched.a;
#endif
    vec3 linear = marched.rgb;
    float opacity = 1.0;
    if (camera_origin.w > 0.0) {
        opacity = 1.0 - marched.a;
        linear = opacity > 0.0 ? marched.rgb / opacity : vec3(0.0);
    }
    vec3 encoded = srgb_encode(tone_map(linear * albedo.w));
    // Half a step of 8 bits, up and down, so that gradients do not band.
    float dither = (gradient_noise(gl_FragCoord.xy) - 0.5) * (0.998 / 255.0);
    color = vec4(encoded + dither, opacity);
}
