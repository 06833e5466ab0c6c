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

#include <stdbool.h>
#include <stdint.h>

/* One colour of light in a box of cells; lengths in cells. The density is given at the cells'
 * centres and trilinear between them. Between the outermost centres and the faces of the box it is
 * constant. */
typedef struct PathSmoke {
    int n[3];
    const float *density; /* x fastest */
    double extinction;    /* of density 1, per cell */
    double albedo, mean_cosine;
    double back_share;  /* share of the scattered light in a second lobe */
    double back_cosine; /* mean cosine of that lobe */
    double sun[3];      /* unit direction towards the sun */
    double sun_irradiance;
    double lamp[3];        /* position */
    double lamp_intensity; /* irradiance at a distance of one cell */
    double lamp_radius;    /* the irradiance is constant within this distance */
    double sky;            /* radiance from all directions */
    double emission;       /* radiance of the smoke itself, times its absorbed share of light */
    int orders;            /* orders of scattering that count; 0: all */
} PathSmoke;

/* Mean over the paths that reach the origin from a direction. */
typedef struct PathResult {
    double radiance; /* without the sky's unscattered light */
    double passed;   /* transmittance */
    double error;    /* standard error of the radiance */
} PathResult;

/* direction: of unit length. */
PathResult path_trace(const PathSmoke *smoke, const double origin[3], const double direction[3],
                      int paths, uint64_t seed);

/* Phase function: share of the light scattered by an angle of this cosine, 1/sr. */
double path_phase(double cosine, double mean_cosine);

#endif
