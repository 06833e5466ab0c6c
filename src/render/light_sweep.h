/* SPDX-License-Identifier: MIT
 *
 * The light volume (light_volume.h) swept by the GL, from density that is there already. A 3D
 * texture can only be drawn into slice by slice across z, and the planes of a sweep lie as the sun
 * stands; so what is drawn first are rays, a slice a plane, four planes at a time by as many draw
 * buffers, and from them the volume. A group of planes reads what the one before it wrote: they
 * take turns with two textures, since none may be read while it is drawn into. */
#ifndef RENDER_LIGHT_SWEEP_H
#define RENDER_LIGHT_SWEEP_H

#include "light_volume.h"
#include "volume.h"
#include <epoxy/gl.h>

typedef struct LightSweep {
    GLuint framebuffer;
    Volume matter, rays[2];
} LightSweep;

/* shaders/light_sweep.frag with each of its definitions. */
typedef struct LightSweepPrograms {
    GLuint gather, rays, cells; /* gather: with COLOR where color is not NULL */
} LightSweepPrograms;

typedef struct LightSweepJob {
    const Volume *density, *color; /* color: NULL where all of the smoke dims alike */
    int n[3], reduction;           /* as in LightVolume */
    int channels;                  /* of depth, likewise: 1 or 4 */
    float spacing;
    float sun[3], extinction;
    LightColors colors; /* for 4 channels */
} LightSweepJob;

/* Fills light with what light_volume_compute or light_volume_compute_colors puts into `depth`.
 * Wants textures for as many cells again, twice; changes the framebuffer, program, viewport and
 * textures that are bound; nothing else may be switched on. */
bool light_sweep_run(LightSweep *sweep, const LightSweepPrograms *programs,
                     const LightSweepJob *job, Volume *light, BillowError *error);
/* Clears all that the above draws into, in as many parts. No run can be faster, and no program has
 * to be compiled to find out how long that takes. */
bool light_sweep_touch(LightSweep *sweep, const LightSweepJob *job, Volume *light,
                       BillowError *error);
void light_sweep_destroy(LightSweep *sweep);

#endif
