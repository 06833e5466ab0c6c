/* SPDX-License-Identifier: MIT
 *
 * Light that comes from all sides: of sky and ground, of what glows, and of the sun once it has
 * been scattered; and all of it scattered again, as often as it takes.
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

enum { AMBIENT_DIRECTIONS = 24, AMBIENT_GROUPS = 8 };

/* What is swept: everything per cell in fours, red, green, blue and nothing, but for the depth and
 * what follows from it, which are one for all colours, or fours as well. */
typedef struct Ambient {
    int reduction;           /* cells of the grid along the edge of one here: a power of 2 */
    int n[3];                /* the grid's cells per axis over that, rounded up */
    float spacing;           /* m between neighbours */
    int lanes;               /* values a cell of the next three: 1 or 4 */
    float *depth;            /* tau on the way of a direction through a cell, */
    float *passed;           /* e^-tau, */
    float *within;           /* and the mean of e^-t for 0 <= t <= tau */
    float *albedo;           /* of the scattering */
    float *source;           /* S0 */
    float *mean;             /* J, x fastest, then y, then z */
    float *own;              /* scratch: S of the sweep */
    float *parts;            /* of J, of AMBIENT_GROUPS groups of directions */
    float *planes;           /* scratch of each group: two padded planes */
    double changed;          /* by the last sweep: largest change of J over the largest J; of the
                                last two halves, the larger one */
    double changed_half;     /* by the last half of one */
    int half;                /* to be swept next: 1 or 2; 0: J is not known, and all is */
    struct Ambient *coarser; /* the same of cells twice as large; NULL where there is none */
} Ambient;

/* Light from outside: radiance that arrives from a direction, which points there. */
typedef struct AmbientSurroundings {
    void (*radiance)(const void *context, const float from[3], float rgb[3]);
    const void *context;
} AmbientSurroundings;

/* The optics of a cell, where scattering goes all ways alike. */
typedef struct AmbientCell {
    float thickness[3]; /* extinction times spacing; all the same where lanes is 1 */
    float albedo[3];    /* share of it that scatters */
    float source[3];    /* S0: radiance that it sends of itself, and of the sun's light */
} AmbientCell;

/* Cells per axis for a grid; keeps J where they stay the same. lanes: 1, or 4 for
 * smoke that dims colours differently. deep: with coarser ones, for
 * ambient_solve. Fails where there is no memory. */
bool ambient_resize(Ambient *ambient, const int cells[3], float cell_size, int reduction, int lanes,
                    bool deep, BillowError *error);
void ambient_destroy(Ambient *ambient);

void ambient_set(Ambient *ambient, ptrdiff_t cell, const AmbientCell *of);

/* So many orders more, or fewer once J changes by less than `enough` of its largest value. */
void ambient_sweep(Ambient *ambient, const AmbientSurroundings *around, int orders, double enough);

/* Half an order: every other group of directions, the others as they were in the call before. */
void ambient_sweep_half(Ambient *ambient, const AmbientSurroundings *around);

/* The same from nothing, whatever J was; the coarser cells first. */
void ambient_solve(Ambient *ambient, const AmbientSurroundings *around, int orders, double enough);

/* Forgets J: the next sweep starts in the dark. */
void ambient_darken(Ambient *ambient);

#endif
