// SPDX-License-Identifier: MIT

// Transmittance by colour of the smoke with its tracers and lamps. through: that of the smoke
// alone. all: the mean over colours, with tracers and lamps.
vec3 by_color(vec3 through, float all)
{
    return through * (all / max(dot(through, vec3(1.0 / 3.0)), 1e-6));
}
