// SPDX-License-Identifier: MIT
// Interpolates volumes between the centres of their cells: linearly along each axis, or by cubic
// B-splines where CUBIC is defined. B-splines hide the creases of a coarse grid, blur a little and
// never exceed the values around.
#ifdef CUBIC
// place runs from 0 to 1. Sums 64 cells by 8 linear look-ups (Sigg, Hadwiger, Fast third-order
// texture filtering, 2005). Along each axis, with weights w0..w3 of the cells low - 1 .. low + 2,
// one look-up covers the first two cells, at w1 / (w0 + w1) of the way between them; another covers
// the last two.
vec4 volume_at(sampler3D volume, vec3 place)
{
    vec3 size = vec3(textureSize(volume, 0));
    vec3 low = floor(place * size - 0.5);
    vec3 t = place * size - 0.5 - low;
    vec3 s = 1.0 - t;
    vec3 w0 = s * s * s / 6.0;
    vec3 w1 = (4.0 - 3.0 * t * t * (2.0 - t)) / 6.0;
    vec3 w3 = t * t * t / 6.0;
    vec3 near = w0 + w1;
    vec3 a = (low - 0.5 + w1 / near) / size;
    vec3 b = (low + 1.5 + w3 / (1.0 - near)) / size;
    vec4 front = mix(mix(texture(volume, vec3(b.x, b.y, a.z)), texture(volume, vec3(a.x, b.y, a.z)), near.x),
                     mix(texture(volume, vec3(b.x, a.y, a.z)), texture(volume, vec3(a.x, a.y, a.z)), near.x),
                     near.y);
    vec4 back = mix(mix(texture(volume, vec3(b.x, b.y, b.z)), texture(volume, vec3(a.x, b.y, b.z)), near.x),
                    mix(texture(volume, vec3(b.x, a.y, b.z)), texture(volume, vec3(a.x, a.y, b.z)), near.x),
                    near.y);
    return mix(back, front, near.z);
}
#else
#define volume_at texture
#endif
