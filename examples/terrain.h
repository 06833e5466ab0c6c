/* SPDX-License-Identifier: MIT
 *
 * State of examples/terrain.c, shared by its solver, its still ponds, its valley and its picture.
 *
 * Soil and water are columns on nx x ny square cells, x along i, y along j. Both heights are
 * integers of 2^-24 m (60 nm), up to 128 m together, so that a transfer between two columns loses
 * nothing to rounding. Volumes below are sums of such heights, in units of 2^-24 m cell^2. */
#ifndef TERRAIN_H
#define TERRAIN_H

#include "common/example.h"

#include <math.h>

typedef int32_t Height;

enum { HEIGHT_BITS = 24, SLICES = 120 /* in a second */, SOURCES = 8 };

typedef enum Cover {
    GRASS,
    EARTH, /* bare and packed */
    LOOSE  /* was moved; fast water carries it along */
} Cover;

/* A spring of water. */
typedef struct Source {
    double x, y; /* m */
    double rate; /* m^3/s */
    double owed; /* volume that is less than a unit and stays for the next slice */
} Source;

/* One way of a route: to a point, forwards or backwards. */
typedef struct Way {
    double x, y; /* m */
    bool backwards, lowered;
} Way;

typedef struct Bulldozer {
    double x, y, heading; /* centre, m; angle from x towards y, rad */
    double height, pitch; /* of the ground below the tracks, m; rise per m forwards */
    double drive, turn;   /* what the driver does: -1 backwards to 1 forwards, -1 to 1 towards y */
    bool lowered;         /* the blade cuts */
    double grade;         /* height to which it cuts, that of the ground where it was lowered, m */
    int way;              /* next way of the route, or -1 */
} Bulldozer;

typedef struct Ponds Ponds;

typedef struct Terrain {
    int nx, ny;
    double cell;          /* width of a cell, m */
    bool open;            /* water leaves at the last column, i = nx - 1; other edges are walls */
    Height *soil, *water; /* [nx ny], at i + nx j */
    Height *change;       /* scratch: change of the soil in a slice */
    double *flux_x, *flux_y; /* from (i,j) to (i+1,j) and to (i,j+1), m^2/s */
    double *share;           /* scratch: part of the outflow that the water of a cell allows */
    uint8_t *cover;          /* a Cover for each cell */
    float *wet;              /* wetness of the soil, 0 to 1 */
    Source sources[SOURCES];
    int source_count;
    bool sources_run;
    double rain;      /* m/s */
    double rain_owed; /* as of a source, of each cell */
    int64_t poured;   /* volume from sources, rain and terrain_pour() so far */
    int64_t left;     /* volume that left: at the open edge, or by terrain_dry() */
    double time_owed; /* elapsed time that is shorter than a slice, s */
    long slices;
    Bulldozer bulldozer;
    const Way *route; /* ends with a way to x < 0 */
    Ponds *ponds;     /* those that hold still, with their waves */
} Terrain;

static inline size_t cell_at(const Terrain *t, int i, int j)
{
    return (size_t)i + (size_t)t->nx * (size_t)j;
}

static inline size_t cell_count(const Terrain *t)
{
    return (size_t)t->nx * (size_t)t->ny;
}

static inline double metres(int64_t height)
{
    return (double)height * 0x1p-24;
}

/* The nearest height. Beyond 64 m it takes the nearest end. */
static inline Height to_height(double m)
{
    return (Height)lrint(ldexp(fmin(fmax(m, -64), 64), HEIGHT_BITS));
}

/* Level of the water, or of the soil where there is none. */
static inline Height level_at(const Terrain *t, size_t c)
{
    return t->soil[c] + t->water[c];
}

/* -- terrain.c -------------------------------------------------------------------------------- */

/* Flat dry soil of height 0 without sources. NULL if memory is short. */
Terrain *terrain_create(int nx, int ny, double cell);
void terrain_destroy(Terrain *t);
/* Simulates the elapsed time in slices of constant length. What is left of it is kept for the next
 * call, so the result does not depend on the lengths of the calls. */
void terrain_advance(Terrain *t, double elapsed);
/* Lowers or raises the blade of the bulldozer. */
void terrain_set_blade(Terrain *t, bool lowered);
/* Lets soil slip until no slope is steeper than the angle of repose. */
void terrain_settle(Terrain *t);
/* Adds a column of water, m, to cell c. */
void terrain_pour(Terrain *t, size_t c, double depth);
/* Takes all water away. */
void terrain_dry(Terrain *t);

/* -- terrain_ponds.c -------------------------------------------------------------------------- */

Ponds *ponds_create(const Terrain *t); /* NULL if memory is short */
void ponds_destroy(Ponds *ponds);
/* Advances the waves by a slice, and looks which ponds begin and cease to hold still. A pond for
 * whose waves memory is short stays without. */
void ponds_step(Terrain *t, double dt);
/* Raises the surface of a still pond around a point by a bump; negative presses it down. Elsewhere
 * nothing happens. */
void ponds_press(Terrain *t, double x, double y, double height);
/* Adds the waves of all ponds to the columns of water and ends them. The volume stays the same. */
void ponds_leave(Terrain *t);
int ponds_count(const Ponds *ponds);
/* Height of the waves above the level of cell c, m; 0 outside of still ponds. */
double ponds_wave(const Terrain *t, size_t c);

/* -- terrain_valley.c ------------------------------------------------------------------------- */

/* A valley with two springs, a dam across it, a basin below the dam, and the bulldozer with a route
 * through the dam. NULL if memory is short. */
Terrain *terrain_valley(void);

/* -- terrain_draw.c --------------------------------------------------------------------------- */

typedef struct View View;

View *view_create(const Terrain *t, int width, int height);
void view_destroy(View *view);
/* Turns the camera, rad, and changes its distance by a factor. */
void view_orbit(View *view, double azimuth, double elevation, double zoom);
/* Point of the ground that a pixel of the last frame shows, m. False where it shows none. */
bool view_pick(const View *view, double px, double py, double *x, double *y);
void view_draw(View *view, const Terrain *t, ExampleFrame *frame);

#endif
