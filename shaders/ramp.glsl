// SPDX-License-Identifier: MIT
// Colour ramps, as render_ramp_color() and ramp_color() compute them for the light volumes.
#if defined(RAMP) || defined(GLOW_RAMP)
uniform sampler3D ramp_volume; // r: field of the smoke's ramp, g: field of the glow's ramp. A field
                               // may be stored times the density: see ramp_style

// Colour of `count` stops from `first` at a value of their field.
vec3 ramp_color(int first, int count, float value)
{
    vec3 color = ramp_stops[first].rgb;
    for (int s = first + 1; s < first + count; s++) {
        float span = max(ramp_stops[s].w - ramp_stops[s - 1].w, 1e-6);
        color = mix(color, ramp_stops[s].rgb,
                    clamp((value - ramp_stops[s - 1].w) / span, 0.0, 1.0));
    }
    return color;
}

vec3 smoke_ramp(vec3 place, float density)
{
    float value = volume_at(ramp_volume, place).x / mix(1.0, max(density, 1e-6), ramp_style.z);
    return clamp(ramp_color(0, int(ramp_style.x), value), 0.0, 1.0);
}

vec3 glow_ramp(vec3 place, float density)
{
    float value = volume_at(ramp_volume, place).y / mix(1.0, max(density, 1e-6), ramp_style.w);
    return ramp_color(8, int(ramp_style.y), value);
}
#endif
