/* SPDX-License-Identifier: MIT
 *
 * Follows light through smoke photon by photon, in double precision. It is slow, and exact but for
 * noise: the reference for the renderer.
 *
 * Free paths by delta tracking (Woodcock and others 1965), direct light at each collision by ratio
 * tracking (Novak, Selle, Jarosz 2014), directions by the phase function of Henyey and Greenstein
 * (1941). */
#ifndef VERIFY_PATH_TRACER_H
#define VERIFY_PATH_TRACER_H

#include "base/render_settings.h"

#include <stdint.h>

/* A box of smoke and its lights, for one colour of light. Lengths in cells. The density is given at
 * the cell centres, interpolated linearly between them, and constant between the outermost centres
 * and the faces of the box. */
typedef struct PathSmoke {
    int n[3];
    const float *density; /* x fastest */
    double extinction;    /* extinction at density 1, per cell */
    double albedo, mean_cosine;
    const RampTable *tint; /* factor on the albedo by the density; NULL: none */
    int color;             /* component of its colours */
    double back_share;     /* share of the scattered light that follows the second lobe of the phase
                              function */
    double back_cosine;    /* mean cosine of the second lobe */
    double sun[3];         /* unit direction towards the sun */
    double sun_irradiance;
    double lamp[3];         /* position */
    double lamp_intensity;  /* irradiance at a distance of one cell */
    double lamp_radius;     /* within this distance of the lamp, its irradiance is constant */
    double zenith, horizon; /* radiance of the sky there; in between exp(-6 up) of the horizon */
    double below;           /* radiance from directions below the horizon, if there is no ground */
    double ground; /* albedo of the ground, which reflects alike to all sides in the plane y = 0; 0:
                      there is no ground */
    const float *temperature; /* at the cell centres, K; NULL: nothing glows */
    double (*glow)(const void *context,
                   double kelvin); /* thermal radiance per unit of extinction */
    const void *glow_context;
} PathSmoke;

/* Mean radiance of `paths` random paths along the ray from origin, without light of the sky that
 * was not scattered. direction: unit vector. */
double path_trace(const PathSmoke *smoke, const double origin[3], const double direction[3],
                  int paths, uint64_t seed);

/* Henyey-Greenstein phase function at a scattering angle, given by its cosine, 1/sr. */
double path_phase(double cosine, double mean_cosine);

#endif
