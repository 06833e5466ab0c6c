#version 330 core
// SPDX-License-Identifier: MIT
// Blurs marched smoke by weights of 1 2 1 across and up. This spreads the noise that jittered rays
// leave where they are few.

uniform sampler2D smoke;

out vec4 color;

void main()
{
    vec2 size = vec2(textureSize(smoke, 0));
    color = 0.25 * (texture(smoke, (gl_FragCoord.xy + vec2(-0.5, -0.5)) / size)
                    + texture(smoke, (gl_FragCoord.xy + vec2(0.5, -0.5)) / size)
                    + texture(smoke, (gl_FragCoord.xy + vec2(-0.5, 0.5)) / size)
                    + texture(smoke, (gl_FragCoord.xy + vec2(0.5, 0.5)) / size));
}
