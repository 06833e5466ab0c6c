#version 330 core
// SPDX-License-Identifier: MIT
// Meters a cell of the picture for automatic exposure: means over 8 x 8 samples of the logarithm of
// the luminance, of the luminance and of the opacity (ExposureCell, exposure.h).
#include "frame.glsl"

const vec2 CELLS = vec2(32.0, 18.0);
const float LEAST = 1e-7;

uniform sampler2D level_picture; // the picture at a quarter of its resolution

out vec4 color;

void main()
{
    vec2 scale = 0.25 * picture.xy / vec2(textureSize(level_picture, 0));
    vec2 corner = gl_FragCoord.xy - 0.5;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 64; i++) {
        vec2 place = corner + (vec2(float(i & 7), float(i >> 3)) + 0.5) / 8.0;
        vec4 seen = texture(level_picture, place / CELLS * scale);
        float light = dot(seen.rgb, vec3(0.2126, 0.7152, 0.0722));
        float stops = seen.a > 0.0 ? seen.a * log2(max(light / seen.a, LEAST)) : 0.0;
        sum += vec3(stops, light, seen.a);
    }
    color = vec4(sum / 64.0, 0.0);
}
