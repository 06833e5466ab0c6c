/* SPDX-License-Identifier: MIT
 *
 * Rays and solids: shaders/solid.glsl and solid_shade.glsl over again in C. Places, directions and
 * lengths in cells from the corner of the box. */
#ifndef PICTURE_SOLID_TRACE_H
#define PICTURE_SOLID_TRACE_H

#include "march.h"

#include <stdbool.h>

typedef struct SolidTrace {
    const March *march;
    GridSample distance; /* at the cells' corners, negative inside */
} SolidTrace;

#define SOLID_NEVER 1e9f

/* Where a ray meets solids; see solid.glsl. */
typedef struct SolidRay {
    float split; /* first surface hit or nearly hit; SOLID_NEVER when none is */
    float end;   /* where the ray ends in a solid; SOLID_NEVER when it does not */
} SolidRay;

SolidTrace solid_trace_open(const March *march, const BillowView *view);
/* Negative inside. */
float solid_trace_distance(const SolidTrace *solids, Vec3 point);
SolidRay solid_trace(const SolidTrace *solids, Vec3 origin, Vec3 direction, float near_miss);

/* Share of the sun's disc (or of a lamp's, so far away) and of the sky over a surface that solids
 * leave to a place. */
float solid_sunlight(const SolidTrace *solids, Vec3 point, Vec3 sun, float reach);
float solid_openness(const SolidTrace *solids, Vec3 point, Vec3 normal);

/* A lamp's irradiance on a surface, in the shadows of solids: smoke is looked at `off` cells above
 * it.
 */
Vec3 solid_lamplight(const SolidTrace *solids, int lamp, Vec3 point, Vec3 normal, float off);

/* Radiance of a solid's surface; view: the ray that meets it there. */
Vec3 solid_radiance(const SolidTrace *solids, Vec3 point, Vec3 view);

#endif
