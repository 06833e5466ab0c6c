#version 330 core
// SPDX-License-Identifier: MIT
// Evaluates one formula of the other shaders at many arguments; tests compare it with its
// definition. PHASE: the phase function of cosine x and mean cosine y. Otherwise: the film curve of
// radiance xyz, by AGX where that is defined.
#include "phase.glsl"
#include "tone.glsl"

uniform sampler2D level_picture; // the arguments

out vec4 color;

void main()
{
    vec4 argument = texelFetch(level_picture, ivec2(gl_FragCoord.xy), 0);
#ifdef PHASE
    color = vec4(phase_henyey_greenstein(argument.x, argument.y));
#else
    color = vec4(tone_encoded(argument.rgb), 1.0);
#endif
}
