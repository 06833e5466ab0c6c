/* SPDX-License-Identifier: MIT
 *
 * Light through smoke followed photon by photon, in double precision: slow, and right but for
 * noise. The truth that what is fast is compared with.
 *
 * Free paths by delta tracking (Woodcock and others 1965), the sun's share at each collision by
 * ratio tracking (Novak, Selle, Jarosz 2014), directions by the phase function of Henyey and
 * Greenstein (1941). */
#ifndef VERIFY_PATH_TRACER_H
#define VERIFY_PATH_TRACER_H

#include <stdbool.h>
#include <stdint.h>

/* One colour of light in a box of cells, lengths in cells. The extinction is given at the cells'
 * centres and trilinear between them; beyond the outermost it holds, as far as the box reaches. */
typedef struct PathSmoke {
    int n[3];
    const float *density; /* x fastest */
    double extinction;    /* of density 1, over a cell */
    double albedo, mean_cosine;
    double back_share,
        back_cosine; /* a second lobe's share of what scatters, and its mean cosine */
    double sun[3];   /* towards it, of unit length */
    double sun_irradiance;
    double lamp[3]; /* its place; */
    double lamp_intensity,
        lamp_radius; /* irradiance a cell away; within the radius it is the same */
    double sky;      /* radiance from all sides that is scattered */
    double emission; /* radiance that the smoke itself sends, times its share that absorbs */
    int orders;      /* of scattering that count; 0: all of them */
} PathSmoke;

/* Mean radiance of so many paths that end at origin, coming from direction (of unit length),
 * without the sky's that nothing scatters; that is `passed` of it. */
typedef struct PathResult {
    double radiance;
    double passed; /* transmittance, estimated likewise */
    double error;  /* standard error of radiance */
} PathResult;

PathResult path_trace(const PathSmoke *smoke, const double origin[3], const double direction[3],
                      int paths, uint64_t seed);

/* Share of light scattered by the angle of this cosine, per steradian. */
double path_phase(double cosine, double mean_cosine);

#endif
