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
 * scattering more, or several where their series is extrapolated. From frame to frame J can be
 * kept, so that an order a frame does; or it is found from nothing, first for cells twice as large.
 * In light that is the same on all sides, albedo 1 leaves it the same, whatever the smoke (the
 * white furnace), and no light is lost or made. */
#ifndef RENDER_AMBIENT_H
#define RENDER_AMBIENT_H

#include "render/light/light_volume.h"
#include "render/light/surroundings.h"

#include <billow/billow.h>

enum { AMBIENT_GROUPS = 8 };

/* The direction from which the light of a sweep comes, of unit length. */
void ambient_direction(int index, float from[3]);

/* What light along a direction comes from, as shares of it. The rest comes from the zenith. */
typedef struct AmbientSight {
    float horizon, ground;
} AmbientSight;

/* J, the mean radiance, on a grid. Each cell has four floats: red, green, blue and one unused.
 * depth, passed and within have `lanes` values a cell instead. */
typedef struct Ambient {
    int reduction; /* cells of the grid along the edge of a cell of J: a power of 2 */
    int n[3];      /* the grid's cells per axis / reduction, rounded up */
    float spacing; /* edge of a cell of J, m */
    int lanes;     /* values per cell of depth, passed and within: 1 or 4 */
    float *depth;  /* optical thickness tau of a direction's path through a cell */
    float *passed; /* e^-tau */
    float *within; /* mean of e^-t for 0 <= t <= tau */
    float *albedo; /* albedo of the isotropic scattering */
    float *source; /* S0 */
    float *mean;   /* J, x fastest, then y, then z */
    float *own;    /* scratch: S of the current sweep */
    float *shown;  /* J for the picture, which interpolates it linearly; see ambient_show */
    float *parts;  /* shares of J from each of AMBIENT_GROUPS groups of directions */
    float *planes; /* scratch of each group: two padded planes */
    /* Values of each column of cells, x fastest, then z, of four floats as above. */
    float *sunlit;  /* share of the sun's light that reaches the ground */
    float *falling; /* irradiance of the ground by all other light, from each group */
    float *floor;   /* radiance of the ground */
    AmbientSight sights[AMBIENT_DIRECTIONS];
    double changed;      /* largest change of J in the last full sweep divided by the largest J: the
                            larger value of its two halves */
    double changed_half; /* the same for the last half sweep */
    int half; /* half of the directions to sweep next: 1 or 2; 0: J is unknown, and all are swept */
    struct Ambient *coarser; /* the same light on cells twice as large, or NULL */
} Ambient;

/* The optics of a cell. Scattering is isotropic. */
typedef struct AmbientCell {
    float thickness[3]; /* extinction times spacing; all equal where lanes is 1 */
    float albedo[3];    /* share of the extinction that is scattering */
    float source[3];    /* S0: radiance from glow and from the first scattering of sun and lamps */
} AmbientCell;

/* Sets the cells per axis; J is preserved if they do not change. lanes: 1, or 4 for smoke that dims
 * each colour differently. deep: also creates coarser grids, for ambient_solve. Fails if memory is
 * short. */
bool ambient_resize(Ambient *ambient, const int cells[3], float cell_size, int reduction, int lanes,
                    bool deep, BillowError *error);
void ambient_destroy(Ambient *ambient);

void ambient_set(Ambient *ambient, ptrdiff_t cell, const AmbientCell *of);
/* Sets the share of the sun's light that reaches the ground below column (i, k). */
void ambient_set_sunlit(Ambient *ambient, int i, int k, const float share[3]);

/* Adds the light of at least `orders` orders of scattering in as many sweeps. Stops early when J
 * changes by less than `enough` of its largest value. */
void ambient_sweep(Ambient *ambient, const Surroundings *around, int orders, double enough);

/* Adds half an order: sweeps every other group of directions and leaves the others unchanged. */
void ambient_sweep_half(Ambient *ambient, const Surroundings *around);

/* Computes J from 0, first on the coarser grids. */
void ambient_solve(Ambient *ambient, const Surroundings *around, int orders, double enough);

/* Computes `shown` from J. The next sweep overwrites it. */
void ambient_show(Ambient *ambient);

/* Resets J: the next sweep starts from 0. */
void ambient_darken(Ambient *ambient);

/* Irradiance of the ground by hot smoke, as a map. */

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
