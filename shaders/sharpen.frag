#version 330 core
// SPDX-License-Identifier: MIT
// Sharpens the accumulated smoke for the screen. The result stays between the least and the largest
// value of the cross of pixels around it: edges become steeper, and nothing overshoots. It is not fed
// back into the history.

const float AMOUNT = 0.4; // factor on the difference from the mean of four neighbours

uniform sampler2D level_picture; // the history

out vec4 color;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(level_picture, 0) - 1;
    vec4 middle = texelFetch(level_picture, at, 0);
    vec4 left = texelFetch(level_picture, ivec2(max(at.x - 1, 0), at.y), 0);
    vec4 right = texelFetch(level_picture, ivec2(min(at.x + 1, last.x), at.y), 0);
    vec4 below = texelFetch(level_picture, ivec2(at.x, max(at.y - 1, 0)), 0);
    vec4 above = texelFetch(level_picture, ivec2(at.x, min(at.y + 1, last.y)), 0);
    vec4 low = min(middle, min(min(left, right), min(below, above)));
    vec4 high = max(middle, max(max(left, right), max(below, above)));
    vec4 mean = 0.25 * (left + right + below + above);
    color = clamp(middle + AMOUNT * (middle - mean), low, high);
}
