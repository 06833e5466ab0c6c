/* SPDX-License-Identifier: MIT
 *
 * Light that comes from all sides: of sky and ground, of what glows, and of the sun once it has
 * been scattered; and all of it scattered again, any number of times.
 *
 * The radiance L along each of 24 directions d is swept through the grid in turn (discrete
 * ordinates; Chandrasekhar 1950, Carlson 1955). A cell of optical thickness tau on the way keeps
 *
 *     L_out = L_in e^-tau + S (1 - e^-tau),    S = S0 + albedo J,    J = mean of L over the d
 *
 * and S takes J as it was in the sweep before (source iteration): each sweep is an order of
 * scattering more. From frame to frame J can be kept, so that an order a frame does; or it is found
 * from nothing, first for cells twice as large. In light that is
 * the same on all sides, albedo 1 leaves it the same, whatever the smoke (the white furnace), and
 * no light is lost or made.
 */
#ifndef RENDER_AMBIENT_H
#define RENDER_AMBIENT_H

#include "light_volume.h"
#include "render_settings.h"

#include <billow/billow.h>

/* What is around the box: the light of sky and ground. */

typedef struct Surroundings {
    float zenith[3], horizon[3]; /* radiance of the sky, */
    float sky[3];                /* its mean over the upper hemisphere, */
    float ground[3];             /* and that of the lower one */
} Surroundings;

Surroundings surroundings_of(const RenderSettings *settings);

/* From a direction, without the sun; context is a Surroundings. */
void surroundings_radiance(const void *context, const float from[3], float rgb[3]);

enum { AMBIENT_DIRECTIONS = 24, AMBIENT_GROUPS = 8 };

/* All values of a cell are in fours: red, green, blue and one unused. Depth and the two that follow
 * from it have `lanes` values instead. */
typedef struct Ambient {
    int reduction;           /* cells of the grid along the edge of a cell of J: a power of 2 */
    int n[3];                /* the grid's cells per axis / reduction, rounded up */
    float spacing;           /* edge of a cell of J, m */
    int lanes;               /* values a cell of depth, passed and within: 1 or 4 */
    float *depth;            /* tau of a direction's path through a cell */
    float *passed;           /* e^-tau */
    float *within;           /* mean of e^-t for 0 <= t <= tau */
    float *albedo;           /* albedo of the isotropic scattering */
    float *source;           /* S0 */
    float *mean;             /* J, x fastest, then y, then z */
    float *own;              /* scratch: S of the present sweep */
    float *parts;            /* shares of J from each of AMBIENT_GROUPS groups of directions */
    float *planes;           /* scratch of each group: two padded planes */
    double changed;          /* largest change of J in the last sweep over the largest J; the larger
                                one of its two halves */
    double changed_half;     /* the same of the last half sweep */
    int half;                /* half to sweep next: 1 or 2; 0: J is unknown, sweep all */
    struct Ambient *coarser; /* the same with cells twice as large, or NULL */
} Ambient;

/* Light from outside: radiance that arrives from a direction, which points there. */
typedef struct AmbientSurroundings {
    void (*radiance)(const void *context, const float from[3], float rgb[3]);
    const void *context;
} AmbientSurroundings;

/* The optics of a cell, for isotropic scattering. */
typedef struct AmbientCell {
    float thickness[3]; /* extinction times spacing; all equal where lanes is 1 */
    float albedo[3];    /* share of the extinction that is scattering */
    float source[3];    /* S0: radiance by glow and by the first scattering of sun and lamps */
} AmbientCell;

/* Cells per axis for a grid; keeps J where they stay the same. lanes: 1, or 4 for
 * smoke that dims colours differently. deep: with coarser ones, for
 * ambient_solve. Fails where there is no memory. */
bool ambient_resize(Ambient *ambient, const int cells[3], float cell_size, int reduction, int lanes,
                    bool deep, BillowError *error);
void ambient_destroy(Ambient *ambient);

void ambient_set(Ambient *ambient, ptrdiff_t cell, const AmbientCell *of);

/* Adds `orders` orders of scattering. Stops early once J changes by less than `enough` of its
 * largest value. */
void ambient_sweep(Ambient *ambient, const AmbientSurroundings *around, int orders, double enough);

/* Adds half an order: sweeps every other group of directions and keeps the other groups. */
void ambient_sweep_half(Ambient *ambient, const AmbientSurroundings *around);

/* ambient_sweep from J = 0, starting on the coarser cells. */
void ambient_solve(Ambient *ambient, const AmbientSurroundings *around, int orders, double enough);

/* Forgets J: the next sweep starts from 0. */
void ambient_darken(Ambient *ambient);

/* What the glow of hot soot lights of the ground, as far as one sees: a map of irradiance. */

enum { GROUND_GLOW = 64 }; /* texels along an edge of the map */

/* map: GROUND_GLOW squared values of four floats, red, green, blue and nothing, x fastest, then z.
 * A place p of the ground, x or z, counted from the box's middle and in its longest edges, is at
 *
 *     u = 1/2 + p / (1 + 2 |p|)
 *
 * of the map (size: the box's edges, m), so that it is fine beneath the box and ends nowhere. glow:
 * radiance of each cell's own light, the first of `stride` floats a cell being red. The ambient's
 * cells are set. False, and the map untouched, where nothing glows. */
bool ground_glow_map(const Ambient *ambient, const float size[3], const float *glow, int stride,
                     float factor, float *map);

#endif
