// SPDX-License-Identifier: MIT
// Luminance and two differences of colours (Malvar, Sullivan 2003). Neighbouring smoke differs more
// in luminance than in colour, so bounds on these are tighter than bounds on red, green and blue.

vec4 to_ycocg(vec4 c)
{
    return vec4(0.25 * (c.r + 2.0 * c.g + c.b), 0.5 * (c.r - c.b), 0.25 * (2.0 * c.g - c.r - c.b), c.a);
}

vec4 from_ycocg(vec4 c)
{
    return vec4(c.x - c.z + c.y, c.x + c.z, c.x - c.z - c.y, c.a);
}
