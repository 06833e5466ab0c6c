// SPDX-License-Identifier: MIT
// Volumes between the centres of their cells: linear along each axis, or, where CUBIC is defined, by
// cubic B-splines, which have no creases in which a coarse grid shows, blur a little and never go
// beyond the values around.
#ifdef CUBIC
// place runs from 0 to 1. 64 cells by 8 linear looks between two each (Sigg, Hadwiger, Fast third-order
// texture filtering, 2005): with weights w0..w3 of the cells low - 1 .. low + 2, the first two are
// looked at once between them, w1 / (w0 + w1) of the way, and so are the others.
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
